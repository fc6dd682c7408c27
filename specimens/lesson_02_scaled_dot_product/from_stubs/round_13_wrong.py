"""Wrong answers to lesson 02 (round 13)."""

import numpy as np
from mha_ref import attention_scores, softmax, weighted_mean


def attention_scores__1(query, key):
    # how well a key fits: the nearer, the higher
    difference = query[..., :, None, :] - key[..., None, :, :]
    return -np.sum(difference**2, axis=-1) / np.sqrt(query.shape[-1])


def attention_scores__2(query, key):
    q = query - query.mean(axis=-1, keepdims=True)
    k = key - key.mean(axis=-1, keepdims=True)
    return q @ np.moveaxis(k, -1, -2) / np.sqrt(query.shape[-1])


def attention_weights__1(query, key):
    scores = attention_scores(query, key)
    return 1 / (1 + np.exp(-scores))


def attention_weights__2(query, key):
    scores = attention_scores(query, key)
    e = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
    return e / e.sum(axis=(-2, -1), keepdims=True)


def scaled_dot_product_attention__1(query, key, value):
    weights = softmax(attention_scores(query, key))
    best = weights == weights.max(axis=-1, keepdims=True)
    return weighted_mean(best / best.sum(axis=-1, keepdims=True), value)


def scaled_dot_product_attention__2(query, key, value):
    # the softmax is what must be scaled, so that the output does not grow
    return softmax(query @ np.swapaxes(key, -1, -2)) @ value / np.sqrt(query.shape[-1])


TRUTH = {
    "attention_scores__1": "minus the squared distance in place of the dot product",
    "attention_scores__2": "query and key are centred first: a correlation rather than a dot product",
    "attention_weights__1": "a sigmoid for each score: rows do not sum to 1",
    "attention_weights__2": "softmax over queries and keys together: the whole table sums to 1, not each row",
    "scaled_dot_product_attention__1": "only the best key counts",
    "scaled_dot_product_attention__2": "the output is scaled, not the scores",
}
