"""Slips in answers to lesson 11 (round 15)."""

import torch
from mha_ref import masked_attention
from autograder.outline import ours

causal_mask = ours("causal_mask")  # as in the notebook: a tensor



def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    keys = key if past_key is None else torch.cat([past_key, key], dim=-2)
    values = value if past_value is None else torch.cat([past_value, value], dim=-2)
    mask = causal_mask(query.shape[-2], keys.shape[-2]).to(query.device)
    return masked_attention(query, keys, values, mask), values, keys


def grouped_query_attention__1(query, key, value, mask=None):
    repeats = key.shape[1] // query.shape[1]
    keys = key.repeat_interleave(repeats, dim=1)
    values = value.repeat_interleave(repeats, dim=1)
    return masked_attention(query, keys, values, mask)


TRUTH = {
    "attend_with_cache__1": 'The results are returned in the order output, values, keys, so the next call takes values for keys and keys for values.',
    "grouped_query_attention__1": 'kv_heads // heads stands in place of heads // kv_heads, so with fewer key-value heads each of them is repeated 0 times and nothing is left.',
}
