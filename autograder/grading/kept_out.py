"""Names that nbgrader never meets: formgrader writes a student's into its pages and addresses as it is.

Whoever imports this keeps out of its lists, and of the gradebook, what `mha grade` refuses. There is no setting for it.
"""

from functools import wraps

from nbgrader.api import Student
from nbgrader.apps import NbGraderAPI
from sqlalchemy import event

from ..intake.folder_names import bad_name


def _without_bad_names(listed):
    @wraps(listed)
    def students(self, assignment_id):
        return {student for student in listed(self, assignment_id) if not bad_name(student)}

    return students


@event.listens_for(Student, "before_insert")
def _refuse(mapper, connection, student):
    if bad_name(student.id):
        raise ValueError(bad_name(student.id))


NbGraderAPI.get_submitted_students = _without_bad_names(NbGraderAPI.get_submitted_students)
