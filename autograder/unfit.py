"""What can be said of an answer before it runs."""

import dis
import inspect

from .exercise import ModuleExercise
from .verdict import Verdict


def unfit(answer, exercise):
    """Not a function (or class), not written, or with other parameters."""
    name = exercise.name
    if answer is ... or is_stub(answer):
        return Verdict("unwritten", f"{name} is not written yet.")
    if isinstance(exercise, ModuleExercise):
        return _unfit_class(answer, exercise)
    if isinstance(answer, type):
        return Verdict("type", f"{name} should be a function; yours is a class. Begin with `def {name}(...)`.")
    if not callable(answer):
        kind = type(answer).__name__
        return Verdict("type", f"{name} should be a function; yours is of type {kind}. Was a result given its name?")
    return _other_parameters(answer, name, exercise.parameters)


def _unfit_class(answer, exercise):
    if not isinstance(answer, type):
        kind = "a function" if inspect.isfunction(answer) else f"of type {type(answer).__name__}"
        message = f"{exercise.name} should be a class; yours is {kind}. Begin with `class {exercise.name}(nn.Module):`."
        return Verdict("type", message)
    sizes = dict.fromkeys([*exercise.sizes, *(["dropout"] if exercise.dropout else [])], inspect.Parameter.empty)
    forward = dict(self=inspect.Parameter.empty) | exercise.forward_parameters
    return _other_parameters(answer, exercise.name, sizes, by_name=True) or _other_parameters(
        answer.forward, f"forward of {exercise.name}", forward
    )


# All that a body needs which holds nothing, or raises NotImplementedError.
EMPTY = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}
EMPTY |= {"LOAD_GLOBAL", "PUSH_NULL", "PRECALL", "CALL", "RAISE_VARARGS"}


def is_stub(function):
    """Whether a function, or a class' forward, holds nothing: a docstring, `pass`, dots, raise NotImplementedError."""
    if isinstance(function, type):
        function = getattr(function, "forward", None)
        if getattr(function, "__name__", "") == "_forward_unimplemented":  # torch's own
            return True
    code = getattr(function, "__code__", None)
    if code is None or set(code.co_names) - {"NotImplementedError"}:
        return False
    steps = {step.opname for step in dis.get_instructions(code)}
    return steps <= EMPTY and all(const in (None, ...) or isinstance(const, str) for const in code.co_consts)


def _other_parameters(answer, name, parameters, by_name=False):
    required = [n for n, default in parameters.items() if default is inspect.Parameter.empty]
    optional = {n: default for n, default in parameters.items() if n not in required}
    try:
        taken = inspect.signature(answer)
    except (TypeError, ValueError):  # some built-in functions have none
        return None
    try:
        taken.bind(**dict.fromkeys(required)) if by_name else taken.bind(*required, **optional)
    except TypeError:
        wanted = ", ".join([*required, *(f"{n}={default}" for n, default in optional.items())])
        called = f"{name} is called with ({wanted}), but yours takes {taken}."
        message = f"{called} Keep the parameters of the exercise."
        return Verdict("raised", message)
