"""A second course beside the real one: the same submissions, lessons and seed, copies of all that grading writes."""

import shutil
from functools import cache
from pathlib import Path

from nbgrader.api import Base
from sqlalchemy import create_engine

from ...grading.many import by_hand
from ...grading.many.copies import copied
from ...grading.many.grade import graded_by
from ...intake.course_folder import course
from ...intake.numbers_of_students import FOLDER
from ...intake.seed import NAME, folder_of, seed_of
from ...intake.settings import settings


def prepare(db_url, folder):
    """Copy the gradebook, whatever database it is in, and the seed and students' numbers, so that all is the same."""
    seed_of(db_url)
    shutil.copy(folder_of(db_url) / NAME, folder)
    if (folder_of(db_url) / FOLDER).exists():
        shutil.copytree(folder_of(db_url) / FOLDER, Path(folder, FOLDER))
    _copy_gradebook(create_engine(db_url), create_engine(_gradebook(folder)))


def judge_again(lesson, student, trust_submissions, folder):
    """A Graded; the course knows nothing of it."""
    there = beside(folder, trust_submissions)
    with copied(there.coursedir, lesson, student, to_try=True) as unfit:
        return graded_by(there, lesson, student, by_hand.marked(there, lesson, student), unfit)


@cache
def beside(folder, trust_submissions=False):
    """nbgrader's view of the second course."""
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
