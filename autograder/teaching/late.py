"""What handing in late costs. nbgrader knows when a lesson is due (formgrader asks for it) and calls this."""

from math import ceil

from nbgrader.plugins import LateSubmissionPlugin
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
