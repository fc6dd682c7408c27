"""Read an answer's code: where it runs, what it is made of, whether it is a stub, and where it stops."""

import ast
import dis
import inspect
import linecache
import sys
import sysconfig
from collections.abc import Callable
from functools import lru_cache
from inspect import getclosurevars
from pathlib import Path
from textwrap import shorten
from traceback import walk_tb
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ..outline import outline

# All that a body needs which holds nothing, or raises NotImplementedError.
EMPTY = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}
EMPTY |= {"LOAD_GLOBAL", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"}
CODE = (FunctionType, type)


@lru_cache(maxsize=50)
def syntax_of(code: CodeType):
    """Return the syntax tree of a function's source, or None if there is none, or it is no statement."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    try:
        block = inspect.getblock(lines)
        tree = ast.parse("if True:\n" + "".join(block) if block[0][:1].isspace() else "\n" + "".join(block))
    except (SyntaxError, ValueError, IndexError):
        return None
    return ast.increment_lineno(tree, code.co_firstlineno - 2)


def handle_of(answer: Any):
    """Return what answers questions about a function in another process (grading/port/descriptions.py), or None."""
    return getattr(getattr(answer, "__wrapped__", answer), "__handle__", None)


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
            queue += _named_in(part) if is_at_home and not is_ours(part) else []
    return found


def _named_in(part):
    """Return what a function names and has as defaults, or a class's methods and the classes it is made from."""
    if isinstance(part, type):
        return [*vars(part).values(), *part.__bases__]
    return [*variables_of(part).values(), *(part.__defaults__ or ()), *(part.__kwdefaults__ or {}).values()]


def names_called(answer: Any):
    """Return the names under which a notebook has, or lacks, the functions that an answer is made of."""
    if handle_of(answer):
        return set(handle_of(answer).look("names_called"))
    parts = {id(part) for part in parts_of(answer)}
    loaded = _named_by(answer, "LOAD_GLOBAL", "LOAD_NAME")
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
    steps = (step for code in _inside(function.__code__) for step in dis.get_instructions(code))
    loaded = {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return {**scope.nonlocals, **{name: x for name, x in function.__globals__.items() if name in loaded}}


def packages_used(answer: Any):
    """Return the packages from which the code of an answer names or imports something, as far as one can see."""
    found = _named_by(answer, "IMPORT_NAME") | set(map(_home, _things_named(answer)))
    return {name.partition(".")[0] for name in found}


def names_used(answer: Any):
    """Return the names of the attributes and imports in an answer's code, and of the things of libraries in it.

    What the learner wrote does not count, whatever its name.
    """
    if handle_of(answer):
        return set(handle_of(answer).look("names_used"))
    named = _named_by(answer, "LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM")
    return named | {str(getattr(thing, "__name__", "")) for thing in _things_named(answer) if not _is_learners(thing)}


def _is_learners(thing):
    """Say whether a function or class was written in a notebook, and not in a package."""
    home = _home(thing)
    return isinstance(thing, CODE) and (home == "__main__" or home.partition(".")[0] not in sys.modules)


def _functions_of(answer):
    return [part for part in parts_of(answer) if isinstance(part, FunctionType)]


def _things_named(answer):
    """Return the answer itself, and the things that its functions name."""
    things = [thing for function in _functions_of(answer) for thing in variables_of(function).values()]
    return [getattr(answer, "func", answer), *things]


def _named_by(answer, *steps):
    """Return the names in those steps of bytecode of an answer's functions."""
    codes = [code for function in _functions_of(answer) for code in _inside(function.__code__)]
    return {step.argval for code in codes for step in dis.get_instructions(code) if step.opname in steps}


def _inside(code):
    """Return this code, and that of all functions inside it."""
    inner = [part for constant in code.co_consts if isinstance(constant, CodeType) for part in _inside(constant)]
    return [code, *inner]


def _home(thing):
    """Return the name of the module that a thing is, or comes from."""
    if isinstance(thing, ModuleType):
        return thing.__name__
    return str(getattr(thing, "__module__", None) or type(getattr(thing, "__self__", thing)).__module__)


def is_ours(thing: Any):
    return isinstance(thing, CODE) and str(thing.__module__).startswith(outline().reference)


_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
LONGEST_LINE = 80  # characters of a line of code that a message quotes


def is_own(error: BaseException):
    """Say whether a `raise` or `assert` of the learner's stopped the code, and not one of a library."""
    if hasattr(error, "said_to_be_own"):  # it comes from another process
        return error.said_to_be_own
    last = _last(error)
    if last is None or not _is_frame_of_learner(last.tb_frame):
        return False
    return dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def line_of(error: BaseException):
    """Return the number and the text of the learner's line that stopped, or "" if it is not known."""
    if hasattr(error, "said_to_be_in"):  # it comes from another process
        return error.said_to_be_in
    steps = [step for step in walk_tb(error.__traceback__) if _is_frame_of_learner(step[0])]
    if not steps:
        return ""
    frame, number = steps[-1]
    line = linecache.getline(frame.f_code.co_filename, number, frame.f_globals).replace("`", "'")
    text = shorten(line, LONGEST_LINE, placeholder=" ...")
    return f"line {number}: `{text}`" if text else ""


def _is_frame_of_learner(frame):
    ours = frame.f_globals.get("__name__", "").partition(".")[0] in outline().packages
    return not ours and not frame.f_code.co_filename.startswith((*_INSTALLED, "<frozen"))


def is_kept_in_self(error: BaseException):
    """Say whether a method asked for a name that is an attribute of `self`."""
    if hasattr(error, "said_to_be_in_self"):  # it comes from another process
        return error.said_to_be_in_self
    last = _last(error)
    if last is None or not isinstance(error, NameError):
        return False
    layer = last.tb_frame.f_locals.get("self")
    own = getattr(layer, "__dict__", {})  # it is not asked itself: it may answer as it likes
    return name_in(error) in {*own, *own.get("_modules", ()), *own.get("_parameters", ()), *own.get("_buffers", ())}


def _last(error):
    """Return where an error arose, or None if it was not raised."""
    last = error.__traceback__
    while last and last.tb_next:
        last = last.tb_next
    return last


def name_in(error: BaseException):
    """Return the name between the first quotes: an error from another process has only its words."""
    return (str(error).split("'") + [""])[1]
