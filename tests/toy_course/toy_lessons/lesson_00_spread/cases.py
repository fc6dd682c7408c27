"""Rows of numbers: what the functions of lesson 00 are tried on."""

import numpy as np

from autograder.cases import case, edge, tidy


def numbers(rng):
    """Yield rows of numbers, some of which count more than once."""
    yield case(numbers=tidy(rng, 3))
    yield case(numbers=tidy(rng, 4), counts=np.array([2, 1, 3, 1]))
    yield case(numbers=rng.normal(size=(2, 5)), counts=rng.integers(1, 4, size=(2, 5)))
    yield case(numbers=rng.normal(size=(3, 2, 4)))
    yield case(numbers=rng.normal(size=(2, 4, 3)), counts=rng.integers(1, 4, size=(2, 4, 3)))
    yield case(numbers=rng.normal(size=(2, 2)), counts=np.array([[1, 3], [2, 1]]))
    yield edge("single", numbers=rng.normal(size=(2, 1)))
