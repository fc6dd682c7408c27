import numpy as np
import torch


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
    "log_softmax__1": "shift by the maximum, then a recursive pairwise logaddexp",
    "softmax_with_temperature__1": "torch.softmax in float64 after dividing, with a check of the temperature",
    "softmax_with_temperature__2": "helper class, base-2 powers after dividing and shifting",
}
