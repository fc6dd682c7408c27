"""Slips in answers to lesson 00 (round 18)."""

import numpy as np


def weighted_mean__1(weights, values):
    return np.dot(weights, values)


TRUTH = {
    "weighted_mean__1": 'np.dot instead of np.matmul: with axes in front it pairs every item with every other one, so the shape is wrong.',
}
