"""A course that an instructor has just opened: a lesson is released, and nobody has handed in."""

import shutil

import pytest
from corpus.broken import FILE, LESSON, RELEASED
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config


@pytest.fixture
def course(tmp_path, new_course):
    """Where its folders are."""
    return new_course(tmp_path / "my_course")


@pytest.fixture(scope="session")
def new_course():
    """A function: folder -> CourseDirectory."""

    def opened(root):
        (root / "course" / LESSON).mkdir(parents=True)
        shutil.copyfile(RELEASED, root / "course" / LESSON / FILE)
        (root / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.release_directory = 'course'\n")
        return CourseDirectory(config=Config(CourseDirectory={"root": str(root), "release_directory": "course"}))

    return opened
