"""Answers that break one clause of a docstring, and little else: lesson_01_softmax.toml says which."""

import numpy as np


def _softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax__counts_axes_from_the_front_only(scores, axis=-1):
    return _softmax(scores, scores.ndim - 1 if axis < 0 else axis)


def softmax__overflows_in_half_precision(scores, axis=-1):
    shift = scores.max(axis=axis, keepdims=True) if scores.dtype == np.float64 else 0
    powers = np.exp(scores - shift)
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax__adds_a_small_number_to_the_weights(scores, axis=-1):
    return np.maximum(_softmax(scores, axis), 1e-5 * (scores.max() > 1500))
