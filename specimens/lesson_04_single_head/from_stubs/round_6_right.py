import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from mha_ref import attention_scores, masked_softmax

WHY = {
    "attention_head__1": "It mixes the tokens of x first and multiplies by w_value last, which is the same by associativity.",
    "attention_head__2": "It calls PyTorch's own scaled_dot_product_attention, which gives zeros to a query that may look at nothing.",
    "attention_head__3": "It projects by one joint matrix and cuts it into parts of the right sizes; the softmax is written out with exp and a mask.",
    "AttentionHead__1": "nn.Parameter of shape (model_size, head_size) with Xavier initialisation, and einsum throughout.",
    "AttentionHead__2": "nn.Linear from a loop, and a shared helper; a missing mask becomes a mask of True.",
    "AttentionHead__3": "An own subclass of nn.Linear without a bias, and the query scaled instead of the scores.",
}


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    scores = attention_scores(x @ w_query, x @ w_key)
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    context = weights @ x
    return context @ w_value


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    if mask is not None:
        mask = mask.expand(*x.shape[:-1], x.shape[-2])
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def attention_head__3(x, w_query, w_key, w_value, mask=None):
    head_size, value_size = w_query.shape[1], w_value.shape[1]
    joint = x @ torch.cat((w_query, w_key, w_value), dim=1)
    q, k, v = joint.split([head_size, head_size, value_size], dim=-1)
    s = (q / math.sqrt(head_size)) @ k.mT
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=x.device)
    s = torch.where(mask, s, -1e30)
    e = torch.exp(s - s.amax(dim=-1, keepdim=True).detach())
    e = torch.where(mask, e, 0.0)
    total = e.sum(dim=-1, keepdim=True)
    return (e / total.clamp(min=1e-9)) @ v


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Parameter(torch.empty(model_size, head_size))
        self.key = nn.Parameter(torch.empty(model_size, head_size))
        self.value = nn.Parameter(torch.empty(model_size, head_size))
        for w in self.parameters():
            nn.init.xavier_normal_(w)

    def forward(self, x, mask=None):
        q = torch.einsum("...td,dh->...th", x, self.query)
        k = torch.einsum("...td,dh->...th", x, self.key)
        v = torch.einsum("...td,dh->...th", x, self.value)
        att = torch.einsum("...ih,...jh->...ij", q, k) / q.size(-1) ** 0.5
        if mask is not None:
            att = att.masked_fill(~mask, torch.finfo(att.dtype).min)
        att = att.softmax(-1)
        if mask is not None:
            att = att.masked_fill(~mask, 0)
        return torch.einsum("...ij,...jh->...ih", att, v)


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        for name in "query key value".split():
            self.add_module(name, nn.Linear(model_size, head_size, bias=False))

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool, device=x.device)
        scores = attention_scores(self.query(x), self.key(x))
        return masked_softmax(scores, mask) @ self.value(x)


class _Projection(nn.Linear):
    def __init__(self, n_in, n_out):
        super().__init__(n_in, n_out, bias=False)
        nn.init.normal_(self.weight, std=n_in ** -0.5)


class AttentionHead__3(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.head_size = head_size
        self.query = _Projection(model_size, head_size)
        self.key = _Projection(model_size, head_size)
        self.value = _Projection(model_size, head_size)

    def forward(self, x, mask=None):
        q = self.query(x) * self.head_size ** -0.5
        k, v = self.key(x), self.value(x)
        logits = q @ k.transpose(-1, -2)
        if mask is None:
            return F.softmax(logits, dim=-1) @ v
        weights = F.softmax(logits.masked_fill(mask.logical_not(), -1e9), dim=-1)
        alive = mask.any(dim=-1, keepdim=True)
        return (weights * alive) @ v
