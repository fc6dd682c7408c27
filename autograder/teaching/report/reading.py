"""From a graded course to plain rows: verdicts out of autograded notebooks, points out of the gradebook."""

from contextlib import suppress
from dataclasses import dataclass, field

import click

from ...grading.own_numbers import own_numbers
from ...grading.verdicts import verdicts_of
from ..course import autograded_notebook, notebook_of, released_notebook, submitted_folder
from ..gradebook import scores_of
from ..names import names_of
from ..receipts import receipts
from .choices import choices_in

BY_HAND, WAITS, NO_VERDICT = "by hand", "waits", "no verdict"  # reasons beside those of the judge
UNREADABLE = "its autograded notebook cannot be read: grade it again"
NOT_YET = "it was not graded yet"


@dataclass(frozen=True)
class Row:
    """What one student has for one exercise, and why; code: the cell where it is written."""

    student: str
    exercise: str
    points: float
    of: float
    reason: str
    misconception: str = ""
    also: str = ""
    property: str = ""
    message: str = ""
    alike: str = ""
    code: str = ""


FOUND = ("reason", "misconception", "also", "property", "message", "alike")  # of a row, as verdicts call them


@dataclass(frozen=True)
class Results:
    """Of one lesson: a row for each student and exercise; not_graded: student -> why; names: student -> name.

    own_numbers: whether questions asked students with numbers of their own; choices: wrong choice -> its text.
    """

    lesson: str
    rows: tuple
    not_graded: dict = field(default_factory=dict)
    names: dict = field(default_factory=dict)
    own_numbers: bool = False
    choices: dict = field(default_factory=dict)


def read(course, lesson):
    """All that is known of the submissions of a lesson."""
    noted = _receipts(course, lesson)
    not_graded = {student: _trouble(course, lesson, student, noted) for student in _everybody(course, lesson, noted)}
    graded = [student for student, why in not_graded.items() if not why]
    if not graded:
        raise click.ClickException(f"No submission of {lesson} is graded yet. First: mha grade {lesson}")
    scores = grouped(scores_of(course.coursedir.db_url, lesson), lambda score: score.student)
    rows = []
    for student in graded:
        try:
            notebook = notebook_of(autograded_notebook(course.coursedir, lesson, student))
            rows += rows_of(notebook, scores.get(student, ()))
        except (OSError, ValueError, AttributeError):
            not_graded[student] = UNREADABLE
    not_graded = {student: why for student, why in not_graded.items() if why}
    names, varied = names_of(course.coursedir.db_url), bool(own_numbers(course.coursedir.db_url, lesson))
    choices = choices_in(notebook_of(released_notebook(course.coursedir, lesson)))
    return Results(lesson, tuple(rows), not_graded, names, varied, choices)


def _everybody(course, lesson, noted):
    """Who handed in."""
    students = sorted({*course.get_submitted_students(lesson), *noted})
    if not students:
        where = submitted_folder(course.coursedir, lesson)
        raise click.ClickException(f"Nobody has handed in {lesson}: submissions are expected in {where}")
    return students


def rows_of(notebook, scores):
    """One for each exercise that counts, in the order of the notebook."""
    verdicts = _verdicts(notebook)
    codes = _codes(notebook)
    order = list(codes)
    scores = sorted(scores, key=lambda s: order.index(s.cell) if s.cell in order else len(order))
    return [_row(score, verdicts.get(score.exercise), codes.get(score.exercise, "")) for score in scores]


def _codes(notebook):
    return {cell.metadata.get("nbgrader", {}).get("grade_id"): "".join(cell.source) for cell in notebook.cells}


def _row(score, verdict, code):
    if not score.is_check:
        reason = WAITS if score.waits else BY_HAND
        return Row(score.student, score.exercise, score.points, score.of, reason, code=code)
    found = _found(verdict) if verdict else {"reason": NO_VERDICT}
    return Row(score.student, score.exercise, score.points, score.of, code=code, **found)


def _found(verdict):
    return {name: verdict[name] or "" for name in FOUND}


def judged_in(course, lesson):
    """A row for each answer that was judged, as far as the lesson is graded; for points nobody asks here."""
    rows = []
    for student in sorted(course.get_submitted_students(lesson)):
        with suppress(OSError, ValueError, AttributeError):  # not graded, or damaged: the lesson's own report tells
            notebook = notebook_of(autograded_notebook(course.coursedir, lesson, student))
            verdicts, codes = _verdicts(notebook), _codes(notebook)
            rows += [
                Row(student, task, 0.0, 0.0, code=codes.get(task, ""), **_found(v)) for task, v in verdicts.items()
            ]
    return rows


def _verdicts(notebook):
    """task -> the verdict on it."""
    return {verdict["task"]: verdict for verdict in verdicts_of(notebook)}


def is_graded(course, lesson):
    """At least one submission."""
    return any(
        autograded_notebook(course.coursedir, lesson, student).exists()
        for student in course.get_submitted_students(lesson)
    )


def grouped(things, key):
    """key of some -> these, in the order in which they come."""
    groups = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def _receipts(course, lesson):
    try:
        return receipts(course.coursedir.root, lesson)
    except ValueError as unreadable:
        raise click.ClickException(str(unreadable)) from None


def _trouble(course, lesson, student, noted):
    """Why there is nothing to count of a submission; nothing if there is."""
    trouble = noted.get(student, {}).get("trouble", "").removeprefix("not graded: ")
    return trouble or ("" if autograded_notebook(course.coursedir, lesson, student).exists() else NOT_YET)
