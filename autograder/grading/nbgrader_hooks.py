"""Hooks for nbgrader: it reads submissions, and knows lessons and students, as `mha grade` does, and repeats less."""

import re
from contextlib import suppress
from functools import cache
from logging import NullHandler
from pathlib import Path
from tempfile import TemporaryDirectory

from jsonschema import Draft4Validator
from nbconvert.exporters import NotebookExporter
from nbgrader import api
from nbgrader.api import MissingEntry, Student
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import saveautogrades
from sqlalchemy import event

from ..failure_messages import Told, told_again
from ..intake.bounds import Refused, folder_is_there, strangeness
from ..intake.course_folder import place_of
from ..intake.names import trouble_with_name
from ..intake.triage.shape import parsed, shaped

LONGEST_LINE = 1000  # characters of nbgrader's log
POINT_ABOVE = "see the the above", "recently upgraded nbgrader"  # nbgrader's last words, which say nothing new


class HandedIn(NotebookExporter):
    """Takes the place of nbgrader's exporter, which first reads what was handed in, and then what it made of it."""

    def from_filename(self, filename, resources=None, **options):
        about, course, file = (resources or {}).get("nbgrader"), CourseDirectory(parent=self), Path(filename)
        student, assignment = (about["student"], about["assignment"]) if about else ("", "")
        if not about or file.parent != Path(course.format_path(course.submitted_directory, student, assignment)):
            return super().from_filename(filename, resources, **options)
        try:
            folder_is_there(*place_of(course, assignment, student))
            if strange := trouble_with_name(student) or strangeness(file.parent):
                raise Refused(strange)
            handed_in = shaped(parsed(file.read_bytes(), []), [])
        except Refused as why:
            raise NbGraderException(f"{file}: {why}") from None
        return self.from_notebook_node(handed_in, resources, **options)


def _without_bad_names(self, assignment_id):
    return {student for student in _submitted(self, assignment_id) if not trouble_with_name(student)}


_submitted, NbGraderAPI.get_submitted_students = NbGraderAPI.get_submitted_students, _without_bad_names


@event.listens_for(Student, "before_insert")
def _refuse(mapper, connection, student):
    if trouble_with_name(student.id):
        raise ValueError(trouble_with_name(student.id))


def make_known(api, lesson):
    """Let nbgrader learn what a lesson asks for: it does so when it makes the students' version, thrown away here."""
    with api.gradebook as gradebook, suppress(MissingEntry):
        if gradebook.find_assignment(lesson).notebooks:
            return
    if not api.get_submitted_students(lesson):
        return
    with TemporaryDirectory() as folder:
        config = api.config.copy()
        config.CourseDirectory.release_directory = folder
        done = NbGraderAPI(config=config).generate_assignment(lesson)
    if not done["success"]:
        raise Told(f"nbgrader cannot read the lesson {lesson}: {reason(done['log'])}")


def reason(log):
    """Return the last error in the log that says why."""
    lines = "\n".join(line[:LONGEST_LINE] for line in log.splitlines())
    errors = re.findall(r"^\s*[\w.]*?((?:\w+(?:Error|Exception|Entry)|NoSandbox): .+)$", lines, re.MULTILINE)
    says_why = (error for error in reversed(errors) if not any(words in error for words in POINT_ABOVE))
    last = next(says_why, "nbgrader does not say why")
    return told_again(last)


def _makes_known_first(self):
    """So `nbgrader autograde` and formgrader's button need no `nbgrader generate_assignment` before them."""
    try:
        make_known(NbGraderAPI(config=self.config), self.coursedir.assignment_id)
    except Told as why:
        self.log.error(why)
        raise NbGraderException(str(why)) from None
    _autograde(self)


_autograde, Autograde.start = Autograde.start, _makes_known_first


def find_out_once():
    """Let nbgrader find out once in this process what stays the same; that saves a quarter of the time.

    And let it print no traceback of what it raises: whoever asked gets a sentence.
    """
    api.app_log.addHandler(NullHandler())
    api.create_engine = cache(api.create_engine)  # an engine remembers how each question is put
    Autograde.start = _autograde  # whoever grades many makes the lesson known before
    saveautogrades.Gradebook = AtOnce
    Draft4Validator.check_schema = lambda schema, **options: None  # of nbgrader itself; notebooks are checked as before


class AtOnce(api.Gradebook):
    """A gradebook that writes all scores of a notebook together, or none: fifty times the disk was waited for."""

    def __init__(self, *details):
        super().__init__(*details)
        self.db().autoflush = False
        self.db.commit = lambda: None

    def __exit__(self, kind, *what):
        if kind is None:
            self.db().commit()
        super().__exit__(kind, *what)
