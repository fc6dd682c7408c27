"""Read an answer's code: what it is made of, whether it is a stub, and what it may keep or share with others."""

import ast
import dis
import inspect
import linecache
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from copy import copy
from functools import lru_cache, wraps
from inspect import getclosurevars
from pathlib import Path
from tokenize import TokenError
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ..outline import outline
from .results import each_array, to_array

# All that a body needs which holds nothing, or raises NotImplementedError.
EMPTY = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}
EMPTY |= {"LOAD_GLOBAL", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"}
CODE = (FunctionType, type)
GLOBALS = "LOAD_GLOBAL", "LOAD_NAME"


@lru_cache(maxsize=50)
def syntax_of(code: CodeType):
    """Return the syntax tree of a function's source, or None if there is none, or it is no statement."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    try:
        block = inspect.getblock(lines)
        tree = ast.parse("if True:\n" + "".join(block) if block[0][:1].isspace() else "\n" + "".join(block))
    except (SyntaxError, TokenError, ValueError, IndexError):
        return None
    return ast.increment_lineno(tree, code.co_firstlineno - 2)


def handle_of(answer: Any):
    """Return what stands for a function in another process (grading/port/descriptions.py), or None.

    Its `look` and `watch` call a function of ours of that name over there; descriptions.py and worker.py list them.
    """
    return getattr(getattr(answer, "__wrapped__", answer), "__handle__", None)


def asked_where_it_lives(look: Callable):
    """Let `look(answer)`, which reads code, be called in the process in which the answer lives."""

    @wraps(look)
    def asked(answer):
        handle = handle_of(answer)
        return handle.look(look.__name__) if handle else look(answer)

    return asked


def is_stub(function: Any):
    """Say whether a function, or a class's forward, is empty: a docstring, `pass`, dots, or NotImplementedError."""
    if handle_of(function):
        return handle_of(function).stub
    if isinstance(function, type):
        methods = {name: x for name, x in vars(function).items() if inspect.isfunction(x)}
        if not methods and "Module" in [base.__name__ for base in function.__bases__]:
            return True
        function = methods.get("forward")
    code = getattr(function, "__code__", None)
    if code is None or set(code.co_names) - {"NotImplementedError"}:
        return False
    steps = {step.opname for step in dis.get_instructions(code)}
    return steps <= EMPTY and all(const in (None, ...) or isinstance(const, str) for const in code.co_consts)


def parts_of(answer: Any):
    """Return the answer and all functions and classes that it names, except those of other libraries.

    Those are written where the answer is, or in a file beside the notebook.
    """
    start = getattr(answer, "func", answer)  # of functools.partial
    found, queue, home = [], [start], getattr(start, "__module__", None)
    while queue:
        part = queue.pop()
        if isinstance(part, CODE) and part not in found:
            file = getattr(sys.modules.get(part.__module__), "__file__", None)
            is_at_home = part.__module__ == home or bool(file and Path(file).parent == Path.cwd())
            found += [part] if is_ours(part) or is_at_home else []
            queue += _named_by(part) if is_at_home and not is_ours(part) else []
    return found


def _named_by(part):
    """Return what a function names and has as defaults, or a class's methods and the classes it is made from."""
    if isinstance(part, type):
        return [*vars(part).values(), *part.__bases__]
    return [*variables_of(part).values(), *(part.__defaults__ or ()), *(part.__kwdefaults__ or {}).values()]


@asked_where_it_lives
def names_called(answer: Any):
    """Return the names under which a notebook has, or lacks, the functions that an answer is made of."""
    parts = {id(part) for part in parts_of(answer)}
    loaded = _named_in(_functions_of(answer), *GLOBALS)
    return loaded | {name for name, x in variables_around(answer).items() if id(x) in parts}


def variables_around(answer: Any):
    """Return the variables of the notebook, or of the module, in which an answer is written."""
    functions = _functions_of(answer)
    return functions[0].__globals__ if functions else {}


def variables_of(function: Callable):
    """Return the variables from outside that a function, or one inside it, names; attributes do not count."""
    try:
        scope = getclosurevars(function)
    except ValueError:  # a name of an outer function that has no value yet
        return {}
    loaded = _named_in([function], *GLOBALS)
    return {**scope.nonlocals, **{name: x for name, x in function.__globals__.items() if name in loaded}}


def packages_used(answer: Any):
    """Return the packages from which the code of an answer names or imports something, as far as one can see."""
    found = _named_in(_functions_of(answer), "IMPORT_NAME") | set(map(_home, _things_named(answer)))
    return {name.partition(".")[0] for name in found}


@asked_where_it_lives
def names_used(answer: Any):
    """Return the names of the attributes and imports in an answer's code, and of the things of libraries in it.

    What the learner wrote does not count, whatever its name.
    """
    named = _named_in(_functions_of(answer), "LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM")
    packages = sys.modules.keys() - {"__main__"}
    others = (x for x in _things_named(answer) if not isinstance(x, CODE) or _home(x).partition(".")[0] in packages)
    return named | {str(getattr(thing, "__name__", "")) for thing in others}


def _functions_of(answer):
    return [part for part in parts_of(answer) if isinstance(part, FunctionType)]


def _things_named(answer):
    """Return the answer itself, and the things that its functions name."""
    things = [thing for function in _functions_of(answer) for thing in variables_of(function).values()]
    return [getattr(answer, "func", answer), *things]


def _named_in(functions, *steps):
    """Return the names in those steps of bytecode of functions, and of those inside them."""
    codes = (code for function in functions for code in codes_in(function.__code__))
    return {step.argval for code in codes for step in dis.get_instructions(code) if step.opname in steps}


def codes_in(code: CodeType) -> list[CodeType]:
    """Return this code, and that of all functions inside it."""
    inner = [part for constant in code.co_consts if isinstance(constant, CodeType) for part in codes_in(constant)]
    return [code, *inner]


def _home(thing):
    """Return the name of the module that a thing is, or comes from."""
    if isinstance(thing, ModuleType):
        return thing.__name__
    return str(getattr(thing, "__module__", None) or type(getattr(thing, "__self__", thing)).__module__)


def is_ours(thing: Any):
    return isinstance(thing, CODE) and str(thing.__module__).startswith(outline().reference)


CONTAINERS = (dict, list, set)


@asked_where_it_lives
def without_memory(answer: Any):
    """Return the names of what an answer may keep, in words, and the same function with all of that empty."""
    code = getattr(answer, "__code__", None)
    if code is None:
        return "", answer
    defaults, named = answer.__defaults__ or (), answer.__kwdefaults__ or {}
    variables = {name: answer.__globals__[name] for name in code.co_names if name in answer.__globals__}
    by_default = zip(code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount], defaults)
    kept = [n for n, x in (*variables.items(), *by_default, *named.items()) if isinstance(x, CONTAINERS) and x]
    world = answer.__globals__ | {name: _emptied(x) for name, x in variables.items()}
    fresh = FunctionType(code, world, answer.__name__, tuple(map(_emptied, defaults)) or None, answer.__closure__)
    fresh.__kwdefaults__ = {name: _emptied(x) for name, x in named.items()} or None
    return " and ".join(f"`{name}`" for name in kept), fresh


