"""What a second judging would change."""

from dataclasses import dataclass
from math import isclose

from ...grading.verdicts import verdicts_of
from ...intake.course_folder import autograded_notebook, notebook_of
from ...intake.wording import finding_in_words
from ..gradebook import scores_of

SAID = ("reason", "misconception", "also", "property", "message")  # of a verdict, what people see


@dataclass(frozen=True)
class Change:
    """One answer that is judged otherwise: points and finding, old and new; by_hand: somebody's mark, which stays."""

    student: str
    exercise: str
    old: float
    new: float
    was: str
    would_be: str
    by_hand: float = None

    @property
    def is_of_points(self):
        return not isclose(self.old or 0.0, self.new or 0.0)


def judged(course, lesson, students):
    """(student, exercise) -> its score and its verdict, as they are in a course."""
    verdicts = {student: _verdicts(autograded_notebook(course.coursedir, lesson, student)) for student in students}
    scores = (score for score in scores_of(course.coursedir.db_url, lesson) if score.student in verdicts)
    return {(score.student, score.exercise): (score, verdicts[score.student].get(score.exercise)) for score in scores}


def changes(before, after):
    """Between two of those, student by student."""
    both = ((key, before[key], after[key]) for key in sorted(before) if key in after)
    return [_change(key, *old, *new) for key, old, new in both if _differ(old, new)]


def of_the_same(course, other, lesson, students):
    """Those of whom the same cells were judged in both courses: else somebody handed in once more in between."""
    return [student for student in students if _cells(course, lesson, student) == _cells(other, lesson, student)]


def _cells(course, lesson, student):
    return [cell.source for cell in notebook_of(autograded_notebook(course.coursedir, lesson, student)).cells]


def _verdicts(file):
    return {verdict["task"]: verdict for verdict in verdicts_of(notebook_of(file))} if file.exists() else {}


def _differ(old, new):
    (score, verdict), (new_score, new_verdict) = old, new
    return score.judged != new_score.judged or _said(verdict) != _said(new_verdict)


def _said(verdict):
    return verdict and [verdict.get(name) for name in SAID]


def _change(key, score, verdict, new_score, new_verdict):
    by_hand = score.points if score.by_hand else None
    was, would_be = finding_in_words(verdict), finding_in_words(new_verdict)
    return Change(*key, score.judged, new_score.judged, was, would_be, by_hand)
