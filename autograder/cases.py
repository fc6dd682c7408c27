"""Cases: the inputs that answers are tried on, and helpers that make most of them, and others for properties."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

EDGES = {  # tag -> where that is, in the learner's words; a course may have more
    "square": "only along the first axis of a square",
    "long": "only where a row is long",
    "half": "only in float16",
    "empty": "only with a length of zero",
    "batch_of_one": "only with a batch of a single item",
    "double": "only in float64",
    "huge": "only with a count of more than two billion",
}


@dataclass(frozen=True, eq=False)
class Case:
    """Keyword inputs of one try.

    tag: which edge it is, "" for an ordinary one. weights: names of the inputs that a layer learns.
    """

    inputs: dict
    tag: str = ""
    weights: frozenset = frozenset()

    @property
    def given(self):
        """Return the inputs without a layer's weights."""
        return {name: x for name, x in self.inputs.items() if name not in self.weights}


class Model:
    """A function among the inputs that is made of tables of numbers, as a trained model is: gradients reach them.

    A lesson's toy model is a subclass: its `__call__` computes with `self.tables`.
    """

    def __init__(self, **tables: np.ndarray):
        self.tables = tables

    def with_tables(self, convert: Callable):
        """Return the same model, its tables converted."""
        model = copy(self)
        model.tables = {name: convert(table) for name, table in self.tables.items()}
        return model


def case(**inputs):
    return Case(inputs)


def edge(tag: str, **inputs):
    return Case(inputs, tag)


def is_floating(x: Any) -> bool:
    """Say whether an input is an array of floating-point numbers."""
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def double(inputs: dict):
    """Return the same inputs in float64: with large numbers, single precision leaves too few digits to judge by."""
    return {n: x.astype(np.float64) if is_floating(x) else x for n, x in inputs.items()}


def lengths(rng: np.random.Generator, count: int, least: int = 2):
    """Return this many different lengths."""
    return [int(n) for n in rng.permutation(count) + least]


def tidy(rng: np.random.Generator, *shape):
    """Return numbers for the smallest cases that are easy to follow: all different, of both signs, none of them 0."""
    count = int(np.prod(shape))
    steps = (np.arange(count) // 2 + 1) * (-1) ** np.arange(count)
    spacing = 0.5 if count <= 8 else 0.25 if count <= 16 else 0.125
    return rng.permutation(steps).reshape(shape) * spacing


# For properties: two results that are near each other, inputs with one place changed.


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
