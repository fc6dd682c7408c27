"""Wrong answers to lesson 11, the cache (round 8)."""

import math

import numpy as np
import torch

from mha_ref import masked_attention


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    queries, keys = query.shape[-2], key.shape[-2]
    mask = torch.ones(queries, keys, dtype=torch.bool, device=query.device).tril()
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        n = query.shape[-2]
        mask = torch.ones(n, n, dtype=torch.bool, device=query.device).tril()
        return masked_attention(query, key, value, mask), key, value
    # everything that was kept lies in the past, so nothing is to be hidden
    keys = torch.cat((past_key, key), dim=-2)
    values = torch.cat((past_value, value), dim=-2)
    return masked_attention(query, keys, values), keys, values


def attend_with_cache__3(query, key, value, past_key=None, past_value=None):
    # a cache is only for reading: cut it off from the graph
    if past_key is None:
        past_key, past_value = key[..., :0, :], value[..., :0, :]
    keys = torch.cat([past_key.detach(), key], dim=-2)
    values = torch.cat([past_value.detach(), value], dim=-2)
    past = past_key.shape[-2]
    place = torch.arange(query.shape[-2], device=query.device)[:, None] + past
    mask = torch.arange(keys.shape[-2], device=query.device) <= place
    return masked_attention(query, keys, values, mask), keys, values


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return math.prod((layers, tokens, kv_heads, head_size, batch, bytes_per_number))


def cache_bytes__2(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    numbers = 2 * batch * layers * kv_heads * tokens * head_size
    return numbers * 2  # float16


def cache_bytes__3(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    shape = np.array([2, layers, batch, kv_heads, tokens, head_size], dtype=np.int32)
    return int(np.prod(shape, dtype=np.int32)) * bytes_per_number


def repeat_heads__1(x, repeats):
    return torch.cat([x] * repeats, dim=-3)


def repeat_heads__2(x, repeats):
    return x.repeat_interleave(repeats, dim=1)


def repeat_heads__3(x, repeats):
    copies = np.repeat(x.detach().cpu().numpy(), repeats, axis=-3)
    return torch.from_numpy(copies).to(x.device)


def grouped_query_attention__1(query, key, value, mask=None):
    heads, kv_heads = query.shape[1], key.shape[1]
    outputs = []
    for h in range(heads):
        k, v = key[:, h % kv_heads], value[:, h % kv_heads]
        m = None
        if mask is not None:
            m = mask.expand(query.shape[0], heads, query.shape[2], key.shape[2])[:, h]
        outputs.append(masked_attention(query[:, h], k, v, m))
    return torch.stack(outputs, dim=1)


def grouped_query_attention__2(query, key, value, mask=None):
    group = query.shape[1] // key.shape[1]
    key = key.repeat_interleave(group, dim=1)
    value = value.repeat_interleave(group, dim=1)
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1) @ value


def grouped_query_attention__3(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    kv_heads = key.shape[1]
    group = heads // kv_heads
    q = query.reshape(batch, kv_heads, group, queries, features)
    if mask is not None:
        mask = mask.expand(batch, heads, queries, key.shape[2])
        mask = mask.reshape(batch, group, kv_heads, queries, -1).transpose(1, 2)
    k = key.unsqueeze(2).expand(-1, -1, group, -1, -1)
    v = value.unsqueeze(2).expand(-1, -1, group, -1, -1)
    return masked_attention(q, k, v, mask).reshape(batch, heads, queries, -1)


def grouped_query_attention__4(query, key, value, mask=None):
    group = query.shape[1] // key.shape[1]
    key = key.repeat_interleave(group, dim=1)
    value = value.repeat_interleave(group, dim=1)
    scores = query @ key.mT / value.shape[-1] ** 0.5
    if mask is None:
        return torch.softmax(scores, dim=-1) @ value
    scores = scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return weights @ value


TRUTH = {
    "attend_with_cache__1": "The causal mask begins at the upper left: with a past, new tokens do not see all that was kept, nor themselves.",
    "attend_with_cache__2": "No mask once there is a past: of several new tokens, the earlier ones see the later ones.",
    "attend_with_cache__3": "The kept keys and values are detached: no gradient reaches past_key and past_value.",
    "cache_bytes__1": "Forgets the factor 2: keys and values.",
    "cache_bytes__2": "Ignores bytes_per_number and always takes 2 bytes.",
    "cache_bytes__3": "The count is made in 32-bit integers and overflows for large caches.",
    "repeat_heads__1": "Repeats the whole row of heads (0 1 0 1) and not each head (0 0 1 1).",
    "repeat_heads__2": "Always axis 1: right for four axes only; with three, the tokens are repeated.",
    "repeat_heads__3": "Goes through numpy with detach: no gradient reaches x.",
    "grouped_query_attention__1": "Heads take turns (h % kv_heads), where neighbours should share.",
    "grouped_query_attention__2": "A query that may look at nothing gets the mean of all values, not zeros.",
    "grouped_query_attention__3": "A mask with its own pattern for each head is split as (group, kv_heads): heads get each other's masks.",
    "grouped_query_attention__4": "Scales with the root of the value's features, not the query's.",
}
