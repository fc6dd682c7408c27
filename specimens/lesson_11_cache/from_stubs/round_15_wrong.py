"""Wrong answers to lesson 11 (round 15)."""

import math

import torch
import torch.nn.functional as F
from mha_ref import masked_attention



def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    output = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return output, key, value


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    all_keys = key if past_key is None else torch.cat((past_key, key), dim=-2)
    all_values = value if past_value is None else torch.cat((past_value, value), dim=-2)
    scores = query @ all_keys.transpose(-2, -1) / query.shape[-1] ** 0.5
    return scores.softmax(dim=-1) @ all_values, all_keys, all_values


def attend_with_cache__3(query, key, value, past_key=None, past_value=None):
    past = 0
    if past_key is not None:
        past = past_key.shape[-2]
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    total = key.shape[-2]
    where_keys = torch.arange(total, device=query.device)
    where_queries = torch.arange(past, total, device=query.device)
    mask = where_keys[None, :] < where_queries[:, None]
    return masked_attention(query, key, value, mask), key, value


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    numbers_per_token = kv_heads * head_size
    numbers_per_text = layers * tokens * numbers_per_token
    return batch * numbers_per_text * bytes_per_number


def repeat_heads__1(x, repeats):
    return torch.cat([x] * repeats, dim=-3)


def repeat_heads__2(x, repeats):
    return x.repeat_interleave(repeats, dim=1)


def grouped_query_attention__1(query, key, value, mask=None):
    repeats = query.shape[1] // key.shape[1]
    key = key.repeat_interleave(repeats, dim=1)
    value = value.repeat_interleave(repeats, dim=1)
    scores = torch.einsum("bhqf,bhkf->bhqk", query, key) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.einsum("bhqk,bhkv->bhqv", scores.softmax(dim=-1), value)


def grouped_query_attention__2(query, key, value, mask=None):
    heads, kv_heads = query.shape[1], key.shape[1]
    group = heads // kv_heads
    outputs = []
    for h in range(heads):
        k, v = key[:, h // group], value[:, h // group]
        scores = query[:, h] @ k.transpose(1, 2) / query.shape[-1] ** 0.5
        outputs.append(torch.softmax(scores, dim=-1))
    weights = torch.stack(outputs, dim=1)
    if mask is not None:
        weights = weights * mask
    return torch.stack([weights[:, h] @ value[:, h // group] for h in range(heads)], dim=1)


TRUTH = {
    "attend_with_cache__1": "torch's is_causal=True lines up the first query with the first key, so with kept keys a new token sees only the oldest keys and neither the newest ones nor itself.",
    "attend_with_cache__2": 'There is no mask, as if all keys were of the past; where several new tokens come in one call, each also sees the new ones after it.',
    "attend_with_cache__3": 'The comparison is strict, so a new token sees the tokens before it but not itself; the very first one sees nothing and gets zeros.',
    "cache_bytes__1": 'Only one of the two is counted, keys or values, so the result is half of what is kept.',
    "repeat_heads__1": 'The whole sequence of heads is repeated (0, 1, 0, 1) instead of each head right after itself (0, 0, 1, 1).',
    "repeat_heads__2": 'The axis of the heads is taken to be axis 1, which holds only with one axis in front; with none the tokens are repeated, with two another axis than the heads.',
    "grouped_query_attention__1": 'All scores of a query without any allowed key become -inf, and softmax makes NaN of them, where zeros are demanded.',
    "grouped_query_attention__2": 'Blocked weights are set to zero after softmax and the rest is not made to sum to 1 again, so blocked keys still take away part of the attention.',
}
