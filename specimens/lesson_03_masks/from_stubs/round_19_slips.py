"""Slips in answers to lesson 03 (round 19)."""

import numpy as np

from mha_ref import causal_mask, masked_attention, masked_softmax


def masked_attention__1(query, key, value, mask=None):
    scores = query @ key.T / np.sqrt(query.shape[-1])
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    return masked_softmax(scores, mask) @ value


def causal_attention__1(query, key, value):
    queries, keys = query.shape[-2], key.shape[-2]
    mask = causal_mask(keys, queries)
    return masked_attention(query, key, value, mask)


def padding_mask__1(lengths, keys):
    lengths = np.asarray(lengths)
    if (lengths > keys).any():
        raise ValueError("a length is larger than keys")
    return np.range(keys) < lengths[:, None, None, None]


TRUTH = {
    "masked_attention__1": 'key.T turns around all axes instead of the last two, which is wrong for anything with axes in front.',
    "causal_attention__1": 'The arguments of causal_mask are exchanged, so its shape is (keys, queries) and does not fit where there are fewer queries than keys.',
    "padding_mask__1": 'NumPy has no function np.range (it is np.arange), so the call raises an AttributeError.',
}
