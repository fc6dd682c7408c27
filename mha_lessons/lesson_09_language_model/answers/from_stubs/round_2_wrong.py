import math
import numpy as np


def log_softmax__1(scores, axis=-1):
    tiny = np.finfo(scores.dtype).tiny
    shifted = scores - scores.max(axis=axis, keepdims=True)
    probs = np.exp(shifted)
    probs = probs / probs.sum(axis=axis, keepdims=True)
    return np.log(np.maximum(probs, tiny))


def log_softmax__2(scores, axis=-1):
    def logsumexp(x):
        m = x.max()
        return m + np.log1p(np.exp(x - m).sum())

    return np.apply_along_axis(lambda row: row - logsumexp(row), axis, scores)


def log_softmax__3(scores, axis=-1):
    top = scores.max(axis=axis)
    lse = top + np.log(np.exp(scores - np.expand_dims(top, axis)).sum(axis=axis))
    return scores - lse[..., None]


def log_softmax__4(scores, axis=-1):
    z = scores - np.max(scores, axis=axis, keepdims=True)
    logp = z - np.log(np.sum(np.exp(z), axis=axis, keepdims=True))
    # same floor as the log in binary cross entropy has
    return np.clip(logp, -100.0, 0.0)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    # exp(s / T) = exp(s) ** (1 / T): so sharpen the finished weights and normalise again
    w = np.exp(scores - scores.max(axis, keepdims=True))
    w = w / w.sum(axis, keepdims=True)
    sharpened = np.power(w, 1.0 / temperature)
    return sharpened / sharpened.sum(axis, keepdims=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    def soft(x):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    # from even weights (T large) to the plain ones (T = 1): mix them
    n = scores.shape[axis]
    if temperature < 1:
        return soft(scores / temperature)
    even = np.full(scores.shape, 1.0 / n)
    share = 1.0 / temperature
    return share * soft(scores) + (1.0 - share) * even


def softmax_with_temperature__3(scores, temperature, axis=-1):
    def softmax(scores, axis=-1):
        hi = scores.max(axis=axis, keepdims=True)
        e = np.exp(scores - hi)
        return e / e.sum(axis=axis, keepdims=True)

    if math.isclose(temperature, 1.0):
        return softmax(scores, axis)
    return softmax(scores / temperature)


def softmax_with_temperature__4(scores, temperature, axis=-1):
    t = max(temperature, 0.1)         # never divide by (almost) zero
    np.divide(scores, t, out=scores)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    e /= e.sum(axis=axis, keepdims=True)
    return e


TRUTH = {
    "log_softmax__1": ("one", "takes the logarithm of the weights floored at the smallest normal float, so every log weight below about -708 (float64) or -87 (float32) is cut off"),
    "log_softmax__2": ("one", "log1p of the sum of exponentials, though the sum already holds the maximum's 1: the normaliser is too large, weights do not sum to 1"),
    "log_softmax__3": ("one", "puts the reduced axis of the log-sum-exp back at the end whatever the axis: raises or subtracts the wrong normaliser when axis is not the last"),
    "log_softmax__4": ("odd", "cuts the log weights off at -100"),
    "softmax_with_temperature__1": ("one", "applies the temperature as a power of finished weights, which have already underflowed to 0 for far scores: wrong for large score differences with large temperatures"),
    "softmax_with_temperature__2": ("one", "above temperature 1 it mixes the plain softmax linearly with even weights instead of dividing the scores"),
    "softmax_with_temperature__3": ("slip", "forgets to pass the axis on unless the temperature is 1, so it normalises along the last axis"),
    "softmax_with_temperature__4": ("two", "raises temperatures below 0.1 to 0.1, and divides in place, which changes the caller's scores"),
}
