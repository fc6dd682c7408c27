"""Try a learner's function on every case of its exercise, and where all is right, with other numbers."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from time import process_time
from typing import Any

import numpy as np

from ..cases import Case
from ..exercise import Exercise, ModuleExercise
from .differences import where_it_fails
from .results import Run
from .running import ask, observe
from .time_limits import TooSlow, time_limit

QUICK = 0.004  # seconds of work for all cases: whoever counts one by one needs more, and is not asked for billions
NEARLY, TIMES = 1.0, 3  # who took less than that is timed again: it may have imported something, or had to wait
HUGE_LIMIT = 1.0  # seconds for all huge cases


@dataclass(eq=False)
class Answer:
    """A learner's function, or a class as a function; what came out of it, and the library in which it is asked."""

    function: Callable
    exercise: Exercise
    runs: list[Run]
    library: str

    def ask(self, inputs, function=None, order="C"):
        """Return what the answer, or another version of it, makes of other inputs."""
        outcome = ask(function or self.function, inputs, self.library, self.exercise.parameters, order)
        return self.exercise.what_counts(outcome, inputs)

    @property
    def right(self):
        return all(run.right for run in self.runs)

    @property
    def ordinary(self):
        return [run for run in self.runs if not run.case.tag]

    @cached_property
    def wrong(self):
        return [run for run in self.runs if not run.right]

    @property
    def first_wrong(self):
        """Return the smallest case with another result, or else the smallest whose input was changed."""
        return min(self.wrong, key=lambda run: run.same_value)

    @property
    def where_it_fails(self):
        """Return what all wrong runs share, and not all runs do."""
        return where_it_fails(self.runs, self.exercise.course.hooks)

    def complaint(self, check, run):
        """Return what a property complains of; None if it holds, or if it stops."""

        def value(**inputs):
            unchanged = inputs.keys() == run.inputs.keys() and all(x is run.inputs[name] for name, x in inputs.items())
            outcome = run.got if unchanged else self.ask(inputs)
            if not outcome.arrays or not all(np.isfinite(part.value).all() for part in outcome.arrays):
                raise ValueError("nothing to look at")
            return outcome.value

        return complaint_about(value, check, run.inputs)


def as_called(answer: Any, exercise: Exercise):
    """Return an answer as a function with the parameters of the exercise's reference."""
    if not isinstance(exercise, ModuleExercise):
        return answer
    from .layers.layer import as_function  # here: it imports torch

    return as_function(answer, exercise)


def tried(function: Callable, exercise: Exercise, seed: int | None, library: str):
    """Return an Answer: the function on all cases, but on huge ones only if it is quick.

    Expected outcomes come first, so that nothing it does can change them.
    """
    cases, expected = exercise.cases(seed), what_should_come_out(exercise, seed)
    untried = Answer(function, exercise, [], library)

    def run_all(huge=False):
        tagged = [(c, e) for c, e in zip(cases, expected) if (c.tag == "huge") == huge]
        start = process_time()
        return [Run(c, e, untried.ask(c.inputs)) for c, e in tagged], process_time() - start

    runs, seconds = run_all()
    if any(case.tag == "huge" for case in cases):
        again = range(TIMES - 1) if QUICK < seconds < NEARLY else ()
        if seconds < QUICK or any(run_all()[1] < QUICK for _ in again):
            with suppress(TooSlow), time_limit(HUGE_LIMIT):  # to take more time, or memory, than there is is no mistake
                runs += [run for run in run_all(huge=True)[0] if not run.got.error]
    return replace(untried, runs=runs)


@lru_cache(maxsize=100)
def what_should_come_out(exercise: Exercise, seed: int | None):
    """Return the expected outcome of each case, and keep it: every answer is compared with it."""
    expected = [_made_by_the_reference(exercise, case.inputs) for case in exercise.cases(seed)]
    for outcome in expected:
        for part in outcome.arrays:
            part.value.flags.writeable = False  # they are handed out, as examples
    return expected


def _made_by_the_reference(exercise, inputs):
    """Return what counts of the reference's outcome. It refuses with a ValueError; any other error is no answer."""
    outcome = exercise.what_counts(observe(exercise.reference, inputs), inputs)
    if outcome.error:
        if not isinstance(outcome.error, ValueError):
            raise outcome.error  # such as a lack of memory: nothing is kept, and the next time may be better
        outcome.error.__traceback__ = None  # it would keep all that the code has made
    return outcome


def complaint_about(function: Callable, check: Callable, inputs: dict):
    """Return what a property complains of in a function, such as the reference; None if it cannot be tried."""
    try:
        return check(function, inputs)
    except Exception:
        return None


def fullest(cases: Sequence[Case]):
    """Return the ordinary case with the most inputs, and the largest of these."""
    return max(cases, key=lambda c: (not c.tag, len(_arrays(c.inputs)), sum(map(np.size, c.inputs.values()))))


@lru_cache(maxsize=100)
def other_numbers(exercise: Exercise, case: Case):
    """Return pairs (case, expected outcome) with other numbers in one group of inputs, then in one more, and so on."""
    inputs, found = case.inputs, []
    groups = [[name] for name in _arrays(case.given)] + [[name for name in _arrays(inputs) if name in case.weights]]
    for names in groups:  # each input by itself, and all weights of a layer together
        turned = {n: np.roll(inputs[n], 1, axis=tuple(range(inputs[n].ndim))) for n in names}  # the same, elsewhere
        if not all(np.array_equal(turned[n], inputs[n]) for n in names):
            inputs = inputs | turned
            found.append((replace(case, inputs=inputs, tag=""), _made_by_the_reference(exercise, inputs)))
    return [(other, expected) for other, expected in found if expected.kind != "error"]


def wrong_with_other_numbers(answer: Answer, case: Case):
    """Return the answer with further runs, the last of which is wrong; None if other numbers cause no mistake."""
    runs = list(answer.runs)
    for other, expected in other_numbers(answer.exercise, case):
        runs.append(Run(other, expected, answer.ask(other.inputs)))
        if not runs[-1].same_value:
            return replace(answer, runs=runs)
    return None


def _arrays(inputs):
    return {n: x for n, x in inputs.items() if isinstance(x, np.ndarray)}
