"""What an answer builds on: the learner's other functions, and perhaps ours."""

import dis
import re
import sys
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from weakref import WeakSet

from ..catalogue import EXERCISES, lacking
from ..course import installed
from ..judging.judge import judge
from ..judging.source import is_ours, names_used, packages_used, parts_of, variables_of
from ..judging.verdict import BUILT_ON, Verdict
from ..outline import outline

REFERENCE = outline().reference
FIRST = "Make that one right first, then come back."


def borrowed(answer, task):
    """Return a Verdict if the answer calls, from the reference, what this lesson or a later one asks to write."""
    for function in parts_of(answer):
        for name in _named_of_reference(function):
            if name not in EXERCISES or EXERCISES[name].lesson >= task.lesson:
                message = (
                    f"Your code calls `{name}` from {REFERENCE}, where the course keeps its own. Write it yourself."
                )
                return Verdict("property", message, property="own_work")


def ready_made(answer, task):
    """Return a Verdict if the answer uses a library that its lesson does without."""
    used = packages_used(answer) if callable(answer) else ()
    for library in lacking(task.lesson):
        if library in used:
            message = f"Your code uses {library}. {_YOURSELF}, in NumPy: {library} is not there when it is graded."
            return Verdict("property", message, property="own_work")


def forbidden(answer, task):
    """Return a Verdict if the answer uses a function, or a class, that does the whole exercise."""
    forbids = getattr(task, "forbids", ())
    used = names_used(answer) if forbids else ()
    for name in forbids:
        if name in used:
            message = f"Your code uses `{name}`, which does all of this at once. {_YOURSELF}."
            return Verdict("property", message, property="own_work")


_YOURSELF = "This exercise asks you to write it yourself"


def unready_part(answer, task):
    """Return a Verdict if the answer calls another exercise of the lesson that is not right yet."""
    for part in parts_of(answer):
        name = part.__qualname__.rpartition("<locals>.")[2]  # of a method, with its class in front: no exercise
        other = EXERCISES.get(name)
        if other and other is not task and other.lesson == task.lesson and not judge(part, name).right:
            message = f"This calls your `{name}`, which is not right yet. {FIRST}"
            return Verdict("property", message, property=BUILT_ON)


def endless_part(answer, task):
    """Return a Verdict if the answer calls another one that never ended when it was checked: it is not called again."""
    for part in parts_of(answer) if _endless else ():
        if part in _endless and part is not answer:
            message = f"This calls your `{part.__qualname__}`, which did not come back. {FIRST}"
            return Verdict("property", message, property=BUILT_ON)


def note_endless(answer):
    """Remember that an answer did not come back, for as long as there is no other one in its place."""
    with suppress(TypeError):  # what is neither a function nor a class
        _endless.add(answer)


_endless = WeakSet()


def missing_part(verdict, task):
    """Return a Verdict if the answer stopped because another exercise of the lesson, which it calls, does not exist."""
    missing = UNDEFINED.search(verdict.message) if verdict.reason == "raised" else None
    other = missing and EXERCISES.get(missing[1])
    if other and other is not task and other.lesson == task.lesson:
        message = f"This calls your `{other.name}`, and there is none. {_NO_SUCH_PART}"
        return replace(verdict, reason="property", message=message, property=BUILT_ON)


UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
_NO_SUCH_PART = f"Its cell is missing, has not run, or stopped with an error. {FIRST}"


def _named_of_reference(function):
    """Return the functions of the reference that a function is, or takes as attributes of a module."""
    if is_ours(function):
        return {function.__name__}
    if isinstance(function, type):
        return set()
    modules = {n for n, x in variables_of(function).items() if getattr(x, "__name__", "").startswith(REFERENCE)}
    if modules:  # these may lead to functions, as in reference.module.function
        modules |= {name.rpartition(".")[2] for name in sys.modules if name.startswith(f"{REFERENCE}.")}
    steps, ours = pairwise(dis.get_instructions(function)), {*installed().mutants.references, *EXERCISES}
    return {b.argval for a, b in steps if a.argval in modules and b.argval in ours}
