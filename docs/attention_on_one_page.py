"""Batched multi-head attention on one page: what the course arrives at, without a check and without a layer's class.

The same numbers come from `mha_ref.multi_head_attention`. Source: Vaswani et al., Attention is all you need (2017).
"""

import math

import torch


def split_heads(x, heads):
    batch, tokens, model_size = x.shape
    return x.reshape(batch, tokens, heads, model_size // heads).transpose(1, 2)  # (batch, heads, tokens, head_size)


def merge_heads(x):
    batch, heads, tokens, head_size = x.shape
    return x.transpose(1, 2).reshape(batch, tokens, heads * head_size)  # (batch, tokens, model_size)


def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask):
    """Let each query look at the keys that the mask allows, in several heads side by side, and mix what they find.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size); four matrices (model_size, model_size);
    mask: (batch or 1, heads or 1, queries or 1, keys), True = may look -> (batch, queries, model_size).
    """
    query = split_heads(query @ w_query, heads)  # (batch, heads, queries, head_size)
    key = split_heads(key @ w_key, heads)  # (batch, heads, keys, head_size)
    value = split_heads(value @ w_value, heads)  # (batch, heads, keys, head_size)

    scores = query @ key.mT / math.sqrt(query.shape[-1])  # (batch, heads, queries, keys)
    scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)  # each row sums to 1; torch subtracts its maximum
    weights = weights.masked_fill(~mask, 0.0)  # a query with no allowed key: zeros in place of NaN

    return merge_heads(weights @ value) @ w_output  # (batch, queries, model_size)
