"""Grade a class on all cores; trouble with one submission does not stop the others."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from click import ClickException
from filelock import FileLock, Timeout

from ...catalogue import LESSONS, lacking
from ...intake.students import find_students
from ...intake.wording import points
from .. import NoSandbox
from ..sandbox.selection import source_of_workers
from . import pool

GRADE, SUBMISSIONS, BORROW = (f"autograder.grading.many.grade:{name}" for name in ("grade", "submissions", "borrow"))
KILLED = f"not graded: {pool.WHY_KILLED}"
ASK = 'Set c.CourseDirectory.db_url = "postgresql+psycopg://..." in nbgrader_config.py.'


@dataclass(frozen=True)
class Submissions:
    """Who handed in a lesson, and as whom they are told; where that was looked for, in words; the folder of the course,
    and its gradebook.
    """

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
        return trouble or ", ".join([f"{points(self.score)} of {points(self.max_score)}", *self.remarks])


class CannotGrade(ClickException):
    """Before anything is graded: why, and what to do."""


class Class:
    """The submissions of a lesson, or of all lessons (None), by all students or by some, ready to be graded.

    again: grade also what has not changed since it was graded.
    """

    def __init__(self, lesson=None, students=(), trust_submissions=False, again=False):
        lessons = [lesson] if lesson else LESSONS
        self.lent = BORROW, _sources(lessons, trust_submissions)
        asked = [(name, trust_submissions) for name in lessons]
        found = [(name, there) for (name, _), there in pool.results(SUBMISSIONS, asked, 1)]
        self.whom = {student: told for _, there in found for student, told in there.students.items()}
        students = set(find_students(students, self.whom))
        if not students <= self.whom.keys() or not self.whom:
            who, where = ", ".join(sorted(students - self.whom.keys())) or "anybody", found[0][1].where
            raise CannotGrade(f"No submission of {lesson or 'any lesson'} by {who}: {where} is where it should be")
        everybody = [(name, student) for name, there in found for student in there.students]
        self.tasks = [(*one, trust_submissions, again) for one in everybody if not students or one[1] in students]
        self.everybody = [self.whom[student] for _, student, *_ in self.tasks]
        self.at_work = {}
        self.root, self.db_url = found[0][1].root, found[0][1].db_url

    def grade(self, jobs=None, scheduler=None):
        """Yield a Graded for each submission, as they are done. What was done stays done, whenever this is stopped.

        jobs: processes on this machine, by default one for each core; scheduler: of a Dask cluster, in their place.
        """
        lock = FileLock(Path(self.root, ".grading.lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise CannotGrade(f"Somebody else is grading in {self.root}: wait until that is done.") from None
        with lock:
            for (lesson, student, *_), graded in self._results(jobs, scheduler):
                done = Graded(lesson, student, trouble=KILLED) if graded is pool.KILLED else graded
                yield replace(done, whom=self.whom[student])

    def longest(self):
        """Return whose submission has been at work for the longest time, and its seconds; None if there is none."""
        for (_, student, *_), since in list(self.at_work.items())[:1]:
            return self.whom[student], monotonic() - since

    def _results(self, jobs, scheduler):
        if scheduler is None:
            return pool.results(GRADE, self.tasks, jobs or cores(), self.lent, self.at_work)
        if self.db_url.startswith("sqlite"):
            raise CannotGrade(
                f"A cluster needs a gradebook that all its machines reach; {self.db_url} is a file. {ASK}"
            )
        return pool.results_of_cluster(GRADE, self.tasks, scheduler, self.root)


def _sources(lessons, trust_submissions):
    """Return lacks -> a source of workers, which gets warm while we look at who handed in."""
    try:
        return {lacks: source_of_workers(trust_submissions, lacks) for lacks in {lacking(lesson) for lesson in lessons}}
    except NoSandbox as trouble:
        raise CannotGrade(str(trouble)) from None


def cores():
    """Return the number of CPU cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
