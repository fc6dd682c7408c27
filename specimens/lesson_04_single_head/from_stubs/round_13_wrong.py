"""Wrong answers to lesson 04 (round 13)."""

import torch
from mha_ref import masked_attention, masked_softmax
from torch import nn


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    q, k = x @ w_query, x @ w_key
    scores = q @ k.mT / q.shape[-1] ** 0.5
    weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
    return (weights @ x).softmax(-1) @ w_value


def attention_head__2(x, w_query, w_key, w_value, mask=None):
    if mask is not None:
        x = x * mask.any(dim=-2).unsqueeze(-1)  # tokens that nobody may see
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    scores = q @ k.transpose(-1, -2) / k.shape[-1] ** 0.5
    if mask is not None:
        return masked_softmax(scores, mask) @ v
    return torch.softmax(scores, dim=-1) @ v


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        scores = self.query(x) @ self.key(x).mT / self.query.weight.shape[-1] ** 0.5
        weights = torch.softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
        return weights @ self.value(x)


class AttentionHead__2(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size, bias=False)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, mask=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.mT / k.shape[-1] ** 0.5
        if mask is None:
            mask = torch.ones(x.shape[-2], x.shape[-2]).bool()
        return self.drop(masked_softmax(scores, mask)) @ v


TRUTH = {
    "attention_head__1": "a second softmax over the mixed tokens before w_value",
    "attention_head__2": "tokens that nobody may see become zeros as queries too, so their own rows change",
    "AttentionHead__1": "the weight of an nn.Linear is (out, in): its last axis is model_size, not head_size",
    "AttentionHead__2": "dropout on the weights, in train mode: nothing in it should be random",
}
