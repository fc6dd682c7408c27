"""Numbers that are no ints and floats: of fractions, of decimals, of sympy and of mpmath."""

from decimal import Decimal
from math import inf
from numbers import Integral, Real


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
