"""Wrong answers to lesson 11 (round 18)."""

import torch

from mha_ref import attention_scores, repeat_heads, softmax


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat((past_key, key), dim=-2)
        value = torch.cat((past_value, value), dim=-2)
    # nothing to hide: all that is kept is in the past
    weights = softmax(attention_scores(query, key))
    return weights @ value, key, value


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    per_token = 2 * layers * kv_heads * head_size
    return per_token * tokens * bytes_per_number


def repeat_heads__1(x, repeats):
    return torch.cat([x] * repeats, dim=-3)


def grouped_query_attention__1(query, key, value, mask=None):
    repeats = query.shape[1] // key.shape[1]
    key = repeat_heads(key, repeats)
    value = repeat_heads(value, repeats)
    scores = attention_scores(query, key)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    return softmax(scores) @ value


TRUTH = {
    "attend_with_cache__1": 'There is no mask among the new tokens, so with several new tokens the first ones look ahead to the later ones.',
    "cache_bytes__1": 'Leaves out the batch, as if all texts could share one cache.',
    "repeat_heads__1": "All heads are repeated as a group (0, 1, 0, 1) instead of each head's copies coming right after it (0, 0, 1, 1).",
    "grouped_query_attention__1": 'Blocked scores become the lowest number and nothing is done about rows without any allowed key, so such a query gets the mean of all values instead of zeros.',
}
