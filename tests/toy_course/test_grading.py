"""A class of the toy course is graded, reported and given feedback by the commands that every course has."""

import os
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner
from nbgrader.api import Gradebook

import autograder
from autograder.cli import main

LESSONS = "lesson_00_spread", "lesson_01_layers"
MEDIAN = """def mean(numbers, counts=None):
    return np.median(numbers, axis=-1, keepdims=True)"""
ANOTHERS = """import toy_ref

def standard_scores(numbers, counts=None):
    return toy_ref.standard_scores(numbers, counts)"""
VIEWS = """def from_pairs(state):
    return {"gain": state["pairs"][:, 0], "bias": state["pairs"][:, 1]}"""
CLASS = {  # student -> lesson -> cells that differ from our solution
    "ada": {},
    "bo": {
        "lesson_00_spread": {"mean": MEDIAN, "mean_of_two": "mean_of_two = 8"},
        "lesson_01_layers": {"from_pairs": VIEWS},
    },
    "cy": {"lesson_01_layers": {"standard_scores": ANOTHERS}},
}
SETTINGS = """c = get_config()
load_subconfig({settings!r})
c.CourseDirectory.root = {root!r}
c.Examiner.trust_submissions = True  # they are ours: where there is no sandbox, they are graded without
"""


@pytest.fixture(scope="session")
def graded(built, tmp_path_factory):
    """The folder of a course in which everybody was graded."""
    root = tmp_path_factory.mktemp("class")
    settings = Path(autograder.__file__).with_name("nbgrader_config.py")
    (root / "nbgrader_config.py").write_text(SETTINGS.format(settings=str(settings), root=str(root)))
    for kind in ("solutions", "course"):
        shutil.copytree(built / kind, root / kind)
    for student, lessons in CLASS.items():
        for lesson in LESSONS:
            hand_in(root, student, lesson, lessons.get(lesson, {}))
    done = subprocess.run([sys.executable, "-m", "autograder.cli", "grade", "--all"], cwd=root, capture_output=True)
    assert b"Traceback" not in done.stdout + done.stderr, done.stderr
    return root


def hand_in(root, student, lesson, cells):
    """Our solution, but for these cells."""
    notebook = nbformat.read(root / "solutions" / lesson / f"{lesson}.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    folder = root / "submitted" / student / lesson
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{lesson}.ipynb")


def run(root, *words):
    """Run a command of `mha` in a course, in this process, which has imported all that it needs."""
    with chdir(root):
        done = CliRunner().invoke(main, words)
    assert done.exception is None, done.output


def points(root, student, lesson):
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        cells = gradebook.find_submission(lesson, student).notebooks[0].grades
        return {cell.name.removeprefix("check_"): cell.auto_score for cell in cells if cell.auto_score is not None}


def test_right_answers_get_all_points(graded):
    """Ada wrote what we wrote; a review is not graded."""
    assert points(graded, "ada", "lesson_00_spread") == dict(
        mean=1, variance=2, order_of_the_variance=1, test_variance=2, mean_of_two=1
    )
    assert points(graded, "ada", "lesson_01_layers") == dict(standard_scores=1, Standardise=2, from_pairs=1)


def test_wrong_answers_get_none(graded):
    """Bo's mean is a median, and all that calls it is judged with a right one in its place."""
    earned = points(graded, "bo", "lesson_00_spread")
    assert earned["mean"] == earned["mean_of_two"] == 0 and earned["order_of_the_variance"] == 1
    assert points(graded, "bo", "lesson_01_layers") == dict(standard_scores=1, Standardise=2, from_pairs=0)


def test_what_a_lesson_teaches_is_not_there_while_it_is_graded(graded):
    """Cy calls the reference, which a worker does not have."""
    assert points(graded, "cy", "lesson_01_layers")["standard_scores"] == 0


def test_the_report_and_the_feedback_say_why(graded):
    """They name the misconception, in the words of this course."""
    run(graded, "report", "lesson_00_spread")
    run(graded, "feedback", "lesson_00_spread")
    report = next(graded.glob("reports/**/*lesson_00_spread*.html"), None) or next(graded.rglob("*report*.html"))
    assert "takes the middle" in report.read_text()
    (page,) = graded.glob("feedback/bo/lesson_00_spread/*.html")
    assert "number in the middle" in page.read_text()


def test_a_kit_holds_this_course_and_no_solution(graded):
    """Learners unpack its reference and its lessons, without texts and answers."""
    run(graded, "kit", "lesson_00_spread")
    (kit,) = graded.glob("*.zip")
    shutil.unpack_archive(kit, graded / "unpacked")
    names = {file.relative_to(graded / "unpacked").as_posix() for file in (graded / "unpacked").rglob("*")}
    assert {"spread/toy_lessons/course.toml", "spread/toy_ref/layer.py", "spread/README.md"} <= names
    assert not [name for name in names if "/text/" in name]
    assert "How far numbers lie apart" in (graded / "unpacked" / "spread" / "README.md").read_text()
    assert '"toy_lessons*", "toy_ref*"' in (graded / "unpacked" / "spread" / "pyproject.toml").read_text()
    assert 'name = "spread"' in (graded / "unpacked" / "spread" / "pyproject.toml").read_text()


def test_what_learners_unpack_knows_its_course(graded):
    """Without any setting: a note beside the autograder tells."""
    unpacked = graded / "unpacked" / "spread"
    environment = {k: v for k, v in os.environ.items() if k != "AUTOGRADER_COURSE"} | {"PYTHONPATH": str(unpacked)}
    asks = [sys.executable, "-c", "from autograder.catalogue import LESSONS; print(LESSONS[0])"]
    done = subprocess.run(asks, env=environment, cwd=unpacked, capture_output=True, text=True)
    assert done.stdout.strip() == "lesson_00_spread", done.stderr
