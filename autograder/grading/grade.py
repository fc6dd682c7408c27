"""Grading a class: one submission after the other, in one process, so that all workers come from one warm process."""

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

from nbgrader.apps import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from sqlalchemy.exc import SAWarning

from ..environment import find_our_commands
from .choosing import ADVICE, why_no_sandbox
from .strange_files import strange_file


class CannotGrade(Exception):
    """Before anything is graded: why, and what to do."""


@dataclass(frozen=True)
class Graded:
    """What became of one submission; `trouble`: why it was not graded, the end of what nbgrader said."""

    student: str
    score: float
    max_score: float
    trouble: str = ""


def grade(lesson, students=(), trust_submissions=False):
    """A Graded for each submission of a lesson, as they are done. A bad one does not stop the others."""
    trouble = why_no_sandbox()
    if trouble and not trust_submissions:
        raise CannotGrade(f"There is no sandbox here: {trouble}. {ADVICE}")
    find_our_commands()
    api = NbGraderAPI(config=_config(trust_submissions))
    there = sorted(api.get_submitted_students(lesson))
    unknown = sorted(set(students) - set(there))
    if unknown or not there:
        raise CannotGrade(f"No submission of {lesson} by {', '.join(unknown) or 'anybody'}: {_where(api, lesson)}")
    return (_graded(api, lesson, student) for student in students or there)


def _config(trust_submissions):
    """nbgrader's settings, as `nbgrader autograde` finds them from here."""
    app = NbGrader()
    app.load_config_file()
    app.config.Examiner.trust_submissions = trust_submissions
    return app.config


def _where(api, lesson):
    return f"they are expected in {api.coursedir.format_path(api.coursedir.submitted_directory, '<student>', lesson)}"


def _graded(api, lesson, student):
    strange = strange_file(Path(api.coursedir.format_path(api.coursedir.submitted_directory, student, lesson)))
    if strange:
        return Graded(
            student, 0.0, 0.0, f"{strange}: not graded. A submission holds files and folders, no links or pipes."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # nbgrader's queries, which are right nevertheless
        done = api.autograde(lesson, student)
    if not done["success"]:
        return Graded(student, 0.0, 0.0, _reason(f"{done.get('log')}\n{done.get('error')}"))
    with api.gradebook as gradebook:
        submission = gradebook.find_submission(lesson, student)
        return Graded(student, submission.score, submission.max_score)


def _reason(log):
    """The last error in the log, without nbgrader's own, which says that there was one."""
    errors = re.findall(r"^\s*[\w.]*?(\w+(?:Error|Exception): .+)$", log, re.MULTILINE)
    return next((e for e in reversed(errors) if not e.startswith("NbGraderException")), "nbgrader does not say why")
