"""What the course declares: tasks, misconceptions, cases, questions and hints."""

import re
from hashlib import sha256

import numpy as np

from autograder import EXERCISES
from autograder.course import installed
from autograder.exercise import Exercise
from autograder.question import Question


def declared():
    """Yield what each task and each step says of itself."""
    yield "order", list(EXERCISES)
    for name, task in EXERCISES.items():
        yield f"task {name}", [type(task).__name__, task.lesson, task.points, list(task.hints)]
        if isinstance(task, Question):
            yield f"question {name}", [repr(task.answer), {repr(k): v for k, v in task.wrong.items()}]
        if isinstance(task, Exercise):
            yield from _exercise(name, task)
    for name, step in installed().steps.items():
        for number, held in enumerate(step.own_mistakes):
            yield f"misconception {name} {number:03d} {held.name}", [held.message, list(held.on), list(held.hints)]


def _exercise(name, task):
    """Yield the interface of an exercise, and digests of its cases."""
    yield f"exercise {name}", [str(task.parameters), [p.__name__ for p in task.properties], list(task.forbids)]
    yield f"misconceptions {name}", [held.name for held in task.mistakes]
    for seed in (None, 1):
        for number, case in enumerate(task.cases(seed)):
            inputs = {key: _digest(value) for key, value in case.inputs.items()}
            yield f"case {name} seed={seed} {number:03d}", [case.tag, inputs]


def _digest(value):
    """Return a short text that is the same for the same numbers, however arrays are printed, and wherever they lie."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:16]}"
    if isinstance(value, dict):
        return {str(key): _digest(part) for key, part in value.items()}
    return re.sub(r" at 0x\w+", "", repr(value))
