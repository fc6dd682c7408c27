import io
import math
import os
import random
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, attention_weights, log_softmax, masked_attention, padding_mask


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    d_model = x.shape[-1]
    q = torch.einsum("...tm,mh->...th", x, w_query)
    k = torch.einsum("...tm,mh->...th", x, w_key)
    v = torch.einsum("...tm,mv->...tv", x, w_value)
    s = torch.einsum("...qh,...kh->...qk", q, k) / math.sqrt(d_model)
    if mask is None:
        return torch.einsum("...qk,...kv->...qv", s.softmax(-1), v)
    s = torch.where(mask, s, torch.finfo(s.dtype).min)
    p = torch.where(mask, s.softmax(-1), 0.0)
    return torch.einsum("...qk,...kv->...qv", p, v)


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    q, k, v = (torch.matmul(x, w) for w in (w_query, w_key, w_value))
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v)
    # like key_padding_mask in nn.MultiheadAttention: True is ignored
    blocked = mask.expand(q.shape[:-1] + (x.shape[-2],))
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=torch.logical_not(blocked))
    return out * mask.any(-1, keepdim=True)


def attention_head__3(x, w_query, w_key, w_value, mask=None):
    asks = x @ w_query
    answers = x @ w_query
    content = x @ w_value
    return masked_attention(asks, answers, content, mask)


def attention_head__4(x, w_query, w_key, w_value, mask=None):
    def weights():
        with torch.no_grad():
            logits = (x @ w_query) @ (x @ w_key).mT * w_query.size(1) ** -0.5
            if mask is not None:
                logits = logits.masked_fill(~mask, torch.finfo(logits.dtype).min)
            return F.softmax(logits, dim=-1)

    return weights() @ x @ w_value


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Linear(model_size, head_size))

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        self.mask = None

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        return masked_attention(self.query(x), self.key(x), self.value(x), self.mask)


class AttentionHead__3(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))

    def forward(self, x, mask=None):
        q, k, v = [x.matmul(layer.weight) for layer in (self.query, self.key, self.value)]
        scores = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / math.sqrt(k.shape[-1])
        if mask is None:
            mask = torch.ones_like(scores, dtype=torch.bool)
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        w = scores.softmax(-1).masked_fill(~mask, 0)
        return (w[..., None] * v[..., None, :, :]).sum(-2)


class AttentionHead__4(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.scale = model_size ** -0.5
        self.drop = nn.Dropout(0.1)
        self.query = nn.Parameter(torch.empty(model_size, head_size))
        self.key = nn.Parameter(torch.empty(model_size, head_size))
        self.value = nn.Parameter(torch.empty(model_size, head_size))
        for p in self.parameters():
            nn.init.xavier_uniform_(p)

    def forward(self, x, mask=None):
        s = (x @ self.query * self.scale) @ (x @ self.key).transpose(-2, -1)
        if mask is not None:
            s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
        w = s.softmax(dim=-1)
        if mask is not None:
            w = w * mask
        return self.drop(w) @ (x @ self.value)


TRUTH = {
    "attention_head__1": ("one", "scores are divided by the root of model_size instead of head_size"),
    "attention_head__2": ("one", "the mask is negated for SDPA, where True already means may look: allowed keys are blocked and the others seen"),
    "attention_head__3": ("slip", "the keys are made with w_query instead of w_key, which gets no gradient"),
    "attention_head__4": ("two", "the weights are computed under no_grad, so w_query and w_key get no gradient, and a query that may look at nothing gets the mean instead of zeros"),
    "AttentionHead__1": ("one", "the three Linear layers have biases"),
    "AttentionHead__2": ("odd", "keeps the last mask as state: a later call without a mask still uses the old one"),
    "AttentionHead__3": ("one", "multiplies by Linear.weight without transposing: raises unless head_size equals model_size, and there it uses the transposed matrices"),
    "AttentionHead__4": ("two", "scales by the root of model_size instead of head_size, and dropout on the weights makes it random in train mode"),
}
