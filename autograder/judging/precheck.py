"""What can be said about an answer before it runs."""

import inspect
from typing import Any

from ..exercise import Exercise, ModuleExercise
from .asking import required
from .source import handle_of, is_stub
from .verdict import Verdict


def unfit(answer: Any, exercise: Exercise) -> Verdict | None:
    """Return a Verdict if an answer is no function or class, is not written, or has other parameters."""
    name = exercise.name
    if answer is ... or is_stub(answer):
        return Verdict("unwritten", f"{name} is not written yet.")
    if handle_of(answer) and handle_of(answer).missing:
        return Verdict("type", _STAYED_BEHIND.format(name, handle_of(answer).missing))
    if isinstance(exercise, ModuleExercise):
        return _unfit_class(answer, exercise)
    if isinstance(answer, type):
        return Verdict("type", f"{name} should be a function; yours is a class. Begin with `def {name}(...)`.")
    if not callable(answer):
        kind = type(answer).__name__
        return Verdict("type", f"{name} should be a function; yours is of type {kind}. Was a result given its name?")
    return _other_parameters(answer, name, exercise.parameters)


_STAYED_BEHIND = (
    "Your `{0}` is imported from `{1}`, and there is no `{1}` where answers are graded: no files that lie beside the "
    "notebook are there, and no packages that the course does without. Write the code into the cell itself."
)


def _unfit_class(answer, exercise):
    if not isinstance(answer, type):
        kind = "a function" if inspect.isfunction(answer) else f"of type {type(answer).__name__}"
        message = f"{exercise.name} should be a class; yours is {kind}. Begin with `class {exercise.name}(nn.Module):`."
        return Verdict("type", message)
    for method in ("__init__", "forward"):
        if not _has_own(answer, method):
            return Verdict("raised", _missing_method(answer, method))
    return _other_signature(answer, exercise.name, exercise.constructor) or _other_signature(
        answer.forward, f"`forward` of {exercise.name}", exercise.forward
    )


def _has_own(layer_class, method):
    """Say whether the class, or one of its bases, defines the method; torch's own do not count."""
    owner = next(part for part in layer_class.__mro__ if method in vars(part))
    return callable(getattr(layer_class, method)) and owner.__module__ not in ("torch.nn.modules.module", "builtins")


def _missing_method(layer_class, method):
    found = ", ".join(f"`{name}`" for name, x in vars(layer_class).items() if inspect.isfunction(x)) or "none"
    advice = "Look at spelling (there are two underscores on each side of `init`) and at indentation."
    return f"Your class has no method `{method}`. The methods that it has: {found}. {advice}"


def _other_signature(answer, name, wanted):
    """Describe parameters that differ from those wanted, in names, order or defaults."""
    taken = inspect.signature(answer)
    named = {n: p for n, p in taken.parameters.items() if n in wanted.parameters}
    try:
        optional = [n for n, p in wanted.parameters.items() if p.default is not p.empty]
        taken.bind(*[n for n in wanted.parameters if n not in optional], **dict.fromkeys(optional))
        fits = list(named) == [n for n in wanted.parameters if n in named]
    except TypeError:
        fits = False
    if not fits:
        return Verdict("raised", f"{name} should take {wanted}, but yours takes {taken}. Keep names and order.")
    differing = next((n for n, p in named.items() if p.default != wanted.parameters[n].default), None)
    if differing:
        return Verdict("raised", f"{name} should take {wanted}, but yours takes {taken}: look at `{differing}`.")


def _other_parameters(answer, name, parameters):
    positional = required(parameters)
    optional = {n: default for n, default in parameters.items() if n not in positional}
    try:
        taken = inspect.signature(answer)
    except (TypeError, ValueError):  # some built-in functions have none
        return None
    try:
        taken.bind(*positional, **optional)
    except TypeError:
        wanted = ", ".join([*positional, *(f"{n}={default}" for n, default in optional.items())])
        called = f"{name} is called with ({wanted}), but yours takes {taken}."
        message = f"{called} Keep the parameters of the exercise."
        return Verdict("raised", message)
