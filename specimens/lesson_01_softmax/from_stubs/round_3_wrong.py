import numpy as np
from mha_ref import weighted_mean


def softmax__1(scores, axis=-1):
    rows = np.moveaxis(scores, axis, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    result = []
    for row in flat:
        e = np.exp(row - row.max())
        result.append(e / e.sum())
    return np.array(result).reshape(rows.shape)


def softmax__2(scores, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True)
    numerator = np.exp(scores - top)
    denominator = np.sum(np.exp(scores), axis=axis, keepdims=True)
    return numerator / denominator


def softmax__3(scores, axis=-1):
    scores -= scores.max()
    np.exp(scores, out=scores)
    return scores / scores.sum(axis=axis, keepdims=True)


def softmax__4(scores, axis=-1):
    # keep exp away from overflow
    safe = np.clip(scores, -10, 10)
    powers = np.exp(safe.astype(np.float32))
    total = np.expand_dims(np.add.reduce(powers, axis=axis), axis)
    return np.divide(powers, total).astype(scores.dtype)


TRUTH = {
    "softmax__1": ("one", "moves `axis` to the end and never moves it back: for an axis other than the last the result is transposed or has another shape"),
    "softmax__2": ("slip", "the denominator sums exp of the unshifted scores: weights do not sum to 1, large scores give 0, very negative ones infinity"),
    "softmax__3": ("two", "changes the caller's scores in place, and subtracts the maximum of the whole array: rows far below it become 0/0 = NaN"),
    "softmax__4": ("one", "clips scores to [-10, 10] instead of subtracting the maximum: all scores above 10 get equal weights"),
}
