import numpy as np


def weighted_mean__1(weights, values):
    # contract the key axis of both
    return np.tensordot(weights, values, axes=([-1], [-2]))


def weighted_mean__2(weights, values):
    n_queries = weights.shape[-2]
    n_keys = weights.shape[-1]
    result = np.zeros(weights.shape[:-1] + (values.shape[-1],), dtype=np.result_type(weights, values))
    for q in range(n_queries):
        for k in range(n_keys):
            w = weights[..., q, k]
            result[..., q, :] = w[..., None] * values[..., k, :]
    return result


def weighted_mean__3(weights, values):
    # work through the keys in blocks of four, so that no big temporary is needed
    block = 4
    n_keys = weights.shape[-1]
    total = 0.0
    for b in range(max(n_keys // block, 1)):
        part = slice(b * block, (b + 1) * block)
        total = total + np.einsum("...qk,...kf->...qf", weights[..., part], values[..., part, :])
    return total


TRUTH = {
    "weighted_mean__1": ("one", "tensordot pairs every batch item of the weights with every batch item of the values: right without axes in front, wrong shape (batch, queries, batch, features) with them"),
    "weighted_mean__2": ("slip", "= instead of += in the loop over keys: only the last key's contribution is kept"),
    "weighted_mean__3": ("odd", "works in blocks of four keys with floor division, so for more than four keys the incomplete last block is left out (5, 6, 7, 9, ... keys)"),
}
