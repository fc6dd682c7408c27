"""Right answers to lesson 01, in styles that the reference does not have."""

import math

import numpy as np


def softmax__by_loops(scores, axis=-1):
    rows = np.moveaxis(scores, axis, -1)
    result = np.empty(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        row = [float(score) for score in rows[place]]
        powers = [math.exp(score - max(row)) for score in row]
        result[place] = [power / sum(powers) for power in powers]
    return np.moveaxis(result, -1, axis)


def softmax__apply_along_axis(x, axis=-1):
    def of_one_row(row):
        e = np.exp(row - row.max())
        return e / e.sum()

    return np.apply_along_axis(of_one_row, axis, x)


def softmax__log_sum_exp(scores, axis=-1):
    total = np.logaddexp.reduce(scores, axis=axis, keepdims=True)
    return np.exp(scores - total)


def softmax__by_all_differences(scores, axis=-1):
    s = np.moveaxis(scores, axis, -1)
    differences = s[..., None, :] - s[..., :, None]
    with np.errstate(over="ignore"):
        return np.moveaxis(1 / np.exp(differences).sum(axis=-1), -1, axis)


def softmax__expand_dims(scores, axis=-1):
    m = np.expand_dims(scores.max(axis), axis)
    e = np.exp(scores - m)
    return e / np.expand_dims(e.sum(axis), axis)


def softmax__float64_inside(scores, axis=-1):
    wide = scores.astype(np.float64)
    e = np.exp(wide - wide.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(scores.dtype)


def softmax__a_number_that_does_not_matter(scores, axis=-1):
    z = scores - np.amax(scores, axis=axis, keepdims=True)
    e = np.exp(z)
    return e / (e.sum(axis=axis, keepdims=True) + 1e-12)


def softmax__powers_of_e(scores, axis=-1):
    powers = math.e ** (scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax__below_the_maximum(scores, axis=-1):
    z = scores - scores.max(axis=axis, keepdims=True) - 5
    return np.exp(z) / np.sum(np.exp(z), axis=axis, keepdims=True)


def softmax__in_place_on_a_copy(scores, axis=-1):
    out = scores.copy()
    out -= out.max(axis, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis, keepdims=True)
    return out


def softmax__one_pass_that_rescales(scores, axis=-1):
    class Running:
        """Streaming maximum and sum over the slices along the axis."""

        def __init__(self, first):
            self.top = first
            self.total = np.ones_like(first)

        def see(self, s):
            higher = np.maximum(self.top, s)
            self.total = self.total * np.exp(self.top - higher) + np.exp(s - higher)
            self.top = higher

    slices = list(np.moveaxis(scores, axis, 0).astype(np.float64))
    with np.errstate(over="ignore", under="ignore"):
        state = Running(slices[0])
        for one_slice in slices[1:]:
            state.see(one_slice)
        weights = [np.exp(s - state.top) / state.total for s in slices]
        return np.stack(weights, axis=axis).astype(scores.dtype)


def softmax__one_over_a_sum_of_ratios(scores, axis=-1):
    lanes = np.moveaxis(scores, axis, -1).astype(np.float64)
    # weight i = 1 / sum_j exp(s_j - s_i); an infinite sum is a weight of 0
    with np.errstate(over="ignore", under="ignore"):
        ratios = np.exp(lanes[..., None, :] - lanes[..., :, None])
        weights = 1.0 / ratios.sum(axis=-1)
        return np.moveaxis(weights, -1, axis).astype(scores.dtype)
