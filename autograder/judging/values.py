"""Values that answers take and give: arrays and tensors, numbers of other libraries, and words that stay short."""

import math
import reprlib
import sys
from collections.abc import Callable
from decimal import Decimal
from math import inf
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np

from ..cases import Model

MANY, LONGEST = 50, 400  # items; characters of one
SMALL, MOST_AXES = 100, 4  # of an array that is written out


def send(inputs: dict, library: str, order: Literal["C", "F"] = "C"):
    """Return the same inputs with copies of all arrays, in this library."""

    def sent(x):
        if isinstance(x, Model):
            return x.with_tables(sent)
        if isinstance(x, dict):
            return {key: sent(entry) for key, entry in x.items()}
        if not isinstance(x, np.ndarray):
            return x
        if library == "numpy":
            return x.copy(order)
        import torch  # here, so that a NumPy lesson never waits for it

        return torch.from_numpy(x.copy(order))

    return {name: sent(x) for name, x in inputs.items()}


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
    numbers = plain_tensor(x).detach().cpu()
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


def copied(arrays: Any):
    """Return a copy of what `arrays_of` gives."""
    return {name: x.copy() for name, x in arrays.items()} if isinstance(arrays, dict) else arrays.copy()


def is_bfloat16(tensor) -> bool:
    """Say whether this is of the one floating type that NumPy does not have."""
    return str(tensor.dtype) == "torch.bfloat16"


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
    is_large = not _is_small(x) if hasattr(x, "ndim") else isinstance(x, (list, tuple, dict, set, frozenset))
    return _Short().repr(x) if is_large else write(x)


def _is_small(array):
    return array.ndim <= MOST_AXES and math.prod(array.shape) <= SMALL


def as_plain_number(x: Any):
    """Return Python's own number for one of another library, infinite where a float has no room; all else as it is."""
    if isinstance(x, (bool, int, float)) or hasattr(x, "__array__") or not _is_real_number(x):
        return x
    if isinstance(x, Integral):
        return int(x)
    try:
        return float(x)
    except OverflowError:
        return inf


def _is_real_number(x):
    """Say whether this is a number, or a term of sympy that equals one, such as sqrt(2)."""
    if isinstance(x, (Real, Decimal)):
        return True
    is_term = type(x).__module__.partition(".")[0] == "sympy"
    return is_term and getattr(x, "is_number", False) is True and getattr(x, "is_extended_real", False) is True
