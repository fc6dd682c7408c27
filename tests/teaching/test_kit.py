"""`mha kit`: what students receive works where they unpack it, and holds no solution."""

import ast
import os
import signal
import subprocess
import sys
import tomllib
import zipfile

import click
import nbformat
import pytest
from corpus.broken import FILE, LESSON, RELEASED
from helpers import ROOT, our_answers

from autograder.catalogue import LESSONS
from autograder.course import installed
from autograder.failure_messages import Told
from autograder.outline import outline
from autograder.teaching.cheat_sheet import FILE as SHEET
from autograder.teaching.kit import make_kit


@pytest.fixture
def unpacked(course, tmp_path):
    """The folder that a student has then."""
    with zipfile.ZipFile(make_kit(LESSON, course, tmp_path / "kit.zip")) as kit:
        kit.extractall(tmp_path / "home")
    return tmp_path / "home" / outline().id


def run(folder, *command):
    """As a student does, with what is unpacked there and nothing else of ours."""
    environment = os.environ | {"PYTHONPATH": str(folder), "CI": "1"}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
def test_mha_works_there(unpacked):
    """The lesson is copied to my_course/, and a wrong answer is named."""
    lab = "from pathlib import Path; from autograder.lab import copy_lessons; here = Path.cwd(); "
    lab += "print(*copy_lessons(here / 'course', here / 'my_course'))"
    assert run(unpacked, "-c", lab).strip().endswith(f"my_course/{LESSON}/{FILE}")
    copied, released = (nbformat.read(file, 4) for file in (unpacked / "my_course" / LESSON / FILE, RELEASED))
    assert copied.cells == released.cells
    judge = "import autograder, numpy as np; print(autograder.__file__); "
    judge += "print(autograder.judge(lambda s, axis=-1: np.exp(s) / np.exp(s).sum(), 'softmax').message)"
    where, message = run(unpacked, "-c", judge).split("\n", 1)
    assert where.startswith(str(unpacked)) and "axis" in message
    assert "lab" in run(unpacked, "-m", "autograder.cli", "--help")


def test_it_can_be_installed(unpacked):
    """All that setting up asks for is there: the pins, and the files that pyproject.toml names."""
    asked = (
        "import sys; sys.path.insert(0, 'tools'); import set_up; print(set_up.supported_versions(), set_up.stamp(''))"
    )
    assert str(unpacked) in run(unpacked, "-c", asked)
    for name in ("README.md", "LICENSE", "Makefile", "nbgrader_config.py", "autograder/jupyter/labconfig"):
        assert (unpacked / name).exists(), name
    assert "make lab" in (unpacked / "README.md").read_text(encoding="utf-8")


def test_a_cheat_sheet_comes_along(course, tmp_path):
    """It lies where `mha lab` looks for what learners get; a course without one has kits, too."""
    (tmp_path / "my_course" / "course" / SHEET).write_text("formulas")
    with zipfile.ZipFile(make_kit(LESSON, course, tmp_path / "kit.zip")) as kit:
        assert kit.read(f"{outline().id}/course/{SHEET}") == b"formulas"


def test_no_solution_is_in_it(unpacked):
    """No file of solutions/, no body of a function as we wrote it, no test, no other lesson's notebook."""
    names = {file.relative_to(unpacked).as_posix() for file in unpacked.rglob("*") if file.is_file()}
    assert not [name for name in names if name.startswith(("solutions", "tests", "book", "benchmarks", "my_course"))]
    assert [name for name in names if name.endswith(".ipynb")] == [f"course/{LESSON}/{FILE}"]
    texts = {file: file.read_text(encoding="utf-8") for file in unpacked.rglob("*.*") if file.is_file()}
    for name, body in _bodies():
        assert not [file for file, text in texts.items() if body in text], name


