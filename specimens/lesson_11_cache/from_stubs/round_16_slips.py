"""Slips in answers to lesson 11 (round 16)."""

import torch
from autograder.outline import ours
from mha_ref import masked_attention

causal_mask = ours("causal_mask")  # as in the notebook: a tensor



def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    keys, values = key, value
    if past_key is not None:
        keys = torch.cat([past_key, key], dim=-2)
        values = torch.cat([past_value, key], dim=-2)
    mask = causal_mask(query.shape[-2], keys.shape[-2]).to(query.device)
    return masked_attention(query, keys, values, mask), keys, values


TRUTH = {
    "attend_with_cache__1": 'The line for the values was copied from the keys and still appends `key`, so keys are kept among the values, or the sizes do not fit.',
}
