"""Slips in answers to lesson 02 (round 10)."""

import numpy as np
from mha_ref import attention_scores, softmax, weighted_mean


def attention_scores__1(query, key):
    return query @ key.T / np.sqrt(query.shape[-1])


def attention_weights__1(query, key):
    scores = attention_scores(query, key)
    softmax(scores, axis=-1)
    return scores


def scaled_dot_product_attention__1(query, key, value):
    weights = softmax(attention_scores(query, key))
    return weighted_mean(weights, value),


TRUTH = {
    "attention_scores__1": ".T turns all axes around: right for two axes; with a batch, e.g. (2, 3, 4) and (2, 5, 4), ValueError 'matmul: Input operand 1 has a mismatch in its core dimension 0'",
    "attention_weights__1": "the result of softmax is not kept: the scores themselves are returned, whose rows do not sum to 1",
    "scaled_dot_product_attention__1": "the comma at the end makes a tuple of one array: not an array, no .shape, the numbers in it are right",
}
