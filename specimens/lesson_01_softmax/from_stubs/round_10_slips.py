"""Slips in answers to lesson 01 (round 10)."""

import numpy as np


def softmax__1(scores, axis=-1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis)


def softmax__2(scores, axis=-1):
    weights = scores
    weights -= weights.max(axis=axis, keepdims=True)
    weights = np.exp(weights)
    return weights / weights.sum(axis=axis, keepdims=True)


TRUTH = {
    "softmax__1": "keepdims is missing in the sum: (2, 3) scores stop with ValueError 'operands could not be broadcast together', square scores are divided by the sums of the wrong rows; right with a single axis, and along axis 0",
    "softmax__2": "weights is only another name of scores, so -= changes the learner's input (the result is right; numpy integers aside)",
}
