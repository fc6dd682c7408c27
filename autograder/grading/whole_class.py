"""Grade a class; trouble with one submission does not stop the others."""

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from click import ClickException

from ..catalogue import LESSONS, lacking
from ..intake.names import find_students
from ..intake.whole_files import MEANWHILE, only_one
from ..intake.wording import points
from . import NoSandbox
from .processes import KILLED, WHY_KILLED, cores, results, results_of_cluster
from .sandbox.sources import source_of_workers

GRADE, SUBMISSIONS = (f"autograder.grading.grade:{name}" for name in ("grade", "submissions"))
SHARE = "autograder.grading.sandbox.sources:SHARED.update"
FEWEST_FILES = 256  # that a process may open, pipes and sockets among them
FEW = f"A process may open {{}} files here, and grading needs {FEWEST_FILES}: say `ulimit -n {FEWEST_FILES}` before"
FILE = (
    "A cluster needs a gradebook that all its machines reach; {} is a file. "
    'Set c.CourseDirectory.db_url = "postgresql+psycopg://..." in nbgrader_config.py.'
)


@dataclass(frozen=True)
class Submissions:
    """Who handed in a lesson, and how they are printed; where we looked for them; the course's folder and gradebook."""

    students: dict
    where: str
    root: str
    db_url: str


@dataclass(frozen=True)
class Graded:
    """What became of one submission.

    trouble: why it was not graded; unchanged: it was graded before, and nothing that its score depends on has changed;
    unjudged: tasks that could not be judged by a fault of ours; remarks: sentences for whoever asked; whom: the
    student, with the name if it is known; told: the same trouble was told when this was tried before.
    """

    lesson: str
    student: str
    score: float = 0.0
    max_score: float = 0.0
    trouble: str = ""
    unchanged: bool = False
    unjudged: tuple = ()
    remarks: tuple = ()
    whom: str = ""
    told: bool = False

    def __str__(self):
        trouble = f"as before, {self.trouble}" if self.told else self.trouble
        remarks = (remark.removesuffix(".") for remark in self.remarks)
        return trouble or "; ".join([f"{points(self.score)} of {points(self.max_score)}", *remarks])


class CannotGrade(ClickException):
    """Before anything is graded: why, and what to do."""


class ClassOfStudents:
    """The submissions of a lesson, or of all lessons (None), by all students or by some, ready to be graded.

    again: grade also what has not changed since it was graded.
    """

    def __init__(self, lesson=None, students=(), trust_submissions=False, again=False):
        lessons = [lesson] if lesson else LESSONS
        if hasattr(os, "sysconf") and 0 <= os.sysconf("SC_OPEN_MAX") < FEWEST_FILES:  # Windows has no limit
            raise CannotGrade(FEW.format(os.sysconf("SC_OPEN_MAX")))
        try:  # what workers come from gets warm while we look at who handed in
            sources = {without: source_of_workers(trust_submissions, without) for without in set(map(lacking, lessons))}
        except NoSandbox as trouble:
            raise CannotGrade(str(trouble)) from None
        self.shared = SHARE, sources
        asked = [(name, trust_submissions) for name in lessons]
        found = [(name, there) for (name, _), there in results(SUBMISSIONS, asked, 1)]
        if any(there is KILLED for _, there in found):
            raise CannotGrade(f"Nobody is graded: {WHY_KILLED}")
        self.whom = {student: told for _, there in found for student, told in there.students.items()}
        students = set(find_students(students, self.whom))
        if not students <= self.whom.keys() or not self.whom:
            who, where = ", ".join(sorted(students - self.whom.keys())) or "anybody", found[0][1].where
            what = f"No submission of {lesson or 'any lesson'} by {who} in {where}"
            raise CannotGrade(f"{what}: `mha collect` takes them in.")
        everybody = [(name, student) for name, there in found for student in there.students]
        self.tasks = [(*one, trust_submissions, again) for one in everybody if not students or one[1] in students]
        self.everybody = [self.whom[student] for _, student, *_ in self.tasks]
        self.root, self.db_url = found[0][1].root, found[0][1].db_url

    def grade(self, jobs=None, scheduler=None):
        """Yield a Graded for each submission, as they are done. What was done stays done, whenever this is stopped.

        jobs: processes on this machine, by default one for each core; scheduler: of a Dask cluster, in their place.
        """
        with self.alone():
            for (lesson, student, *_), graded in self._results(jobs, scheduler):
                done = Graded(lesson, student, trouble=KILLED) if graded is KILLED else graded
                yield replace(done, whom=self.whom[student])

    @contextmanager
    def alone(self):
        """Yield the folder for what is needed meanwhile, without what a killed run left; only one at a time is here."""
        place = Path(self.root, MEANWHILE)
        with only_one(self.root, "grading"):
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(0o700)
            try:
                yield place
            finally:
                shutil.rmtree(place, ignore_errors=True)

    def _results(self, jobs, scheduler):
        if scheduler is None:
            return results(GRADE, self.tasks, jobs or cores(), self.shared)
        if self.db_url.startswith("sqlite"):
            raise CannotGrade(FILE.format(self.db_url))
        return results_of_cluster(GRADE, self.tasks, scheduler, self.root)
