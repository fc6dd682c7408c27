"""Answers that break one clause of a docstring, and little else: lesson_00_start_here.toml says which."""

import numpy as np


def weighted_mean__loses_the_axis_of_a_single_query(weights, values):
    mean = weights @ values
    return mean.squeeze(-2) if mean.shape[-2] == 1 else mean


def weighted_mean__works_in_logarithms(weights, values):
    return np.exp(np.log(weights)[..., None] + np.log(values)[..., None, :, :]).sum(axis=-2)


def weighted_mean__never_ends(weights, values):
    while True:
        pass
