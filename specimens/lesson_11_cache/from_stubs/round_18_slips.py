"""Slips in answers to lesson 11 (round 18)."""

import torch

from autograder.outline import ours
from mha_ref import attention_scores, masked_softmax, softmax

causal_mask = ours("causal_mask")  # in a lesson in torch: a tensor


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat((key, past_key), dim=-2)
        value = torch.cat((value, past_value), dim=-2)
    mask = causal_mask(query.shape[-2], key.shape[-2]).to(query.device)
    weights = masked_softmax(attention_scores(query, key), mask)
    return weights @ value, key, value


def grouped_query_attention__1(query, key, value, mask=None):
    repeats = query.shape[1] / key.shape[1]
    key = key.repeat_interleave(repeats, dim=1)
    value = value.repeat_interleave(repeats, dim=1)
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    return weights @ value


TRUTH = {
    "attend_with_cache__1": 'The new keys and values are put in front of the old ones, since the parts in torch.cat are swapped.',
    "grouped_query_attention__1": 'heads / kv_heads is a float, and repeat_interleave takes only an integer, so a TypeError is raised; it should be //.',
}
