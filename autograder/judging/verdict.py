"""The judge's verdict, the example that it shows, and a value in few words."""

import math
import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import error_line

if TYPE_CHECKING:  # a worker, which needs verdicts too, may not know exercises
    from ..mistakes import Mistake

MANY, LONGEST = 50, 400  # items; characters of one
SMALL, MOST_AXES = 100, 4  # of an array that is written out
ENDS = "finishes"  # the property that a function lacks which never comes back


@dataclass(frozen=True, eq=False)
class Example:
    """The smallest input that shows a mistake: what should come out, and what did."""

    inputs: dict[str, Any]
    expected: Any  # or the line that Python prints last of an error, as in `got`
    got: Any
    changed: dict[str, np.ndarray]  # inputs that the answer changed, as they were afterwards
    printed: str = ""
    which: str = ""  # of several results, the one that is shown
    lines: tuple = ()  # of the learner's code, each with what it made
    place: int = 0  # of the result that is shown

    @classmethod
    def of(cls, run):
        focused = run.focused
        outcomes = focused.expected, focused.got
        expected, got = (f"an error: {error_line(o.error)}" if o.error else o.value for o in outcomes)
        shown = dict(printed=run.got.printed, which=focused.which, place=focused.place)
        return cls(run.inputs, expected, got, run.got.changed, **shown)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the judge found."""

    @property
    def right(self):  # above the fields: below, `property` is one of them
        return self.reason == "right"

    reason: str  # right, unwritten, raised (or not to be called, or not ended), type (of it, or of what it gives),
    # shape, mutated (an input), misconception, property, or values
    message: str  # what the learner reads
    score: float = 0.0
    misconception: "Mistake | None" = None
    property: str | None = None
    example: Example | None = None
    also: "Mistake | None" = None  # a second one in the same answer
    right_so_far: str = ""  # what of a wrong answer is right, in a sentence


RIGHT = Verdict("right", "Right.", score=1.0)


class _Short(reprlib.Repr):
    def __init__(self):
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = MANY
        self.maxstring = self.maxlong = self.maxother = LONGEST

    def repr_ndarray(self, x, level):
        return repr(x) if _is_small(x) else f"an array of shape {tuple(x.shape)}"

    repr_Tensor = repr_ndarray


def in_short(x: Any, write: Callable = str):
    """Return what `write` gives, if that is short."""
    is_array = isinstance(getattr(x, "ndim", None), int)  # NumPy itself has one, too, which is a function
    is_large = not _is_small(x) if is_array else isinstance(x, (list, tuple, dict, set, frozenset))
    return _Short().repr(x) if is_large else write(x)


def _is_small(array):
    return array.ndim <= MOST_AXES and math.prod(array.shape) <= SMALL
