"""Wrong answers to lesson 01 (round 14)."""

import numpy as np


def softmax__1(scores, axis=-1):
    safe = scores - np.max(np.abs(scores), axis=axis, keepdims=True)
    powers = np.exp(safe)
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax__2(scores, axis=-1):
    limit = np.log(np.finfo(scores.dtype).max) / 2
    powers = np.exp(np.clip(scores, -limit, limit))
    return powers / powers.sum(axis=axis, keepdims=True)


TRUTH = {
    "softmax__1": "It subtracts the largest absolute value; where all scores are far below 0 all exponentials vanish: 0 / 0.",
    "softmax__2": "It clips the scores so that exp does not overflow; different large scores then get the same weight.",
}
