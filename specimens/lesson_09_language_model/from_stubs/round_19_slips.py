"""Slips in answers to lesson 09 (round 19)."""

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import softmax_with_temperature
from mha_ref.layer import MultiHeadAttention


def log_softmax__1(scores, axis=-1):
    shifted = scores - scores.amax(dim=axis, keepdim=True)
    return shifted - torch.log(torch.exp(shifted)).sum(dim=axis, keepdim=True)


def next_token_loss__1(model, tokens):
    logits = model(tokens[:, :-1])
    targets = tokens[:, 1:]
    return F.cross_entropy(logits, targets)


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x += self.dropout(self.attention(self.norms[0](x), mask=mask))
        x += self.dropout(self.feed_forward(self.norms[1](x)))
        return x


def sample__1(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    p = softmax_with_temperature(logits, temperature)
    found = (p.cumsum(dim=-1) <= uniform).sum(dim=-1)
    last = torch.where(p > 0, torch.arange(p.shape[-1], device=p.device), -1).amax(dim=-1)
    return torch.minimum(found, last)


def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        logits = model(tokens[:, -context:])
        new = choose(logits[:, -1])
        torch.cat([tokens, new[:, None]], dim=1)
    return tokens


TRUTH = {
    "log_softmax__1": 'A parenthesis closes too late and another too early: the logarithm undoes the exponential first, and then the scores themselves are added up.',
    "next_token_loss__1": 'F.cross_entropy wants the vocabulary on axis 1, but the logits go in as (batch, context, vocabulary), so it fails or takes the positions for the classes.',
    "Block__1": "x += adds in place, so the caller's x is changed.",
    "sample__1": 'uniform needs an axis for the vocabulary, uniform[:, None]: as it is, its numbers are compared along the vocabulary, which fails or mixes up the rows.',
    "generate__1": 'torch.cat gives a new tensor and changes none, but its result is thrown away, so only the prompt is returned.',
}
