"""Wrong answers to lesson 03 (round 18)."""

import numpy as np

from mha_ref import attention_scores, causal_mask, masked_attention, softmax


def causal_mask__1(queries, keys):
    extra = max(keys - queries, 0)
    i = np.arange(queries)[:, None]
    j = np.arange(keys)[None, :]
    return j <= i + extra


def masked_softmax__1(scores, mask):
    m = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - m)
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.where(mask, weights, 0.0)


def masked_attention__1(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(scores.dtype).min)
    weights = softmax(scores, axis=-1)
    return weights @ value


def causal_attention__1(query, key, value):
    queries, keys = query.shape[-2], key.shape[-2]
    full = causal_mask(keys, keys)
    return masked_attention(query, key, value, full[:queries])


def padding_mask__1(lengths, keys):
    lengths = np.asarray(lengths)
    if np.any(lengths > keys):
        raise ValueError("a sentence is longer than the number of keys")
    position = np.arange(keys)
    real = position[None, :] >= keys - lengths[:, None]
    return real[:, None, None, :]


TRUTH = {
    "causal_mask__1": 'The shift between queries and keys is cut off at 0, so with more queries than keys the first query lines up with the first key, and no row is empty.',
    "masked_softmax__1": 'The blocked weights are set to zero after an ordinary softmax and the rest is not normalised again, so rows with a blocked key sum to less than 1.',
    "masked_attention__1": 'A query with no allowed key gets the plain mean of all values instead of zeros, since all its scores become the same lowest number before the softmax.',
    "causal_attention__1": 'Takes the first rows of the square mask instead of the last ones, so with more keys than queries the first query lines up with the first key.',
    "padding_mask__1": 'Thinks that the padding comes in front: True stands at the last `length` keys instead of the first ones.',
}
