"""Slips in answers to lesson 01 (round 18)."""

import numpy as np


def softmax__1(scores, axis=-1):
    scores -= np.max(scores, axis=axis, keepdims=True)
    weights = np.exp(scores)
    weights /= np.sum(weights, axis=axis, keepdims=True)
    return weights


TRUTH = {
    "softmax__1": '-= works in place, so the scores of the caller are changed.',
}
