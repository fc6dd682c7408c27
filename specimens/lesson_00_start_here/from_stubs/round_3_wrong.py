import numpy as np


def weighted_mean__1(weights, values):
    # attention looks up the best match
    best = np.argmax(weights, axis=-1)
    return np.take_along_axis(values, best[..., None], axis=-2)


def weighted_mean__2(weights, values):
    n_queries, n_keys = weights.shape[-2], weights.shape[-1]
    out = np.zeros(weights.shape[:-1] + (values.shape[-1],), dtype=values.dtype)
    for q in range(n_queries):
        for k in range(n_keys):
            out[..., q, :] += weights[..., q, k, None] * values[..., q, :]
    return out


def weighted_mean__3(weights, values):
    return np.tensordot(weights, values, axes=([-1], [-2]))


_accumulators = {}


def weighted_mean__4(weights, values):
    shape = weights.shape[:-1] + (values.shape[-1],)
    if shape not in _accumulators:
        _accumulators[shape] = np.zeros(shape)
    acc = _accumulators[shape]
    for k in range(weights.shape[-1]):
        acc += weights[..., k:k + 1] * values[..., k:k + 1, :]
    return acc.copy()


TRUTH = {
    "weighted_mean__1": ("one", "hard look-up: takes the one value with the largest weight instead of the weighted mean of all values"),
    "weighted_mean__2": ("slip", "the inner loop reads the value of position q instead of k, so every query gets its own value back, not a mean (and it raises when there are more queries than keys)"),
    "weighted_mean__3": ("one", "tensordot crosses the batch axes: with axes in front every item is combined with every other and the shape is (B, Q, B, F); right without batch axes"),
    "weighted_mean__4": ("odd", "the accumulator is kept per shape between calls and never cleared: the second call of the same shape adds to the first result"),
}
