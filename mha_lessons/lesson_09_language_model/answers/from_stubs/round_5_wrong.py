import numpy as np


def log_softmax__1(scores, axis=-1):
    wide = scores.astype(np.float64)
    e = np.exp(wide - wide.max(axis, keepdims=True))
    p = e / e.sum(axis, keepdims=True)
    # guard the logarithm against zero
    p = np.where(p > 0, p, np.finfo(np.float64).tiny)
    return np.log(p).astype(scores.dtype)


def log_softmax__2(scores, axis=-1):
    highest = scores.max(axis=axis, keepdims=True)
    log_total = np.log(np.exp(scores - highest).sum(axis=axis, keepdims=True))
    return scores - (log_total - highest)


def log_softmax__3(scores, axis=-1):
    # exp2 is what the hardware does, so work in base two throughout
    bits = scores.astype(np.float64) * np.log2(np.e)
    bits = bits - np.max(bits, axis=axis, keepdims=True)
    return (bits - np.log2(np.sum(np.exp2(bits), axis=axis, keepdims=True))).astype(scores.dtype)


def log_softmax__4(scores, axis=-1):
    lse = np.log(np.sum(np.exp(scores), axis=axis))
    return scores - lse[..., None]


def softmax_with_temperature__1(scores, temperature, axis=-1):
    def plain(x):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    # exp(x / T) is exp(x) to the power 1 / T
    sharpened = plain(scores.astype(np.float64)) ** (1.0 / temperature)
    return sharpened / sharpened.sum(axis=axis, keepdims=True)


def softmax_with_temperature__2(scores, temperature, axis=-1):
    def stable_softmax(x, axis=-1):
        x = x - np.max(x, axis=axis, keepdims=True)
        ex = np.exp(x)
        return ex / np.sum(ex, axis=axis, keepdims=True)

    scaled_scores = scores / temperature
    return stable_softmax(scaled_scores)


def softmax_with_temperature__3(scores, temperature, axis=-1):
    unnormalised = np.exp(scores - scores.max()) / temperature
    return unnormalised / unnormalised.sum(axis=axis, keepdims=True)


def softmax_with_temperature__4(scores, temperature, axis=-1):
    if temperature < 1e-2:
        # as good as greedy: all weight on the best
        best = np.expand_dims(scores.argmax(axis=axis), axis)
        one_hot = np.zeros_like(scores)
        np.put_along_axis(one_hot, best, 1.0, axis=axis)
        return one_hot
    logits = scores / temperature
    logits = logits - logits.max(axis=axis, keepdims=True)
    return np.exp(logits) / np.exp(logits).sum(axis=axis, keepdims=True)


def softmax_with_temperature__5(scores, temperature, axis=-1):
    # the shift first, then the temperature: it cancels either way
    gaps = scores - scores.max(axis=axis, keepdims=True)
    powers = np.exp(gaps / temperature)
    return powers / powers.sum(axis=axis, keepdims=True)


TRUTH = {
    "log_softmax__1": ("one", "takes the logarithm of the finished weights with zeros replaced by the tiniest float: results below about -745 come out as -708"),
    "log_softmax__2": ("slip", "sign slip in the brackets: adds the maximum instead of subtracting it, off by twice the maximum"),
    "log_softmax__3": ("one", "works in base two and does not convert back: logarithm to base 2, not the natural one"),
    "log_softmax__4": ("two", "no shift by the maximum, so large scores overflow; and puts the reduced axis back at the end whatever `axis` says"),
    "softmax_with_temperature__1": ("one", "raises the finished weights to 1/temperature: weights that have underflowed to 0 stay 0, wrong for wide scores with a high temperature"),
    "softmax_with_temperature__2": ("slip", "`axis` is not passed on: always the last axis"),
    "softmax_with_temperature__3": ("two", "divides the exponentials, not the scores, by the temperature, so it cancels and has no effect; and shifts by the maximum of the whole array, so rows far below it become 0/0"),
    "softmax_with_temperature__4": ("one", "treats temperatures below 0.01 as greedy argmax: wrong for ties and for scores whose gaps are as small as the temperature"),
    "softmax_with_temperature__5": ("odd", "shifts before it divides by the temperature, in the dtype of the scores: the gap overflows to -inf although scores / temperature is small (float16 60000 and -60000 at temperature 60000)"),
}
