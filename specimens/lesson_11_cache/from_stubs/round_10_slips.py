"""Slips in answers to lesson 11 (round 10)."""

import torch
from mha_ref import masked_attention


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key and past_value:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    new, total = query.shape[-2], key.shape[-2]
    mask = torch.ones(new, total, dtype=torch.bool).tril(total - new)
    return masked_attention(query, key, value, mask), key, value


def grouped_query_attention__1(query, key, value, mask=None):
    group = query.shape[1] / key.shape[1]
    key = key.repeat_interleave(group, dim=1)
    value = value.repeat_interleave(group, dim=1)
    if mask is None:
        mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)
    return masked_attention(query, key, value, mask)


TRUTH = {
    "attend_with_cache__1": "`if past_key` asks a whole tensor for its truth: from the second call on a RuntimeError, Boolean value of Tensor with more than one value is ambiguous; the first call is right.",
    "grouped_query_attention__1": "/ makes a float of the group's size, and repeat_interleave wants an integer: a TypeError in every call (// was meant).",
}
