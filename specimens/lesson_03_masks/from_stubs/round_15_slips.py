"""Slips in answers to lesson 03 (round 15)."""

import numpy as np
from mha_ref import attention_scores, masked_softmax, softmax



def causal_mask__1(queries, keys):
    return np.tri(queries, keys, queries - keys, dtype=bool)


def masked_softmax__1(scores, mask):
    low = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(low - top)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def masked_attention__1(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask == None:
        weights = softmax(scores)
    else:
        weights = masked_softmax(scores, mask)
    return weights @ value


def padding_mask__1(lengths, keys):
    lengths = np.asarray(lengths)
    if lengths.max > keys:
        raise ValueError("a sentence is longer than the number of keys")
    mask = np.arange(keys) < lengths[:, None]
    return mask[:, None, None, :]


TRUTH = {
    "causal_mask__1": 'The shift of the diagonal is queries - keys instead of keys - queries, so with unequal numbers the mask is shifted to the wrong side.',
    "masked_softmax__1": 'The maximum is taken of scores, blocked ones included, instead of low, so a blocked score far above the others makes all allowed weights vanish, and the row becomes zeros.',
    "masked_attention__1": '`mask == None` compares entry by entry instead of asking `mask is None`, so with a mask of more than one entry the `if` raises a ValueError.',
    "padding_mask__1": '`lengths.max` lacks its call brackets, so a method is compared with a number, which raises a TypeError in every call.',
}
