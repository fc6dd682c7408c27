"""Our versions of what programs share: a learner's right ones take their places."""

import torch
from torch import nn


def softmax(scores, axis=-1):
    """Return positive weights that sum to 1 along an axis, for scores of any size."""
    unscaled = (scores - scores.amax(dim=axis, keepdim=True)).exp()
    return unscaled / unscaled.sum(dim=axis, keepdim=True)


def attention_scores(query, key):
    """(..., queries, features), (..., keys, features) -> (..., queries, keys): how well each key fits each query."""
    return query @ key.mT / query.shape[-1] ** 0.5


def masked_softmax(scores, mask):
    """Softmax over the allowed keys; zeros for a query that has none."""
    alive = mask.any(dim=-1, keepdim=True)
    return softmax(scores.masked_fill(alive & ~mask, -torch.inf)) * alive


def attention_weights(query, key):
    """(..., queries, features), (..., keys, features) -> (..., queries, keys): rows that sum to 1."""
    return softmax(attention_scores(query, key))


def masked_attention(query, key, value, mask=None):
    """Return for each query the mean of the values, weighted by how well the keys that it may look at fit."""
    scores = attention_scores(query, key)
    return (softmax(scores) if mask is None else masked_softmax(scores, mask)) @ value


def scaled_dot_product_attention(query, key, value):
    """Return for each query the mean of all values, weighted by how well their keys fit."""
    return masked_attention(query, key, value)


def weighted_mean(weights, values):
    """(..., queries, keys), (..., keys, features) -> (..., queries, features)."""
    return weights @ values


def causal_mask(queries, keys):
    """(queries, keys), boolean: a token may look at itself and at what came before it."""
    position = torch.arange(queries) + keys - queries
    return position[:, None] >= torch.arange(keys)


def split_heads(x, heads):
    """(batch, tokens, model_size) -> (batch, heads, tokens, head_size)."""
    batch, tokens, model_size = x.shape
    if model_size % heads:
        raise ValueError(f"model size {model_size} does not divide into {heads} heads")
    return x.reshape(batch, tokens, heads, model_size // heads).transpose(1, 2)


def merge_heads(x):
    """(batch, heads, tokens, head_size) -> (batch, tokens, model_size)."""
    return x.transpose(1, 2).flatten(start_dim=2)


class MultiHeadAttention(nn.Module):
    """Several heads look at the same tokens, each in its own way."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"model size {model_size} does not divide into {heads} heads")
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias=bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        """(batch, queries, model_size), (batch, keys, model_size) twice -> (batch, queries, model_size)."""
        key = query if key is None else key
        value = key if value is None else value
        projected = self.query(query), self.key(key), self.value(value)
        queries, keys, values = (split_heads(x, self.heads) for x in projected)  # (batch, heads, tokens, head_size)
        scores = attention_scores(queries, keys)
        weights = softmax(scores) if mask is None else masked_softmax(scores, mask)  # (batch, heads, queries, keys)
        output = self.output(merge_heads(self.dropout(weights) @ values))
        return (output, weights) if return_weights else output
