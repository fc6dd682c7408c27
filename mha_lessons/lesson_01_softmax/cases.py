"""Scores: what the functions of lesson 01 are tried on."""

import numpy as np

from autograder.cases import case, edge, lengths, tidy
from mha_lessons.lesson_00_start_here.cases import LONG


def scores(rng, **more):
    """Scores with an axis to sum over."""
    rows, columns, batch = lengths(rng, 3)
    yield case(scores=tidy(rng, 3), **more)
    yield case(scores=tidy(rng, 2, 3), **more)
    yield case(scores=tidy(rng, 2, 3), axis=0, **more)
    yield case(scores=rng.normal(size=columns), **more)
    yield case(scores=-3.0 * rng.permutation(4), **more)
    yield case(scores=rng.normal(size=(rows, columns)), **more)
    yield case(scores=rng.normal(size=(rows, columns)), axis=0, **more)
    yield case(scores=rng.normal(size=(batch, rows, columns)), **more)
    yield case(scores=rng.normal(size=(batch, rows, columns)), axis=1, **more)
    yield case(scores=rng.normal(size=(3, 3)), **more)
    yield edge("square", scores=rng.normal(size=(3, 3)), axis=0, **more)
    yield case(scores=rng.normal(size=(2, rows, columns, batch)), axis=1, **more)
    yield case(scores=rng.normal(size=(batch, rows, columns)), axis=-2, **more)
    yield edge("large", scores=tidy(rng, 2, 3) + 1000, **more)
    yield edge("low", scores=tidy(rng, 2, 3) - 1000, **more)
    yield edge("spread", scores=rng.normal(size=(2, columns)) + np.array([[0.0], [2000.0]]), **more)
    yield edge("gap", scores=rng.normal(size=(2, columns)) + 2000.0 * (np.arange(columns) == 1), **more)
    yield edge("pit", scores=rng.normal(size=(2, columns + 1)) - 1000.0 * (np.arange(columns + 1) == columns), **more)
    yield edge("gap", scores=rng.normal(size=(2, 4)) + 2000.0 * np.eye(4)[[3, 0]], **more)
    yield edge("long", scores=2.5 * rng.normal(size=(2, LONG)), **more)
    yield edge("half", scores=too_large_for_half(rng), **more)


def too_large_for_half(rng):
    """In the second row exponentials are infinite in float16; in the first, only those of twice the scores."""
    return (tidy(rng, 2, 3) + np.array([[7], [12]])).astype(np.float16)
