"""Tell which answers do the same: a wrong one that has no name is counted in the report with those that are alike."""

import hashlib
from contextlib import suppress
from typing import Any

import numpy as np

from ..exercise import Exercise
from .answer import as_called
from .running import ask, plain_torch, quiet
from .time_limits import TooSlow
from .verdict import in_short

FEW = 4  # cases: as many as tell most answers apart
DIGITS = 4  # of each number: answers that differ by rounding do the same
LONGEST = 200  # characters of a plain answer
MOST = 10_000  # numbers of a result: to write out millions takes a minute


def behaviour_hash(answer: Any, task):
    """Return the same hash for all answers that do the same on the first cases, which are the same for everybody.

    None for a test, or where nothing comes back.
    A plain answer, to a question say, is its own name; to a question with the learner's numbers, it is with these.
    """
    if not callable(answer):
        own = f", for {task.numbers_in_words}" if getattr(task, "has_own_numbers", False) else ""
        return f"{in_short(answer, repr)[:LONGEST]}{own}"
    if isinstance(task, Exercise):
        function = as_called(answer, task)
        cases = [case.inputs for case in task.cases(None) if not case.tag][:FEW]
        with quiet(), plain_torch(), suppress(TooSlow):
            outcomes = [_in_words(ask(function, inputs, task.library, task.parameters)) for inputs in cases]
            return hashlib.sha256("\n".join(outcomes).encode()).hexdigest()[:12]


def _in_words(outcome):
    """Describe an outcome by kind, shape and numbers, and an error by its type."""
    if outcome.parts:
        return " ".join([*outcome.names, *map(_in_words, outcome.parts)])
    if not outcome.is_array:
        return f"{outcome.kind} {type(outcome.error).__name__}"
    numbers = np.asarray(outcome.value.flat[:MOST], float) + 0.0  # no -0
    return f"{outcome.value.shape} {' '.join(f'{x:.{DIGITS}g}' for x in numbers)}"
