"""The reports of a course as files: a page, and tables of points, of answers and of misconceptions."""

import csv
from functools import cache, partial
from io import StringIO
from pathlib import Path

import click

from ...catalogue import LESSONS
from ...intake.course_folder import course, known
from ...intake.whole_files import write_whole
from ...intake.wording import broken_in_words, main_facts
from .counting import most_points, table_of, totals
from .misconceptions import later_exercises, right_or_wrong, shown, since
from .page import page
from .reading import REPORTS, is_graded, judged_in, read

COLUMNS = ("student", "name", "exercise", "points", "of", "reason", "misconception", "also", "what is wrong", "message")
COUNTED = ("exercise", "misconception", "students", "of", "compared", "recovered", "later exercises")


def report(lessons=()):
    """Yield, for each lesson (all that were handed in, if none is named), its page and its main facts."""
    here = course()
    lessons = [known(lesson) for lesson in lessons] or [lesson for lesson in LESSONS if is_graded(here, lesson)]
    if not lessons:
        raise click.ClickException(f"Nothing is graded here, in {here.coursedir.root}. First: mha grade LESSON")
    judged = cache(partial(judged_in, here))  # several reports look at the same lessons
    for lesson in lessons:
        yield _reported(here, lesson, judged)


def _reported(course, lesson, judged):
    results = read(course, lesson)
    place = LESSONS.index(lesson)
    earlier = [row for other in LESSONS[:place] for row in judged(other)]
    later = [row for other in LESSONS[place + 1 :] for row in judged(other)]
    found = shown(results.rows, right_or_wrong([*results.rows, *later]), later_exercises)
    files = {
        f"{lesson}.html": page(results, found, since(earlier, results.rows)),
        f"{lesson}_points.csv": points_as_csv(results.rows, results.names),
        f"{lesson}.csv": answers_as_csv(results.rows, results.names),
        f"{lesson}_misconceptions.csv": misconceptions_as_csv(found),
    }
    folder = Path(course.coursedir.root, REPORTS)
    for name, text in files.items():
        write_whole(folder / name, text)
    facts = main_facts(totals(results.rows), most_points(results.rows), results.not_graded)
    return folder / f"{lesson}.html", f"{facts}; {len(results.missing)} handed in nothing" if results.missing else facts


def points_as_csv(rows, names):
    """Return a table with one line for each student, and a column for each exercise. names: student -> name."""
    table = table_of(rows, names)
    most = table.exercises.values()
    lines = [("", "out of", *most, sum(most))]
    for student, line in table.lines.items():
        each = [round(line[name].points, 2) if name in line else "" for name in table.exercises]
        lines.append((student, names.get(student, ""), *each, round(table.total(student), 2)))
    return _csv(("student", "name", *table.exercises, "sum"), lines)


def answers_as_csv(rows, names):
    """Return a table with one line for each student and exercise. names: student -> name."""
    lines = (
        (row.student, names.get(row.student, ""), row.exercise, round(row.points, 2), row.of)
        + (row.reason, row.misconception, row.also, broken_in_words(row.property), row.message)
        for row in rows
    )
    return _csv(COLUMNS, lines)


def misconceptions_as_csv(shown):
    """Return one line for each exercise and misconception; recovery is empty where no later exercise could show it."""
    lines = []
    for one in (one for found in shown.values() for one in found):
        recovery = (len(one.compared), len(one.recovered)) if one.compared else ("", "")
        lines.append((one.exercise, one.name, len(one.students), one.of, *recovery, " ".join(one.later)))
    return _csv(COUNTED, lines)


def _csv(columns, lines):
    text = StringIO()
    text.write("\ufeff")  # so that spreadsheets read names well
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_harmless(value) for value in line] for line in lines)
    return text.getvalue()


def _harmless(value):
    """Return a text on one line, since some spreadsheets would begin a new row.

    One that begins like a formula gets an apostrophe, with which it stays a text.
    """
    if not isinstance(value, str):
        return value
    line = " ".join(value.split())
    return f"'{line}" if line.startswith(("=", "+", "-", "@")) else line
