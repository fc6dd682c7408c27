"""Shapes in axis words, read from the one place where they are written: the reference's docstring."""

import re
from functools import cache
from inspect import getdoc

import numpy as np

_NAMED = re.compile(r"(\w+(?:, \w+)*): \(([^()]*)\)")
_RESULT = re.compile(r"-> \(([^()]*)\)")


@cache
def axis_words(reference):
    """Input name (and "result") -> the words of its axes: ("...", "queries", "keys")."""
    doc = getdoc(reference) or ""
    found = {name: _words(axes) for names, axes in _NAMED.findall(doc) for name in names.split(", ")}
    result = _RESULT.search(doc)
    if result:
        found["result"] = _words(result[1])
    return found


def _words(axes):
    return tuple(word for word in axes.replace(" ", "").split(",") if word)


def shape_in_words(shape, words=()):
    """(2, 3) with ("...", "queries", "keys") -> "2×3 (queries × keys)"."""
    sizes = "×".join(str(n) for n in shape) or "() (a single number)"
    named = [word for word in words if word != "..."]
    if not named or len(named) > len(shape) or (len(named) < len(shape) and "..." not in words):
        return sizes
    return f"{sizes} ({' × '.join(['batch'] * (len(shape) - len(named)) + named)})"


def inputs_in_words(inputs, reference):
    """All inputs of a case in one line: "query 2×5 (queries × features), axis=0"."""
    words = axis_words(reference)
    return ", ".join(
        f"{name} {shape_in_words(x.shape, words.get(name, ()))}" if isinstance(x, np.ndarray) else f"{name}={x}"
        for name, x in inputs.items()
    )
