"""Slips in answers to lesson 00 (round 15)."""

import numpy as np



def weighted_mean__1(weights, values):
    result = np.matmul(weights, values)


def scaled_dot_product_attention__1(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - top)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return scores @ value


TRUTH = {
    "weighted_mean__1": 'The result is computed but there is no return, so the function gives None.',
    "scaled_dot_product_attention__1": 'The last line multiplies scores with the values instead of weights (a wrong variable name), so the softmax has no effect.',
}
