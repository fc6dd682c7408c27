"""Slips in answers to lesson 06 (round 10)."""

import torch
from torch import nn
from mha_ref import masked_softmax, merge_heads, split_heads


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads != 0:
        raise ValueError("heads must divide model_size")
    head_size = model_size / heads
    return x.reshape(batch, tokens, heads, head_size).transpose(1, 2)


def merge_heads__1(x):
    batch, heads, tokens, head_size = x.shape
    x.transpose(1, 2)
    return x.reshape(batch, tokens, heads * head_size)


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("model_size is not a multiple of heads")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        query = split_heads(self.query(query), self.heads)
        key = split_heads(self.key(key), self.heads)
        value = split_heads(self.value(value), self.heads)
        scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
        if mask is None:
            mask = torch.ones_like(scores, dtype=torch.bool)
        weights = masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ value))
        return output, weights if return_weights else output


TRUTH = {
    "split_heads__1": "/ makes a float: reshape stops with TypeError 'argument 'shape' failed to unpack the object at pos 4 ... must be tuple of ints, but got float'",
    "merge_heads__1": "the transposed tensor is not kept, so the reshape mixes heads and tokens: right shape, wrong numbers; right for one head or one token",
    "MultiHeadAttention__1": "the last line is a pair in any case, (output, weights) or (output, output), as the comma binds weaker than if; right only with return_weights=True",
}
