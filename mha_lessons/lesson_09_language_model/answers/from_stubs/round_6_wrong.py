import numpy as np


def _softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax__1(scores, axis=-1):
    p = _softmax(scores, axis)
    return np.log(np.maximum(p, np.finfo(p.dtype).tiny))


def log_softmax__2(scores, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True)
    shifted = scores - top
    log_total = np.log(np.exp(shifted).sum(axis=axis))
    return shifted - log_total[..., np.newaxis]


def log_softmax__3(scores, axis=-1):
    m = scores.max(axis=axis, keepdims=True)
    logsumexp = m + np.log(np.sum(np.exp(scores - m), axis=axis, keepdims=True))
    return scores - logsumexp


def log_softmax__4(scores, axis=-1):
    largest = scores.max(axis=axis, keepdims=True)
    scores = scores - largest
    log_sum = np.log(np.exp(scores).sum(axis=axis, keepdims=True)) + largest
    return scores - log_sum


def log_softmax__5(scores, axis=-1):
    with np.errstate(divide="ignore"):
        result = np.log(_softmax(scores, axis=axis))
    # where the weight underflowed, the log is practically the distance from the best score
    distance = scores - scores.max(axis=axis, keepdims=True)
    return np.where(np.isfinite(result), result, distance)


def softmax_with_temperature__1(scores, temperature, axis=-1):
    p = _softmax(scores, axis=axis)
    p = p ** (1.0 / temperature)
    return p / p.sum(axis=axis, keepdims=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    if temperature < 0.01:                       # greedy: avoid dividing by nearly nothing
        best = np.argmax(scores, axis=axis)
        one_hot = np.zeros_like(scores)
        np.put_along_axis(one_hot, np.expand_dims(best, axis), 1.0, axis=axis)
        return one_hot
    return _softmax(scores / temperature, axis=axis)


def softmax_with_temperature__3(scores, temperature, axis=-1):
    max_score = np.amax(scores, axis=axis, keepdims=True)
    exp_scores = np.exp(scores / temperature - max_score)
    return exp_scores / np.sum(exp_scores, axis=axis, keepdims=True)


def softmax_with_temperature__4(scores, temperature, axis=-1):
    gap = scores - scores.max(axis=axis, keepdims=True)
    weights = np.exp(gap / temperature)
    weights /= weights.sum(axis=axis, keepdims=True)
    return weights


TRUTH = {
    "log_softmax__1": "Its author lifts weights of 0 to the smallest float before taking the log, so in float64 no result goes below about -708, where the right one may be -5000.",
    "log_softmax__2": "Its author puts the lost axis back at the end whatever `axis` is, so any axis other than the last fails or is subtracted from the wrong entries.",
    "log_softmax__3": "Its author adds the maximum and the log of the sum before subtracting, overlooking that next to a maximum of 1e8 in float32 the log of the sum is rounded away.",
    "log_softmax__4": "Its author subtracts the maximum from the scores, and adds it to the log of the sum as well, so the maximum is subtracted twice.",
    "log_softmax__5": "Its author replaces minus infinity, where the weight is too small, by score minus maximum, overlooking the log of the sum, so those entries are too large if several scores share the top.",
    "softmax_with_temperature__1": "Its author raises the weights to the power 1/temperature and normalises again, overlooking that a weight which underflowed to 0 stays 0 at a high temperature.",
    "softmax_with_temperature__2": "Its author believes that below a temperature of 0.01 the best score takes everything, so ties and scores that are very close to each other get wrong weights.",
    "softmax_with_temperature__3": "Its author subtracts the maximum of the scores that are not yet divided from the divided ones, so the shift does not fit, and large scores overflow or underflow to NaN.",
    "softmax_with_temperature__4": "Its author subtracts the maximum before dividing by the temperature, overlooking that the difference can overflow, in float16 soon, where scores / temperature is small.",
}
