"""The course that an instructor stands in: folders and gradebook, wherever nbgrader's settings put them."""

from pathlib import Path

from nbgrader.apps import NbGraderAPI

from ..catalogue import LESSONS
from ..grading.grade import _config


class CannotTell(Exception):
    """What was asked for is not there: what was found, and what to do."""


def course(trust_submissions=False):
    """nbgrader's view of this folder."""
    return NbGraderAPI(config=_config(trust_submissions))


def root_of(course):
    return Path(course.coursedir.root)


def autograded(course, lesson, student):
    """The notebook of a submission as grading left it; it need not be there."""
    folders = course.coursedir
    return Path(folders.format_path(folders.autograded_directory, student, lesson)) / f"{lesson}.ipynb"


def known(lesson):
    """The lesson's name, if there is such a lesson."""
    if lesson not in LESSONS:
        raise CannotTell(f"There is no lesson {lesson}. There are: {', '.join(LESSONS)}")
    return lesson
