"""The course that an instructor stands in: folders and gradebook, wherever nbgrader's settings put them."""

import json
from pathlib import Path

import nbformat
from nbgrader.apps import NbGraderAPI

from ..catalogue import LESSONS
from ..environment import find_our_commands
from ..grading.grade import settings


class CannotTell(Exception):
    """What was asked for is not there: what was found, and what to do."""


def course(config=None):
    """nbgrader's view of this folder, or with other settings of another one."""
    find_our_commands()
    return NbGraderAPI(config=config or settings(trust_submissions=False))


def root_of(course):
    return Path(course.coursedir.root)


def autograded(course, lesson, student):
    """The notebook of a submission as grading left it; it need not be there."""
    folders = course.coursedir
    return Path(folders.format_path(folders.autograded_directory, student, lesson)) / f"{lesson}.ipynb"


def notebook_of(file):
    """As it is: nbformat would look at each cell for longer than we have, and grading has done so."""
    return nbformat.from_dict(json.loads(Path(file).read_text(encoding="utf-8")))


def known(lesson):
    """The lesson's name, if there is such a lesson."""
    if lesson not in LESSONS:
        raise CannotTell(f"There is no lesson {lesson}. There are: {', '.join(LESSONS)}")
    return lesson
