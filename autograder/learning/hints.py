"""hint: up to three, for what the last check found, or else for the exercise."""

from collections import Counter, defaultdict

from ..catalogue import EXERCISES
from ..exercise import TestWriting
from . import journal
from .card import Card
from .code import Code
from .naming import name_and_answer
from .own_numbers import as_asked

_found = {}  # task -> the misconception that its last check found, if there are hints against it
_given = defaultdict(Counter)  # task -> misconception, or "" for the task itself -> how many of its hints were given
_checked = {}  # task -> whether its last check was right; the last one checked comes last


def hint(answer=None, /, **named):
    """Show the hints for an exercise, one more each time: the concept, the place, the line; never the answer.

    After a check that named a mistake, they are about that mistake.
    Without an argument they are for what was tried last.
    """
    name = name_and_answer(answer, named)[0] if named or answer is not None else _tried_last()
    if name is None:
        return Card("hint", "For which exercise?", f"{_last_was_right()}Name it in quotes, for example {_example()}.")
    about, hints = _topic(as_asked(EXERCISES[name]))
    if not hints:
        return Card("hint", f"There are no hints for {name}", "What you need is just above it.")
    number = _given[name][about] = min(_given[name][about] + 1, len(hints))
    journal.note("hint", name, about=about, number=number)
    return _hint_card(name, number, hints, about and "for what the last check found")


def _hint_card(name, number, hints, about):
    """Show the hints so far in their order and, with the last one, how to read the solution."""
    title = f"Hint {number} of {len(hints)} for {name}{about and f': {about}'}"
    text = "\n\n".join(f"*Hint {n}.* {hints[n - 1]}" for n in range(1, number + 1)) if number > 1 else hints[0]
    offer = (OFFER, Code(f'solution("{name}", anyway=True)'))
    return Card("hint", title, text, blocks=(offer,) if number == len(hints) else ())


OFFER = "This was the last hint. To read our solution, run this in a cell of your own:"


def _tried_last():
    """Return the task that was checked last and is not right yet, in this notebook or else in the journal, or None."""
    if _checked:
        name, right = [*_checked.items()][-1]
        return None if right else name
    done = journal.tasks("done")
    tried = [entry["task"] for entry in journal.entries() if entry["what"] == "tried" and entry["task"] in EXERCISES]
    return next((name for name in reversed(tried) if name not in done), None)


def _last_was_right():
    return f"Your last answer, `{[*_checked][-1]}`, is right. " if _checked else ""


def _example():
    """Return a call for a task that is still to do, if there is one in the lesson of the last check."""
    lesson = EXERCISES[[*_checked][-1]].lesson if _checked else None
    to_do = (name for name, task in EXERCISES.items() if task.lesson == lesson and not _checked.get(name))
    return f'`hint("{next(to_do, next(iter(EXERCISES)))}")`'


def unread(task):
    """Return how many hints of a task are left."""
    about, hints = _topic(task)
    return len(hints) - _given[task.name][about]


def _topic(task):
    """Return the mistake that the last check found with its hints, or else "" with the task's own hints."""
    mistake = _found.get(task.name)
    return (mistake.name, mistake.hints) if mistake else ("", task.hints)


def diagnosed(task, verdict):
    """Note what a check found. The same mistake goes on with its next hint; another one begins with its first."""
    _checked.pop(task.name, None)
    _checked[task.name] = verdict.right
    mistake = verdict.misconception if getattr(verdict.misconception, "hints", ()) else None
    if isinstance(task, TestWriting):  # the mistake is that of a version which the test has missed
        mistake = None
    _found[task.name] = mistake
    if mistake:
        for other in _given[task.name].keys() - {"", mistake.name}:
            del _given[task.name][other]