def _emptied(x):
    if not isinstance(x, CONTAINERS) or not x:
        return x
    x = copy(x)
    x.clear()
    return x


@asked_where_it_lives
def arrays_named(answer: Any):
    """Return the names of arrays of the notebook that a function's code names."""
    code, variables = getattr(answer, "__code__", None), getattr(answer, "__globals__", {})
    names = code.co_names if code else ()
    return [name for name in names if isinstance(to_array(variables.get(name)), np.ndarray)]


def views_of(answer: Any, result: Any, inputs: Iterable):
    """Return the names of a dictionary's entries that lie in the memory of an input, and of some in one memory."""
    if not isinstance(result, dict):
        return (), ()
    if handle_of(answer):
        return handle_of(answer).views
    given = {_memory_of(array) for x in inputs for array in each_array(x)}
    homes = {name: _memory_of(x) for name, x in result.items() if each_array(x)}
    block = next((home for home, count in Counter(homes.values()).items() if count > 1), None)
    views = tuple(name for name, home in homes.items() if home in given)
    return views, tuple(name for name, home in homes.items() if home == block)


def _memory_of(x):
    """Return where the piece of memory begins that a tensor or an array lies in: pieces of one block lie in one."""
    while isinstance(getattr(x, "base", None), np.ndarray):
        x = x.base
    tensor = x.base if isinstance(x, np.ndarray) and hasattr(x.base, "untyped_storage") else x
    return tensor.untyped_storage().data_ptr() if hasattr(tensor, "untyped_storage") else x.ctypes.data
