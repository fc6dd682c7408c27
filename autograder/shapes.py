"""Shapes in axis words, read from the one place where they are written: the reference's docstring."""

import re
from functools import cache
from inspect import getdoc

import numpy as np

_NAMED = re.compile(r"(\w+(?:, \w+)*): \(([^()]*)\)")
_RESULTS = re.compile(r"-> \([^()]*\)(?:,\s+then\s+\([^()]*\))*")


@cache
def axis_words(reference):
    """Return input name -> the words of its axes, such as ("...", "queries", "keys")."""
    named = _NAMED.findall(getdoc(reference) or "")
    return {name: _words(axes) for names, axes in named for name in names.split(", ")}


@cache
def words_of_result(reference, place=0):
    """Return the words of a result's axes: where there are several, the docstring says "-> (...), then (...)".

    An input that is a function may have a result, too; the last arrow is the reference's own.
    """
    said = _RESULTS.findall(getdoc(reference) or "")
    results = re.findall(r"\(([^()]*)\)", said[-1]) if said else []
    return _words(results[place]) if place < len(results) else ()


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

    def in_words(name, x):
        if isinstance(x, dict):
            return f"{name} of " + ", ".join(in_words(f'"{entry}"', array) for entry, array in x.items())
        return f"{name} {shape_in_words(x.shape, words.get(name, ()))}" if isinstance(x, np.ndarray) else f"{name}={x}"

    return ", ".join(in_words(name, x) for name, x in inputs.items() if not callable(x))


def function_in_words(function):
    """Return the first sentence of a function's docstring, to follow an equals sign."""
    sentence = re.split(r"\.\s", f"{getdoc(function)} ", maxsplit=1)[0]
    return sentence[:1].lower() + sentence[1:]
