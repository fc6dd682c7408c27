"""Describe in a few words what a line made."""

from typing import Any

import numpy as np

from .values import to_array

LONGEST = 30  # characters of a value that is told as it is
PLAIN = (bool, int, float, np.number, str, type(None))


def made_in_words(value: Any, expected=()):
    """Describe a number as it is, an array by its shape and what is odd about it, and other things by what they are.

    expected: the kinds of floating-point numbers that need no mention.
    """
    if isinstance(value, PLAIN):
        return in_full(value) or f"a {type(value).__name__}"
    if isinstance(value, (tuple, list)):
        return _several(value)
    if isinstance(value, dict):
        return f"a dictionary of {len(value)} {_parts(value.values())}"
    array = to_array(value)
    if isinstance(array, np.ndarray) and array.dtype.kind in "fiub":
        return _array(array, "" if kind_of(value) in expected else kind_of(value))
    return _thing(value)


def in_full(value: Any):
    """Write a value as Python does, if that is short."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) < LONGEST else ""


def kind_of(value: Any):
    """Return what kind of numbers an array holds, or "" for other things."""
    return str(getattr(value, "dtype", "")).removeprefix("torch.")


def _array(array, kind):
    if not array.ndim:
        return f"{array.item():.4g}"
    return ", ".join(filter(None, [f"shape {array.shape}", kind, _oddities(array)]))


def _oddities(array):
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return ""
    return "with nan" if np.isnan(array).any() else "with ∞"


def _several(value):
    """Describe a shape as it is, and other tuples and lists by how many things they hold."""
    if isinstance(value, tuple) and all(isinstance(part, PLAIN) for part in value) and in_full(value):
        return in_full(value)
    if hasattr(value, "indices") and hasattr(value, "values"):
        return "a pair of tensors: values and indices"  # torch's maximum along a dimension
    kind = "a list of" if isinstance(value, list) else "a pair of" if len(value) == 2 else "a tuple of"
    number = "" if kind == "a pair of" else f" {len(value)}"
    return f"{kind}{number} {_parts(value)}"


def _parts(value):
    """Return what the parts are called, if they are all of a kind."""
    for attribute, name in (("detach", "tensors"), ("__array__", "arrays")):
        if value and all(hasattr(type(part), attribute) for part in value):
            return name
    return "things"


def _thing(value):
    """Describe a layer or a function, which has not been called yet."""
    if hasattr(type(value), "state_dict"):
        return f"a layer, {type(value).__name__}"
    return "a function" if callable(value) else ""
