"""Slips in answers to lesson 01 (round 19)."""

import numpy as np


def softmax__1(scores, axis=-1):
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis)


TRUTH = {
    "softmax__1": 'keepdims=True is missing in the sum, so with two or more axes the division fails or divides by the sums of other rows.',
}
