"""Hold what runs give as NumPy, whatever library it comes in, and say whether two results agree."""

import sys
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from ..cases import Case
from ..plain_values import as_plain_number

NUMBERS = ("first", "second", "third", "fourth", "fifth")


def is_tensor(x: Any) -> bool:
    """Say whether this is a tensor, of torch's own class or of a learner's that is made of it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def plain_tensor(x: Any):
    """Return the same tensor as one of torch's own class, in the same graph: what a learner's class does is not run."""
    torch = sys.modules["torch"]
    with torch._C.DisableTorchFunctionSubclass():
        return torch.Tensor.as_subclass(x, torch.Tensor)


def to_array(x: Any):
    """Return a tensor as an array, on whatever device and in whatever graph it is; anything else as it is."""
    if not is_tensor(x):
        return x
    numbers = plain_tensor(x).detach().cpu().to_dense().resolve_conj().resolve_neg()
    return (numbers.float() if is_bfloat16(x) else numbers).numpy()


def arrays_of(x: Any):
    """Return an array or a tensor as an array, the entries of a dictionary that are such, and None for anything else.

    They are no copies.
    """
    if isinstance(x, dict):
        entries = {name: to_array(entry) for name, entry in x.items() if isinstance(name, str)}
        return {name: entry for name, entry in entries.items() if isinstance(entry, np.ndarray)}
    array = to_array(x)
    return array if isinstance(array, np.ndarray) else None


def each_array(x: Any):
    """Return all arrays of an input in a list: itself, or the entries of a dictionary."""
    arrays = arrays_of(x)
    return list(arrays.values()) if isinstance(arrays, dict) else [] if arrays is None else [arrays]


def is_bfloat16(tensor) -> bool:
    """Say whether this is of the one floating type that NumPy does not have."""
    return str(tensor.dtype) == "torch.bfloat16"


TOLERANCES = {2: 2e-2, 4: 1e-4, 8: 1e-6}  # bytes of a floating number -> relative difference that never counts
RECOGNISED = 1e-5  # recognising is looser: -1e9 added and taken away again costs nine digits
ACCIDENTS = (NameError, TypeError, AttributeError, ImportError, RecursionError)  # these are no refusal of an input
LARGEST = 100_000  # numbers of a result that are kept; a right one has some thousands
MOST_RESULTS, MOST_PARTS = 3, 10  # arrays of a tuple, in exercises; that are looked at
MOST_ENTRIES = 30  # of a dictionary that are looked at
MOST_THINGS = 1000  # of a list, or another kind of thing, that are kept
# Types of Python's own that a message names, whatever a learner's class is called.
PYTHONS = {"class": type, "tuple": tuple, "list": list, "text": str}


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came out of a run."""

    value: Any = None
    kind: str = "none"  # none, error, floating, integer, boolean, dict, generator, one of PYTHONS, or other
    type_name: str = ""  # of what is no array; a learner's class may have any name
    error: BaseException | None = None
    parts: tuple["Outcome", ...] = ()  # of a tuple of arrays, or of a dictionary of them in the order of its names
    names: tuple[str, ...] = ()
    views: tuple[str, ...] = ()  # names of a dictionary's entries that lie in the memory of an input
    shared: tuple[str, ...] = ()  # names of some that lie in one memory
    changed: dict[str, np.ndarray] = field(default_factory=dict)
    printed: str = ""

    @property
    def refuses(self):
        """Say whether this is an error that refuses the input, whatever its type."""
        return self.kind == "error" and not isinstance(self.error, ACCIDENTS)

    @property
    def is_array(self):
        return self.kind in ("floating", "integer", "boolean")

    @property
    def arrays(self):
        """Return the arrays of a result: itself, those of several results, or none."""
        return [outcome for outcome in self.parts or (self,) if outcome.is_array]

    @property
    def is_number(self):
        return self.is_one_number and self.value.shape == ()

    @property
    def is_one_number(self):
        return self.kind in ("floating", "integer") and self.value.size == 1


