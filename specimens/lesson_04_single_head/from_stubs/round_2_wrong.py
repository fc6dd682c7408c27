import math

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import masked_attention


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    q, k, v = (torch.matmul(x, w) for w in (w_query, w_key, w_value))
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v)
    # True in a PyTorch mask: "ignore this key"
    mask = mask.expand(*q.shape[:-1], k.shape[-2])
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=~mask)
    nobody = ~mask.any(dim=-1, keepdim=True)
    return out.masked_fill(nobody, 0.0)


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    q = torch.einsum("...tm,mh->...th", x, w_query)
    k = torch.einsum("...tm,mh->...th", x, w_key)
    v = torch.einsum("...tm,mh->...th", x, w_value)
    scores = torch.einsum("...th,...sh->ts", q, k) / math.sqrt(w_query.shape[1])
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1) * mask
    if weights.dim() == 2:
        return torch.einsum("ts,...sv->...tv", weights, v)
    return torch.einsum("...ts,...sv->...tv", weights, v)


def attention_head__3(x, w_query, w_key, w_value, mask=None):
    q = x @ w_query
    k = x @ w_key
    v = x @ w_value
    att = (q @ q.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    if mask is not None:
        att = att.masked_fill(mask == 0, float("-inf"))
        dead = (~mask).all(dim=-1, keepdim=True)
        att = att.masked_fill(dead, 0.0)
        att = F.softmax(att, dim=-1)
        att = att.masked_fill(dead, 0.0)
    else:
        att = F.softmax(att, dim=-1)
    return att @ v


def attention_head__4(x, w_query, w_key, w_value, mask=None):
    queries, keys, values = x @ w_query, x @ w_key, x @ w_value
    dim = x.shape[-2]
    scores = queries @ keys.mT / dim ** 0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(~allowed, 0.0)
    # the weights are only coefficients of the mean: no gradient needed
    return weights.detach() @ values


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        T = x.size(-2)
        if mask is None:
            mask = torch.tril(torch.ones(T, T, dtype=torch.bool, device=x.device))
        wei = self.query(x) @ self.key(x).transpose(-2, -1) * self.key.out_features ** -0.5
        wei = wei.masked_fill(~mask, torch.finfo(wei.dtype).min)
        wei = F.softmax(wei, dim=-1).masked_fill(~mask, 0)
        return wei @ self.value(x)


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = self.key = self.value = nn.Linear(model_size, head_size, bias=False)
        self.scale = 1 / math.sqrt(head_size)

    def forward(self, x, mask=None):
        scores = torch.einsum("...qh,...kh->...qk", self.query(x), self.key(x)) * self.scale
        if mask is None:
            return torch.softmax(scores, -1) @ self.value(x)
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        return (torch.softmax(scores, -1) * mask) @ self.value(x)


class AttentionHead__3(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        for name in ("query", "key", "value"):
            matrix = torch.empty(model_size, head_size)
            nn.init.xavier_uniform_(matrix)
            setattr(self, name, nn.Parameter(matrix))
        self.mask = None

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        return masked_attention(x @ self.query, x @ self.key, x @ self.value, self.mask)


TRUTH = {
    "attention_head__1": ("one", "inverts the mask for scaled_dot_product_attention (habit of nn.MultiheadAttention): attends to exactly the blocked keys"),
    "attention_head__2": ("one", "the einsum of the scores has no ellipsis in its output, so scores are summed over all batch axes: every sequence of a batch uses the same mixed scores"),
    "attention_head__3": ("slip", "q @ q^T instead of q @ k^T: the key matrix is not used (only its size), and gets no gradient"),
    "attention_head__4": ("two", "scales by the root of the number of tokens instead of head_size, and detaches the weights, so no gradient reaches w_query and w_key"),
    "AttentionHead__1": ("one", "without a mask it is causal (tril) instead of allowing everything"),
    "AttentionHead__2": ("one", "chained assignment: query, key and value are one and the same Linear, so there is one learned matrix and not three"),
    "AttentionHead__3": ("odd", "remembers the last mask: a later call without a mask still uses the old one"),
}
