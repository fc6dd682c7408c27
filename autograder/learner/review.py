"""`mha review`: what lessons ask without marks, asked again in a terminal when it is due.

What was right comes again after a day, then after 3, 7 and 21 days; what was wrong begins anew.
"""

import json
from ast import literal_eval
from collections import Counter
from contextlib import chdir, nullcontext, suppress
from datetime import date, timedelta

import click

from ..catalogue import EXERCISES
from ..environment import need
from ..judging.judge import judge
from ..outline import outline
from ..question import Question, as_asked
from . import journal

DAYS = 1, 3, 7, 21  # after the first right answer in a row, the second, the third, and each later one
AT_ONCE = 10
NOTHING = "There is nothing to ask yet: questions come from lessons that you have begun.", "\nNothing was answered."
ALONE = "remember_"  # such a question needs no page around it, and is asked even if it was never answered


def due_dates():
    """Return question -> the day on which it comes again, the longest overdue first."""
    begun, known = {}, {}  # lesson -> its first day; task -> its last day, and how often it was right in a row
    for entry in journal.entries():
        if entry["what"] in ("done", "tried", "reviewed") and entry["task"] in EXERCISES:
            with suppress(KeyError, TypeError, ValueError):  # a damaged line has no day
                name, day = entry["task"], date.fromisoformat(entry["when"][:10])
                right = entry.get("right", entry["what"] == "done")
                begun.setdefault(EXERCISES[name].lesson, day)
                known[name] = day, known.get(name, (day, 0))[1] + 1 if right else 0
    days = {}
    for name, task in EXERCISES.items():
        if name.startswith(ALONE) and task.lesson in begun:
            known.setdefault(name, (begun[task.lesson], 0))
        if name in known and isinstance(task, Question) and not task.points and name not in outline().entry:
            day, right_in_a_row = known[name]
            days[name] = day + timedelta(DAYS[max(0, min(right_in_a_row, len(DAYS)) - 1)])
    return dict(sorted(days.items(), key=lambda item: item[1]))


def due():
    """Return the names of the questions that are due."""
    return [name for name, day in due_dates().items() if day <= journal.now().date()]


def review(released, mine):
    """Ask what is due, ten at once. The folders are those of the lessons, and of the learner's copies."""
    need("rich")
    with chdir(mine) if mine.is_dir() else nullcontext():  # an older course kept the journal there
        names, answers = due()[:AT_ONCE], {}
        if names:
            click.echo(f"Questions: {len(names)}. Press Enter where you do not know, and Ctrl-C to stop.")
        with suppress(click.Abort):
            for name in names:
                answers[name] = ask(name, released / EXERCISES[name].lesson)
        click.echo(_outlook(answers))


def ask(name, folder):
    """Ask a question, show what the judge says of the answer, and note and return whether it was right."""
    with chdir(folder):  # where a kit has numbers of one's own
        question = as_asked(EXERCISES[name])
    text, form = _text_and_form(folder / f"{folder.name}.ipynb", name)
    _show(f"---\n{text}")
    while (verdict := judge(_typed(form), question)).reason == "type":  # a word for a number, say: no answer yet
        click.echo(verdict.message)
    journal.write(dict(what="reviewed", task=name, right=verdict.right), allowed=True)
    known = verdict.right or verdict.misconception or not question.hints
    _show(verdict.message if known else f"Not yet. {question.hints[0]}")
    return verdict.right


def _text_and_form(notebook, name):
    """Return the text of a question, and what its cell says of the form of the answer."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    here = next(n for n, cell in enumerate(cells) if cell["metadata"].get("nbgrader", {}).get("grade_id") == name)
    above = here
    while above and cells[above - 1]["cell_type"] == "markdown":
        above -= 1
    text = "\n\n".join("".join(cell["source"]) for cell in cells[above:here]).replace("$", "")
    begin = max(text.rfind("**From lesson"), text.rfind("## "), 0)
    return text[begin:], "".join(cells[here]["source"]).partition("\n")[0].partition("#")[2].strip()


def _show(text):
    from rich.console import Console  # here: `progress()` only counts what is due
    from rich.markdown import Markdown

    Console(width=min(Console().width, 88)).print("", Markdown(text))


def _typed(form):
    """Return an answer as Python reads it: nothing as three dots, and a word without quotes as a text."""
    typed = click.prompt(f"\n{form or 'Your answer'}", default="", show_default=False).strip()
    try:
        return literal_eval(typed) if typed else ...
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return typed


def _outlook(answers):
    """Say in a line how it went, and what comes when."""
    days, today = due_dates(), journal.now().date()
    if not answers:
        return f"Nothing is due before {min(days.values()):%d %B}." if days and not due() else NOTHING[bool(days)]
    again = sorted(Counter((days[name] - today).days for name in answers).items())
    coming = ", ".join(f"{number} {'tomorrow' if left == 1 else f'in {left} days'}" for left, number in again)
    more = f" Still due: {len(due())}." if due() else ""
    return f"\n{sum(answers.values())} of {len(answers)} right. They come again: {coming}.{more}"
