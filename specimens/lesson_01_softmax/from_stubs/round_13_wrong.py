"""Wrong answers to lesson 01 (round 13)."""

import numpy as np


def softmax__1(scores, axis=-1):
    # positive weights: none may be 0
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights = np.maximum(e / e.sum(axis=axis, keepdims=True), 1e-7)
    return weights / weights.sum(axis=axis, keepdims=True)


def softmax__2(scores, axis=-1):
    # centred scores are small
    centred = scores - scores.mean(axis=axis, keepdims=True)
    e = np.exp(centred)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__3(scores, axis=-1):
    rows = np.swapaxes(scores, axis, -1)
    e = np.exp(rows - rows.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


TRUTH = {
    "softmax__1": "weights below 1e-7 are lifted to it: small ones are not what they should be, nor 0",
    "softmax__2": "the mean is subtracted, not the maximum: a score far above the mean overflows",
    "softmax__3": "the axes are swapped and never swapped back: for another axis than the last the result is turned",
}
