"""Wrong answers to lesson 06 (round 11)."""

import math

import torch
from mha_ref import attention_head, masked_softmax, merge_heads, split_heads
from torch import nn


def split_heads__1(x, heads):
    batch, tokens, model_size = x.shape
    assert model_size % heads == 0
    return x.view(batch, heads, tokens, model_size // heads)


def split_heads__2(x, heads):
    batch, tokens, model_size = x.size()
    if model_size % heads != 0:
        raise ValueError(f"{heads} heads do not divide {model_size}")
    return x.unflatten(-1, (model_size // heads, heads)).permute(0, 3, 1, 2)


def multi_head_attention__1(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    q = split_heads(query @ w_query, heads)
    k = split_heads(key @ w_key, heads)
    v = split_heads(value @ w_value, heads)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)  # (batch, 1, queries, keys): the same for all heads
        weights = masked_softmax(scores, mask)
    return merge_heads(weights @ v) @ w_output


def multi_head_attention__2(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    size = query.shape[-1] // heads
    results = []
    for h in range(heads):
        own = slice(h * size, (h + 1) * size)
        q = query[..., own] @ w_query[own, own]
        k = key[..., own] @ w_key[own, own]
        v = value[..., own] @ w_value[own, own]
        scores = q @ k.mT / size**0.5
        allowed = torch.ones_like(scores, dtype=torch.bool)
        if mask is not None:
            every = mask.expand(query.shape[0], heads, *scores.shape[-2:])
            allowed = every[:, h]
        results.append(masked_softmax(scores, allowed) @ v)
    return torch.cat(results, dim=-1) @ w_output


class MultiHeadAttention__1(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads = heads
        self.query = nn.Linear(model_size, model_size, bias=bias)
        self.key = nn.Linear(model_size, model_size, bias=bias)
        self.value = nn.Linear(model_size, model_size, bias=bias)
        self.output = nn.Linear(model_size, model_size, bias=bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (split_heads(p(t), self.heads) for p, t in ((self.query, query), (self.key, key), (self.value, value)))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
        weights = self.drop(weights)
        result = self.output(merge_heads(weights @ v))
        return (result, weights) if return_weights else result


class MultiHeadAttention__2(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        assert model_size % heads == 0, "heads must divide model_size"
        self.heads, self.head_size = heads, model_size // heads
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(model_size, model_size, bias=bias))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        if key is None:
            key = query
        if value is None:
            value = query
        q = split_heads(self.query(query), self.heads)
        k = split_heads(self.key(key), self.heads)
        v = split_heads(self.value(value), self.heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_size)
        if mask is None:
            mask = torch.tensor(True)
        weights = masked_softmax(scores, mask)
        out = self.output(merge_heads(self.dropout(weights) @ v))
        if return_weights:
            return out, weights
        return out


TRUTH = {
    "split_heads__1": "view cuts the numbers in the order in which they lie: the first head gets the first tokens, not the first columns",
    "split_heads__2": "every heads-th column goes to the same head: columns are dealt out, not cut into blocks",
    "multi_head_attention__1": "a mask with three axes is (heads, queries, keys) by the stub, and is taken for (batch, queries, keys)",
    "multi_head_attention__2": "each head sees its own columns of the input alone, and one block of the matrix: the projections should mix all columns",
    "MultiHeadAttention__1": "the weights that are returned have been through dropout",
    "MultiHeadAttention__2": "a value of None becomes the query, not the key: with key given, and value not, the lengths clash, or the wrong sequence is mixed",
}
