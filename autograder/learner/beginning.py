"""where_to_begin(): which lesson suits somebody who knows a part already, by a test in the first lesson.

course.toml lists the test's tasks, each with the lesson that teaches what it asks.
"""

from dataclasses import dataclass

from ..catalogue import EXERCISES, LESSONS
from ..outline import outline
from . import journal
from .card import Card
from .progress import linked, title


@dataclass(frozen=True, repr=False)
class Beginning(Card):
    """A card that names a lesson, and links to it."""

    lesson: str = ""

    def _repr_html_(self):
        return linked(super()._repr_html_(), self.lesson)


def where_to_begin():
    """Say which lesson to begin with: the first that teaches something which is not right in the test."""
    asked, done = outline().entry, journal.tasks("done")
    if not any(task in done | journal.tasks("tried") for task in asked if not EXERCISES[task].points):
        return Card("waiting", "○ Where to begin: no question is answered yet", "You may leave the test out.")
    missed = [task for task in asked if task not in done]
    known = sorted({*asked.values()} - {asked[task] for task in missed})
    lesson = asked[missed[0]] if missed else [*outline().parts.values()][-1]
    journal.note("begin", lesson=lesson if known else LESSONS[0])  # where `mha lab` opens
    return Beginning("hint", f"Begin with lesson {title(lesson)}", _why(missed, known, lesson), lesson=lesson)


def _why(missed, known, lesson):
    """Return what the test found, in sentences."""
    asked = outline().entry
    found = f"Right: {len(asked) - len(missed)} of {len(asked)}."
    if missed:
        listed = ", ".join(f"`{task}` (lesson {_number(asked[task])})" for task in missed)
        found += f" Not right, or left out: {listed}."
    if not known:
        return f"{found}\n\nThe page that you are on leads there: read it first."
    skip = f"You may skip lessons {', '.join(map(_number, known))}: all that the test asks of them was right."
    return f"{found}\n\n{skip}\n\n`mha lab` opens lesson {_number(lesson)} the next time."


def _number(lesson):
    return title(lesson).partition(" ")[0]
