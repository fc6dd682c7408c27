"""What an answer is built of: the learner's other functions, and perhaps ours."""

import dis
from inspect import getclosurevars
from itertools import pairwise
from types import FunctionType

from ..catalogue import EXERCISES, LESSONS
from ..judging.judge import judge
from ..judging.verdict import Verdict
from ..worlds import REFERENCES


def borrowed(answer, task):
    """A Verdict if the answer calls, from mha_ref, what this lesson or a later one asks to write."""
    for function in _parts(answer):
        for name in _named_of_mha_ref(function):
            if name not in EXERCISES or LESSONS.index(EXERCISES[name].lesson) >= LESSONS.index(task.lesson):
                message = f"Your code calls `{name}` from mha_ref, where the course keeps its own. Write it yourself."
                return Verdict("property", message, property="own_work")


def unready_part(answer, task):
    """A Verdict if the answer calls another exercise of the lesson that is not right yet."""
    for part in _parts(answer):
        name = part.__qualname__.rpartition("<locals>.")[2]  # of a method, with its class in front: no exercise
        other = EXERCISES.get(name)
        if other and other is not task and other.lesson == task.lesson and not judge(part, name).right:
            message = f"This calls your `{name}`, which is not right yet. Make that one right first, then come back."
            return Verdict("property", message, property="builds_on_right_parts")


def _parts(answer):
    """The answer and all functions and classes that it names, those of other libraries left out."""
    start = getattr(answer, "func", answer)  # of functools.partial
    found, queue, home = [], [start], getattr(start, "__module__", None)
    while queue:
        part = queue.pop()
        if isinstance(part, CODE) and (_is_ours(part) or part.__module__ == home) and part not in found:
            found.append(part)
            queue += [] if _is_ours(part) else _named_in(part)
    return found


CODE = (FunctionType, type)


def _named_in(part):
    """What a function names; of a class its methods, and the classes it is made from."""
    return [*vars(part).values(), *part.__bases__] if isinstance(part, type) else _variables(part).values()


def _variables(function):
    """The variables from outside that a function names; attributes of the same name are none."""
    try:
        scope = getclosurevars(function)
    except ValueError:  # a name of an outer function that has no value yet
        return {}
    loaded = {step.argval for step in dis.get_instructions(function) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return {**scope.nonlocals, **{name: x for name, x in scope.globals.items() if name in loaded}}


def _is_ours(thing):
    return isinstance(thing, CODE) and str(thing.__module__).startswith("mha_ref")


def _named_of_mha_ref(function):
    """What a function is, or takes as an attribute of the module, of mha_ref's functions."""
    if _is_ours(function):
        return {function.__name__}
    if isinstance(function, type):
        return set()
    modules = {n for n, x in _variables(function).items() if getattr(x, "__name__", "").startswith("mha_ref")}
    modules |= {"heads", "attention", "masks", "weights", "layer"} if modules else set()  # mha_ref.heads.split_heads
    steps = pairwise(dis.get_instructions(function))
    return {b.argval for a, b in steps if a.argval in modules and b.argval in (*REFERENCES, *EXERCISES)}
