"""What can be read of an answer's code: where it runs, its syntax tree, and whether anything is written yet."""

import ast
import dis
import inspect
import linecache
from functools import lru_cache

# All that a body needs which holds nothing, or raises NotImplementedError.
EMPTY = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}
EMPTY |= {"LOAD_GLOBAL", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"}


@lru_cache(maxsize=50)
def syntax_of(code):
    """Return the syntax tree of a function's source, or None if there is none, or it is no statement."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    try:
        block = inspect.getblock(lines)
        tree = ast.parse("if True:\n" + "".join(block) if block[0][:1].isspace() else "\n" + "".join(block))
    except (SyntaxError, ValueError, IndexError):
        return None
    return ast.increment_lineno(tree, code.co_firstlineno - 2)


def handle_of(answer):
    """Return what answers questions about a function in another process (grading/proxies/handles.py), or None."""
    return getattr(getattr(answer, "__wrapped__", answer), "__handle__", None)


def is_stub(function):
    """Say whether a function, or a class's forward, is empty: a docstring, `pass`, dots, or NotImplementedError."""
    if handle_of(function):
        return handle_of(function).stub
    if isinstance(function, type):
        methods = {name: x for name, x in vars(function).items() if inspect.isfunction(x)}
        if not methods and function.__base__.__name__ == "Module":
            return True
        function = methods.get("forward")
    code = getattr(function, "__code__", None)
    if code is None or set(code.co_names) - {"NotImplementedError"}:
        return False
    steps = {step.opname for step in dis.get_instructions(code)}
    return steps <= EMPTY and all(const in (None, ...) or isinstance(const, str) for const in code.co_consts)
