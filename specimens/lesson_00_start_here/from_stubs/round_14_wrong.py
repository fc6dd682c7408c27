"""Wrong answers to lesson 00 (round 14)."""

import numpy as np


def weighted_mean__1(weights, values):
    return np.array([rows @ table for rows, table in zip(weights, values)])


def weighted_mean__2(weights, values):
    weighted = weights[..., :, :, None] * values[..., None, :, :]
    return weighted.mean(axis=-2)


TRUTH = {
    "weighted_mean__1": "It pairs the first axis of weights with that of values, whatever it is; without an axis in front that pairs queries with keys.",
    "weighted_mean__2": "It takes the mean over the keys of the weighted values, not their sum, so everything is too small by the number of keys.",
}
