"""Right answers to lesson 00 (round 14)."""

import numpy as np


def weighted_mean__1(weights, values):
    one = np.vectorize(lambda w, v: w @ v, signature="(q,k),(k,f)->(q,f)")
    return one(weights, values)


WHY = {
    "weighted_mean__1": "np.vectorize with a signature walks all axes in front.",
}
