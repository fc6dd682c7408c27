"""What handing in late costs. nbgrader knows when a lesson is due (formgrader asks for it) and calls this."""

from contextlib import suppress
from datetime import datetime
from math import ceil
from pathlib import Path

from nbformat.v4 import new_notebook
from nbgrader.api import MissingEntry
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float

from .receipts import receipt
from .wording import listed

HOUR, DAY = 3600, 86400


class LatePolicy(LateSubmissionPlugin):
    """Some per cent of the points for each day that has begun, after some hours of grace. By default nothing."""

    grace = Float(1.0, min=0, help="Hours after the due date that cost nothing.").tag(config=True)
    percent_a_day = Float(0.0, min=0, max=100, help="Of the points, for each day that has begun.").tag(config=True)
    most = Float(100.0, min=0, max=100, help="Per cent that are taken at most, however late it is.").tag(config=True)

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        """The points that are taken."""
        if not score or total_seconds_late <= self.grace * HOUR:
            return None
        days = ceil(total_seconds_late / DAY)
        return score * min(self.percent_a_day * days, self.most) / 100


def late_for_free(course, root, lesson, students):
    """Sentences: who came late and loses no points for it, and why.

    root: of the receipts; students: id -> as they are told.
    """
    due, policy = _due(course, lesson), LatePolicy(config=course.config)
    reasons = {}
    for student, told in students.items():
        why = _why_free(policy, due, receipt(root, lesson, student))
        if why:
            reasons.setdefault(why, []).append(told)
    for why, names in reasons.items():
        yield f"{listed(names)} came late and {'lose' if len(names) > 1 else 'loses'} no points: {why}."


def _why_free(policy, due, noted):
    """Nothing if it was in time, or costs something."""
    time = _time(noted.get("time", ""))
    seconds = (time - due).total_seconds() if time and due else 0
    if not (noted.get("late") or seconds > 0):
        return ""
    if time and due and seconds <= 0:
        return "by the due date that nbgrader knows it was in time"
    if not policy.percent_a_day:
        return "c.LatePolicy.percent_a_day is not set in nbgrader_config.py"
    if not due:
        return "nbgrader does not know when this is due (formgrader asks for it)"
    if not time:
        return "the platform says that it is late, and not when it came (timestamp.txt can say it)"
    return "" if seconds > policy.grace * HOUR else "c.LatePolicy.grace gives them that long"


def _time(noted):
    """As receipts have it, in UTC; nothing where none could be read."""
    with suppress(ValueError):
        return datetime.strptime(noted, "%Y-%m-%d %H:%M:%S UTC")


def _due(course, lesson):
    """When the lesson is due, if somebody has told nbgrader."""
    if is_missing(course.coursedir.db_url):
        return None
    with course.gradebook as gradebook, suppress(MissingEntry):
        return gradebook.find_assignment(lesson).duedate


def is_missing(db_url):
    """Whether there is no gradebook yet: nbgrader would make an empty file."""
    return db_url.startswith("sqlite:///") and not Path(db_url.removeprefix("sqlite:///")).exists()


def take_anew(course, lesson, student=None):
    """What lateness costs now, from one or from all: nbgrader takes it when it grades, and later somebody may change
    marks by hand, move the due date, or grant an extension.
    """
    with course.gradebook as gradebook:
        graded = [gradebook.find_submission(lesson, student)] if student else gradebook.assignment_submissions(lesson)
        late = [each.student.id for each in graded if each.total_seconds_late > 0 or each.late_submission_penalty]
    for name in late:
        about = dict(notebook=lesson, assignment=lesson, student=name, db_url=course.coursedir.db_url)
        AssignLatePenalties(config=course.config).preprocess(new_notebook(), {"nbgrader": about})
