"""Slips in answers to lesson 03 (round 18)."""

import numpy as np

from mha_ref import attention_scores, causal_mask, masked_attention, masked_softmax, softmax


def causal_mask__1(queries, keys):
    everything = np.ones((queries, keys))
    return np.tril(everything, k=keys - queries)


def masked_softmax__1(scores, mask):
    blocked = np.where(mask, -np.inf, scores)
    largest = blocked.max(axis=-1, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0.0)
    e = np.exp(blocked - largest)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


def masked_attention__1(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask:
        weights = masked_softmax(scores, mask)
    else:
        weights = softmax(scores)
    return weights @ value


def causal_attention__1(query, key, value):
    mask = causal_mask(query.shape[0], key.shape[0])
    return masked_attention(query, key, value, mask)


def padding_mask__1(lengths, keys):
    if (lengths > keys).any():
        raise ValueError("length above keys")
    positions = np.arange(1, keys)
    return (positions < lengths[:, None])[:, None, None, :]


TRUTH = {
    "causal_mask__1": 'The mask consists of the numbers 1.0 and 0.0, since dtype=bool is missing.',
    "masked_softmax__1": 'The last two arguments of np.where are swapped, so the allowed keys are blocked and the blocked ones allowed.',
    "masked_attention__1": '`if mask:` asks for the truth of a whole array, which raises a ValueError; it should be `if mask is not None:`.',
    "causal_attention__1": 'shape[0] instead of shape[-2]: with axes in front the mask gets the size of the batch instead of the numbers of queries and keys.',
    "padding_mask__1": 'np.arange starts at 1, so the mask has one column too few (and each sentence one real token too few).',
}