def outcome_of(value: Any, most: int = LARGEST):
    """Return whatever an answer returned as NumPy; with more than `most` numbers, only its type and shape."""
    if value is None or value is ...:
        return Outcome()
    value = to_array(value)
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(float), np.nan)  # what is masked away is no number
    if isinstance(value, (tuple, list)) and value and all(hasattr(part, "__array__") for part in value):
        room = LARGEST if len(value) <= MOST_RESULTS else LARGEST // MOST_PARTS
        parts = tuple(outcome_of(part, room) for part in value[:MOST_PARTS])
        shown = [part.value for part in parts]
        is_tuple, name = isinstance(value, tuple), type(value).__name__
        return Outcome(tuple(shown) if is_tuple else shown, "tuple" if is_tuple else "list", name, parts=parts)
    if isinstance(value, dict) and value and len(value) <= MOST_ENTRIES and odd_entry(value) is None:
        entries = {name: outcome_of(value[name], LARGEST // len(value)) for name in sorted(value)}
        kept = {name: entry.value for name, entry in entries.items()}
        return Outcome(kept, "dict", "dict", parts=tuple(entries.values()), names=tuple(entries))
    if not hasattr(value, "__array__"):
        value = as_plain_number(value)
        if not isinstance(value, Real):
            name = type(value).__name__
            otherwise = "generator" if name == "generator" else "other"  # by its name: it may live in a worker
            kind = next((kind for kind, types in PYTHONS.items() if isinstance(value, types)), otherwise)
            return Outcome(_thinned(value, MOST_THINGS), kind, name)
    if isinstance(value, int) and abs(value) > np.iinfo(np.int64).max:
        value = float(value) if abs(value) < 1e300 else np.inf
    value = np.asarray(value)
    # A copy, since an answer may use its array again.
    value = value.copy() if value.size <= most else _only_its_shape(value)
    kind = {"f": "floating", "i": "integer", "u": "integer", "b": "boolean"}.get(value.dtype.kind, "other")
    return Outcome(value, kind, str(value.dtype) * (kind == "other"))


def odd_entry(dictionary: dict):
    """Return the first key of a dictionary that is no text, or whose value is no array; or None."""
    odd = (key for key, x in dictionary.items() if not (isinstance(key, str) and hasattr(x, "__array__")))
    return next(odd, None)


def _only_its_shape(array):
    return np.broadcast_to(np.zeros((), array.dtype), array.shape)


def _thinned(value, most):
    """Keep what a message has room for of a value that is no array, and so never right."""
    if isinstance(value, np.ndarray):
        return value if value.size <= most else _only_its_shape(value)
    if isinstance(value, str):
        return value[:most]
    if isinstance(value, (list, tuple, dict)) and value:
        some = list(value)[:most]
        if isinstance(value, dict):
            return {key: _thinned(value[key], most // len(some)) for key in some}
        thinned = [_thinned(part, most // len(some)) for part in some]
        return tuple(thinned) if isinstance(value, tuple) else thinned
    return value


def tolerance_of(*arrays):
    """Return the loosest tolerance among the floating numbers given, in dictionaries too."""
    flat = [entry for x in arrays for entry in (each_array(x) if isinstance(x, dict) else [x])]
    sizes = (x.dtype.itemsize for x in flat if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind == "f")
    return max((TOLERANCES[min(size, 8)] for size in sizes), default=TOLERANCES[8])


def same(got, expected, tolerance: float, any_infinity=False) -> bool:
    """Say whether two outcomes agree: both errors, or the same kind, shape, and numbers up to rounding.

    Written so that NaN fails where a number is expected.
    any_infinity: inf, -inf and NaN count as the same symptom.
    """
    if expected.parts:
        pairs = zip(got.parts, expected.parts)
        fits = len(got.parts) == len(expected.parts) and got.names == expected.names
        return fits and all(same(g, e, tolerance, any_infinity) for g, e in pairs)
    if got.is_one_number and expected.is_number and "integer" in (got.kind, expected.kind):
        number, right = got.value.item(), expected.value.item()
        return abs(float(number) - float(right)) <= 1e-12 * abs(float(right))  # 12, 12.0 and [12]
    if got.kind != expected.kind or not got.is_array:
        return got.kind == expected.kind and got.kind in ("error", "none")
    if got.value.shape != expected.value.shape:
        return False
    if got.kind != "floating":
        return np.array_equal(got.value, expected.value)
    numbers, right = got.value.astype(float), expected.value.astype(float)
    near = np.abs(numbers - right) <= tolerance * (1 + np.abs(right))
    as_odd = ~np.isfinite(numbers) if any_infinity else (numbers == right) | (np.isnan(numbers) & np.isnan(right))
    return bool(np.where(np.isfinite(right), near, as_odd).all())


@dataclass(frozen=True, eq=False)
class Run:
    """One case, what should come out, and what did."""

    case: Case
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
