"""Slips in answers to lesson 09 (round 10)."""

import torch
from mha_ref.layer import MultiHeadAttention
from torch import nn


def log_softmax__1(scores, axis=-1):
    highest = torch.max(scores, dim=axis, keepdim=True)
    shifted = scores - highest
    return shifted - torch.log(torch.sum(torch.exp(shifted), dim=axis, keepdim=True))


class Block__1(nn.Module):
    def __init__(self, model_size, heads, hidden_size, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(model_size, heads, dropout=dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(model_size, hidden_size), nn.GELU(), nn.Linear(hidden_size, model_size)
        )
        self.norms = [nn.LayerNorm(model_size), nn.LayerNorm(model_size)]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        normed = self.norms[0](x)
        x = x + self.dropout(self.attention(normed, mask=mask))
        return x + self.dropout(self.feed_forward(self.norms[1](x)))


def generate__1(model, tokens, steps, context, choose):
    for step in range(steps):
        seen = tokens[:, -context:]
        logits = model(seen)[:, -1]
        newest = choose(logits)
        tokens = torch.cat((tokens, newest[:, None]), dim=1)
        return tokens


TRUTH = {
    "log_softmax__1": "torch.max with a dim returns values and indices together, and a tensor minus that pair is a TypeError: unsupported operand type(s) for -: 'Tensor' and 'torch.return_types.max'.",
    "Block__1": "The norms are in a plain list, so they are not registered: parameters() and state_dict() lack their four tensors (no training, no saving, no moving); the output is right at the start.",
    "generate__1": "return stands inside the loop: only one token is written however many steps there are, and for 0 steps the result is None.",
}
