"""Slips in answers to lesson 09 (round 18)."""

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import softmax_with_temperature
from mha_ref.layer import MultiHeadAttention


def next_token_loss__1(model, tokens):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    logits = model(inputs)
    return F.cross_entropy(logits, targets)


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = [nn.LayerNorm(model_size), nn.LayerNorm(model_size)]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        x = x + self.dropout(self.feed_forward(self.norms[1](x)))
        return x


def softmax_with_temperature__1(scores, temperature, axis=-1):
    e = torch.exp(scores - scores.amax(dim=axis, keepdim=True) / temperature)
    return e / e.sum(dim=axis, keepdim=True)


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return torch.argmax(logits, dim=1)
    p = softmax_with_temperature(logits, temperature)
    exceeds = torch.cumsum(p, dim=1) > uniform
    first = exceeds.long().argmax(dim=1)
    last = p.shape[1] - 1 - (p > 0).flip(1).long().argmax(dim=1)
    return torch.where(exceeds.any(dim=1), first, last)


TRUTH = {
    "next_token_loss__1": 'cross_entropy wants the classes on axis 1; logits with three axes have to be flattened or transposed first, and so this raises an error where context and vocabulary differ.',
    "Block__1": 'The norms are in a plain python list instead of an nn.ModuleList, so their parameters are not among those of the module.',
    "softmax_with_temperature__1": 'Parentheses are missing around the difference, so only the maximum is divided by the temperature, and the temperature has no effect on the shares.',
    "sample__1": 'uniform lacks a second axis ([:, None]), so it is lined up with the vocabulary instead of the rows, and mostly raises an error.',
}
