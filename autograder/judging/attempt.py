"""An answer that was tried on every case of its exercise: what a diagnosis looks at."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..exercise import Exercise
from .asking import ask
from .verdict import Trial, first_wrong, wrong
from .where import where_it_fails


@dataclass(eq=False)
class Attempt:
    """The answer, what came out of it, and the library in which it is asked."""

    answer: Callable
    exercise: Exercise
    trials: list[Trial]
    library: str

    def ask(self, inputs, answer=None, order="C"):
        """Return what the answer, or another version of it, makes of other inputs."""
        outcome = ask(answer or self.answer, inputs, self.library, self.exercise.parameters, order)
        return self.exercise.judged(outcome, inputs)

    @property
    def ordinary(self):
        return [trial for trial in self.trials if not trial.case.tag]

    @property
    def wrong(self):
        return list(wrong(self.trials))

    @property
    def first_wrong(self):
        return first_wrong(self.trials)

    @property
    def where_it_fails(self):
        """Return what all wrong trials share, and not all trials do."""
        return where_it_fails(self.trials, self.exercise.course.hooks)

    def complaint(self, check, trial):
        """Return what a property complains of; None if it holds, or if it stops."""
        return complaint(check, self._run, trial.inputs)

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
