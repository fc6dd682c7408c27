"""An answer that was tried on every case of its exercise: what a diagnosis looks at."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..exercise import Exercise
from .asking import ask
from .verdict import Run, first_wrong, wrong
from .where import where_it_fails


@dataclass(eq=False)
class Attempt:
    """The answer, what came out of it, and the library in which it is asked."""

    answer: Callable
    exercise: Exercise
    runs: list[Run]
    library: str

    def ask(self, inputs, answer=None, order="C"):
        """Return what the answer, or another version of it, makes of other inputs."""
        outcome = ask(answer or self.answer, inputs, self.library, self.exercise.parameters, order)
        return self.exercise.judged(outcome, inputs)

    @property
    def ordinary(self):
        return [run for run in self.runs if not run.case.tag]

    @property
    def wrong(self):
        return list(wrong(self.runs))

    @property
    def first_wrong(self):
        return first_wrong(self.runs)

    @property
    def where_it_fails(self):
        """Return what all wrong runs share, and not all runs do."""
        return where_it_fails(self.runs, self.exercise.course.hooks)

    def complaint(self, check, run):
        """Return what a property complains of; None if it holds, or if it stops."""
        return complaint(check, self._run, run.inputs)

    def _run(self, **inputs):
        outcome = self.ask(inputs)
        if not outcome.arrays or not all(np.isfinite(part.value).all() for part in outcome.arrays):
            raise ValueError("nothing to look at")
        return outcome.value


def complaint(check: Callable, run: Callable, inputs: dict):
    """Return what the property complains of for any function, such as a reference; None if it cannot be tried."""
    try:
        return check(run, inputs)
    except Exception:
        return None
