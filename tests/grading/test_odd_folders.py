"""Folders in submitted/ that are not what they seem: each costs at most itself, and takes nothing from anybody."""

import os
import sys
import unicodedata

import pytest
from classroom import CONFIG, Submission, mha_here, open_course, points_in, scores, started
from helpers import our_answers
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from autograder.grading import nbgrader_hooks  # noqa: F401  (as nbgrader's settings load it)
from autograder.intake.names import trouble_with_name

pytestmark = [
    pytest.mark.xdist_group("odd_folders"),
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there are no such names"),
]
LESSON = "lesson_00_start_here"
NOTEBOOK = f"{LESSON}.ipynb"
COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "zoé") for form in ("NFC", "NFD"))
FULL, NOTHING = sum(points_in(LESSON).values()), 0
HONEST = {
    "victim": FULL,
    "Victim": NOTHING,
    COMPOSED: FULL,
    DECOMPOSED: NOTHING,
    "viсtim": NOTHING,
    "O'Brien, Ada": FULL,
}
MISNAMED = "cannot be the name of a student's folder: rename it"
LONG = ("x" * 251, "é" * 125)  # too long
MARKUP = ("<img src=x onerror=alert(1)>", '"-alert(1)-"', "%76ictim")
ODD = dict.fromkeys(("victim ", " victim", "victim\u200b", "\u202emitciv", *MARKUP, "..%2fvictim", *LONG), MISNAMED)
LINKS = {"a_link": "is a link", "a_hard_link": "has a second name elsewhere", "a_file": "is a file, and should be"}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Whoever has an odd folder hands in what is right; whoever poses as another, nothing."""
    root = tmp_path_factory.mktemp("course")
    right = Submission(our_answers(LESSON))
    class_ = {name: right if points else Submission(...) for name, points in HONEST.items()} | dict.fromkeys(ODD, right)
    open_course(root, LESSON, class_, CONFIG.format(root=str(root), limit=15), short=True)
    submitted, victims = root / "submitted", root / "submitted" / "victim" / LESSON
    (submitted / "a_link").symlink_to(submitted / "victim")
    (submitted / "a_hard_link" / LESSON).mkdir(parents=True)
    twin = submitted / "a_hard_link" / LESSON / NOTEBOOK
    twin.write_bytes((victims / NOTEBOOK).read_bytes())
    os.link(twin, root / "elsewhere.ipynb")
    (submitted / "a_file").mkdir()
    (submitted / "a_file" / LESSON).write_text("")
    before = (victims / NOTEBOOK).read_bytes()
    return root, before, mha_here(root, "grade", LESSON, "--trust-submissions"), mha_here(root, "feedback", LESSON)


@pytest.mark.nightly
def test_everybody_else_has_their_own_points(course):
    """Also where two names look the same; nobody's notebook is touched."""
    root, before, *_ = course
    assert {name: sum(scores(root, LESSON, name).values()) for name in HONEST} == HONEST
    assert (root / "submitted" / "victim" / LESSON / NOTEBOOK).read_bytes() == before


@pytest.mark.nightly
def test_what_is_odd_is_refused(course):
    """With a sentence for each."""
    _, _, graded, _ = course
    assert graded.returncode == 1 and "Traceback" not in graded.stdout + graded.stderr
    assert f"{len(ODD | LINKS)} submissions not fully graded" in graded.stderr
    assert graded.stdout.count(MISNAMED) == len(ODD) and all(why in graded.stdout for why in LINKS.values())


@pytest.mark.nightly
def test_feedback_for_all_others(course):
    root, _, _, done = course
    assert f"{len(HONEST)} of {len(HONEST | ODD | LINKS)} have feedback." in done.stdout
    assert {place.name for place in (root / "feedback").iterdir()} == set(HONEST)


@pytest.mark.nightly
def test_no_gradebook_and_no_list_of_formgrader_has_such_a_name(course):
    """Neither by `mha grade` nor by nbgrader's own command, which formgrader's button calls."""
    root, *_ = course
    started(root, "autograde", LESSON, "--force")
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        assert {student.id for student in gradebook.students}.isdisjoint(ODD)
    listed = NbGraderAPI(config=Config(CourseDirectory={"root": str(root)})).get_submitted_students(LESSON)
    assert listed >= HONEST.keys() and listed.isdisjoint(ODD)
    assert {name: sum(scores(root, LESSON, name).values()) for name in HONEST} == HONEST


@pytest.mark.parametrize(
    "name", ["ada", "12345", "O'Brien, Ada", "zoé", "ada@uni.example", "王小明", "अनु", "a-b_c (2)"]
)
def test_names_that_people_have(name):
    assert trouble_with_name(name) == ""
