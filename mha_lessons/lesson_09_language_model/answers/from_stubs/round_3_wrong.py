import numpy as np


def log_softmax__1(scores, axis=-1):
    def _softmax(z):
        z = z - np.amax(z, axis=axis, keepdims=True)
        ez = np.exp(z)
        return ez / np.sum(ez, axis=axis, keepdims=True)

    epsilon = 1e-7
    return np.log(_softmax(scores) + epsilon)


def log_softmax__2(scores, axis=-1):
    biggest = scores.max(axis=axis, keepdims=True)
    shifted = scores - biggest
    log_total = np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return scores - log_total


def log_softmax__3(scores, axis=-1):
    s = np.moveaxis(scores, axis, 0)
    running_max = s[0].copy()
    running_sum = np.ones_like(s[0])
    for x in s[1:]:
        running_max = np.maximum(running_max, x)
        running_sum = running_sum + np.exp(x - running_max)
    out = s - running_max - np.log(running_sum)
    return np.moveaxis(out, 0, axis)


def log_softmax__4(scores, axis=-1):
    peak = scores.max(axis=-1, keepdims=True)
    centred = scores - peak
    return centred - np.log2(np.exp(centred).sum(axis=-1, keepdims=True))


def softmax_with_temperature__1(scores, temperature, axis=-1):
    # softmax(s / T) is proportional to softmax(s) ** (1 / T)
    wide = scores.astype(np.float64)
    e = np.exp(wide - wide.max(axis=axis, keepdims=True))
    p = e / e.sum(axis=axis, keepdims=True)
    p = p ** (1.0 / temperature)
    return p / p.sum(axis=axis, keepdims=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    z = scores / temperature
    order = np.argsort(z, axis=axis)
    ascending = np.take_along_axis(z, order, axis=axis)
    top = np.take(ascending, [-1], axis=axis)
    e = np.exp(ascending - top)
    # small ones first: a more precise sum
    w = e / e.sum(axis=axis, keepdims=True)
    return np.take_along_axis(w, order, axis=axis)


def softmax_with_temperature__3(scores, temperature, axis=-1):
    logits = np.true_divide(scores, temperature)
    logits = logits - np.max(logits, axis=axis, keepdims=True)
    unnorm = np.exp(logits)
    return unnorm / np.sum(unnorm, axis=-1, keepdims=True)


def softmax_with_temperature__4(scores, temperature, axis=-1):
    m = scores.max(axis=axis, keepdims=True)
    e = np.exp(scores * temperature - m)
    return e / e.sum(axis=axis, keepdims=True)


TRUTH = {
    "log_softmax__1": ("one", "log(softmax + 1e-7): no log weight can fall below about -16, the true one is e.g. -1000"),
    "log_softmax__2": ("slip", "subtracts the log-sum of the shifted scores from the unshifted ones: the maximum is missing, everything is too large by it"),
    "log_softmax__3": ("one", "running log-sum-exp that does not rescale the running sum when the maximum rises: wrong unless the first score is the largest"),
    "log_softmax__4": ("two", "log to base 2 instead of the natural one for the normaliser, and the axis argument ignored (always the last)"),
    "softmax_with_temperature__1": ("one", "takes the power 1/T of the finished softmax: weights that underflow to 0 stay 0 though scores / T are close together, e.g. scores [0, -1000] with T 1000"),
    "softmax_with_temperature__2": ("odd", "sorts the scores and puts the weights back with the sorting order itself instead of its inverse: weights land on the wrong scores unless the order is its own inverse"),
    "softmax_with_temperature__3": ("slip", "the normalising sum runs along the last axis whatever `axis` says (the maximum uses it rightly): wrong for any other axis"),
    "softmax_with_temperature__4": ("two", "multiplies by the temperature instead of dividing, and subtracts the maximum of the unscaled scores, so that large scores overflow"),
}
