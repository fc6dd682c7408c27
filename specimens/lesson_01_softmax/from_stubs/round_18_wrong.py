"""Wrong answers to lesson 01 (round 18)."""

import numpy as np


def softmax__1(scores, axis=-1):
    safe = np.clip(scores, -80, 80)  # exp would overflow otherwise
    e = np.exp(safe)
    return e / np.sum(e, axis=axis, keepdims=True)


TRUTH = {
    "softmax__1": 'Instead of subtracting the maximum the scores are clipped to at most 80, so all scores above 80 count as equal (and in float16 exp(80) still overflows).',
}
