import numpy as np

WHY = {
    "softmax__1": "It takes the exponential of a stable log-softmax; nothing is divided.",
    "softmax__2": "It moves the axis to the front, so that plain broadcasting works, and moves it back.",
}


def softmax__1(scores, axis=-1):
    shifted = scores - np.amax(scores, axis=axis, keepdims=True)
    log_total = np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return np.exp(shifted - log_total)


def softmax__2(scores, axis=-1):
    rows = np.moveaxis(np.array(scores, copy=True), axis, 0)
    e = np.exp(rows - np.maximum.reduce(rows))
    return np.moveaxis(e / np.add.reduce(e), 0, axis)
