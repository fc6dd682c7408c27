"""Slips in answers to lesson 04 (round 10)."""

import torch
from torch import nn
from mha_ref import attention_head, masked_attention


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(0, 1) / key.shape[-1] ** 0.5
    if mask is None:
        return scores.softmax(-1) @ value
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(-1).masked_fill(~mask, 0.0)
    return weights @ value


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = self.key = self.value = nn.Linear(model_size, head_size, bias=False)

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


TRUTH = {
    "attention_head__1": "transpose(0, 1) swaps the first two axes, not the last two: right without axes in front; x (2, 5, 4) stops with RuntimeError 'The size of tensor a (2) must match the size of tensor b (5)'",
    "AttentionHead__1": "one nn.Linear under three names: the module has one matrix instead of three, so queries, keys and values are the same and parameters() yields one weight",
}
