"""Wrong answers to lesson 11 (round 16)."""

import math

import torch
from autograder.outline import ours
from mha_ref import masked_attention, repeat_heads

causal_mask = ours("causal_mask")  # as in the notebook: a tensor



def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    new, keys = query.shape[-2], key.shape[-2]
    mask = torch.ones(new, keys, dtype=torch.bool, device=query.device).tril()
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    all_keys = key if past_key is None else torch.cat((past_key, key), dim=-2)
    all_values = value if past_value is None else torch.cat((past_value, value), dim=-2)
    mask = causal_mask(query.shape[-2], all_keys.shape[-2]).to(query.device)
    output = masked_attention(query, all_keys, all_values, mask)
    return output, key, value


def attend_with_cache__3(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        keys, values = key, value
    else:
        keys = torch.cat([past_key, key], dim=-2)
        values = torch.cat([past_value, value], dim=-2)
    scores = query @ keys.transpose(-1, -2) / math.sqrt(query.shape[-1])
    output = torch.softmax(scores, dim=-1) @ values
    return output, keys, values


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    numbers = layers * kv_heads * tokens * head_size
    return batch * numbers * bytes_per_number


def repeat_heads__1(x, repeats):
    return torch.cat([x] * repeats, dim=-3)


def repeat_heads__2(x, repeats):
    return x.repeat_interleave(repeats, dim=1)


def grouped_query_attention__1(query, key, value, mask=None):
    heads, kv_heads = query.shape[1], key.shape[1]
    which = torch.arange(heads, device=query.device) % kv_heads
    return masked_attention(query, key[:, which], value[:, which], mask)


def grouped_query_attention__2(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    kv_heads, keys = key.shape[1], key.shape[2]
    group = heads // kv_heads
    shared = query.reshape(batch, kv_heads, group, queries, features).mean(dim=2)
    shared = shared.repeat_interleave(group, dim=1)
    key = key.repeat_interleave(group, dim=1)
    value = value.repeat_interleave(group, dim=1)
    return masked_attention(shared, key, value, mask)


def grouped_query_attention__3(query, key, value, mask=None):
    repeats = query.shape[1] // key.shape[1]
    key, value = repeat_heads(key, repeats), repeat_heads(value, repeats)
    scores = torch.einsum("bhqf,bhkf->bhqk", query, key) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ value


TRUTH = {
    "attend_with_cache__1": 'The causal mask lines up the first new token with the first key, so new tokens do not see most of what was kept, nor themselves.',
    "attend_with_cache__2": 'Returns the keys and values of the new tokens alone, so the call after next has forgotten all that came before.',
    "attend_with_cache__3": 'Leaves out the causal mask because everything kept is in the past, so with several new tokens each one also sees the new tokens after it.',
    "cache_bytes__1": 'Counts one vector for each token and head, although both a key and a value are kept, so the result is half of what it should be.',
    "repeat_heads__1": "Puts the whole series of heads behind itself (0, 1, 0, 1) instead of each head's copies right after it (0, 0, 1, 1).",
    "repeat_heads__2": 'Repeats axis 1, which is the heads only where there is exactly one axis in front; without a batch axis it repeats tokens.',
    "grouped_query_attention__1": 'Deals the key-value heads out in turns (query head h uses h % kv_heads) although neighbouring query heads share one.',
    "grouped_query_attention__2": 'Averages the queries of a group before it attends, so all heads of a group get the same output, although only keys and values are shared.',
    "grouped_query_attention__3": 'Sets blocked scores to -inf and applies a plain softmax, so a query whose keys are all blocked gets NaN instead of zeros.',
}
