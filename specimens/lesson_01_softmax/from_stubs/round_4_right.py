import numpy as np


def softmax__1(scores, axis=-1):
    # weight i is 1 / sum over j of exp(s_j - s_i)
    s = np.moveaxis(np.asarray(scores, dtype=np.float64), axis, -1)
    with np.errstate(over="ignore"):
        ratios = np.exp(s[..., None, :] - s[..., :, None])
        weights = 1.0 / ratios.sum(axis=-1)
    return np.moveaxis(weights, -1, axis).astype(scores.dtype)


class _Streaming:
    def __init__(self):
        self.best = None
        self.total = None

    def see(self, x):
        if self.best is None:
            self.best, self.total = x.copy(), np.ones_like(x)
            return
        new = np.maximum(self.best, x)
        self.total = self.total * np.exp(self.best - new) + np.exp(x - new)
        self.best = new


def softmax__2(scores, axis=-1):
    slices = np.moveaxis(scores, axis, 0).astype(np.float64)
    state = _Streaming()
    with np.errstate(all="ignore"):
        for x in slices:
            state.see(np.asarray(x))
        parts = [np.exp(x - state.best) / state.total for x in slices]
    return np.stack(parts, axis=axis).astype(scores.dtype)


WHY = {
    "softmax__1": "one over the sum of exp of pairwise differences, in float64, cast back",
    "softmax__2": "streaming maximum and sum in a small class, in float64",
}
