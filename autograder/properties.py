"""Helpers for properties: two results that are near each other, inputs with one place changed."""

import numpy as np


def near(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-3, atol=1e-4 * (1 + np.abs(b).max(initial=0)))


def in_another_order(inputs, *axes):
    """Return the same inputs, each rolled by one place along its axis. axes: pairs (name, axis)."""
    return inputs | {name: np.roll(inputs[name], 1, axis) for name, axis in axes}


def along(axis, place):
    """Return an index for one place of an axis and everything of the axes before it."""
    return (np.s_[:],) * axis + (place,)


def changed(inputs, name, where, amount=1.5):
    """Return the same inputs with one place of one of them changed."""
    x = inputs[name].copy()
    x[where] = ~x[where] if x.dtype == bool else x[where] + amount
    return inputs | {name: x}
