"""Scores with a temperature: what the functions of lesson 09 are tried on."""

from autograder.cases import Case, edge, tidy
from mha_lessons.lesson_01_softmax.cases import scores


def scores_temperature(rng):
    """Scores and a temperature: each ordinary case its own, edges with a low and a high one."""
    for n, c in enumerate(scores(rng)):
        for temperature in (0.25, 3.0) if c.tag else ((0.5, 3.0, 1.7, 0.25)[n % 4],):
            yield Case(c.inputs | dict(temperature=temperature), c.tag)
    yield edge("cold", scores=tidy(rng, 2, 3), temperature=1e-4)
    yield edge("cold", scores=1e-4 * tidy(rng, 2, 3), temperature=1e-4)
    yield edge("hot", scores=tidy(rng, 2, 3), temperature=1e3)
