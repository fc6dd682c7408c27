"""Right answers to lesson 01 (round 18)."""

import numpy as np


def softmax__1(scores, axis=-1):
    wide = np.asarray(scores, dtype=np.float64)
    with np.errstate(over="ignore"):
        weights = np.exp(wide - np.logaddexp.reduce(wide, axis=axis, keepdims=True))
    return weights.astype(scores.dtype)


WHY = {
    "softmax__1": 'Right: exp of the score minus the logarithm of the sum of the exponentials, from logaddexp.reduce.',
}
