"""The penalty for handing in late: nbgrader knows when a lesson is due (formgrader asks for it), and calls this."""

from contextlib import suppress
from datetime import datetime
from math import ceil

from nbformat.v4 import new_notebook
from nbgrader.api import MissingEntry
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float

from .numbers_of_students import gradebook_file
from .receipts import receipt
from .wording import listed

HOUR, DAY = 3600, 86400


class LatePolicy(LateSubmissionPlugin):
    """A policy that takes a percentage of the points for each day begun, after hours of grace; by default none."""

    grace = Float(1.0, min=0, help="Hours after the due date that cost nothing.").tag(config=True)
    percent_a_day = Float(0.0, min=0, max=100, help="Of the points, for each day that has begun.").tag(config=True)
    most = Float(100.0, min=0, max=100, help="Per cent that are taken at most, however late it is.").tag(config=True)

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        """Return the points to take off; None within the hours of grace, or if there is no score."""
        if not score or total_seconds_late <= self.grace * HOUR:
            return None
        days = ceil(total_seconds_late / DAY)
        return score * min(self.percent_a_day * days, self.most) / 100


def late_for_free(course, root, lesson, students):
    """Yield sentences that say who came late and loses no points for it, and why.

    root: the folder that holds the receipts; students: id -> how they are printed.
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
    """Return why being late costs nothing; "" if the submission was in time, or pays a penalty."""
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
    """Return the time in UTC that a receipt notes; None if it cannot be read."""
    with suppress(ValueError):
        return datetime.strptime(noted, "%Y-%m-%d %H:%M:%S UTC")


def _due(course, lesson):
    """Return when the lesson is due; None if nbgrader has not been told."""
    if has_no_gradebook(course.coursedir.db_url):
        return None
    with course.gradebook as gradebook, suppress(MissingEntry):
        return gradebook.find_assignment(lesson).duedate


def has_no_gradebook(db_url):
    """Say whether there is no gradebook yet; by opening it, nbgrader would make an empty file."""
    file = gradebook_file(db_url)
    return file is not None and not file.exists()


def take_anew(course, lesson, student=None):
    """Take the present penalty for lateness from one student, or from all.

    nbgrader takes it when it grades.
    Later, marks may be changed by hand, the due date moved, or an extension granted.
    """
    with course.gradebook as gradebook:
        graded = [gradebook.find_submission(lesson, student)] if student else gradebook.assignment_submissions(lesson)
        late = [each.student.id for each in graded if each.total_seconds_late > 0 or each.late_submission_penalty]
    for name in late:
        about = dict(notebook=lesson, assignment=lesson, student=name, db_url=course.coursedir.db_url)
        AssignLatePenalties(config=course.config).preprocess(new_notebook(), {"nbgrader": about})
