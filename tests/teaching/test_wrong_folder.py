"""A command that is typed in another folder than the course's: it says so, and leaves nothing behind."""

import shutil
import subprocess
import sys

import pytest
from helpers import ROOT

pytestmark = pytest.mark.slow
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


def mha(folder, command):
    command = [sys.executable, "-m", "autograder.cli", *command.split()]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_is_no_course(folder, command):
    """One sentence: what was looked for, and where to go."""
    done = mha(folder, command)
    assert done.returncode == 1 and not done.stdout
    told = f"There is no nbgrader_config.py in {folder}: go to the folder of your course"
    assert told in done.stderr and len(done.stderr.splitlines()) == 1
    assert not list(folder.iterdir())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_in_which_nothing_is_yet(folder, command):
    """It has settings, as the folder of a kit has: what was looked for is told, with the place."""
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    done = mha(folder, command)
    assert done.returncode == 1 and str(folder) in done.stderr and "Traceback" not in done.stderr
    assert [file.name for file in folder.iterdir()] == ["nbgrader_config.py"]
