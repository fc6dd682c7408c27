"""Judge an answer together with the learner's own functions that it builds on, unless it uses what is not its own."""

import dis
import sys
from contextlib import nullcontext, suppress
from functools import partial
from itertools import pairwise
from types import FunctionType
from weakref import WeakSet

from IPython import get_ipython

from ..catalogue import EXERCISES, lacking
from ..course import installed
from ..exercise import Exercise
from ..judging.follow_through import follow_through, parts_before
from ..judging.judge import judge
from ..judging.running import standing_in
from ..judging.source import is_ours, names_used, packages_used, parts_of, variables_around, variables_of
from ..judging.time_limits import no_longer_than
from ..judging.verdict import ENDS, Verdict
from ..outline import ours, outline
from . import journal
from .own_parts import FILES

REFERENCE = outline().reference
PATIENCE = 3.0  # seconds for the parts of an answer that did not come back, and for the answer without them
YOURSELF = "This exercise asks you to write it yourself"

_endless = WeakSet()  # answers that did not come back


def borrowed(answer, task):
    """Say so if the answer calls, from the reference, what this lesson or a later one asks to write."""
    for name in (name for function in parts_of(answer) for name in _named_of_reference(function)):
        if name not in EXERCISES or EXERCISES[name].lesson >= task.lesson:
            return f"calls `{name}` from {REFERENCE}, where the course keeps its own. Write it yourself."


def _named_of_reference(function):
    """Return the functions of the reference that a function is, or takes as attributes of a module."""
    if is_ours(function):
        return {function.__name__}
    if isinstance(function, type):
        return set()
    modules = {n for n, x in variables_of(function).items() if getattr(x, "__name__", "").startswith(REFERENCE)}
    if modules:  # these may lead to functions, as in reference.module.function
        modules |= {name.rpartition(".")[2] for name in sys.modules if name.startswith(f"{REFERENCE}.")}
    steps, ours = pairwise(dis.get_instructions(function)), {*installed().versions.right, *EXERCISES}
    return {b.argval for a, b in steps if a.argval in modules and b.argval in ours}


def ready_made(answer, task):
    """Say so if the answer uses a library that its lesson does without."""
    used = packages_used(answer) if callable(answer) else ()
    for library in (library for library in lacking(task.lesson) if library in used and not library_here(task)):
        return f"uses {library}. {YOURSELF}, in NumPy: {library} is not there when it is graded."


def forbidden(answer, task):
    """Say so if the answer uses a function, or a class, that does the whole exercise."""
    forbids = getattr(task, "forbids", ())
    used = names_used(answer) if forbids else ()
    for name in (name for name in forbids if name in used):
        return f"uses `{name}`, which does all of this at once. {YOURSELF}."


def not_own(answer, task, looks=(borrowed, ready_made, forbidden)):
    """Return a Verdict if the answer uses what it should not, since that does what the exercise asks to write."""
    used = next(filter(None, (look(answer, task) for look in looks)), None)
    return used and Verdict("property", f"Your code {used}", property="own_work")


def judge_with_own_parts(answer, task):
    """Judge an answer, and a wrong one by itself: with the reference in the place of its own wrong parts.

    A part that is known not to come back is not called again. Parts of earlier lessons are the reference's here.
    """
    variables = variables_around(answer)
    parts = {name: thing for name, thing in variables.items() if isinstance(thing, (FunctionType, type))}
    earlier = {n: ours(part.__name__) for n, part in parts.items() if f"{part.__module__}.py" in FILES.values()}
    with standing_in(earlier, variables):
        return _judge_and_follow_through(answer, task, variables, library_here(task))


def _judge_and_follow_through(answer, task, variables, library):
    def is_right(name):
        part = variables.get(name)
        return part is not None and not _is_endless(part) and judge_with_own_parts(part, EXERCISES[name]).right

    endless = [name for name in parts_before(answer, task) if _is_endless(variables.get(name))]
    if endless:
        waits = f"This calls your `{endless[0]}`, which did not come back. Make that one right first."
        first = Verdict("raised", waits)
    else:
        first = judge(answer, task, library=library)
    with no_longer_than(PATIENCE) if first.property == ENDS else nullcontext():
        lend, again = partial(standing_in, variables=variables), partial(judge, answer, task, library=library)
        verdict = follow_through(first, answer, task, is_right=is_right, lending=lend, judge=again)
    if verdict.property == ENDS:
        with suppress(TypeError):  # what is neither a function nor a class
            _endless.add(answer)
    return verdict


def library_here(task):
    """Return "torch" for what was written for NumPy and is asked again in a lesson in torch, else None.

    Where the folder does not say which lesson this is, as in Colab, it is one in torch if it has imported that.
    """
    here = journal.lesson_here()
    in_torch = not lacking(here) if here else "torch" in getattr(get_ipython(), "user_ns", {})
    return "torch" if in_torch and isinstance(task, Exercise) and lacking(task.lesson) else None


def _is_endless(part):
    return any(part is endless for endless in _endless)
