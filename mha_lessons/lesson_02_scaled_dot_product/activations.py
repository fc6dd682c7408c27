"""Functions that people put where attention has none, by the names that a message gives them."""

import math

import numpy as np

_erf = np.frompyfunc(math.erf, 1, 1)


def gelu(x):
    """Each number times the probability that a standard normal one is smaller."""
    return x * (1 + _erf(x / math.sqrt(2)).astype(x.dtype)) / 2


def sigmoid(x):
    """Each number between 0 and 1, by the logistic function."""
    return 1 / (1 + np.exp(-x))


ACTIVATIONS = {"ReLU": lambda x: np.maximum(x, 0), "GELU": gelu, "tanh": np.tanh, "sigmoid": sigmoid}


def layer_norm(x):
    """Each row with mean 0 and variance 1."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return rms_norm(centred)


def rms_norm(x):
    """Each row divided by the root of the mean of its squares."""
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5)


NORMS = {"layer norm": layer_norm, "RMS norm": rms_norm}
