"""Wrong answers to lesson 06 (round 13)."""

import torch
import torch.nn.functional as F
from mha_ref import masked_softmax, merge_heads, split_heads
from torch import nn


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    if model_size % heads:
        raise ValueError
    return x.reshape(batch, tokens, heads, model_size // heads)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q, k, v = (split_heads(t @ w, heads) for t, w in zip((query, key, value), (w_query, w_key, w_value)))
    scores = q @ k.mT / heads**0.5
    weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
    return merge_heads(weights @ v) @ w_output


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q, k, v = (split_heads(t @ w, heads) for t, w in zip((query, key, value), (w_query, w_key, w_value)))
    # all heads vote on one map
    scores = torch.einsum("bhqs,bhks->bqk", q, k).unsqueeze(1) / q.shape[-1] ** 0.5
    weights = scores.softmax(-1) if mask is None else masked_softmax(scores.expand(-1, heads, -1, -1), mask)
    return merge_heads(weights @ v) @ w_output


class _Layer(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.dropout = nn.Dropout(dropout)

    def weights(self, query, key, mask):
        q, k = split_heads(self.query(query), self.heads), split_heads(self.key(key), self.heads)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        return scores.softmax(-1) if mask is None else masked_softmax(scores, mask)


class MultiHeadAttention__1(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        weights = self.weights(query, key, mask)
        dropped = self.dropout(weights)
        dropped = dropped / dropped.sum(dim=-1, keepdim=True).clamp(min=1e-9)  # shares again
        out = self.output(merge_heads(dropped @ split_heads(self.value(value), self.heads)))
        return (out, weights) if return_weights else out


class MultiHeadAttention__2(_Layer):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = key
        weights = self.weights(query, key, mask)
        mixed = F.dropout(weights, self.dropout.p) @ split_heads(self.value(value), self.heads)
        out = self.output(merge_heads(mixed))
        return (out, weights) if return_weights else out


TRUTH = {
    "split_heads__1": "heads and tokens are not exchanged: (batch, tokens, heads, head_size)",
    "multi_head_attention__1": "scaled by the root of the number of heads, not of head_size",
    "multi_head_attention__2": "one map for all heads: their scores are added up",
    "MultiHeadAttention__1": "after dropout the weights are made to sum to 1 again",
    "MultiHeadAttention__2": "F.dropout without `training`: it drops in evaluation, too",
}
