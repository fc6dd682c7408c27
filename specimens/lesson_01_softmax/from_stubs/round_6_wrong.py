import numpy as np

TRUTH = {
    "softmax__1": "Its author subtracts the one maximum of the whole array, overlooking that a row far below it underflows entirely and becomes 0/0 = NaN.",
    "softmax__2": "Its author finds the maximum along `axis`, but sums along the last axis always, so any other axis gives weights that do not sum to 1 along it.",
    "softmax__3": "Its author believes that subtracting the mean is as safe as subtracting the maximum; a score far above the mean still overflows, in float16 very soon.",
    "softmax__4": "Its author believes that float64 is large enough for every exponential, so without a shift scores above 709 overflow to NaN, and rows below -745 become 0/0.",
    "softmax__5": "Its author divides by means of a double transpose, a trick that is right for two axes only; with three axes of different lengths it fails or mixes up items.",
    "softmax__6": "Its author repairs the NaN of an overflow with nan_to_num, so the largest score, which overflowed, gets weight 0 instead of about 1.",
}


def softmax__1(scores, axis=-1):
    exps = np.exp(scores - np.max(scores))
    return exps / np.sum(exps, axis=axis, keepdims=True)


def softmax__2(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    numerator = np.exp(shifted)
    denominator = np.sum(numerator, axis=-1, keepdims=True)
    return numerator / denominator


def softmax__3(scores, axis=-1):
    """Centre the scores first: a constant cancels, so any constant will do."""
    centred = scores - scores.mean(axis=axis, keepdims=True)
    e = np.exp(centred)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__4(scores, axis=-1):
    wide = np.exp(scores.astype(np.float64))      # float64 goes up to 1e308
    weights = wide / wide.sum(axis=axis, keepdims=True)
    return weights.astype(scores.dtype)


def softmax__5(scores, axis=-1):
    z = scores - np.expand_dims(scores.max(axis=axis), axis)
    ez = np.exp(z)
    return (ez.T / ez.sum(axis=axis).T).T if axis in (-1, scores.ndim - 1) else ez / ez.sum(axis=axis)


def softmax__6(scores, axis=-1):
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(scores)
        p = e / e.sum(axis=axis, keepdims=True)
    return np.nan_to_num(p)


def _softmax(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
