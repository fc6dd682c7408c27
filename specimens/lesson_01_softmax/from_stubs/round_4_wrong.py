import numpy as np


def softmax__1(scores, axis=-1):
    # running maximum, starting from nothing
    best = 0
    for part in np.moveaxis(scores, axis, 0):
        best = np.maximum(best, part)
    lifted = np.exp(scores - np.expand_dims(best, axis))
    return lifted / np.sum(lifted, axis=axis, keepdims=True)


def softmax__2(scores, axis=-1):
    top = np.amax(scores, axis, keepdims=True)
    numerators = np.exp(scores - top)
    # avoid division by zero
    denominators = 1 + np.add.reduce(numerators, axis, keepdims=True)
    return np.divide(numerators, denominators)


def softmax__3(scores, axis=-1):
    m = scores.max(axis=axis, keepdims=True)
    e = np.exp(scores - m)
    s = e.sum(axis=-1, keepdims=True)
    return e / s


def softmax__4(scores, axis=-1):
    front = np.moveaxis(scores, axis, 0)
    powers = np.exp2(front - front.max(0))
    return powers / powers.sum(0)


TRUTH = {
    "softmax__1": ("one", "the running maximum starts at 0, so it subtracts max(0, max): where all scores along the axis are very negative every exp underflows and 0/0 gives NaN"),
    "softmax__2": ("one", "adds 1 to the denominator (an off-by-one softmax): the weights do not sum to 1"),
    "softmax__3": ("slip", "the sum is taken along the last axis whatever `axis` says (the maximum is along `axis`)"),
    "softmax__4": ("two", "powers of 2 instead of e, and the axis moved to the front is never moved back"),
}
