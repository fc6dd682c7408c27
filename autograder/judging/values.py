"""Values in words that stay short, and numbers of other libraries as Python's own."""

import math
import reprlib
from decimal import Decimal
from math import inf
from numbers import Integral, Real

MANY, LONGEST = 50, 400  # items; characters of one
SMALL, MOST_AXES = 100, 4  # of an array that is written out


class _Short(reprlib.Repr):
    def __init__(self):
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = MANY
        self.maxstring = self.maxlong = self.maxother = LONGEST

    def repr_ndarray(self, x, level):
        return repr(x) if _is_small(x) else f"an array of shape {tuple(x.shape)}"

    repr_Tensor = repr_ndarray


def in_short(x, write=str):
    """Return what `write` gives, if that is short."""
    is_large = not _is_small(x) if hasattr(x, "ndim") else isinstance(x, (list, tuple, dict, set, frozenset))
    return _Short().repr(x) if is_large else write(x)


def _is_small(array):
    return array.ndim <= MOST_AXES and math.prod(array.shape) <= SMALL


def as_plain_number(x):
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
