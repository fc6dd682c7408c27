"""Wrong answers to lesson 11 (round 13)."""

import torch
from mha_ref import masked_attention


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        mask = torch.ones(query.shape[-2], key.shape[-2]).tril().bool()
        return masked_attention(query, key, value, mask), key, value
    keys, values = torch.cat([past_key, key], -2), torch.cat([past_value, value], -2)
    return masked_attention(query, keys, values), keys, values


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([key, past_key], dim=-2), torch.cat([value, past_value], dim=-2)
    new, total = query.shape[-2], key.shape[-2]
    mask = torch.ones(new, total, dtype=torch.bool).tril(total - new)
    return masked_attention(query, key, value, mask), key, value


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    per_token = 2 * kv_heads * head_size * bytes_per_number / 8
    return batch * tokens * layers * per_token


def cache_bytes__2(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    keys_and_values = 2 * tokens * kv_heads * head_size
    queries = tokens * kv_heads * head_size
    return layers * batch * (keys_and_values + queries) * bytes_per_number


TRUTH = {
    "attend_with_cache__1": "with a past there is no mask: new tokens see the new ones after them",
    "attend_with_cache__2": "what was kept is put behind the new: the order is newest first, and the mask hides the wrong ones",
    "cache_bytes__1": "divided by 8, as if bytes_per_number were bits",
    "cache_bytes__2": "queries are counted as well",
}
