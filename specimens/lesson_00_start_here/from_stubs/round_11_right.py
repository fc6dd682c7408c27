"""Right answers to lesson 00 (round 11)."""

import numpy as np


def weighted_mean__1(weights, values):
    front = np.broadcast_shapes(weights.shape[:-2], values.shape[:-2])
    out = np.zeros((*front, weights.shape[-2], values.shape[-1]), dtype=np.result_type(weights, values))
    for k in range(values.shape[-2]):
        out += weights[..., :, k, None] * values[..., None, k, :]
    return out


WHY = {"weighted_mean__1": "A loop over the keys that adds outer products into one array; the axes in front by broadcast_shapes."}
