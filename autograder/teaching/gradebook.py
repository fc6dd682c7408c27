"""Read a graded class: points and marks from nbgrader's gradebook, verdicts and answers from autograded notebooks."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import click
from nbgrader.api import Gradebook

from ..grading.outputs import verdicts_of
from ..intake import course_folder
from ..intake.course_folder import receipts
from ..intake.late import take_anew
from ..intake.own_numbers import has_no_gradebook, own_numbers
from ..intake.students import handed_in_nothing, names_of_all, trouble_with_name

REPORTS = "reports"  # the folder
CHECK = "check_"  # how the name of a cell begins that is judged; any other is read and marked by somebody
BY_HAND, WAITS, NO_VERDICT = "by hand", "waits", "no verdict"  # reasons beside those of the judge
NOT_YET = "not graded yet: `mha grade` does that"
UNREADABLE = "its autograded notebook cannot be read: grade it again"
NO_POINTS = "the gradebook has no points for it: grade it again"
CHOICE = re.compile(r"^- (?:\*\*|`\"?)(\w)(?:\"?`|\*\*):?[ ]+(.+?)[;.]?$", re.MULTILINE)


@dataclass(frozen=True)
class Score:
    """The points that a student has for a cell, out of how many.

    judged: what the judge gave, even where somebody changed it; by_hand: somebody did; waits: somebody should look.
    """

    student: str
    cell: str
    points: float
    of: float
    judged: float
    by_hand: bool
    waits: bool

    @property
    def exercise(self):
        return self.cell.removeprefix(CHECK)


def scores_of(db_url, lesson):
    """Return the scores of all submissions of a lesson."""
    with Gradebook(db_url) as gradebook:
        return [
            Score(sheet.student.id, g.name, g.score, g.max_score, g.auto_score, g.manual_score is not None, waits)
            for sheet in gradebook.notebook_submissions(lesson, lesson)
            for g in sheet.grades
            for waits in [g.needs_manual_grade]
        ]


@dataclass(frozen=True)
class Mark:
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
    """Return student -> Mark."""
    coursedir, noted = course.coursedir, receipts(course.coursedir.root, lesson)
    if not graded_in(course, lesson) and (not noted or has_no_gradebook(coursedir.db_url)):
        where = f"{coursedir.root}: `mha grade {lesson}` does that."
        raise click.ClickException(f"Nothing of {lesson} has been graded in {where}")
    take_anew(course, lesson)
    marks = {student: Mark(0.0, 0.0, about.get("trouble") or NOT_YET) for student, about in noted.items()}
    for student, (score, most, penalty, waits) in graded_in(course, lesson).items():
        waiting = "an answer waits for your mark (mha mark, or formgrader)" if waits else ""
        trouble = course_folder.trouble_of(coursedir, lesson, student, noted.get(student, {})) or waiting
        marks[student] = Mark(max(0.0, score - penalty), most, trouble)
    return marks


def trouble_with(coursedir, lesson, student, noted):
    """Return why there is nothing to tell of a submission; "" if it is graded. noted: its receipt."""
    trouble = trouble_with_name(student) or course_folder.trouble_of(coursedir, lesson, student, noted)
    return trouble or ("" if course_folder.autograded_notebook(coursedir, lesson, student).exists() else NOT_YET)


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
    coursedir, noted = course.coursedir, receipts(course.coursedir.root, lesson)
    everybody = sorted({*course_folder.who_handed_in(coursedir, lesson), *noted})
    if not everybody:
        where = course_folder.submitted_folder(coursedir, lesson)
        raise click.ClickException(f"There are no submissions of {lesson}; they are expected in {where}")
    troubles = {student: trouble_with(coursedir, lesson, student, noted.get(student, {})) for student in everybody}
    graded = [student for student, why in troubles.items() if not why]
    if not graded:
        raise click.ClickException(f"No submission of {lesson} is graded yet. First: mha grade {lesson}")
    scores = grouped(scores_of(coursedir.db_url, lesson), lambda score: score.student)
    rows, pages = [], {}
    for student in graded:
        try:
            rows += rows_of(*_answers(coursedir, lesson, student), scores.get(student, ()))
            troubles[student] = "" if student in scores else NO_POINTS
        except (OSError, ValueError, AttributeError):
            troubles[student] = UNREADABLE
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
    for score in sorted(scores, key=lambda s: order.index(s.cell) if s.cell in order else len(order)):
        found = verdicts.get(score.exercise, {"reason": NO_VERDICT})
        if not score.cell.startswith(CHECK):
            found = {"reason": WAITS if score.waits else BY_HAND}
        code = codes.get(score.exercise, "")
        rows.append(Row(score.student, score.exercise, score.points, score.of, code=code, **found))
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
    notebook = course_folder.notebook_of(course_folder.autograded_notebook(coursedir, lesson, student))
    verdicts = {one["task"]: {name: one[name] or "" for name in FOUND} for one in verdicts_of(notebook)}
    return verdicts, {_name_of(cell): "".join(cell.source) for cell in notebook.cells}


def grouped(things, key):
    """Return key -> the things that have it, in the order in which they come."""
    groups = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return groups


def _name_of(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def choices_in(notebook):
    """Return `question = letter`, which is what a wrong choice is called, -> its text."""
    return {
        f"{name} = {letter}": text
        for above, cell in pairwise(notebook.cells)
        if (name := _name_of(cell))
        for letter, text in CHOICE.findall("".join(above.source))
    }
