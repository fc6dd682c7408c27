import numpy as np


def weighted_mean__1(weights, values):
    dtype = np.result_type(weights, values)
    keys = values.shape[-2]
    parts = [
        weights[..., :, k].astype(np.float64)[..., None] * values[..., k, :].astype(np.float64)[..., None, :]
        for k in range(keys)
    ]
    return sum(parts[1:], parts[0]).astype(dtype)


WHY = {"weighted_mean__1": "list comprehension over the keys: one outer product of weights column and value row each, summed in float64 and cast back"}
