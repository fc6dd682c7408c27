import numpy as np


def weighted_mean__1(weights, values):
    leading_axes = weights.shape[:-2]
    shared_values = np.broadcast_to(values, leading_axes + values.shape[-2:])
    features_first = np.swapaxes(shared_values, -1, -2)
    # (..., queries, 1, keys) times (..., 1, features, keys)
    products = weights[..., :, None, :].astype(np.float64) * features_first[..., None, :, :]
    return np.add.reduce(products, axis=-1).astype(np.result_type(weights, values))


def weighted_mean__2(weights, values):
    if weights.ndim > 2:
        per_item = values if values.ndim > 2 else [values] * len(weights)
        return np.array([weighted_mean__2(w, v) for w, v in zip(weights, per_item)])
    kind = np.result_type(weights, values)
    rows = [sum((float(share) * v.astype(float) for share, v in zip(row, values)), np.zeros(values.shape[-1])) for row in weights]
    return np.array(rows).reshape(len(weights), values.shape[-1]).astype(kind)


WHY = {
    "weighted_mean__1": "broadcast to one big product array, summed over the last axis",
    "weighted_mean__2": "recursion over the batch axes, Python sums in float64, cast back",
}
