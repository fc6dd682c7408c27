import math

import numpy as np


def softmax__1(scores, axis=-1):
    moved = np.moveaxis(scores, axis, -1)
    out = np.empty(moved.shape, dtype=scores.dtype)
    for where in np.ndindex(*moved.shape[:-1]):
        row = [min(max(float(s), -60.0), 60.0) for s in moved[where]]   # exp stays in range
        exps = [math.exp(s) for s in row]
        whole = math.fsum(exps)
        out[where] = [e / whole for e in exps]
    return np.moveaxis(out, -1, axis)


def softmax__2(scores, axis=-1):
    top = np.amax(scores, axis=axis, keepdims=True)
    numer = np.exp(np.subtract(scores, top))
    denom = np.add.reduce(numer, axis=-1, keepdims=True)
    return np.divide(numer, denom)


def softmax__3(scores, axis=-1):
    swapped = np.swapaxes(scores, axis, -1)
    rows = swapped.reshape(-1, swapped.shape[-1])
    for row in rows:
        row -= row.max()
    exps = np.exp(rows)
    weights = exps / exps.sum(axis=1, keepdims=True)
    return weights.reshape(scores.shape)


def softmax__4(scores, axis=-1):
    # online softmax: one pass for maximum and sum together
    lanes = np.moveaxis(scores.astype(np.float64), axis, 0)
    running_max = np.full(lanes.shape[1:], -np.inf)
    running_sum = np.zeros(lanes.shape[1:])
    for lane in lanes:
        running_max = np.maximum(running_max, lane)
        running_sum = running_sum + np.exp(lane - running_max)
    return np.moveaxis(np.exp(lanes - running_max) / running_sum, 0, axis).astype(scores.dtype)


TRUTH = {
    "softmax__1": ("one", "clips the scores to -60..60 against overflow instead of shifting by the maximum: large scores become ties (100 and 200 get 0.5 each)"),
    "softmax__2": ("slip", "the sum runs along axis -1 whatever `axis` says: wrong for any other axis"),
    "softmax__3": ("two", "does not swap the axes back (reshapes instead), so any axis but the last is wrong; and subtracts the maximum in place on a view, so the scores are changed"),
    "softmax__4": ("one", "online softmax that does not rescale the running sum when the running maximum grows: rows do not sum to 1 unless the maximum comes first"),
}
