"""Answers as Python's own numbers, texts and tuples, whatever library they come in, and whether two of them agree."""

import math
import re
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

MOST = 1000  # parts of an answer that are looked at: right ones have a few


def as_plain_number(x: Any):
    """Return Python's own number for one of another library, infinite where a float has no room; all else as it is."""
    if isinstance(x, (bool, int, float)) or hasattr(x, "__array__") or not _is_real_number(x):
        return x
    if isinstance(x, Integral):
        return int(x)
    try:
        return float(x)
    except OverflowError:
        return math.inf


def _is_real_number(x):
    """Say whether this is a number, or a term of sympy that equals one, such as sqrt(2)."""
    if isinstance(x, (Real, Decimal)):
        return True
    is_term = type(x).__module__.partition(".")[0] == "sympy"
    return is_term and getattr(x, "is_number", False) is True and getattr(x, "is_extended_real", False) is True


def plain(value: Any, most: int = MOST):
    """Return lists, arrays and shapes as tuples, numbers of any library as Python's, texts without case or blanks.

    Of too many numbers, return the first in a row. All parts together are not more than `most`, however they nest.
    """
    if hasattr(value, "tolist") and not isinstance(value, type):
        value = (value if math.prod(value.shape) <= most else value.reshape(-1)[:most]).tolist()
    if isinstance(value, (list, tuple)):
        parts = value[:most]
        return tuple(plain(part, most // len(parts)) for part in parts)
    value = as_plain_number(value)
    if isinstance(value, int) and abs(value) > 1e300:
        return math.inf  # more than a float can hold, as good as infinite
    return re.sub(r"[\s,]", "", value).strip("().").lower() if isinstance(value, str) else value


def agree(given, right, tolerance: float) -> bool:
    """Say whether two plain answers are the same up to rounding."""
    if isinstance(right, bool):  # 1 and 0 will do
        return isinstance(given, (bool, int, float)) and given == right
    if isinstance(right, tuple) and isinstance(given, tuple):
        return len(given) == len(right) and all(agree(g, r, tolerance) for g, r in zip(given, right))
    if form_of(given) == form_of(right) == "number":
        return math.isclose(given, right, rel_tol=tolerance, abs_tol=1e-9)
    try:
        return given == right
    except ArithmeticError:  # some decimals refuse that
        return False


def form_of(value):
    if isinstance(value, tuple):
        return tuple(form_of(v) for v in value)
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__
