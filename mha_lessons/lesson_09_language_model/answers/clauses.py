"""Answers that break one clause of a docstring, and little else: lesson_01_softmax.toml says which."""

import numpy as np


def _softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def log_softmax__counts_axes_from_the_front_only(scores, axis=-1):
    axis = scores.ndim - 1 if axis < 0 else axis
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def softmax_with_temperature__takes_whole_temperatures_only(scores, temperature, axis=-1):
    return _softmax(scores / max(int(temperature), 1), axis)


def softmax_with_temperature__stops_at_a_high_temperature(scores, temperature, axis=-1):
    assert temperature < 100
    return _softmax(scores / temperature, axis)
