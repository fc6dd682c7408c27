"""Slips in answers to lesson 04 (round 16)."""

import numpy as np
import torch
from torch import nn
from mha_ref import masked_attention



def masked_softmax__2(scores, mask):
    low = np.where(mask, scores, -torch.inf)
    top = low.amax(dim=-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
    powers = torch.exp(low - top)
    total = powers.sum(dim=-1, keepdim=True)
    return powers / torch.where(total == 0, 1.0, total)


def attention_head__1(x, w_query, w_key, w_value, mask=None):
    query = x @ w_query
    key = x @ w_key
    value = x @ w_key
    return masked_attention(query, key, value, mask)


class AttentionHead__1(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query = nn.Linear(model_size, head_size, bias=False)
        self.key = nn.Linear(model_size, head_size, bias=False)
        self.value = nn.Linear(model_size, head_size)

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)


TRUTH = {
    "masked_softmax__2": 'Uses np.where on tensors, which gives a NumPy array (or an error where gradients are needed), and the torch functions after it do not take that.',
    "attention_head__1": 'The line for the values was copied from the keys and still uses w_key, so keys are mixed instead of values.',
    "AttentionHead__1": 'bias=False was forgotten in the last of the three lines, so the value projection has a bias.',
}
