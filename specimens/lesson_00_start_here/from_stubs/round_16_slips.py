"""Slips in answers to lesson 00 (round 16)."""

import numpy as np
from mha_ref import softmax



def weighted_mean__1(weights, values):
    keys = weights.shape[-1]
    result = 0
    for k in range(keys - 1):
        result = result + weights[..., :, k, None] * values[..., None, k, :]
    return result


def scaled_dot_product_attention__1(query, key, value):
    features = query.shape[-1]
    weights = softmax(query @ np.swapaxes(key, -1, -2)) / np.sqrt(features)
    return weights @ value


TRUTH = {
    "weighted_mean__1": 'The loop runs over range(keys - 1), so the last value is never added.',
    "scaled_dot_product_attention__1": 'The bracket of softmax closes before the division, so the weights are divided by the root instead of the scores, and no longer sum to 1.',
}
