"""Right answers to lesson 01 (round 11)."""

import numpy as np


def softmax__1(scores, axis=-1):
    rows = np.moveaxis(scores, axis, 0)
    rivals = rows[:, None] - rows[None]
    with np.errstate(over="ignore"):
        shares = 1 / np.exp(-rivals).sum(axis=1)
    return np.moveaxis(shares, 0, axis)


WHY = {"softmax__1": "One over the sum of exp(other - own), for all pairs; overflow gives infinity, and one over infinity is 0."}
