"""Right answers to lesson 00 (round 18)."""

import numpy as np


def weighted_mean__1(weights, values):
    return np.einsum("...qk,...kf->...qf", weights, values)


WHY = {
    "weighted_mean__1": 'Right: einsum with an ellipsis.',
}
