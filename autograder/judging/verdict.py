"""The judge's verdict, the example that it shows, and in few words a value, or an error and where it arose."""

import dis
import linecache
import math
import reprlib
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import shorten
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

import numpy as np

from ..outline import outline

if TYPE_CHECKING:  # a worker, which needs verdicts too, may not know exercises
    from ..mistakes import Mistake

MANY, LONGEST = 50, 400  # items; characters of one
SMALL, MOST_AXES = 100, 4  # of an array that is written out
LONGEST_LINE = 80  # characters of a line of code that a message quotes
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
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

    reason: str  # right, unwritten, raised, type, shape, mutated, misconception, property or values
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


def error_line(error: BaseException):
    """Return an error as Python prints it last: its type, and its message if there is one."""
    return type(error).__name__ + (f": {error}" if str(error) else "")


def is_own(error: BaseException):
    """Say whether a `raise` or `assert` of the learner's stopped the code, and not one of a library."""
    if hasattr(error, "said_to_be_own"):  # it comes from another process
        return error.said_to_be_own
    last = _last(error)
    if last is None or not _is_frame_of_learner(last.tb_frame):
        return False
    return dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def line_of(error: BaseException):
    """Return the number and the text of the learner's line that stopped, or "" if it is not known.

    If a function of the course stopped that the line calls, its name comes with it.
    """
    if hasattr(error, "said_to_be_in"):  # it comes from another process
        return error.said_to_be_in
    steps = list(walk_tb(error.__traceback__))
    own = [step for step, (frame, _) in enumerate(steps) if _is_frame_of_learner(frame)]
    if not own:
        return ""
    frame, number = steps[own[-1]]
    text = quoted(frame.f_code.co_filename, number, frame.f_globals)
    called = next(filter(None, (_of_the_course(frame) for frame, _ in steps[own[-1] + 1 :])), "")
    return f"line {number}: `{text}`" + f", inside of `{called}`" * bool(called) if text else ""


def quoted(file: str, number: int, variables: dict | None = None):
    """Return a line of a file as a message quotes it, within backticks."""
    return shorten(linecache.getline(file, number, variables).replace("`", "'"), LONGEST_LINE, placeholder=" ...")


def _of_the_course(frame):
    """Return the name of the reference's function or class that runs in a frame, or ""."""
    name, home = frame.f_code.co_qualname, frame.f_globals.get("__name__", "")
    is_public = home.partition(".")[0] == outline().reference and not name.startswith(("_", "<"))
    return name.partition(".")[0] * is_public


def _is_frame_of_learner(frame):
    ours = frame.f_globals.get("__name__", "").partition(".")[0] in outline().packages
    return not ours and not frame.f_code.co_filename.startswith((*_INSTALLED, "<frozen"))


def is_kept_in_self(error: BaseException):
    """Say whether a method asked for a name that is an attribute of `self`."""
    if hasattr(error, "said_to_be_in_self"):  # it comes from another process
        return error.said_to_be_in_self
    last = _last(error)
    if last is None or not isinstance(error, NameError):
        return False
    layer = last.tb_frame.f_locals.get("self")
    own = getattr(layer, "__dict__", {})  # it is not asked itself: it may answer as it likes
    return name_in(error) in {*own, *own.get("_modules", ()), *own.get("_parameters", ()), *own.get("_buffers", ())}


def _last(error):
    """Return where an error arose, or None if it was not raised."""
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    return last


def name_in(error: BaseException):
    """Return the name between the first quotes: an error from another process has only its words."""
    return (str(error).split("'") + [""])[1]