def test_no_solution_is_installed_with_the_packages():
    """Texts and answers are no packages, so an installation from the repository leaves them out."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert found["packages"]["find"]["namespaces"] is False
    apart = list(installed().folder.glob("*/text"))
    assert apart and not [file for folder in apart for file in folder.rglob("__init__.py")]
    shipped = [file for pattern in found["package-data"]["mha_lessons"] for file in installed().folder.glob(pattern)]
    assert shipped and not [
        file for file in shipped for _, body in _bodies() if body in file.read_text(encoding="utf-8")
    ]


def test_every_module_is_installed():
    """A folder without `__init__.py` would be left out, and its modules missed where only the packages are."""
    for folder in outline().folders.values():
        modules = [file for file in folder.rglob("*.py") if "text" not in file.parts]
        assert modules and [file for file in modules if not (file.parent / "__init__.py").exists()] == []


def _bodies():
    """The lines of our solutions between the marks, of functions of more than two lines."""
    for lesson in LESSONS:
        for name, source in our_answers(lesson).items():
            body = source.partition("### BEGIN SOLUTION")[2].partition("### END SOLUTION")[0].strip()
            if body.count("\n") > 1:
                yield name, body


def test_what_computers_leave_is_not_in_it(unpacked):
    """No caches, no editors' copies; every Python file can be read."""
    assert not [file for file in unpacked.rglob("*") if "__pycache__" in file.parts or file.name.startswith(".")]
    for file in unpacked.rglob("*.py"):
        ast.parse(file.read_text(encoding="utf-8"))


def test_a_kit_appears_whole_or_not_at_all(course, tmp_path, monkeypatch):
    """The old one stays until the new one is complete, and nothing is left beside it."""
    kit = make_kit(LESSON, course, tmp_path / "kit.zip")
    before = kit.read_bytes()
    monkeypatch.setattr(zipfile.ZipFile, "write", lambda *_: (_ for _ in ()).throw(OSError(28, "no space")))
    with pytest.raises(Told, match="no space"):
        make_kit(LESSON, course, kit)
    assert kit.read_bytes() == before and [f.name for f in tmp_path.glob("*") if "kit" in f.name] == ["kit.zip"]


KILLED = """
import os, signal
from nbgrader.coursedir import CourseDirectory
from autograder.grading.one_notebook import settings
from autograder.teaching import kit
kit.{0} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
kit.{1}
"""


@pytest.mark.skipif(os.name == "nt", reason="nobody is killed like that on Windows")
@pytest.mark.slow
def test_a_kill_leaves_nothing_in_the_temporary_folder(tmp_path):
    """When all is ready to be packed: so no later run has to remove anything."""
    kits = f"make_kit({LESSON!r}, CourseDirectory(config=settings()), 'kit.zip', {{}})"
    bundles = [f"make_bundle('vpl', {LESSON!r}, {to!r})" for to in ("bundle.zip", "bundle")]
    (tmp_path / "tmp").mkdir()
    for call, last in zip([kits, *bundles], ("pack", "pack", "lay_out")):
        program, around = KILLED.format(last, call), os.environ | {"TMPDIR": str(tmp_path / "tmp")}
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=around, check=False)
        assert done.returncode == -signal.SIGKILL and list(tmp_path.rglob("*")) == [tmp_path / "tmp"], call


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="processes cannot be seen")
def test_what_a_kill_left_beside_a_kit_goes_with_the_next_run(course, tmp_path):
    """While it was packed; but not what another process is packing just now, or anybody's own file."""
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    names = [f".kit.zip.{killed.pid}", f".kit.zip.{os.getppid()}", ".kit.zip.old", f".my_kit.zip.{killed.pid}"]
    for name in names:
        (tmp_path / name).write_bytes(b"half a zip")
    make_kit(LESSON, course, tmp_path / "kit.zip")
    assert [name for name in names if not (tmp_path / name).exists()] == names[:1]


def test_a_lesson_that_is_not_there(course, tmp_path):
    """Those that are there are named."""
    with pytest.raises(click.ClickException, match=f"Released are: {LESSON}"):
        make_kit("lesson_99", course, tmp_path / "kit.zip")
