"""The table of claims, and a wrong answer that was tried on every case, so that they can be checked."""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from helpers import right_outcomes

from autograder.catalogue import lacking
from autograder.exercise import ModuleExercise
from autograder.judging.results import Run, same
from autograder.judging.running import ask

CLAIMS = []


def claim(pattern):
    """Decorator for the check of a claim: it gets a Tried and the match, and returns None if it cannot tell."""
    return lambda check: CLAIMS.append((re.compile(pattern), check)) or check


@dataclass
class Tried:
    """An answer, its exercise, what the judge said, and what comes out on each case."""

    answer: object
    exercise: object
    verdict: object
    known: list | None = None  # runs of the judge

    @cached_property
    def function(self):
        if isinstance(self.exercise, ModuleExercise):
            from autograder.judging.layers.layer import as_function

            return as_function(self.answer, self.exercise)
        return self.answer

    def ask(self, inputs):
        got = ask(self.function, inputs, self.exercise.library, self.exercise.parameters)
        if "numpy.ndarray" not in str(got.error) or lacking(self.exercise.lesson):
            return got
        return ask(self.function, inputs, "torch", self.exercise.parameters)  # masks may be of either library

    def run(self, **inputs):
        """The result alone: what a property asks for."""
        return self.ask(inputs).value

    @cached_property
    def runs(self):
        if self.known:
            return [run for run in self.known if run.case.tag != "huge"]
        what_counts = self.exercise.what_counts  # some places of a result may hold anything
        pairs = [(c, right) for c, right in right_outcomes(self.exercise) if c.tag != "huge"]
        return [Run(c, what_counts(right, c.inputs), what_counts(self.ask(c.inputs), c.inputs)) for c, right in pairs]

    @property
    def ordinary(self):
        return [run for run in self.runs if not run.case.tag]

    @property
    def wrong(self):
        return [run for run in self.runs if not run.right]

    @property
    def arrays(self):
        """Results of wrong cases that are numbers, beside the right ones: (yours, right, run)."""
        return [
            (got.value, expected.value, t)
            for t in self.wrong
            for got, expected in zip(t.got.parts or (t.got,), t.expected.parts or (t.expected,))
            if got.is_array and expected.is_array
        ]

    @property
    def pairs(self):
        """The same of ordinary cases: (yours, right)."""
        return [(got, right) for got, right, run in self.arrays if not run.case.tag]

    def changes_with(self, name):
        """Whether other numbers in this input change the result of an ordinary case."""
        about = [t for t in self.ordinary if isinstance(t.inputs.get(name), np.ndarray) and not t.got.error]
        again = [self.ask(t.inputs | {name: others(t.inputs[name])}) for t in about]
        return not all(a.error or same(a, t.got, 1e-9, any_infinity=True) for a, t in zip(again, about))


def others(x):
    """Other numbers of the same type and shape."""
    return np.roll(~x, 1) if x.dtype == bool else (np.flip(x) * 3 + 1).astype(x.dtype)


def shapes(outcome):
    return [np.shape(part.value) for part in outcome.parts or (outcome,)]


def axes(run):
    """The most axes that an input has; weights do not count."""
    inputs = (x for x in run.case.given.values() if isinstance(x, np.ndarray))
    return max((x.ndim for x in inputs), default=0)
