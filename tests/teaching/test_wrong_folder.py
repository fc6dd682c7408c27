"""A command that is typed in another folder than the course's: it says so, and leaves nothing behind."""

import shutil

import pytest
from click.testing import CliRunner
from helpers import ROOT, failures

from autograder.cli import main
from autograder.grading.many import grade
from autograder.teaching.feedback import generating

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


def run(command):
    """Run a command as a new process would, which has read no course yet."""
    for kept in (grade._api, generating._course):
        kept.cache_clear()
    return CliRunner().invoke(main, command.split())


def test_a_folder_that_is_no_course(folder, monkeypatch):
    """One sentence: what was looked for, and where to go."""
    monkeypatch.chdir(folder)

    def is_told(command):
        done = run(command)
        assert done.exit_code == 1 and not done.stdout
        told = f"There is no nbgrader_config.py in {folder}: go to the folder of your course"
        assert told in done.stderr and len(done.stderr.splitlines()) == 1
        assert not list(folder.iterdir())

    assert failures(is_told, COMMANDS) == {}


def test_a_folder_in_which_nothing_is_yet(folder, monkeypatch):
    """It has settings, as the folder of a kit has: what was looked for is told, with the place."""
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    monkeypatch.chdir(folder)

    def is_told(command):
        done = run(command)
        assert isinstance(done.exception, SystemExit) and done.exit_code == 1 and str(folder) in done.stderr
        assert [file.name for file in folder.iterdir()] == ["nbgrader_config.py"]

    assert failures(is_told, COMMANDS) == {}
