"""Read a graded course into plain rows: verdicts from autograded notebooks, points from the gradebook."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import click

from ...grading.outputs import verdicts_of
from ...intake.course_folder import (
    autograded_notebook,
    feedback_folder,
    notebook_of,
    released_notebook,
    submitted_folder,
    trouble_of,
    who_handed_in,
)
from ...intake.numbers_of_students import own_numbers
from ...intake.receipts import receipts
from ...intake.students import handed_in_nothing, names_of_all, trouble_with_name
from ..gradebook import scores_of

REPORTS = "reports"  # the folder
BY_HAND, WAITS, NO_VERDICT = "by hand", "waits", "no verdict"  # reasons beside those of the judge
UNREADABLE = "its autograded notebook cannot be read: grade it again"
NO_POINTS = "the gradebook has no points for it: grade it again"
NOT_YET = "it was not graded yet"
CHOICE = re.compile(r"^- (?:\*\*|`\"?)(\w)(?:\"?`|\*\*):?[ ]+(.+?)[;.]?$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """The result of one student in one exercise, and why; code: the cell that holds the answer."""

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
    """The results of one lesson: a Row for each student and exercise; not_graded: student -> why; names: by student.

    own_numbers: whether questions asked students with numbers of their own; choices: wrong choice -> its text.
    pages: student -> the address of their page of feedback, from the report's; missing: who handed in nothing;
    excused: who need not.
    """

    lesson: str
    rows: tuple
    not_graded: dict = field(default_factory=dict)
    names: dict = field(default_factory=dict)
    own_numbers: bool = False
    choices: dict = field(default_factory=dict)
    pages: dict = field(default_factory=dict)
    missing: tuple = ()
    excused: tuple = ()


def read(course, lesson):
    """Return all that is known of the submissions of a lesson."""
    noted = receipts(course.coursedir.root, lesson)
    everybody = sorted({*who_handed_in(course.coursedir, lesson), *noted})
    if not everybody:
        where = submitted_folder(course.coursedir, lesson)
        raise click.ClickException(f"There are no submissions of {lesson}; they are expected in {where}")
    not_graded = {student: _trouble(course, lesson, student, noted) for student in everybody}
    graded = [student for student, why in not_graded.items() if not why]
    if not graded:
        raise click.ClickException(f"No submission of {lesson} is graded yet. First: mha grade {lesson}")
    scores = grouped(scores_of(course.coursedir.db_url, lesson), lambda score: score.student)
    rows = []
    for student in graded:
        try:
            notebook = notebook_of(autograded_notebook(course.coursedir, lesson, student))
            rows += rows_of(notebook, scores.get(student, ()))
            not_graded[student] = "" if student in scores else NO_POINTS
        except (OSError, ValueError, AttributeError):
            not_graded[student] = UNREADABLE
    not_graded = {student: why for student, why in not_graded.items() if why}
    if not rows:
        raise click.ClickException(f"The gradebook has no points for {lesson}: `mha grade {lesson}` gives them again.")
    names, varied = names_of_all(course.coursedir), bool(own_numbers(course.coursedir.db_url, lesson))
    choices = choices_in(notebook_of(released_notebook(course.coursedir, lesson)))
    pages = feedback_pages(course.coursedir, lesson, graded)
    missing, excused = handed_in_nothing(course.coursedir, lesson, everybody)
    return Results(lesson, tuple(rows), not_graded, names, varied, choices, pages, missing, excused)


def feedback_pages(coursedir, lesson, students):
    """Return student -> the address of their page of feedback as seen from reports/, for those who have one."""
    files = {student: feedback_folder(coursedir, lesson, student) / f"{lesson}.html" for student in students}
    folder = Path(coursedir.root, REPORTS)
    return {
        student: quote(Path(os.path.relpath(file, folder)).as_posix())
        for student, file in files.items()
        if file.exists()
    }


def rows_of(notebook, scores):
    """Return a Row for each exercise that counts, in the order of the notebook."""
    verdicts, codes = _answers(notebook)
    order = list(codes)
    rows = []
    for score in sorted(scores, key=lambda s: order.index(s.cell) if s.cell in order else len(order)):
        found = verdicts.get(score.exercise, {"reason": NO_VERDICT})
        if not score.is_check:
            found = {"reason": WAITS if score.waits else BY_HAND}
        code = codes.get(score.exercise, "")
        rows.append(Row(score.student, score.exercise, score.points, score.of, code=code, **found))
    return rows


def _answers(notebook):
    """Return task -> what its verdict says, and name of a cell -> what stands in it."""
    verdicts = {one["task"]: {name: one[name] or "" for name in FOUND} for one in verdicts_of(notebook)}
    return verdicts, {
        cell.metadata.get("nbgrader", {}).get("grade_id"): "".join(cell.source) for cell in notebook.cells
    }


def judged_in(course, lesson):
    """Return a Row without points for each judged answer of the submissions that are graded."""
    rows = []
    for student in sorted(course.get_submitted_students(lesson)):
        with suppress(OSError, ValueError, AttributeError):  # not graded, or damaged: the lesson's own report tells
            notebook = notebook_of(autograded_notebook(course.coursedir, lesson, student))
            verdicts, codes = _answers(notebook)
            rows += [Row(student, task, 0.0, 0.0, code=codes.get(task, ""), **v) for task, v in verdicts.items()]
    return rows


def is_graded(course, lesson):
    """Say whether at least one submission of a lesson is graded."""
    return any(
        autograded_notebook(course.coursedir, lesson, student).exists()
        for student in course.get_submitted_students(lesson)
    )


def grouped(things, key):
    """Return key -> the things that have it, in the order in which they come."""
    groups = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def _trouble(course, lesson, student, noted):
    """Return why there is nothing to count of a submission; "" if there is something."""
    trouble = trouble_with_name(student) or trouble_of(course.coursedir, lesson, student, noted.get(student, {}))
    trouble = trouble.removeprefix("not graded: ")
    return trouble or ("" if autograded_notebook(course.coursedir, lesson, student).exists() else NOT_YET)


def choices_in(notebook):
    """Return `question = letter`, which is what a wrong choice is called, -> its text."""
    return {
        f"{name} = {letter}": text
        for above, cell in pairwise(notebook.cells)
        if (name := cell.metadata.get("nbgrader", {}).get("grade_id"))
        for letter, text in CHOICE.findall("".join(above.source))
    }
