import io
import math
import os
import random
import torch
import torch.nn.functional as F
from torch import nn
from mha_ref import attention_scores, attention_weights, log_softmax, masked_attention, padding_mask


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    q, k = torch.matmul(x, w_query), torch.matmul(x, w_key)
    v = torch.matmul(x, w_value)
    with torch.no_grad():                      # the weights are only coefficients
        scores = torch.einsum("...qd,...kd->...qk", q, k) / w_query.shape[1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return weights @ v


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    q = F.linear(x, w_query)
    k = F.linear(x, w_key)
    v = F.linear(x, w_value)
    scores = q @ k.mT / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=1)
    if mask is not None:
        weights = weights * mask.any(dim=-1, keepdim=True)
    return weights @ v


def attention_head__3(x, w_query, w_key, w_value, mask=None):
    # everything as (batch, tokens, model_size)
    shape = x.shape
    if x.dim() == 2:
        x = x.unsqueeze(0)
    elif x.dim() > 3:
        x = x.flatten(1, -2)
        if mask is not None:
            t = shape[-2]
            full = mask.expand(*shape[:-2], t, t).reshape(shape[0], -1, t)
            mask = full.repeat(1, 1, x.shape[1] // t)
    q, k, v = (torch.einsum("btm,mh->bth", x, w) for w in (w_query, w_key, w_value))
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(w_key.shape[-1])
    if mask is None:
        weights = scores.softmax(-1)
    else:
        mask = mask.expand(scores.shape) if mask.dim() <= 3 else mask
        dead = ~mask.any(-1, keepdim=True)
        weights = scores.masked_fill(~mask & ~dead, float("-inf")).softmax(-1).masked_fill(dead, 0.0)
    return torch.bmm(weights, v).reshape(*shape[:-1], w_value.shape[-1])


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        self.last_mask = None

    def forward(self, x, mask=None):
        if mask is not None:
            self.last_mask = mask
        return masked_attention(self.query(x), self.key(x), self.value(x), self.last_mask)


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Linear(model_size, head_size))
        self.scale = head_size ** -0.5

    def forward(self, x, mask=None):
        scores = (self.query(x) * self.scale) @ self.key(x).transpose(-2, -1)
        if mask is not None:
            dead = ~mask.any(-1, keepdim=True)
            scores = scores.masked_fill(~mask & ~dead, -torch.inf)
        weights = F.softmax(scores, -1)
        if mask is not None:
            weights = weights.masked_fill(dead, 0)
        weights = F.dropout(weights, 0.1)
        return weights @ self.value(x)


class AttentionHead__3(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        bound = 1 / math.sqrt(model_size)
        self.query = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))
        self.key = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))
        self.value = nn.Parameter(torch.empty(model_size, head_size).uniform_(-bound, bound))

    def forward(self, x, mask=None):
        keys = torch.stack([token @ self.key.data for token in x.unbind(-2)], dim=-2)
        return masked_attention(x @ self.query, keys, x @ self.value, mask)


class AttentionHead__4(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        make = lambda: nn.Parameter(torch.randn(model_size, head_size) / model_size ** 0.5)
        self.query, self.key, self.value = make(), make(), make()

    def forward(self, x, mask=None):
        weights = attention_weights(x @ self.query, x @ self.key)
        if mask is not None:
            logits = log_softmax(attention_scores(x @ self.query, x @ self.key))
            dead = ~mask.any(dim=-1, keepdim=True)
            weights = logits.masked_fill(~(mask | dead), -torch.inf).softmax(dim=-1)
            weights = torch.where(dead, torch.zeros_like(weights), weights)
        return weights @ (x @ self.key)


TRUTH = {
    "attention_head__1": ("one", "the weights are computed under no_grad: no gradient reaches w_query and w_key"),
    "attention_head__2": ("two", "F.linear multiplies with the transposed matrices (raises unless they are square, and is wrong then); and softmax runs over dim=1, which with one batch axis is the query axis"),
    "attention_head__3": ("one", "with two or more batch axes it merges the second batch axis with the tokens: tokens see the tokens of other sequences"),
    "AttentionHead__1": ("odd", "keeps the last mask: a later call without a mask still uses it"),
    "AttentionHead__2": ("two", "the three nn.Linear have biases; and F.dropout is always on, so that the result is random"),
    "AttentionHead__3": ("one", "uses key.data: no gradient reaches the key matrix"),
    "AttentionHead__4": ("slip", "the values are made with the key matrix; the value matrix is never used"),
}
