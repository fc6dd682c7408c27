"""What is not written yet."""

import dis
import inspect

from .handle import handle_of

# All that a body needs which holds nothing, or raises NotImplementedError.
EMPTY = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}
EMPTY |= {"LOAD_GLOBAL", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"}


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
