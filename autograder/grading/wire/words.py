"""Check that what a worker sent is what it should be: anything else is Malformed."""

from math import prod

import numpy as np

from .frames import Malformed

LONGEST_NAME = 100  # characters
MOST_NAMES = 1000  # in the code of an answer
MOST_METHODS, MOST_PARAMETERS, MOST_TYPES, MOST_FUNCTIONS = 50, 50, 30, 100  # that are told of one thing
MOST_LEFT = 10  # names of what calls change in a layer
MOST_OBJECTS = 1000  # in an array of texts, or of fractions say
MOST_CHARACTERS = 100_000  # in an array of texts, in which all are as long as the longest

VAST = 10_000_000  # numbers of an array: of larger ones not even the shape is told


def is_vast(shape):
    """Say whether an array is too large to look at: with less, that takes some hundred MB."""
    return prod(max(size, 1) for size in shape) > VAST


def text(x):
    return of(x, str)


def name(x):
    """Return a short text that Python takes for a name of a class or a function."""
    if len(text(x)) > LONGEST_NAME or "\0" in x:
        raise Malformed("no name")
    return x


def names(x, most):
    """Return short texts."""
    return [name(item) for item in few(x, most)]


def few(x, most):
    """Return a list that is not too long."""
    if len(of(x, list)) > most:
        raise Malformed(f"more than {most}")
    return x


def whole(x):
    if type(x) is not int or not 0 <= x < 2**63:
        raise Malformed("no number of a thing")
    return x


def array(x):
    return of(x, np.ndarray)


def arrays(x):
    """Return an array, or a dictionary of arrays."""
    if isinstance(x, dict):
        return {name(key): array(x[key]) for key in few(list(x), MOST_NAMES)}
    return array(x)


def of(x, kind):
    if not isinstance(x, kind):
        raise Malformed(f"no {kind.__name__}")
    return x
