"""Print one student's work for `mha show`: marks, times of submissions, and each answer with its card."""

from datetime import datetime
from pathlib import Path

import click
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from ..catalogue import LESSONS
from ..intake.course_folder import autograded_notebook, course, notebook_of
from ..intake.fit import numbers, received_folder
from ..intake.receipts import receipt
from ..intake.students import as_listed, find_student
from ..intake.wording import count, gist, lesson_in_words, points
from ..told import harmless
from .gradebook import scores_of
from .report.reading import BY_HAND, WAITS, rows_of
from .report.table import sign

LONGEST = 5_000  # characters of an answer
SAID_ALREADY = "✓", "–", "↩"  # signs of answers of which the line in the table says enough
IN_WORDS = {WAITS: "Waits for your mark, in formgrader.", BY_HAND: "Marked by hand."}
STYLES = {"✓": "green", "◐": "yellow", "✗": "red", "!": "red"}


def show(asked, lessons=()):
    """Print all lessons of a student, or those that are named."""
    here = course()
    told = as_listed(here.coursedir)
    student = find_student(asked, told)
    handed_in = [lesson for lesson in lessons or LESSONS if _came(here, lesson, student)]
    if not handed_in:
        what = " or ".join(map(lesson_in_words, lessons)) or "any lesson"
        raise click.ClickException(f"{told[student]} has not handed in {what}.")
    screen = Console(highlight=False, markup=False, emoji=False)
    screen.print(Text(harmless(told[student]), style="bold"))
    for lesson in handed_in:
        for part in _of_lesson(here, lesson, student):
            screen.print(part)


def _came(here, lesson, student):
    root = here.coursedir.root
    return bool(receipt(root, lesson, student) or student in here.get_submitted_students(lesson))


def _of_lesson(here, lesson, student):
    rows = _rows(here, lesson, student)
    yield Text()
    yield Rule(Text(lesson_in_words(lesson), style="bold"), align="left")
    for line in _history(here.coursedir.root, lesson, student):
        yield Text(harmless(line), style="dim")
    if not rows:
        return
    yield Text(f"\n{points(sum(row.points for row in rows))} of {points(sum(row.of for row in rows))} points\n")
    yield _table(rows)
    for row in rows:
        if sign(row) not in SAID_ALREADY:
            yield from _answer(row)


def _rows(here, lesson, student):
    """Return a student's Rows; none if the lesson is not graded, or its graded notebook is damaged."""
    try:
        notebook = notebook_of(autograded_notebook(here.coursedir, lesson, student))
        scores = [score for score in scores_of(here.coursedir.db_url, lesson) if score.student == student]
        return rows_of(notebook, scores)
    except (OSError, ValueError, AttributeError):
        return []


def _history(root, lesson, student):
    """Yield sentences: what came when, what was mended, and what prevents grading."""
    noted = receipt(root, lesson, student)
    for number in numbers(root, lesson, student):
        folder = received_folder(root, lesson, student, number)
        counts = " (this one counts)" if str(number) == noted.get("received") else ""
        files = count(sum(file.is_file() for file in Path(folder).rglob("*")), "file")
        when = datetime.fromtimestamp(folder.stat().st_mtime)
        yield f"Submission {number}: {files}, taken in on {when:%Y-%m-%d %H:%M}{counts}"
    if noted.get("time"):
        yield f"Handed in: {noted['time']}"
    if noted.get("late"):
        yield "Late, as the platform says."
    yield from (f"Mended: {sentence}" for sentence in noted.get("mended", ()))
    if noted.get("trouble"):
        yield f"Not graded: {noted['trouble'].removeprefix('not graded: ')}."


def _table(rows):
    table = Table(box=None, pad_edge=False, show_header=False)
    for row in rows:
        mark = f"{points(row.points)} of {points(row.of)}"
        table.add_row(
            Text(sign(row) or "·", style=STYLES.get(sign(row), "")),
            Text(harmless(row.exercise)),
            Text(mark, no_wrap=True),
            Text(harmless(_sentence(row))),
        )
    return table


def _sentence(row):
    if row.reason == "unwritten":
        return "Not written yet."
    return gist(row.message.removeprefix("Right. ")) if row.message else IN_WORDS.get(row.reason, row.reason)


def _answer(row):
    """Yield the title and the code of an answer, and below it what its card says."""
    yield Text(f"\n{sign(row)} {harmless(row.exercise)}", style="bold")
    code = "\n".join(map(harmless, row.code[:LONGEST].expandtabs(4).rstrip().split("\n")))
    yield Padding(Syntax(code, "python", theme="ansi_dark", background_color="default", word_wrap=True), (0, 0, 0, 2))
    for paragraph in filter(None, row.message.split("\n\n")):
        yield Padding(Text(harmless(" ".join(paragraph.split()))), (1, 0, 0, 2))
