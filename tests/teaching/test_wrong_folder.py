"""A command that is typed in another folder than the course's: it says so, and leaves nothing behind."""

import shutil

import pytest
from classroom import mha_here
from helpers import ROOT, every_one

COMMANDS = (
    "grade lesson_01",
    "grade --all",
    "grade lesson_01 --again --dry-run",
    "report lesson_01",
    "report --all",
    "feedback lesson_01",
    "marks lesson_01 --canvas ../class.csv --to marks.csv",
    "collect ../came --lesson lesson_01",
    "kit lesson_01",
    "kit lesson_02 --for ../class.csv",
)


@pytest.fixture
def folder(tmp_path):
    """One that is empty, and beside it what commands read."""
    (tmp_path / "class.csv").write_text("Student,ID,SIS Login ID\nByron Ada,1,ada\n")
    (tmp_path / "came" / "ada").mkdir(parents=True)
    (tmp_path / "came" / "ada" / "lesson_01_softmax.ipynb").write_text("{}")
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


def told(folder, command):
    """Type a command there, and return the one line that it says as it ends."""
    done = mha_here(folder, *command.split())
    assert done.returncode == 1 and not done.stdout and "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.slow
def test_a_folder_that_is_no_course(folder):
    """One sentence: what was looked for, and where to go."""

    def is_told(command):
        said = told(folder, command)
        assert f"There is no nbgrader_config.py in {folder}: go to the folder of your course" in said
        assert len(said.splitlines()) == 1 and not list(folder.iterdir())

    every_one(is_told, COMMANDS)


def test_a_folder_in_which_nothing_is_yet(folder):
    """It has settings, as the folder of a kit has: what was looked for is told, with the place."""
    shutil.copy(ROOT / "nbgrader_config.py", folder)

    def is_told(command):
        assert str(folder) in told(folder, command)
        assert [file.name for file in folder.iterdir()] == ["nbgrader_config.py"]

    every_one(is_told, COMMANDS)
