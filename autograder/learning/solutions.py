"""solution: ours, once the exercise was passed, or on request."""

import re

from ..catalogue import EXERCISES
from ..course import installed
from ..exercise import Question
from . import journal
from .card import Card
from .code import Code
from .hints import unread
from .naming import name_and_answer
from .own_numbers import as_asked

REREAD = "Progress says that you read it. Write it again from memory, in your own way, and it is yours."


def solution(answer=None, /, *, anyway=False, **named):
    """Show our solution of an exercise that you have passed; `anyway=True` shows it before, too."""
    name, _ = name_and_answer(answer, named)
    task, passed = as_asked(EXERCISES[name]), name in journal.tasks("done")
    if not (passed or anyway):
        return _not_yet(task)
    code = _code_of(task)
    if code is None:
        return Card("waiting", f"The solution of {name} is not here", "It is in the folder `solutions/` of the course.")
    if not passed:
        journal.note("solution", name)
    text = task.hints[-1] if isinstance(task, Question) and task.hints else "One way of several: yours may differ."
    return Card(
        "hint", f"Our solution of {name}", text if passed else f"{text}\n\n{REREAD}", blocks=(("Ours", Code(code)),)
    )


def lesson_text(lesson):
    """Return the text that a lesson is made from, or "" where the solutions are not at hand."""
    file = installed().text(lesson)
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _not_yet(task):
    """Say how far the learner is, and how to see the solution all the same."""
    state = "not right yet" if task.name in journal.tasks("tried") else "not tried yet"
    left = unread(task)
    number = "1 hint is" if left == 1 else f"{left} hints are"
    hints = f'{number} left: `hint("{task.name}")` gives the next one.\n\n' if left else ""
    text = f'{hints}Would you rather read our solution now? `solution("{task.name}", anyway=True)` shows it.'
    return Card("waiting", f"○ {task.name} is {state}", text)


def _code_of(task):
    """Return the answer to a question, or our cell as one would write it; None where it is not at hand."""
    if isinstance(task, Question):
        value = task.answer.item() if hasattr(task.answer, "item") else task.answer
        return f"{task.name} = {value!r}"
    cell = re.search(rf'^# %% exercise="{task.name}"\n(.*?)(?=\n# %%|\Z)', lesson_text(task.lesson), re.S | re.M)
    return cell and _code_alone(cell[1])


def _code_alone(cell):
    """Return the code of a cell without docstrings, and without what the build and the stub need."""
    without_docstrings = re.sub(r'\n *""".*?"""\n(\n(?= ))?', "\n", cell, flags=re.S)
    without_marks = re.sub(r" *### (BEGIN|END) SOLUTION\n?", "", without_docstrings)
    return re.sub(r"^\w+ = \.\.\..*\n", "", without_marks).strip()
