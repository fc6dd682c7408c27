"""Print `mha status`: a row for each lesson, or for each student of one, and the commands that are due."""

import click
from rich.table import Table
from rich.text import Text

from ..catalogue import LESSONS
from ..intake.course_folder import course
from ..intake.progress_output import console
from ..intake.wording import count, lesson_in_words, points
from ..told import harmless
from .standing import MADE, standings

STYLES = "", "yellow", "yellow", "bold red"
COLUMNS = "handed in", "graded", "cannot be graded", "wait for your mark", "fed back", "handed in nothing"


def status(lesson=None):
    """Print the table of a lesson, or of all that were handed in, and the commands that are due."""
    here = course()
    lessons = [lesson] if lesson else LESSONS
    all_found = {name: standings(here, name) for name in lessons}
    found = {name: there for name, there in all_found.items() if any(one.came for one in there)}
    if not found:
        what = lesson_in_words(lesson) if lesson else "any lesson"
        raise click.ClickException(f"There are no submissions of {what} yet: `mha collect` takes them in.")
    screen = console()
    screen.print(_of_students(found[lesson]) if lesson else _of_lessons(found))
    screen.print()
    for name, there in found.items():
        for sentence in _to_do(name, there):
            screen.print(Text(sentence))


def _of_lessons(found):
    table = Table("lesson", box=None, pad_edge=False, header_style="dim")
    for title in COLUMNS:
        table.add_column(title, justify="right")
    for lesson, there in found.items():
        numbers = map(len, _counted(there))
        table.add_row(lesson_in_words(lesson), *(str(number or "·") for number in numbers))
    return table


def _counted(there):
    """Return the counts in the order of the columns."""
    came = [one for one in there if one.came]
    graded = [one for one in came if one.graded]
    troubles = [one for one in came if one.trouble]
    waiting = [one for one in graded if one.waits]
    fed_back = [one for one in graded if one.feedback == MADE]
    return came, graded, troubles, waiting, fed_back, [one for one in there if not one.came and not one.excused]


def _of_students(there):
    """Return a table with a row for each student; those with something to do come last, where they are in sight."""
    table = Table("student", "", box=None, pad_edge=False, header_style="dim")
    table.add_column("points", justify="right")
    table.add_column("feedback")
    for one in sorted(there, key=lambda one: (_rank(one), one.whom)):
        mark = f"{points(one.graded[0])} of {points(one.graded[1])}" if one.graded else ""
        cells = (Text(harmless(cell)) for cell in (one.whom, _state(one), mark, one.feedback))
        table.add_row(*cells, style=STYLES[_rank(one)])
    return table


def _rank(one):
    """Return 0 for done, 1 for to be marked or graded, 2 for nothing handed in, 3 for something wrong."""
    if one.trouble:
        return 3
    if not one.came:
        return 0 if one.excused else 2
    return int(one.waits or not one.graded)


def _state(one):
    """Return in words how far the work is."""
    if not one.came:
        return "excused" if one.excused else "handed in nothing"
    state = one.trouble or ("not graded yet" if not one.graded else "waits for your mark" if one.waits else "graded")
    return f"{state}, late" if one.late else state


def _to_do(lesson, there):
    """Return the commands that come next."""
    came, graded, troubles, waiting, fed_back, _ = map(len, _counted(there))
    number = lesson.split("_")[1]
    if came - graded - troubles:
        yield f"Lesson {number}: {came - graded - troubles} to grade, with mha grade {number}"
    if waiting:
        yield f"Lesson {number}: {waiting} to mark by hand, in formgrader (mha lab --teach)"
    if graded - fed_back:
        yield f"Lesson {number}: {count(graded - fed_back, 'page')} of feedback to make, with mha feedback {number}"
