import numpy as np


def weighted_mean__1(weights, values):
    # line up every weight with its value row, then take the mean over the keys
    aligned_weights = weights[..., :, :, np.newaxis]      # (..., q, k, 1)
    aligned_values = values[..., np.newaxis, :, :]        # (..., 1, k, f)
    return np.mean(aligned_weights * aligned_values, axis=-2)


def weighted_mean__2(weights, values):
    n_keys = values.shape[-2]
    total = 0.0
    for k in range(1, n_keys):
        total = total + weights[..., :, k:k + 1] * values[..., k:k + 1, :]
    if n_keys == 1:
        total = weights * values
    return total


def weighted_mean__3(weights, values):
    # normalise first, to be safe
    norm = weights.sum(axis=-2, keepdims=True)
    weights /= norm
    return np.einsum("...qk,...kf->...qf", weights, values)


_buffers = {}


def weighted_mean__4(weights, values):
    # allocating is slow: keep one output buffer per shape
    shape = weights.shape[:-1] + (values.shape[-1],)
    out = _buffers.get(shape)
    if out is None:
        out = _buffers[shape] = np.zeros(shape)
    for k in range(weights.shape[-1]):
        out += weights[..., k, None] * values[..., None, k, :]
    return out.copy()


TRUTH = {
    "weighted_mean__1": ("one", "averages the weighted values over the keys (np.mean) instead of summing them, so the result is too small by the number of keys"),
    "weighted_mean__2": ("slip", "the loop over keys starts at 1, so the first key's value is left out (unless there is one key only)"),
    "weighted_mean__3": ("two", "divides the weights by their sum over the queries (columns, not rows), and does so in place, which changes the caller's weights"),
    "weighted_mean__4": ("odd", "keeps a buffer per output shape and never clears it, so from the second call of a shape on the earlier results are added in"),
}
