"""Slips in answers to lesson 00 (round 19)."""

import numpy as np


def weighted_mean__1(weights, values):
    return np.matmul(values, weights)


TRUTH = {
    "weighted_mean__1": 'The two arguments of the product are exchanged: it is values @ weights instead of weights @ values.',
}
