"""What nbgrader's gradebook says of a lesson."""

from dataclasses import dataclass
from functools import cache

import click
from nbgrader.api import MissingEntry
from nbgrader.apps import NbGraderAPI

from ..grading.grade import settings
from .receipts import receipt


@cache
def course():
    """The nbgrader course that we are in."""
    return NbGraderAPI(config=settings(trust_submissions=False))


@dataclass(frozen=True)
class Mark:
    """For one student; trouble: why it should not be given yet."""

    points: float
    most: float
    trouble: str = ""


def marks_of(lesson):
    """student -> Mark."""
    root = course().coursedir.root
    with course().gradebook as gradebook:
        try:
            gradebook.find_assignment(lesson)
        except MissingEntry:
            raise click.ClickException(
                f"Nothing of {lesson} has been graded: `mha grade {lesson}` does that."
            ) from None
        submissions = gradebook.assignment_submissions(lesson)
        return {one.student.id: _mark(one, receipt(root, lesson, one.student.id)) for one in submissions}


def _mark(submission, noted):
    """Late submissions may cost points."""
    points = max(0.0, submission.score - (submission.late_submission_penalty or 0.0))
    waits = "an answer waits for somebody to mark it (in formgrader)" if submission.needs_manual_grade else ""
    return Mark(points, submission.max_score, noted.get("trouble") or waits)
