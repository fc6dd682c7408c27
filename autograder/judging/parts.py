"""What a function is built of."""

import dis
from inspect import getclosurevars
from types import FunctionType

from .handle import handle_of

CODE = (FunctionType, type)


def parts_of(answer):
    """The answer and all functions and classes that it names, those of other libraries left out."""
    if handle_of(answer):
        return [answer, *handle_of(answer).look("parts")]
    start = getattr(answer, "func", answer)  # of functools.partial
    found, queue, home = [], [start], getattr(start, "__module__", None)
    while queue:
        part = queue.pop()
        if isinstance(part, CODE) and (is_ours(part) or part.__module__ == home) and part not in found:
            found.append(part)
            queue += [] if is_ours(part) else _named_in(part)
    return found


def _named_in(part):
    """What a function names; of a class its methods, and the classes it is made from."""
    return [*vars(part).values(), *part.__bases__] if isinstance(part, type) else variables_of(part).values()


def variables_of(function):
    """The variables from outside that a function names; attributes of the same name are none."""
    try:
        scope = getclosurevars(function)
    except ValueError:  # a name of an outer function that has no value yet
        return {}
    loaded = {step.argval for step in dis.get_instructions(function) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return {**scope.nonlocals, **{name: x for name, x in scope.globals.items() if name in loaded}}


def is_ours(thing):
    return isinstance(thing, CODE) and str(thing.__module__).startswith("mha_ref")
