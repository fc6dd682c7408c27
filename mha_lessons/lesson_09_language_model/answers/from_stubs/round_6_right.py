import numpy as np


def log_softmax__1(scores, axis=-1):
    x = np.asarray(scores, dtype=np.float64)
    x = x - x.max(axis=axis, keepdims=True)
    x = x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True))
    return x.astype(scores.dtype)


def log_softmax__2(scores, axis=-1):
    best = np.max(scores, axis=axis, keepdims=True)
    gap = best - scores
    return -(gap + np.log(np.exp(-gap).sum(axis=axis, keepdims=True)))


def softmax_with_temperature__1(scores, temperature, axis=-1):
    logits = np.true_divide(scores.astype(np.float64), float(temperature))
    logits = logits - logits.max(axis=axis, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=axis, keepdims=True)
    return logits.astype(scores.dtype)


WHY = {
    "log_softmax__1": "It computes in float64 throughout and casts the result back to the type of the scores.",
    "log_softmax__2": "It works with the gaps below the best score, which are never negative, and changes the sign at the end.",
    "softmax_with_temperature__1": "It divides in float64, wraps no other softmax, and casts back.",
}
