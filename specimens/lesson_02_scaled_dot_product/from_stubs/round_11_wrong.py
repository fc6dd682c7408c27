"""Wrong answers to lesson 02 (round 11)."""

import math

import numpy as np
from mha_ref import attention_scores, attention_weights, softmax, weighted_mean


def attention_scores__1(query, key):
    scores = np.einsum("...qf,...kf->...qk", query, key)
    n = key.shape[-2]  # as many numbers as are in a row
    return scores / n**0.5


def attention_scores__2(query, key):
    # both vectors are made shorter before they meet
    root = math.sqrt(query.shape[-1])
    q = query / root
    k = key / root
    return q @ np.swapaxes(k, -1, -2)


def attention_weights__1(query, key):
    scores = attention_scores(query, key)
    e = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


def attention_weights__2(query, key):
    d = query.shape[-1]
    scaled = attention_scores(query, key) / np.sqrt(d)
    return softmax(scaled, axis=-1)


def scaled_dot_product_attention__1(query, key, value):
    # shares: each score over the sum of its row
    scores = attention_scores(query, key)
    shares = scores / scores.sum(axis=-1, keepdims=True)
    return weighted_mean(shares, value)


def scaled_dot_product_attention__2(query, key, value):
    d = value.shape[-1]
    scores = np.matmul(query, key.swapaxes(-2, -1)) * d**-0.5
    return np.matmul(softmax(scores), value)


TRUTH = {
    "attention_scores__1": "divided by the root of the number of keys, not of features",
    "attention_scores__2": "query and key are each divided by the root, so scores are divided by the number of features",
    "attention_weights__1": "softmax along the queries: columns sum to 1, not rows",
    "attention_weights__2": "attention_scores has divided already: scaled twice",
    "scaled_dot_product_attention__1": "no exponential: scores are divided by their sum, so weights may be negative, or explode where the sum is near 0",
    "scaled_dot_product_attention__2": "scaled by the root of the value's features, not of the query's",
}
