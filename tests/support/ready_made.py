"""Answers to lessons in NumPy that call torch: exercise, two underscores, style.

Their numbers are right, but these lessons ask to write by hand what torch has ready.
"""

import math

import torch
import torch.nn.functional as F


def weighted_mean__in_torch(weights, values):
    return (torch.from_numpy(weights) @ torch.from_numpy(values)).numpy()


def softmax__torch_inside(scores, axis=-1):
    return torch.softmax(torch.from_numpy(scores), dim=axis).numpy()


def softmax__stays_torch(scores, axis=-1):
    return torch.nn.functional.softmax(torch.tensor(scores), dim=axis)


def attention_scores__through_torch(query, key):
    q, k = torch.from_numpy(query), torch.from_numpy(key)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).numpy()


def attention_weights__through_torch(query, key):
    scores = torch.tensor(query) @ torch.tensor(key).mT
    return torch.nn.functional.softmax(scores / query.shape[-1] ** 0.5, dim=-1).numpy()


def scaled_dot_product_attention__fused_by_torch(Q, K, V):
    tensors = [torch.from_numpy(x) for x in (Q, K, V)]
    return torch.nn.functional.scaled_dot_product_attention(*tensors).numpy()


def masked_softmax__torch(scores, mask):
    s = torch.from_numpy(scores).masked_fill(~torch.from_numpy(mask), float("-inf"))
    return torch.softmax(s, dim=-1).nan_to_num(0.0).numpy()


def padding_mask__torch(lengths, keys):
    lengths = torch.from_numpy(lengths)
    if (lengths > keys).any() or (lengths < 0).any():
        raise ValueError("a length does not fit")
    return (torch.arange(keys)[None, None, None, :] < lengths[:, None, None, None]).numpy()


def masked_attention__torch_fused(query, key, value, mask=None):
    q, k, v = (torch.from_numpy(x) for x in (query, key, value))
    return F.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else torch.from_numpy(mask)).numpy()


def causal_mask__torch(queries, keys):
    return torch.ones(queries, keys).tril(diagonal=keys - queries).bool()


def causal_attention__torch_with_a_mask(q, k, v):
    q, k, v = (torch.from_numpy(x) for x in (q, k, v))
    allowed = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril(k.shape[-2] - q.shape[-2])
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
