import math

import numpy as np
from mha_ref import weighted_mean


def softmax__1(scores, axis=-1):
    # bring the axis to the back, flatten the rest to rows, one row at a time
    x = np.moveaxis(scores, axis, -1)
    shape = x.shape
    rows = x.reshape(-1, shape[-1])

    def one_row(row):
        e = np.exp(row - row.max())
        return e / e.sum()

    return np.stack([one_row(row) for row in rows]).reshape(shape)


def softmax__2(scores, axis=-1):
    # exp2 is the fast instruction, and the base does not matter after normalising
    top = np.amax(scores, axis=axis, keepdims=True)
    powers = np.exp2(np.subtract(scores, top))
    return np.divide(powers, np.add.reduce(powers, axis=axis, keepdims=True))


def softmax__3(scores, axis=-1):
    # online: running maximum and running sum
    x = np.swapaxes(scores, axis, -1).astype(np.float64)
    m = x[..., 0].copy()
    s = np.ones_like(m)
    for i in range(1, x.shape[-1]):
        m_new = np.maximum(m, x[..., i])
        s = s * np.exp(m - m_new) + np.exp(x[..., i] - m)
        m = m_new
    w = np.exp(x - m[..., None]) / s[..., None]
    return np.swapaxes(w, axis, -1).astype(scores.dtype)


def softmax__4(scores, axis=-1):
    scores -= scores.max()
    unnormalised = np.exp(scores)
    z = np.expand_dims(unnormalised.sum(axis), axis)
    return unnormalised / z


TRUTH = {
    "softmax__1": ("one", "moves the axis to the back and never moves it back: wrong shape or order whenever axis is not the last"),
    "softmax__2": ("one", "powers of 2 instead of e, so the weights are too even"),
    "softmax__3": ("slip", "in the online sum the new term is exp(x - old maximum) instead of the new maximum: wrong whenever the maximum rises, infinite for large rises"),
    "softmax__4": ("two", "subtracts the maximum of the whole array instead of along the axis (0/0 for rows far below it), and does so in place on the caller's scores"),
}
