"""Read a graded class: points and marks from nbgrader's gradebook, verdicts and answers from autograded notebooks."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import click
from nbgrader.api import Gradebook

from ..grading.outputs import verdicts_of
from ..intake import course_folder
from ..intake.course_folder import autograded_notebook, receipts
from ..intake.fit import sha256_of
from ..intake.late import take_anew
from ..intake.names import trouble_with_name
from ..intake.own_numbers import has_no_gradebook, own_numbers
from ..intake.students import handed_in_nothing, names_of_all
from ..intake.triage.matched_cells import mark_of

REPORTS = "reports"  # the folder
CHECK = "check_"  # how the name of a cell begins that is judged; any other is read and marked by somebody
BY_HAND, WAITS, NO_VERDICT = "by hand", "waits", "no verdict"  # reasons beside those of the judge
NOT_YET = "not graded yet: `mha grade` does that"
NEWER = "what came in last is not graded yet: `mha grade` does that"
DAMAGED = "its autograded notebook is damaged: `mha grade {}` makes it again"
NO_POINTS = "the gradebook has no points for it: grade it again"
CHOICE = re.compile(r"^- (?:\*\*|`\"?)(\w)(?:\"?`|\*\*):?[ ]+(.+?)[;.]?$", re.MULTILINE)


@dataclass(frozen=True)
class Grade:
    """The points that a student has for a lesson, less what lateness costs; trouble: why not to give them yet."""

    points: float
    most: float
    trouble: str = ""


def graded_in(course, lesson):
    """Return student -> (points, out of how many, the penalty, whether an answer waits for a mark)."""
    if has_no_gradebook(course.coursedir.db_url):
        return {}
    with course.gradebook as gradebook:
        return {
            one.student.id: (one.score, one.max_score, one.late_submission_penalty or 0.0, one.needs_manual_grade)
            for one in gradebook.assignment_submissions(lesson)
        }


def marks_of(course, lesson):
    """Return student -> Grade."""
    coursedir, noted = course.coursedir, receipts(course.coursedir.root, lesson)
    if has_no_gradebook(coursedir.db_url) or not (noted or graded_in(course, lesson)):
        where = f"{coursedir.root}: `mha grade {lesson}` does that."
        raise click.ClickException(f"Nothing of {lesson} has been graded in {where}")
    take_anew(course, lesson)
    marks = {student: Grade(0.0, 0.0, about.get("trouble") or NOT_YET) for student, about in noted.items()}
    for student, (score, most, penalty, waits) in graded_in(course, lesson).items():
        waiting = "an answer waits for your mark (mha mark, or formgrader)" if waits else ""
        trouble = trouble_of(coursedir, lesson, student, noted.get(student, {})) or waiting
        marks[student] = Grade(max(0.0, score - penalty), most, trouble)
    return marks


def trouble_of(coursedir, lesson, student, noted):
    """Say why a mark or a page would tell of nothing, or of earlier work; "" if they may be given. noted: a receipt."""
    if trouble_with_name(student) or noted.get("trouble") or "received" not in noted:
        return trouble_with_name(student) or noted.get("trouble", "")
    graded = autograded_notebook(coursedir, lesson, student)
    came = course_folder.submitted_folder(coursedir, lesson, student) / f"{lesson}.ipynb"
    if noted.get("graded"):  # somebody may have mended it since
        return NEWER if sha256_of(came) not in ("", noted.get("submitted")) else ""
    is_newer = graded.exists() and came.exists() and came.stat().st_mtime > graded.stat().st_mtime
    return NEWER if is_newer else ""


def trouble_with(coursedir, lesson, student, noted):
    """Return why there is nothing to tell of a submission; "" if it is graded. noted: its receipt."""
    trouble, graded = trouble_of(coursedir, lesson, student, noted), autograded_notebook(coursedir, lesson, student)
    if trouble or course_folder.is_whole(graded):
        return trouble
    return DAMAGED.format(lesson) if graded.exists() else NOT_YET


@dataclass(frozen=True)
class Row:
    """The result of one student in one exercise, and why; code: the cell that holds the answer.

    judged: the points that the judge gave, even where somebody changed them, which is by_hand.
    """

    student: str
    exercise: str
    points: float
    of: float
    reason: str = ""
    misconception: str = ""
    also: str = ""
    property: str = ""
    message: str = ""
    alike: str = ""
    code: str = ""
    judged: float = None
    by_hand: bool = False


def scores_of(db_url, lesson):
    """Return student -> a Row for each answer with points; one that the judge gives points to has no reason yet."""
    with Gradebook(db_url) as gradebook:
        return {
            sheet.student.id: [_scored(sheet.student.id, grade) for grade in sheet.grades]
            for sheet in gradebook.notebook_submissions(lesson, lesson)
        }


def _scored(student, grade):
    reason = "" if grade.name.startswith(CHECK) else WAITS if grade.needs_manual_grade else BY_HAND
    given = dict(reason=reason, judged=grade.auto_score, by_hand=grade.manual_score is not None)
    return Row(student, grade.name.removeprefix(CHECK), grade.score, grade.max_score, **given)


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
    coursedir, noted = course.coursedir, receipts(course.coursedir.root, lesson)
    everybody = sorted({*course_folder.who_handed_in(coursedir, lesson), *noted})
    if not everybody:
        where = course_folder.submitted_folder(coursedir, lesson)
        raise click.ClickException(f"There are no submissions of {lesson}; they are expected in {where}")
    troubles = {student: trouble_with(coursedir, lesson, student, noted.get(student, {})) for student in everybody}
    graded = [student for student, why in troubles.items() if not why]
    if not graded:
        raise click.ClickException(f"No submission of {lesson} is graded yet. First: mha grade {lesson}")
    scores, rows, pages = scores_of(coursedir.db_url, lesson), [], {}
    for student in graded:
        rows += rows_of(*_answers(coursedir, lesson, student), scores.get(student, ()))
        troubles[student] = "" if student in scores else NO_POINTS
        page = course_folder.feedback_folder(coursedir, lesson, student) / f"{lesson}.html"
        if page.exists():
            pages[student] = quote(Path(os.path.relpath(page, Path(coursedir.root, REPORTS))).as_posix())
    if not rows:
        raise click.ClickException(f"The gradebook has no points for {lesson}: `mha grade {lesson}` gives them again.")
    return Results(
        lesson,
        tuple(rows),
        {student: why.removeprefix("not graded: ") for student, why in troubles.items() if why},
        names_of_all(coursedir),
        bool(own_numbers(coursedir.db_url, lesson)),
        choices_in(course_folder.notebook_of(course_folder.released_notebook(coursedir, lesson))),
        pages,
        *handed_in_nothing(coursedir, lesson, everybody),
    )


def rows_of(verdicts, codes, scores):
    """Return a Row for each exercise that counts, in the order of the notebook."""
    order, rows = list(codes), []
    for score in sorted(scores, key=lambda s: order.index(s.exercise) if s.exercise in order else len(order)):
        found = {} if score.reason else verdicts.get(score.exercise, {"reason": NO_VERDICT})
        rows.append(replace(score, code=codes.get(score.exercise, ""), **found))
    return rows


def judged_in(course, lesson):
    """Return a Row without points for each judged answer of the submissions that are graded."""
    rows = []
    for student in sorted(course.get_submitted_students(lesson)):
        with suppress(OSError, ValueError, AttributeError):  # not graded, or damaged: the lesson's own report tells
            verdicts, codes = _answers(course.coursedir, lesson, student)
            rows += [Row(student, task, 0.0, 0.0, code=codes.get(task, ""), **v) for task, v in verdicts.items()]
    return rows


def _answers(coursedir, lesson, student):
    """Return task -> what its verdict says, and name of a cell -> what stands in it."""
    notebook = course_folder.notebook_of(autograded_notebook(coursedir, lesson, student))
    verdicts = {task: {name: said[name] or "" for name in FOUND} for task, said in verdicts_of(notebook).items()}
    return verdicts, {mark_of(cell): "".join(cell.source) for cell in notebook.cells}


def grouped(things, key):
    """Return key -> the things that have it, in the order in which they come."""
    groups = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def choices_in(notebook):
    """Return `question = letter`, which is what a wrong choice is called, -> its text."""
    return {
        f"{name} = {letter}": text
        for above, cell in pairwise(notebook.cells)
        if (name := mark_of(cell))
        for letter, text in CHOICE.findall("".join(above.source))
    }
