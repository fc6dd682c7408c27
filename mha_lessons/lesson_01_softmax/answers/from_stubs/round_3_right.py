import math
import numpy as np
import torch
from mha_ref import weighted_mean


def softmax__1(scores, axis=-1):
    """Each row by an online loop over plain Python floats."""
    moved = np.moveaxis(np.asarray(scores), axis, -1)
    result = np.empty(moved.shape, dtype=scores.dtype)
    for where in np.ndindex(*moved.shape[:-1]):
        row = [float(x) for x in moved[where]]
        peak, total = row[0], 1.0
        for x in row[1:]:
            if x > peak:
                total = total * math.exp(peak - x) + 1.0
                peak = x
            else:
                total += math.exp(x - peak)
        result[where] = [math.exp(x - peak) / total for x in row]
    return np.moveaxis(result, -1, axis)


def softmax__2(scores, axis=-1):
    # w_i = 1 / sum_j exp(s_j - s_i): an overflow in there means a weight of 0
    s = np.swapaxes(scores, axis, -1).astype(np.float64)
    with np.errstate(over="ignore", under="ignore"):
        ratio = np.exp(s[..., None, :] - s[..., :, None]).sum(axis=-1)
    return np.swapaxes(1.0 / ratio, -1, axis).astype(scores.dtype)


def log_softmax__1(scores, axis=-1):
    def log_sum_exp(pieces):
        if len(pieces) == 1:
            return pieces[0]
        half = len(pieces) // 2
        return np.logaddexp(log_sum_exp(pieces[:half]), log_sum_exp(pieces[half:]))

    wide = scores.astype(np.float64)
    peak = np.maximum.reduce(wide, axis=axis, keepdims=True)
    with np.errstate(over="ignore"):
        below = wide - peak
        total = log_sum_exp(list(np.moveaxis(below, axis, 0)))
        return (below - np.expand_dims(total, axis)).astype(scores.dtype)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    if not temperature > 0:
        raise ValueError("temperature must be above 0")
    original_dtype = scores.dtype
    heated = torch.from_numpy(np.array(scores, dtype=np.float64) / float(temperature))
    return torch.softmax(heated, dim=axis).numpy().astype(original_dtype)


class _Sharpener:
    """Divides first, then shifts, then powers of two."""

    def __init__(self, temperature, axis):
        self.temperature, self.axis = temperature, axis

    def __call__(self, scores):
        z = np.divide(scores, self.temperature, dtype=np.float64)
        with np.errstate(over="ignore", under="ignore"):
            z = z - np.max(z, axis=self.axis, keepdims=True)
            p = np.exp2(z * np.log2(np.e))
        return p / np.sum(p, axis=self.axis, keepdims=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    return _Sharpener(temperature, axis)(scores).astype(scores.dtype)


WHY = {
    "softmax__1": "online softmax with Python floats, row by row through ndindex",
    "softmax__2": "one over the sum of exp of all pairwise differences, float64, overflow means weight 0",
    "log_softmax__1": "shift by the maximum, then a recursive pairwise logaddexp",
    "softmax_with_temperature__1": "torch.softmax in float64 after dividing, with a check of the temperature",
    "softmax_with_temperature__2": "helper class, base-2 powers after dividing and shifting",
}
