"""Slips in answers to lesson 01 (round 15)."""

import numpy as np



def softmax__1(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    powers = np.exp(shifted)
    return powers / powers.sum(axis=axis)


def softmax__2(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    weights = np.exp(scores)
    return weights / weights.sum(axis=axis, keepdims=True)


TRUTH = {
    "softmax__1": 'The sum lacks keepdims=True, so the division fails for most shapes and divides along the wrong axis for square ones.',
    "softmax__2": "`-=` subtracts the maximum in the caller's array, so the scores themselves are changed.",
}
