"""Points from nbgrader's gradebook: of each answer, and of each student."""

from dataclasses import dataclass

import click
from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import func, select
from sqlalchemy.orm import with_polymorphic

from ..intake.course_folder import trouble_of
from ..intake.late import take_anew
from ..intake.numbers_of_students import has_no_gradebook
from ..intake.receipts import receipts

CHECK = "check_"  # how the name of a cell begins that is judged; any other is read and marked by somebody


@dataclass(frozen=True)
class Score:
    """The points that a student has for an exercise, out of how many.

    judged: what the judge gave, even where somebody changed it; by_hand: somebody did; waits: somebody should look.
    """

    student: str
    exercise: str
    points: float
    of: float
    judged: float
    by_hand: bool
    waits: bool
    is_check: bool

    @property
    def cell(self):
        return f"{CHECK if self.is_check else ''}{self.exercise}"


def scores_of(db_url, lesson):
    """Return the scores of all submissions of a lesson, in one query to the gradebook."""
    cells = with_polymorphic(BaseCell, [GradeCell, TaskCell])
    of = func.coalesce(cells.GradeCell.max_score, cells.TaskCell.max_score)
    asked = (
        select(SubmittedAssignment.student_id, cells.name, Grade.score, of, Grade.auto_score, Grade.manual_score)
        .add_columns(Grade.needs_manual_grade)
        .select_from(Grade)
        .join(cells, Grade.cell_id == cells.id)
        .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
        .join(Notebook, SubmittedNotebook.notebook_id == Notebook.id)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .where(Assignment.name == lesson, Notebook.name == lesson)
    )
    with Gradebook(db_url) as gradebook:
        return [
            Score(who, cell.removeprefix(CHECK), points, of, judged, manual is not None, waits, cell.startswith(CHECK))
            for who, cell, points, of, judged, manual, waits in gradebook.db.execute(asked)
        ]


NOT_YET = "not graded yet: `mha grade` does that"


@dataclass(frozen=True)
class Mark:
    """The points that a student has for a lesson; trouble: why they should not be given yet."""

    points: float
    most: float
    trouble: str = ""


def marks_of(course, lesson):
    """Return student -> Mark."""
    root = course.coursedir.root
    nothing = click.ClickException(f"Nothing of {lesson} has been graded in {root}: `mha grade {lesson}` does that.")
    if has_no_gradebook(course.coursedir.db_url):
        raise nothing
    with course.gradebook as gradebook:
        try:
            gradebook.find_assignment(lesson)
        except MissingEntry:
            raise nothing from None
    take_anew(course, lesson)
    with course.gradebook as gradebook:
        graded = {one.student.id: one for one in gradebook.assignment_submissions(lesson)}
        noted = receipts(root, lesson)
        ungraded = {student: Mark(0.0, 0.0, noted[student].get("trouble") or NOT_YET) for student in noted}
        troubles = {who: trouble_of(course.coursedir, lesson, who, noted.get(who, {})) for who in graded}
        return ungraded | {student: _mark(one, troubles[student]) for student, one in graded.items()}


def _mark(submission, trouble):
    """Return a student's Mark, less the points that lateness costs."""
    points = max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
    waits = "an answer waits for somebody to mark it (in formgrader)" if submission.needs_manual_grade else ""
    return Mark(points, submission.max_score, trouble or waits)
