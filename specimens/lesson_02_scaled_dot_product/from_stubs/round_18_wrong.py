"""Wrong answers to lesson 02 (round 18)."""

import numpy as np

from mha_ref import softmax


def scaled_dot_product_attention__1(query, key, value):
    root = np.sqrt(query.shape[-1])
    q = query / root
    k = key / root
    scores = q @ np.swapaxes(k, -1, -2)
    return softmax(scores, axis=-1) @ value


def attention_scores__1(query, key):
    number_of_keys = key.shape[-2]
    return np.einsum("...qf,...kf->...qk", query, key) / np.sqrt(number_of_keys)


def attention_weights__1(query, key):
    dots = np.matmul(query, np.swapaxes(key, -2, -1))
    dots = dots - dots.max(axis=-1, keepdims=True)
    e = np.exp(dots)
    w = e / e.sum(axis=-1, keepdims=True)
    return w / np.sqrt(query.shape[-1])


TRUTH = {
    "scaled_dot_product_attention__1": 'Both the query and the key are divided by the root of the features, so the scores are divided by the number of features instead of its root.',
    "attention_scores__1": 'Divides by the root of the number of keys instead of the root of the number of features.',
    "attention_weights__1": 'The scaling comes after the softmax, so it does not act on the scores, and each row sums to 1 / sqrt(features) instead of 1.',
}
