"""hint: the next of three, for what the last check found, or else for the exercise."""

from collections import Counter, defaultdict

from ..catalogue import EXERCISES
from ..exercise import TestWriting
from . import journal
from .card import Card, hint_card
from .naming import name_and_answer
from .own_numbers import as_asked

_found = {}  # task -> the misconception that its last check found, if there are hints against it
_given = defaultdict(Counter)  # task -> misconception, or "" for the task itself -> how many of its hints were given


def hint(answer=None, /, **named):
    """Show the next of the hints for an exercise: the concept, the place, the line; never the answer.

    After a check that named a mistake, they are about that mistake.
    """
    name, _ = name_and_answer(answer, named)
    about, hints = _topic(as_asked(EXERCISES[name]))
    if not hints:
        return Card("hint", f"There are no hints for {name}", "What you need stands just above it.")
    number = _given[name][about] = min(_given[name][about] + 1, len(hints))
    journal.note("hint", name, about=about, number=number)
    return hint_card(name, number, len(hints), hints[number - 1], about and "for what the last check found")


def unread(task):
    """How many hints are left."""
    about, hints = _topic(task)
    return len(hints) - _given[task.name][about]


def _topic(task):
    """The mistake that the last check found, by name, and the hints against it; else "", and the task's own."""
    mistake = _found.get(task.name)
    return (mistake.name, mistake.hints) if mistake else ("", task.hints)


def diagnosed(task, verdict):
    """What a check found. The same mistake goes on where it was; those that are gone begin anew if they come back."""
    mistake = verdict.misconception if getattr(verdict.misconception, "hints", ()) else None
    if isinstance(task, TestWriting):  # the mistake is that of a version which the test has missed
        mistake = None
    _found[task.name] = mistake
    if mistake:
        for other in _given[task.name].keys() - {"", mistake.name}:
            del _given[task.name][other]
