"""Judge a lesson again beside the course, and grade in the course where that changes something."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from nbgrader.api import Base
from sqlalchemy import create_engine

from ...grading.many import by_hand, pool
from ...grading.many.grade import graded_by
from ...grading.many.graded import Graded
from ...grading.many.graded_copies import copied
from ...grading.many.unchanged import fingerprint
from ...grading.many.whole_class import Class, cores
from ...intake.course_folder import autograded_notebook, course, known, settings
from ...intake.numbers_of_students import FOLDER, NAME, folder_of, seed_of
from ...intake.receipts import note, receipt_or_trouble
from .changes import changes, judged, of_the_same

JUDGE = "autograder.teaching.regrade.regrading:judge_again"
KILLED = f"{pool.WHY_KILLED}; its old score stays"


class Regrading:
    """A second judging of a lesson's graded submissions, of all or of those graded since some time.

    changes: what a second judging changes; troubles: student -> why there was none; same: student -> the fingerprint
    of all that a judging depends on, where it changes nothing. All are there after `try_again`.
    whom: student -> as they are told, with their name if it is known.
    """

    def __init__(self, lesson, since=None, trust_submissions=False):
        self.lesson, self.trust, self.course = known(lesson), trust_submissions, course()
        self.submissions = Class(lesson, trust_submissions=trust_submissions)
        self.whom = self.submissions.whom
        self.students = [student for student in self.whom if self._is_graded(student, since)]
        if not self.students:
            when = f" since {since:%Y-%m-%d %H:%M}" if since else ""
            raise click.ClickException(
                f"No submission of {lesson} was graded{when}: `mha grade {lesson}` grades what is new."
            )
        self.changes, self.troubles, self.same = [], {}, {}

    @property
    def changed(self):
        return sorted({change.student for change in self.changes})

    def _is_graded(self, student, since):
        file = autograded_notebook(self.course.coursedir, self.lesson, student)
        return file.exists() and (since is None or file.stat().st_mtime >= since.timestamp())

    def try_again(self, jobs=None):
        """Yield a Graded for each submission, without touching the course."""
        prints = {student: self._fingerprint(student) for student in self.students}
        with TemporaryDirectory() as folder:
            prepare(self.course.coursedir.db_url, folder)
            tasks = [(self.lesson, student, self.trust, folder) for student in self.students]
            for (_, student, *_), done in pool.results(JUDGE, tasks, jobs or cores(), self.submissions.lent):
                done = Graded(self.lesson, student, trouble=KILLED) if done is pool.KILLED else done
                self.troubles |= {student: done.trouble} if done.trouble else {}
                yield done
            well = [student for student in self.students if student not in self.troubles]
            before, after = (judged(place, self.lesson, well) for place in (self.course, beside(folder)))
            self.changes = changes(before, after)
            unchanged = set(well) - set(self.changed)
            same = of_the_same(self.course, beside(folder), self.lesson, unchanged)
            self.same = {student: prints[student] for student in same}

    def _fingerprint(self, student):
        with copied(self.course.coursedir, self.lesson, student, to_try=True):
            return fingerprint(self.course.coursedir, self.lesson, student)

    def write(self, jobs=None):
        """Grade the submissions that change, and yield a Graded for each; all others count as graded now, too."""
        self._note_the_same()
        if self.changed:
            yield from Class(self.lesson, self.changed, self.trust, again=True).grade(jobs)

    def _note_the_same(self):
        """Note the fingerprints of unchanged submissions, so that `mha grade` need not judge them a third time."""
        for student, print_ in self.same.items():
            graded = receipt_or_trouble(self.course.coursedir.root, self.lesson, student).get("graded")
            if graded:
                note(self.course.coursedir.root, self.lesson, student, graded=graded | {"fingerprint": print_})


def prepare(db_url, folder):
    """Copy the gradebook, whatever database it is in, and the seed and students' numbers, so that all is the same."""
    seed_of(db_url)
    shutil.copy(folder_of(db_url) / NAME, folder)
    if (folder_of(db_url) / FOLDER).exists():
        shutil.copytree(folder_of(db_url) / FOLDER, Path(folder, FOLDER))
    _copy_gradebook(create_engine(db_url), create_engine(_gradebook(folder)))


def judge_again(lesson, student, trust_submissions, folder):
    """Judge a submission in the second course and return a Graded; the real course is not touched."""
    there = beside(folder, trust_submissions)
    with copied(there.coursedir, lesson, student, to_try=True) as unfit:
        return graded_by(there, lesson, student, by_hand.marked(there, lesson, student), unfit)


@cache
def beside(folder, trust_submissions=False):
    """Return nbgrader's view of the second course."""
    config = settings(trust_submissions)
    config.CourseDirectory.db_url = _gradebook(folder)
    config.CourseDirectory.autograded_directory = str(Path(folder, "autograded"))
    return course(config)


def _gradebook(folder):
    return f"sqlite:///{folder}/gradebook.db"


def _copy_gradebook(real, copy):
    Base.metadata.create_all(copy)
    with real.connect() as reading, copy.begin() as writing:
        for table in Base.metadata.sorted_tables:
            rows = [dict(row) for row in reading.execute(table.select()).mappings()]
            if rows:
                writing.execute(table.insert(), rows)
