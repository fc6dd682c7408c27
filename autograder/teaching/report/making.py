"""Making the reports of a course."""

from pathlib import Path

import click

from ...catalogue import EXERCISES, LESSONS
from ..course import course, known
from ..whole import write_whole
from ..words import main_facts
from . import spreadsheets
from .counting import most_points, totals
from .misconceptions import later_exercises, shown
from .page import page
from .reading import answers_in, is_graded, read


def report(lessons=()):
    """Of each lesson (all that were handed in, if none is named) the page that was written, and its main facts."""
    here = course()
    lessons = [known(lesson) for lesson in lessons] or [lesson for lesson in LESSONS if is_graded(here, lesson)]
    if not lessons:
        raise click.ClickException(f"Nothing is graded here, in {here.coursedir.root}. First: mha grade LESSON")
    for lesson in lessons:
        yield _reported(here, lesson)


def _reported(course, lesson):
    results = read(course, lesson)
    misconceptions = shown(results.rows, _answers(course, results), later_exercises)
    files = {
        f"{lesson}.html": page(results, misconceptions),
        f"{lesson}.csv": spreadsheets.answers(results.rows, results.names),
        f"{lesson}_misconceptions.csv": spreadsheets.misconceptions(misconceptions),
    }
    folder = Path(course.coursedir.root, "reports")
    for name, text in files.items():
        write_whole(folder / name, text)
    points = totals(results.rows)
    return folder / f"{lesson}.html", main_facts(points, most_points(results.rows), results.not_graded)


def _answers(course, results):
    """(student, exercise) -> whether it is right: here, and in those later lessons that can tell who recovered."""
    held = {(row.exercise, name) for row in results.rows for name in (row.misconception, row.also) if name}
    later = {EXERCISES[exercise].lesson for one in held for exercise in later_exercises(*one)}
    answers = {(row.student, row.exercise): row.reason == "right" for row in results.rows}
    students = sorted({row.student for row in results.rows})
    for lesson in sorted(later - {results.lesson}):
        answers |= answers_in(course, lesson, students)
    return answers
