"""What a worker may say in reply: anything else is Malformed.

Of errors cross a type's name, what it is made from, and what it says. Of inputs cross those that a call has changed.
"""

import inspect
from copy import deepcopy
from functools import lru_cache
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType

from ...judging.errors import LONGEST_LINE, is_kept_in_self, is_own, line_of
from ...judging.results import arrays_of, to_array
from ...judging.running import differs

LONGEST = 2000  # characters of what an error says
LONGEST_NAME = 100  # characters
MOST_NAMES = 1000  # in the code of an answer
MOST_OBJECTS = 1000  # in an array of texts, or of fractions say
MOST_CHARACTERS = 100_000  # in an array of texts
MOST_AXES = 64  # of an array: NumPy has no more

Name = Annotated[str, Meta(max_length=LONGEST_NAME, pattern=r"\A[^\0]*\Z")]  # that Python takes for one
Names = Annotated[list[Name], Meta(max_length=MOST_NAMES)]
Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Shape = Annotated[list[Number], Meta(max_length=MOST_AXES)]
Text = Annotated[str, Meta(max_length=LONGEST_NAME)]
Default = Annotated[list[bool | int | float | Text | None], Meta(min_length=1, max_length=1)]
Parameters = list[tuple[Name, int, Default | None]] | None


class Error(Struct):
    type: Name
    bases: list[str]
    text: str
    own: bool = False
    in_self: bool = False
    line: str = ""


class Reply(Struct):
    """What a worker may say in reply to any request.

    stuck: the function that did not come back; worked: seconds of the processor; changed: place of an input -> its new
    numbers.
    """

    error: Error | None = None
    slow: bool = False
    stuck: Name = ""
    worked: float = 0.0
    outputs: Any = UNSET
    found: bool | UnsetType = UNSET
    value: Any = UNSET
    printed: str | UnsetType = UNSET
    changed: dict[Number, Any] = {}
    noted: Any = None
    views: Names = []
    shared: Names = []
    gradients: list[np.ndarray | None] | UnsetType = UNSET

    def lacks(self, do):
        """Say whether something is missing that this request asks for, though there is no error."""
        return not self.error and any(getattr(self, name) is UNSET for name in NEEDED.get(do, ("value",)))


NEEDED = {"run": ("outputs",), "get": ("found", "value"), "call": ("value", "printed"), "gradients": ("gradients",)}


def take_little(items):
    """Say whether an array of these is small: NumPy gives each text as much room as the longest takes."""
    return len(items) * max((len(item) for item in items if isinstance(item, str)), default=0) <= MOST_CHARACTERS


def signature_of(function):
    """Return [name, kind, default or None] for each parameter, a default as a list of one; None if Python has none."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [[p.name, int(p.kind), None if p.default is p.empty else [_shown(p.default)]] for p in parameters]


def _shown(default):
    if type(default) is str:
        return default[:LONGEST_NAME]
    return default if default is None or type(default) in (bool, int, float) else repr(default)[:LONGEST_NAME]


KNOWN = (
    *(UnboundLocalError, ModuleNotFoundError),
    *(NameError, TypeError, AttributeError, ImportError, RecursionError),  # which are no refusal of an input
    *(AssertionError, NotImplementedError, ZeroDivisionError, FloatingPointError, OverflowError, MemoryError),
    *(IndexError, KeyError, ValueError, RuntimeError, OSError, StopIteration, Exception),
)


def error_as_dict(error):
    """Return an error as a dict from which `rebuilt` makes one."""
    try:
        text = str(error)[:LONGEST]
    except Exception:
        text = ""
    return dict(
        type=type(error).__name__[:LONGEST_NAME],
        bases=[part.__name__ for part in type(error).__mro__],
        text=text,
        own=is_own(error),
        in_self=is_kept_in_self(error),
        line=line_of(error),
    )


def rebuilt(said):
    """Return an error that a judge takes for the same; one that is no Exception (exit, an interrupt) becomes one."""
    said = msgspec.convert(said, Error)
    base = next((known for known in KNOWN if known.__name__ in said.bases), Exception)
    error = _kind(said.type, base)(said.text[:LONGEST])
    error.said_to_be_own, error.said_to_be_in_self = said.own, said.in_self
    error.said_to_be_in = said.line[: 2 * LONGEST_LINE]
    return error


@lru_cache(1000)
def _kind(name, base):
    """Return the error's class itself, so that a test may ask for exactly it; a KeyError would quote its words."""
    if name == base.__name__ and base is not KeyError:
        return base
    return type(name, (base,), {"__str__": lambda self: self.args[0], "__module__": "builtins"})


def copies(things):
    """Return the numbers of arrays, tensors and dictionaries of such as they are now; None for anything else."""
    return [deepcopy(arrays_of(thing)) for thing in things]


def changed(things, before):
    """Return place -> new numbers, for the arrays, and whole dictionaries, that are no longer as they were."""
    after = {n: arrays_of(x) for n, (x, old) in enumerate(zip(things, before)) if old is not None}
    return {n: x for n, x in after.items() if differs(x, before[n])}


def write_back(things, changes):
    """Make the same change here. A change of shape is shown by NaN: no array takes another shape in place."""
    for n, numbers in changes.items():
        if isinstance(numbers, dict):
            things[n].clear()
            things[n].update(msgspec.convert(numbers, dict[Name, np.ndarray]))
            continue
        here = to_array(things[n])
        fits = numbers.shape == here.shape
        here[...] = numbers if fits else np.nan if here.dtype.kind == "f" else np.zeros((), here.dtype)
