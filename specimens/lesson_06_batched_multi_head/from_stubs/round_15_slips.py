"""Slips in answers to lesson 06 (round 15)."""

import torch
from torch import nn
from mha_ref import attention_scores, masked_softmax, merge_heads, split_heads



def split_heads__1(x, heads):
    batch, model_size, tokens = x.shape
    if model_size % heads:
        raise ValueError("heads must divide model_size")
    return x.reshape(batch, tokens, heads, model_size // heads).transpose(1, 2)


def merge_heads__1(x):
    return x.transpose(1, 2).flatten(-1)


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads != 0:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if value is None:
            value = key
        if key is None:
            key = query
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = attention_scores(q, k)
        if mask is None:
            mask = torch.ones((), dtype=torch.bool, device=scores.device)
        weights = masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ v))
        return (output, weights) if return_weights else output


TRUTH = {
    "split_heads__1": 'The shape is unpacked as batch, model_size, tokens, with the last two swapped, so it refuses good sizes, fails, or cuts up the wrong axis.',
    "merge_heads__1": 'flatten(-1) flattens the last axis alone, which does nothing; it should be flatten(-2), so the result still has four axes.',
    "MultiHeadAttention__1": 'The two defaults are filled in in the wrong order: value becomes key while key is still None, so a call with query alone projects None and fails.',
}
