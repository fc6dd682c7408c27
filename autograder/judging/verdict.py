"""The judge's verdict, and the runs behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .results import TOLERANCES, Outcome, same, tolerance_of

if TYPE_CHECKING:  # a worker, which needs verdicts too, may not know exercises
    from ..cases import Case
    from ..mistakes import Mistake

NUMBERS = ("first", "second", "third", "fourth", "fifth")
ENDS = "finishes"  # the property that a function lacks which never comes back


@dataclass(frozen=True, eq=False)
class Run:
    """One case, what should come out, and what did."""

    case: "Case"
    expected: Outcome
    got: Outcome
    which: str = ""
    place: int = 0  # of what is looked at among several results

    @property
    def inputs(self):
        return self.case.inputs

    @cached_property  # as the next one: a diagnosis asks for them hundreds of times
    def tolerance(self):
        """Return the tolerance of the inputs; an answer may be in single precision, but not in half."""
        expected, got = ([part.value for part in outcome.arrays] for outcome in (self.expected, self.got))
        asked = tolerance_of(*self.inputs.values(), *expected)
        return max(asked, min(tolerance_of(*got), TOLERANCES[4]))

    @cached_property
    def same_value(self):
        if self.expected.kind == "error":
            return self.got.refuses
        return same(self.got, self.expected, self.tolerance)

    @property
    def right(self):
        return self.same_value and not self.got.changed

    @property
    def focused(self):
        """Return the first of several results, or of a dictionary's entries, that is not right."""
        number = len(self.expected.parts)
        if len(self.got.parts) != number or self.got.names != self.expected.names:
            return self
        ordinals = (f"the {word} of your {number} results" for word in NUMBERS)
        which = [f'the entry "{name}" of your dictionary' for name in self.got.names] or ordinals
        parts = zip(which, self.expected.parts, self.got.parts)
        runs = (Run(self.case, e, g, f"Look at {words}.", n) for n, (words, e, g) in enumerate(parts))
        return next((run for run in runs if not run.same_value), self)


@dataclass(frozen=True, eq=False)
class Example:
    """The smallest input that shows a mistake: what should come out, and what did.

    An error is the line that Python prints last. changed: inputs that the answer changed, as they were afterwards.
    which, place: of several results, the one that is shown; lines: of the learner's code, each with what it made.
    """

    inputs: dict[str, Any]
    expected: Any
    got: Any
    changed: dict[str, np.ndarray]
    printed: str = ""
    which: str = ""
    lines: tuple = ()
    place: int = 0

    @classmethod
    def of(cls, run):
        focused = run.focused
        outcomes = focused.expected, focused.got
        expected, got = (f"an error: {error_line(o.error)}" if o.error else o.value for o in outcomes)
        shown = dict(printed=run.got.printed, which=focused.which, place=focused.place)
        return cls(run.inputs, expected, got, run.got.changed, **shown)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the judge found.

    reason: right, unwritten, raised, type, shape, mutated, misconception, property or values.
    message: what the learner reads; example: the smallest input that shows it.
    also: a second misconception in the same answer, if there are two.
    right_so_far: what of a wrong answer is right, in a sentence.
    """

    @property
    def right(self):  # above the fields: below, `property` is one of them
        return self.reason == "right"

    reason: str
    message: str
    score: float = 0.0
    misconception: "Mistake | None" = None
    property: str | None = None
    example: Example | None = None
    also: "Mistake | None" = None
    right_so_far: str = ""


RIGHT = Verdict("right", "Right.", score=1.0)


def wrong(runs: Sequence[Run]):
    """Return the runs that are not right, smallest first."""
    return (run for run in runs if not run.right)


def first_wrong(runs: Sequence[Run]):
    """Return the smallest case with another result, or else the smallest whose input was changed."""
    return min(wrong(runs), key=lambda run: run.same_value)


def error_line(error: BaseException):
    """Return an error as Python prints it last: its type, and its message if there is one."""
    return type(error).__name__ + (f": {error}" if str(error) else "")
