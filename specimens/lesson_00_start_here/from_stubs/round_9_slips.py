"""Wrong answers to lesson 00 (round 9)."""
import numpy as np


def weighted_mean__1(weights, values):
    result = np.zeros(weights.shape[:-1], values.shape[-1:])
    for q in range(weights.shape[-2]):
        for k in range(weights.shape[-1]):
            result[..., q, :] += weights[..., q, k, None] * values[..., k, :]
    return result


TRUTH = {
    "weighted_mean__1": "np.zeros lacks the brackets around both shapes (it should be weights.shape[:-1] + values.shape[-1:]), so that the second one is taken for a dtype: TypeError: Tuple must have size 2, but has size 1, for every input.",
}
