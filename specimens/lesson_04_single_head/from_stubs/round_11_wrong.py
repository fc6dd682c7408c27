"""Wrong answers to lesson 04 (round 11)."""

import math

import torch
import torch.nn as nn
from mha_ref import masked_softmax


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    q, k, v = (x @ w for w in (w_query, w_key, w_value))
    scores = q @ k.transpose(-2, -1) / math.sqrt(x.size(-1))
    if mask is None:
        return scores.softmax(-1) @ v
    return masked_softmax(scores, mask) @ v


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    q = torch.einsum("...tm,mh->...th", x, w_query)
    k = torch.einsum("...tm,mh->...th", x, w_key)
    v = torch.einsum("...tm,mh->...th", x, w_value)
    scores = torch.einsum("...qh,...kh->...qk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype))
    return torch.einsum("...qk,...kh->...qh", torch.softmax(scores, dim=-1), v)


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size)
        self.value = nn.Linear(model_size, head_size)

    def forward(self, x, mask=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.mT / math.sqrt(k.shape[-1])
        if mask is None:
            mask = torch.ones(scores.shape[-2:], dtype=torch.bool)
        return masked_softmax(scores, mask) @ v


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        self.scale = head_size**-0.5

    def forward(self, x, mask=None):
        # (batch, tokens, tokens): dim 1 is the tokens
        scores = self.query(x) @ self.key(x).transpose(1, 2) * self.scale
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        return torch.softmax(scores, dim=1) @ self.value(x)


TRUTH = {
    "attention_head__1": "scaled by the root of model_size, not of head_size",
    "attention_head__2": "a query with no allowed key has a row of minus infinity alone: NaN instead of zeros",
    "AttentionHead__1": "key and value have biases, and none is asked for",
    "AttentionHead__2": "softmax along the queries; also only three axes work, and a row without allowed keys is not zeros",
}
