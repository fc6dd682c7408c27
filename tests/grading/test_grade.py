"""`mha grade`: what an instructor types, and what is there afterwards."""

import pytest
from classroom import CONFIG, Submission, mha_here, nbgrader, open_course, points_in, scores
from helpers import our_answers
from nbgrader.api import Gradebook

from autograder.grading.outputs import verdicts_of
from autograder.intake.course_folder import notebook_of

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("grade")]  # graded once, for all tests here
LESSON = "lesson_02_scaled_dot_product"
MOST = sum(points_in(LESSON).values())
NEVER_ENDS = {"attention_scores": "def attention_scores(query, key):\n    while True:\n        pass\n"}
ENDS_ITS_PROCESS = {
    "scaled_dot_product_attention": "import os\ndef scaled_dot_product_attention(query, key, value):\n    os._exit(0)\n"
}
FORGETS_A_COLON = {"attention_weights": "def attention_weights(query, key)\n    return key\n"}
IMPATIENT = "c.Examiner.timeout_of_call = 2\n"
PLAIN = 'c.Autograde.autograde_preprocessors[0] = "nbgrader.preprocessors.Execute"\n'


def link_to_the_solution(file):
    file.unlink(missing_ok=True)
    file.symlink_to(file.parents[3] / "solutions" / LESSON / file.name)


def submissions():
    ours = our_answers(LESSON)
    return {
        "ada": Submission(ours),
        "bo_never_ends": Submission(ours | NEVER_ENDS),
        "cem_ends_it": Submission(ours | ENDS_ITS_PROCESS),
        "dee_broken_file": Submission(ours, files={f"{LESSON}.ipynb": '{"cells": ['}),
        "eli_links": Submission(ours, files={f"{LESSON}.ipynb": link_to_the_solution}),
        "fay_forgets_a_colon": Submission(ours | FORGETS_A_COLON),
        "zoe": Submission(ours),
    }


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A graded class, and what was said."""
    root = tmp_path_factory.mktemp("course")
    open_course(root, LESSON, submissions(), CONFIG.format(root=str(root), limit=3) + IMPATIENT, short=True)
    return root, mha_here(root, "grade", LESSON, "--trust-submissions")


def test_a_line_for_each(course):
    """Points, or why there are none; a bad submission stops nobody, and the command says that something is left."""
    _, done = course
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line}
    assert set(lines) == set(submissions())
    assert lines["ada"].endswith(f"{MOST} of {MOST}") and lines["zoe"].endswith(f"{MOST} of {MOST}")
    assert "cut off" in lines["dee_broken_file"] and "is a link" in lines["eli_links"]
    assert done.returncode == 1 and "2 submissions not fully graded" in done.stderr


def test_what_was_not_graded_has_no_score(course):
    """Not a 0 either: somebody has to look at it first."""
    root, _ = course
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        graded = {submission.student.id for submission in gradebook.assignment_submissions(LESSON)}
    assert graded == submissions().keys() - {"dee_broken_file", "eli_links"}


@pytest.mark.nightly
def test_a_score_stays_when_what_comes_later_cannot_be_graded(course):
    """It is said that it does, and how many points it is."""
    root, _ = course
    file = root / "submitted" / "zoe" / LESSON / f"{LESSON}.ipynb"
    whole = file.read_text()
    file.write_text(whole[:1000])
    try:
        said = mha_here(root, "grade", LESSON, "zoe", "--trust-submissions").stdout
    finally:
        file.write_text(whole)
    assert "not graded" in said and f"the score that is known, {MOST}, stays" in said
    assert sum(scores(root, LESSON, "zoe").values()) == MOST


@pytest.mark.parametrize(
    "student, lose", [("bo_never_ends", {"attention_scores"}), ("cem_ends_it", {"scaled_dot_product_attention"})]
)
def test_one_bad_answer_costs_its_own_points(course, student, lose):
    """All else is judged, what calls it with a right one in its place, though the worker was ended."""
    root, _ = course
    full, earned = scores(root, LESSON, "ada"), scores(root, LESSON, student)
    assert {name for name in full if earned[name] != full[name]} == lose


def test_the_card_says_what_happened(course):
    """In the words that a learner needs, with what became of the other cells."""
    root, _ = course
    nbgrader(root, "generate_feedback", LESSON, "--student", "cem_ends_it")
    page = (root / "feedback" / "cem_ends_it" / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    assert "Your code did not come back: it ended the process that it ran in" in page


def test_a_cell_that_stops_is_told_as_that(course):
    """It is written, and one sign is missing."""
    root, _ = course
    notebook = notebook_of(root / "autograded" / "fay_forgets_a_colon" / LESSON / f"{LESSON}.ipynb")
    verdict = verdicts_of(notebook)["attention_weights"]
    assert verdict["reason"] == "raised" and "its cell stopped with SyntaxError: expected ':'" in verdict["message"]


@pytest.mark.nightly
def test_grading_again_gives_the_same(course):
    """The seed is kept beside the gradebook."""
    root, _ = course
    seed, before = (root / "grading_seed.txt").read_text(), scores(root, LESSON, "ada")
    again = mha_here(root, "grade", LESSON, "ada", "--trust-submissions", "--again")
    assert again.returncode == 0 and "ada" in again.stdout and scores(root, LESSON, "ada") == before
    assert (root / "grading_seed.txt").read_text() == seed


@pytest.mark.nightly
def test_a_name_that_handed_in_nothing(course):
    """It is said where submissions are expected."""
    root, _ = course
    done = mha_here(root, "grade", LESSON, "nobody", "--trust-submissions")
    assert done.returncode == 1 and f"submitted/<student>/{LESSON}" in done.stderr


@pytest.mark.nightly
def test_plain_nbgrader_gives_honest_work_the_same(course, tmp_path):
    """The old way is one line of settings away."""
    root, _ = course
    config = CONFIG.format(root=str(tmp_path), limit=10) + PLAIN
    open_course(tmp_path, LESSON, {"ada": submissions()["ada"]}, config)
    nbgrader(tmp_path, "autograde", LESSON)
    assert scores(tmp_path, LESSON, "ada") == scores(root, LESSON, "ada")
