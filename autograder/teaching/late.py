"""What handing in late costs. nbgrader knows when a lesson is due (formgrader asks for it) and calls this."""

from math import ceil

from nbformat.v4 import new_notebook
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets import Float

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
