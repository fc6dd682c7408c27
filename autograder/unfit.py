"""What can be said of an answer before it runs."""

import dis
import inspect

from .verdict import Verdict


def unfit(answer, exercise):
    """Not a function, not written, or with other parameters."""
    name = exercise.name
    if answer is ... or is_stub(answer):
        return Verdict("unwritten", f"{name} is not written yet.")
    if isinstance(answer, type):
        return Verdict("type", f"{name} should be a function; yours is a class. Begin with `def {name}(...)`.")
    if not callable(answer):
        kind = type(answer).__name__
        return Verdict("type", f"{name} should be a function; yours is of type {kind}. Was a result given its name?")
    return _other_parameters(answer, exercise)


# All that a body needs which holds nothing, or raises NotImplementedError.
EMPTY = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}
EMPTY |= {"LOAD_GLOBAL", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"}


def is_stub(function):
    """Whether a function holds nothing but a docstring, `pass`, dots, or raise NotImplementedError."""
    code = getattr(function, "__code__", None)
    if code is None or set(code.co_names) - {"NotImplementedError"}:
        return False
    steps = {step.opname for step in dis.get_instructions(code)}
    return steps <= EMPTY and all(const in (None, ...) or isinstance(const, str) for const in code.co_consts)


def _other_parameters(answer, exercise):
    required = [n for n, default in exercise.parameters.items() if default is inspect.Parameter.empty]
    optional = {n: default for n, default in exercise.parameters.items() if n not in required}
    try:
        parameters = inspect.signature(answer)
    except (TypeError, ValueError):  # some built-in functions have none
        return None
    try:
        parameters.bind(*required, **optional)
    except TypeError:
        wanted = ", ".join([*required, *(f"{n}={default}" for n, default in optional.items())])
        called = f"{exercise.name} is called with ({wanted}), but yours takes {parameters}."
        message = f"{called} Keep the parameters of the exercise."
        return Verdict("raised", message)
