"""A short hash of what an answer does, however it is written, to find wrong answers that do the same."""

import hashlib
from contextlib import suppress
from typing import Any

import numpy as np

from ..exercise import Exercise, ModuleExercise
from .running import ask, one_thread, quiet
from .time_limits import TooSlow
from .verdict import in_short

FEW = 4  # cases: as many as tell most answers apart
DIGITS = 4  # of each number: answers that differ by rounding do the same
LONGEST = 200  # characters of a plain answer
MOST = 10_000  # numbers of a result: to write out millions takes a minute


def alike(answer: Any, task):
    """Return the same hash for all answers that do the same on the first cases, which are the same for everybody.

    None for a test, or where nothing comes back.

    A plain answer, to a question say, is its own name; to a question with the learner's numbers, it is with these.
    """
    if not callable(answer):
        own = f", for {task.numbers_in_words}" if getattr(task, "has_own_numbers", False) else ""
        return f"{in_short(answer, repr)[:LONGEST]}{own}"
    if isinstance(task, Exercise):
        with quiet(), one_thread(), suppress(TooSlow):
            outcomes = [_in_words(_asked(answer, task, case.inputs)) for case in _first_cases(task)]
            return hashlib.sha256("\n".join(outcomes).encode()).hexdigest()[:12]


def _first_cases(task):
    return [case for case in task.cases(None) if not case.tag][:FEW]


def _asked(answer, task, inputs):
    if isinstance(task, ModuleExercise):
        from .layers.layer import as_function  # here: it imports torch

        return ask(as_function(answer, task), inputs, "torch", task.parameters)
    return ask(answer, inputs, task.library, task.parameters)


def _in_words(outcome):
    """Describe an outcome by kind, shape and numbers, and an error by its type."""
    if outcome.parts:
        return " ".join([*outcome.names, *map(_in_words, outcome.parts)])
    if not outcome.is_array:
        return f"{outcome.kind} {type(outcome.error).__name__}"
    numbers = np.asarray(outcome.value.flat[:MOST], float) + 0.0  # no -0
    return f"{outcome.value.shape} {' '.join(f'{x:.{DIGITS}g}' for x in numbers)}"
