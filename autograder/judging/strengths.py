"""What is right about a wrong answer: learners build on that."""

import numpy as np

from ..exercise import ModuleExercise
from .attempt import Attempt
from .relations import nearly_right

MOST = 4  # strengths that hold everywhere, of those that are named: a card is to be read at a glance


def right_so_far(attempt: Attempt):
    """Return a sentence about what is right so far: shapes, properties, and how many inputs; or ""."""
    asked = [trial for trial in attempt.trials if trial.expected.parts or np.ndim(trial.expected.value)]
    gave = asked and all(_gave_arrays(trial.got) for trial in asked)
    everywhere = [*_shapes(asked), *_properties(attempt, asked)] if gave else []
    strengths = [*everywhere[:MOST], *_numbers(attempt.trials)]
    return f"Right so far, in what we tried: {'; '.join(strengths)}." if strengths else ""


def _gave_arrays(got):
    """Say whether a result has axes: of one that stops, or of a single number, nothing worth saying holds."""
    return got.parts or (got.is_array and np.ndim(got.value) > 0)


def _shapes(trials):
    if all(_shapes_of(trial.got) == _shapes_of(trial.expected) for trial in trials):
        yield "the shape of every result"


def _shapes_of(outcome):
    """Return the shapes of a result, or of each of several, and their names if it is a dictionary."""
    return outcome.names, [part.value.shape for part in outcome.parts or (outcome,)]


def _properties(attempt, trials):
    """Return the properties, whose names are sentences, that could be tried on every input and held."""
    if isinstance(attempt.exercise, ModuleExercise):  # a layer takes its time for each run, and a learner waits
        return
    if nearly_right(trials):  # properties have looser tolerances than the judge: they would contradict it
        return
    for check in attempt.exercise.properties:
        if all(attempt.complaint(check, trial) is None for trial in trials):
            yield check.__name__.replace("_", " ")


def _numbers(trials):
    right = sum(trial.same_value for trial in trials)
    if 0 < right < len(trials):
        yield f"the numbers for {right} of the {len(trials)} inputs"
