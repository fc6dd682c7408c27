"""A mistake costs once: an answer that calls a wrong one of the learner's own is judged with the reference there."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from ..catalogue import EXERCISES
from ..exercise import Exercise, ModuleExercise
from ..outline import ours
from .source import names_called
from .verdict import RIGHT, Verdict

GIVEN = "given_right_parts"  # the property of an answer that is right with right parts, and has wrong ones


class Lent:
    """The reference of an exercise, in the place of what a learner wrote.

    called: whether it was; failed: whether it stopped, as where theirs takes one more parameter.
    """

    def __init__(self, exercise: Exercise):
        self.reference = ours(exercise.name) if exercise.library == "torch" else exercise.reference
        self.called = self.failed = False

    def __call__(self, *inputs, **options):
        self.called = True
        try:
            return self.reference(*inputs, **options)
        except Exception:
            self.failed = True
            raise


def follow_through(
    first: Verdict,
    answer: Any,
    task: Exercise,
    is_right: Callable[[str], bool],
    lending: Callable[[dict[str, Lent]], AbstractContextManager],
    judge: Callable[[], Verdict],
):
    """Return the verdict on a wrong answer by itself: judged once more, with right parts where its own are wrong.

    first: the verdict with the learner's parts; is_right: says so of the learner's function of that name;
    lending: puts references in the place of functions while the answer is judged anew.
    """
    if first.right:
        return first
    lent = {name: Lent(EXERCISES[name]) for name in parts_before(answer, task) if not is_right(name)}
    if not lent:
        return first
    with lending(lent):
        second = judge()
    called = [name for name in lent if lent[name].called]
    return _given(second, called) if called and not any(lent[name].failed for name in called) else first


def parts_before(answer: Any, task: Exercise):
    """Return the names of functions that the answer calls, and that its lesson asks to write before it."""
    if not isinstance(task, Exercise) or not callable(answer):
        return []
    called = names_called(answer)
    before = list(EXERCISES)[: list(EXERCISES).index(task.name)]
    return [name for name in before if name in called and is_lendable(EXERCISES[name], task.lesson)]


def is_lendable(task: Any, lesson: str | None):
    """Say whether a task of this lesson is a function; classes are built on in later lessons alone."""
    return isinstance(task, Exercise) and not isinstance(task, ModuleExercise) and task.lesson == lesson


def _given(verdict, wrong):
    """Return a verdict that says which parts were right only for this."""
    named = " and ".join(f"`{name}`" for name in wrong)
    yours, are = ("yours", "is") if len(wrong) == 1 else ("your own", "are")
    if verdict.right:
        further = verdict.message.removeprefix(RIGHT.message)
        message = f"Right, given a right {named}; {yours} {are} not right yet.{further}"
        return replace(verdict, message=message, property=GIVEN)
    return replace(verdict, message=f"{verdict.message}\n\n{_WITH_RIGHT_ONES.format(named, yours, are)}")


_WITH_RIGHT_ONES = "(Tried with a right {0}: {1} {2} not right yet.)"
