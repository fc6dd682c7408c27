"""What a function has beside its inputs, and what of them its results are: arrays, memory of earlier calls, views."""

from collections.abc import Iterable
from copy import copy
from types import FunctionType
from typing import Any

import numpy as np

from .source import handle_of
from .values import each_array, to_array

CONTAINERS = (dict, list, set)


def without_memory(answer: Any):
    """Return the names of what an answer may keep, in words, and the same function with all of that empty."""
    if handle_of(answer):
        return handle_of(answer).look("without_memory")
    code = getattr(answer, "__code__", None)
    if code is None:
        return "", answer
    variables, named = answer.__globals__, answer.__kwdefaults__ or {}
    kept = [name for name in code.co_names if _is_full(variables.get(name))]
    parameters = code.co_varnames[: code.co_argcount][-len(answer.__defaults__ or ()) or code.co_argcount :]
    kept += [name for name, x in (*zip(parameters, answer.__defaults__ or ()), *named.items()) if _is_full(x)]
    world = variables | {name: _emptied(variables[name]) for name in kept if name in variables}
    defaults = tuple(map(_emptied, answer.__defaults__ or ())) or None
    fresh = FunctionType(code, world, answer.__name__, defaults, answer.__closure__)
    fresh.__kwdefaults__ = {name: _emptied(x) for name, x in named.items()} or None
    return " and ".join(f"`{name}`" for name in kept), fresh


def _is_full(x):
    return isinstance(x, CONTAINERS) and bool(x)


def _emptied(x):
    if not _is_full(x):
        return x
    x = copy(x)
    x.clear()
    return x


def arrays_named(answer: Any):
    """Return the names of arrays of the notebook that a function's code names."""
    if handle_of(answer):
        return handle_of(answer).look("arrays_named")
    code, variables = getattr(answer, "__code__", None), getattr(answer, "__globals__", {})
    names = code.co_names if code else ()
    return [name for name in names if isinstance(to_array(variables.get(name)), np.ndarray)]


def views_of(answer: Any, result: Any, inputs: Iterable):
    """Return the names of a dictionary's entries that lie in the memory of an input, and of some in one memory."""
    if not isinstance(result, dict):
        return (), ()
    if handle_of(answer):
        return handle_of(answer).views
    given = [array for x in inputs for array in each_array(x)]

    def is_view(x):
        return any(np.may_share_memory(own, array) for own in each_array(x) for array in given)

    return tuple(name for name, x in result.items() if is_view(x)), _in_one_memory(result)


def _in_one_memory(result):
    """Return the names of the first entries, if any, that are pieces of one block of memory."""
    names = {}
    for name, x in result.items():
        if each_array(x):
            names.setdefault(_memory_of(x), []).append(name)
    return next((tuple(several) for several in names.values() if len(several) > 1), ())


def _memory_of(x):
    """Return where the piece of memory begins that a tensor or an array lies in: pieces of one block lie in one."""
    while isinstance(getattr(x, "base", None), np.ndarray):
        x = x.base
    tensor = x.base if isinstance(x, np.ndarray) and hasattr(x.base, "untyped_storage") else x
    return tensor.untyped_storage().data_ptr() if hasattr(tensor, "untyped_storage") else x.ctypes.data
