"""Count misconceptions: who shows each of them, and who has recovered; and begin those that have no name yet."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from inspect import Parameter
from pathlib import Path

from jinja2 import Template

from ..catalogue import EXERCISES
from ..exercise import Exercise
from ..judging.recognition import SECOND
from ..outline import outline
from ..question import Ordering, Question
from .counting import TELL, kind_of
from .gradebook import grouped


@dataclass(frozen=True)
class Shown:
    """One misconception in the answers to one exercise.

    students: who shows it, of how many; message: what most of them read.
    later: exercises further on; compared: who of them has answered one of these; recovered: who has one of them right.
    """

    exercise: str
    name: str
    students: tuple
    of: int
    message: str
    later: tuple = ()
    compared: tuple = ()
    recovered: tuple = ()


def shown(rows, is_right, later):
    """Return exercise -> its misconceptions, the most frequent first.

    is_right: (student, exercise) -> whether that answer is right, in this lesson and in later ones.
    later: a function; of an exercise and a misconception, those further on that are built on the same step.
    """
    found = {}
    for exercise, some in grouped(rows, lambda row: row.exercise).items():
        names = dict.fromkeys(name for row in some for name in (row.misconception, row.also) if name)
        each = [_shown(name, some, later(exercise, name), is_right) for name in names]
        if each:
            found[exercise] = sorted(each, key=lambda one: -len(one.students))
    return found


def _shown(name, rows, later, is_right):
    who = [row for row in rows if name in (row.misconception, row.also)]
    students = tuple(row.student for row in who)
    later = tuple(exercise for exercise in later if any((student, exercise) in is_right for student in students))
    compared = tuple(student for student in students if any((student, e) in is_right for e in later))
    recovered = tuple(student for student in compared if any(is_right.get((student, e)) for e in later))
    # A card may name two at once; the message is what most of them read about this one.
    said = Counter(row.message.partition(SECOND)[2 if name == row.also else 0].strip() for row in who)
    message = said.most_common(1)[0][0]
    return Shown(rows[0].exercise, name, students, len(rows), message, later, compared, recovered)


def right_or_wrong(rows):
    """Return (student, exercise) -> whether it is right, where that shows what they have understood."""
    return {(row.student, row.exercise): row.reason == "right" for row in rows if kind_of(row) in TELL}


def since(rows, here):
    """Return misconceptions from earlier lessons that can be compared with these rows, the most compared first."""
    found = shown(rows, right_or_wrong(here), later_exercises).values()
    compared = (one for some in found for one in some if one.compared)
    return sorted(compared, key=lambda one: -len(one.compared))


def later_exercises(exercise, misconception):
    """Return the later exercises that build on the step which the misconception is about."""
    names = list(EXERCISES)
    further_on = names[names.index(exercise) + 1 :] if exercise in EXERCISES else ()
    return [name for name in further_on if misconception in _misconceptions(name)]


@cache
def _misconceptions(name):
    task = EXERCISES[name]
    return frozenset(m.name for m in task.mistakes) if isinstance(task, Exercise) else frozenset()


COMES_OUT = "shape", "values", "property"  # reasons of answers that are known by what comes out of them
NOT_BY_RESULTS = "own_work", "same_input_same_result", "memory_makes_no_difference"  # by something else


def skeleton(row):
    """Return how to name a wrong answer; "" for a test, and where no result could identify the mistake."""
    task = EXERCISES.get(row.exercise)
    task = task.exercise if isinstance(task, Ordering) else task
    if row.reason not in COMES_OUT or row.property in NOT_BY_RESULTS or not isinstance(task, (Exercise, Question)):
        return ""
    parameters = ", ".join(
        name if default is Parameter.empty else f"{name}={default!r}"
        for name, default in getattr(task, "parameters", {}).items()
    )
    lines = Template((Path(__file__).parent / "templates" / "report" / "new_name.txt").read_text(encoding="utf-8"))
    answer, is_question = row.alike or "...", isinstance(task, Question)
    return lines.render(task=task, course=outline(), parameters=parameters, answer=answer, is_question=is_question)
