"""What an answer builds on: the learner's other functions, and perhaps ours."""

import dis
import sys
from contextlib import nullcontext, suppress
from itertools import pairwise
from weakref import WeakSet

from ..catalogue import EXERCISES, lacking
from ..course import installed
from ..judging.follow_through import follow_through, parts_before
from ..judging.judge import judge
from ..judging.source import is_ours, names_used, packages_used, parts_of, variables_around, variables_of
from ..judging.stand_ins import standing_in
from ..judging.time_limits import no_longer_than
from ..judging.verdict import ENDS, Verdict
from ..outline import outline

REFERENCE = outline().reference
PATIENCE = 3.0  # seconds for the parts of an answer that did not come back, and for the answer without them


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


def judged(answer, task):
    """Judge an answer, and a wrong one by itself: with the reference in the place of its own wrong parts.

    A part that is known not to come back is not called again.
    """
    variables = variables_around(answer)
    endless = [name for name in parts_before(answer, task) if _is_endless(variables.get(name))]
    first = _waits_for(endless[0]) if endless else judge(answer, task)
    is_over = first.property == ENDS
    with no_longer_than(PATIENCE) if is_over else nullcontext():
        verdict = follow_through(
            first,
            answer,
            task,
            is_right=lambda name: _is_right(name, variables),
            lending=lambda lent: standing_in(lent, variables),
            judge=lambda: judge(answer, task),
        )
    if verdict.property == ENDS:
        _note_endless(answer)
    return verdict


def _is_right(name, variables):
    part = variables.get(name)
    return part is not None and not _is_endless(part) and judged(part, EXERCISES[name]).right


def _waits_for(name):
    return Verdict("raised", f"This calls your `{name}`, which did not come back. Make that one right first.")


def _is_endless(part):
    return any(part is endless for endless in _endless)


def _note_endless(answer):
    """Remember that an answer did not come back, for as long as there is no other one in its place."""
    with suppress(TypeError):  # what is neither a function nor a class
        _endless.add(answer)


_endless = WeakSet()


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
