"""Regrading a lesson: all is judged beside the course; what changes can then be graded in it."""

from tempfile import TemporaryDirectory

import click

from ...grading import crew
from ...grading.many import Class, cores
from ..course import autograded_notebook, course, known
from .changes import changes, judged
from .scratch import beside, prepare

JUDGE = "autograder.teaching.regrade.scratch:judge_again"
KILLED = "the process that tried was ended from outside, several times; its old score stays"


class Regrading:
    """The submissions of a lesson that are graded, all or those graded since some time.

    changes: what a second judging changes; troubles: student -> why there was none. Both are there after `try_again`.
    """

    def __init__(self, lesson, since=None, trust_submissions=False):
        self.lesson, self.trust, self.course = known(lesson), trust_submissions, course()
        everybody = [student for _, student, *_ in Class(lesson, trust_submissions=trust_submissions).tasks]
        self.students = [student for student in everybody if self._is_graded(student, since)]
        if not self.students:
            when = f" since {since:%Y-%m-%d %H:%M}" if since else ""
            raise click.ClickException(
                f"No submission of {lesson} was graded{when}: `mha grade {lesson}` grades what is new."
            )
        self.changes, self.troubles = [], {}

    def _is_graded(self, student, since):
        file = autograded_notebook(self.course.coursedir, self.lesson, student)
        return file.exists() and (since is None or file.stat().st_mtime >= since.timestamp())

    def try_again(self, jobs=None):
        """A step for each submission. Nothing of the course is touched."""
        with TemporaryDirectory() as folder:
            prepare(self.course.coursedir.db_url, folder)
            tasks = [(self.lesson, student, self.trust, folder) for student in self.students]
            for (_, student, *_), done in crew.results(JUDGE, tasks, jobs or cores()):
                why = KILLED if done is crew.KILLED else done.trouble
                self.troubles |= {student: why} if why else {}
                yield
            well = [student for student in self.students if student not in self.troubles]
            before, after = (judged(place, self.lesson, well) for place in (self.course, beside(folder)))
            self.changes = changes(before, after)

    def write(self, jobs=None):
        """Grade those in whose work something changes: a Graded for each."""
        students = sorted({change.student for change in self.changes})
        if students:
            yield from Class(self.lesson, students, self.trust, again=True).grade(jobs)
