"""Wrong answers to lesson 01 (round 11)."""

import numpy as np


def softmax__1(scores, axis=-1):
    # subtract the largest number so that exp cannot overflow
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax__2(scores, axis=-1):
    # keep exp inside the range of a float
    safe = np.clip(scores, -700, 700)
    e = np.exp(safe)
    total = e.sum(axis=axis, keepdims=True)
    return e / total


TRUTH = {
    "softmax__1": "the largest score of the whole array, not of the row: rows far below it become 0 / 0 = NaN",
    "softmax__2": "scores above 700 all count the same: (1000, 1001) gives halves; two scores near 700 overflow the sum in no case in float64, but float16 and float32 do overflow",
}
