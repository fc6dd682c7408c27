"""Hooks for nbgrader: it reads submissions, and accepts students, as `mha grade` does."""

from functools import wraps
from pathlib import Path

from nbconvert.exporters import NotebookExporter
from nbgrader.api import Student
from nbgrader.apps import NbGraderAPI
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import event

from ..intake.students import trouble_with_name
from ..intake.taking import Strange, folder_is_there, place_of, strangeness
from ..intake.triage.finding import Unfit, parsed
from ..intake.triage.shape import shaped


class HandedIn(NotebookExporter):
    """Takes the place of nbgrader's exporter, which first reads what was handed in, and then what it made of it."""

    def from_filename(self, filename, resources=None, **options):
        about = (resources or {}).get("nbgrader")
        file = Path(filename)
        if not about or file.parent != self._submitted(about["student"], about["assignment"]):
            return super().from_filename(filename, resources, **options)
        return self.from_notebook_node(self._read(file, about["student"], about["assignment"]), resources, **options)

    def _read(self, file, student, assignment):
        try:
            folder_is_there(*place_of(self._course, assignment, student))
            if strange := trouble_with_name(student) or strangeness(file.parent):
                raise Strange(strange)
            return shaped(parsed(file.read_bytes(), []), [])
        except (Strange, Unfit) as why:
            raise NbGraderException(f"{file}: {why}") from None

    def _submitted(self, student, assignment):
        return Path(self._course.format_path(self._course.submitted_directory, student, assignment))

    @property
    def _course(self):
        return CourseDirectory(parent=self)


def _without_bad_names(listed):
    @wraps(listed)
    def students(self, assignment_id):
        return {student for student in listed(self, assignment_id) if not trouble_with_name(student)}

    return students


@event.listens_for(Student, "before_insert")
def _refuse(mapper, connection, student):
    if trouble_with_name(student.id):
        raise ValueError(trouble_with_name(student.id))


NbGraderAPI.get_submitted_students = _without_bad_names(NbGraderAPI.get_submitted_students)
