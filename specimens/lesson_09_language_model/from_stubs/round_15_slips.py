"""Slips in answers to lesson 09 (round 15)."""

import torch
import torch.nn.functional as F
from torch import nn
from mha_ref.layer import MultiHeadAttention



def next_token_loss__1(model, tokens):
    logits = model(tokens[:-1])
    targets = tokens[1:]
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size))
        self.norms = nn.ModuleList([nn.LayerNorm(model_size) for _ in range(2)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        y = x + self.dropout(self.attention(self.norms[0](x), mask=mask))
        z = y + self.dropout(self.feed_forward(self.norms[1](x)))
        return z


def generate__1(model, tokens, steps, context, choose):
    for _ in range(steps):
        logits = model(tokens[:, -context:])
        newest = choose(logits[:, -1])
        torch.cat([tokens, newest[:, None]], dim=1)
    return tokens


TRUTH = {
    "next_token_loss__1": 'tokens[:-1] and tokens[1:] cut off whole texts instead of the last and the first token of each, so texts are compared with other texts.',
    "Block__1": 'The second norm reads x instead of y (a wrong variable name), so feed-forward never sees what attention has added.',
    "generate__1": 'The result of torch.cat is not assigned, so the text never grows and the prompt comes back as it was.',
}
