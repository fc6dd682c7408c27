"""Shapes in axis words, read from the one place where they are written: the reference's docstring."""

import re
from functools import cache
from inspect import getdoc

import numpy as np

_NAMED = re.compile(r"(\w+(?:, \w+)*): \(([^()]*)\)")
_RESULTS = re.compile(r"-> \([^()]*\)(?:,\s+then\s+\([^()]*\))*")


@cache
def axis_words(reference):
    """Return input name (and "result") -> the words of its axes, such as ("...", "queries", "keys")."""
    doc = getdoc(reference) or ""
    found = {name: _words(axes) for names, axes in _NAMED.findall(doc) for name in names.split(", ")}
    return found | dict(zip(["result"], words_of_results(reference)))


def words_of_results(reference):
    """Return the words of each result's axes, where the docstring says "-> (...)" or "-> (...), then (...)"."""
    said = _RESULTS.search(getdoc(reference) or "")
    return [_words(axes) for axes in re.findall(r"\(([^()]*)\)", said[0])] if said else []


def words_of_result(reference, place=0):
    """Return the words of the axes of one of several results, or of the only one; none if it is not described."""
    words = words_of_results(reference)
    return words[place] if place < len(words) else ()


def _words(axes):
    return tuple(word for word in axes.replace(" ", "").split(",") if word)


def named_axes(words, number):
    """Replace "..." by words for the axes in front, as "batch". Return nothing if the words do not fit."""
    named = [word for word in words if word != "..."]
    if not named or len(named) > number or (len(named) < number and "..." not in words):
        return ()
    return (*["batch"] * (number - len(named)), *named)


def singular(axis):
    """Return the singular of an axis word: "query" for "queries", "head size" for "head_size"."""
    word = axis.replace("_", " ")
    return re.sub(r"ies$", "y", word) if word.endswith("ies") else re.sub(r"(?<!s)s$", "", word)


def counted(size, axis):
    """Return a length with its word: "5 queries", "1 key", "model size 6"."""
    word = axis.replace("_", " ")
    if word == "batch" or word.endswith("size"):
        return f"{word} {'of ' * (word == 'batch')}{size}"
    return f"{size} {singular(axis) if size == 1 else word}".strip()


def shape_in_words(shape, words=()):
    """Return a shape with its words: "2×3 (queries × keys)"."""
    sizes, named = "×".join(str(n) for n in shape) or "() (a single number)", named_axes(words, len(shape))
    return f"{sizes} ({' × '.join(named)})" if named else sizes


def inputs_in_words(inputs, reference):
    """Return all inputs of a case but functions in one line: "query 2×5 (queries × features), axis=0"."""
    words = axis_words(reference)
    return ", ".join(
        f"{name} {shape_in_words(x.shape, words.get(name, ()))}" if isinstance(x, np.ndarray) else f"{name}={x}"
        for name, x in inputs.items()
        if not callable(x)
    )


def function_in_words(function):
    """Return the first sentence of a function's docstring, to follow an equals sign."""
    sentence = re.split(r"\.\s", f"{getdoc(function)} ", maxsplit=1)[0]
    return sentence[:1].lower() + sentence[1:]
