"""When a submission came, and the penalty for handing in late.

nbgrader knows when a lesson is due (formgrader asks for it), and calls LatePolicy.
"""

from contextlib import suppress
from datetime import UTC, datetime
from math import ceil

from dateutil import parser
from nbformat.v4 import new_notebook
from nbgrader.api import MissingEntry
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float

from .course_folder import receipt, receipt_or_trouble, submitted_folder
from .fit import LONGEST_TIME, received_folder
from .own_numbers import has_no_gradebook
from .triage import TIME
from .whole_files import write_whole
from .wording import listed

HOUR, DAY = 3600, 86400  # seconds
WRITTEN = "%Y-%m-%d %H:%M:%S UTC"  # as nbgrader writes it


def time_of(theirs, lesson, coursedir, number):
    """Return the time in UTC, as nbgrader writes it, or as it was told if it cannot be read; "" if none was told.

    A time without a zone is taken as this computer's local time.
    """
    told = theirs.student.about.get("time", "").strip(" -")
    received = received_folder(coursedir.root, lesson, theirs.student.id, number)
    for file in sorted(received.rglob(TIME), reverse=True):
        with file.open(encoding="utf-8", errors="replace") as opened:  # nbgrader's, or the learner's own
            told = told or opened.read(LONGEST_TIME).strip()
    try:
        return parser.parse(told).astimezone(UTC).strftime(WRITTEN)
    except (ValueError, ArithmeticError):
        return told


def put_time(lesson, student, coursedir, number, time):
    """Write the time beside the submission; if there is none, remove the time of an older submission."""
    file = submitted_folder(coursedir, lesson, student) / TIME
    if time.endswith("UTC"):
        write_whole(file, time)
    elif receipt(coursedir.root, lesson, student).get("received", str(number)) != str(number):
        file.unlink(missing_ok=True)


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


def late_for_free(course, lesson, students):
    """Yield a sentence that says who came late and loses no points for it. students: id -> how they are printed."""
    due, policy, root = None, LatePolicy(config=course.config), course.coursedir.root
    if not has_no_gradebook(course.coursedir.db_url):
        with course.gradebook as gradebook, suppress(MissingEntry):
            due = gradebook.find_assignment(lesson).duedate
    names = [told for who, told in students.items() if _is_free(policy, due, receipt_or_trouble(root, lesson, who))]
    if names:
        takes = "c.LatePolicy.percent_a_day in nbgrader_config.py, a due date in formgrader, a time (timestamp.txt)"
        yield f"{listed(names)} came late and {'lose' if len(names) > 1 else 'loses'} no points; that takes {takes}."


def _is_free(policy, due, noted):
    """Say whether a submission was late, and pays no penalty; within the hours of grace it was not late."""
    with suppress(ValueError):
        time = datetime.strptime(noted.get("time", ""), WRITTEN)
        if due:
            return not policy.percent_a_day and (time - due).total_seconds() > policy.grace * HOUR
    return bool(noted.get("late"))


def take_anew(course, lesson, student=None):
    """Take the present penalty for lateness from one student or from all: marks and dates may have changed."""
    with course.gradebook as gradebook:
        graded = [gradebook.find_submission(lesson, student)] if student else gradebook.assignment_submissions(lesson)
        late = [each.student.id for each in graded if each.total_seconds_late > 0 or each.late_submission_penalty]
    for name in late:
        about = dict(notebook=lesson, assignment=lesson, student=name, db_url=course.coursedir.db_url)
        AssignLatePenalties(config=course.config).preprocess(new_notebook(), {"nbgrader": about})
