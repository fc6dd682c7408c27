"""Right answers to lesson 01 (round 14)."""

import numpy as np


def softmax__1(scores, axis=-1):
    wide = np.asarray(scores, dtype=np.float64)
    return np.exp(wide - np.logaddexp.reduce(wide, axis=axis, keepdims=True)).astype(scores.dtype)


WHY = {
    "softmax__1": "It subtracts the log-sum-exp from logaddexp.reduce, in float64.",
}
