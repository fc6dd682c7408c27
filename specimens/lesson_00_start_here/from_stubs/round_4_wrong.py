import numpy as np


def weighted_mean__1(weights, values):
    # contract "keys" with "keys"
    return np.tensordot(weights, values, axes=([-1], [-2]))


def weighted_mean__2(weights, values):
    dtype = np.result_type(weights, values)
    lead = weights.shape[:-2]
    values = np.broadcast_to(values, lead + values.shape[-2:])
    result = np.empty(weights.shape[:-1] + values.shape[-1:], dtype)
    for where in np.ndindex(*lead):
        row = np.zeros(values.shape[-1], dtype)
        rows = []
        for w_row in weights[where]:
            row[:] = 0
            for share, v in zip(w_row, values[where]):
                row += share * v
            rows.append(row)
        result[where] = rows
    return result


def weighted_mean__3(weights, values):
    n_keys = values.shape[-2]
    total = 0.0
    for k in range(1, n_keys):
        total = total + weights[..., k, None] * values[..., None, k, :]
    return total


def weighted_mean__4(weights, values):
    n_keys, n_features = values.shape[-2:]
    if values.ndim == 2:
        # the same values for everybody: one big product
        return weights.reshape(-1, n_keys) @ values
    out = [w @ values.reshape(-1, n_keys, n_features)[0] for w in weights.reshape((-1,) + weights.shape[-2:])]
    return np.array(out).reshape(weights.shape[:-1] + (n_features,))


TRUTH = {
    "weighted_mean__1": ("one", "tensordot pairs every batch item of weights with every batch item of values: with batch axes in both the result has the wrong shape (b, q, b, f)"),
    "weighted_mean__2": ("odd", "one row buffer is appended again and again without a copy, so within each item every query gets the result of the last query"),
    "weighted_mean__3": ("slip", "the loop over keys starts at 1: the first key's value is left out"),
    "weighted_mean__4": ("two", "with shared 2-D values and batched weights the batch axes stay flattened into the queries (wrong shape); with batched values the first item's values serve all items"),
}
