"""A class of submissions, graded by plain nbgrader in one go: what each cell of each submission must earn."""

import pytest
from classroom import graded, nbgrader, points_in, scores

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("class")]  # graded once, for all tests here
LESSON = "lesson_01_softmax"

FULL = points_in(LESSON)
NOTHING = dict.fromkeys(FULL, 0)
UNWRITTEN = "# your work goes here"
IMPATIENT = "c.Examiner.timeout_of_call = 2\n"

OVERFLOWS = """
def softmax(scores, axis=-1):
    return np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)
"""


# What each student hands in (cell -> its code; all other cells hold our solution), and what each cell earns.
CLASS = {
    "ada_solved_everything": ({}, FULL),
    "bo_by_loops": (
        dict(
            softmax="""
def softmax(scores, axis=-1):
    moved = np.moveaxis(scores, axis, -1)
    result = np.empty(moved.shape)
    for place in np.ndindex(moved.shape[:-1]):
        top = max(moved[place])
        powers = [np.exp(score - top) for score in moved[place]]
        result[place] = [power / sum(powers) for power in powers]
    return np.moveaxis(result, -1, axis)
"""
        ),
        FULL,
    ),
    "cem_by_logarithms": (
        dict(
            softmax="""
def softmax(scores, axis=-1):
    top = scores.max(axis=axis, keepdims=True)
    return np.exp(scores - top - np.log(np.exp(scores - top).sum(axis=axis, keepdims=True)))
"""
        ),
        FULL,
    ),
    "dee_by_einsum_in_float64": (
        dict(
            softmax="""
def softmax(scores, axis=-1):
    rows = np.moveaxis(np.asarray(scores, dtype=np.float64), axis, -1)
    powers = np.exp(rows - rows.max(-1)[..., None])
    return np.moveaxis(powers / np.einsum("...k->...", powers)[..., None], -1, axis)
"""
        ),
        FULL,
    ),
    "eli_overflows": (dict(softmax=OVERFLOWS), FULL | dict(softmax=0)),
    "fay_sums_over_everything": (
        dict(
            softmax="""
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()
""",
            weight_ratio="weight_ratio = 2",
        ),
        FULL | dict(softmax=0, weight_ratio=0),
    ),
    "gus_changes_his_input": (
        dict(
            softmax="""
def softmax(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)
"""
        ),
        FULL | dict(softmax=0),
    ),
    "hal_untouched": (..., NOTHING),
    "ida_half_done": (
        dict.fromkeys(("softmax", "softmax_bug"), UNWRITTEN),
        FULL | dict(softmax=0, softmax_bug=0),
    ),
    "jon_warns_on_stderr": (
        dict(
            softmax="""
import sys, warnings
def softmax(scores, axis=-1):
    warnings.warn("this is slow")
    print("careful", file=sys.stderr)
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
"""
        ),
        FULL,
    ),
    "kim_prints_a_megabyte": (
        dict(
            softmax="""
def softmax(scores, axis=-1):
    print("x" * 1_000_000)
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
print("x" * 1_000_000)
"""
        ),
        FULL,
    ),
    "lea_has_an_exception": (
        dict(softmax="def softmax(scores, axis=-1):\n    return scores - undefined\n\n1 / 0"),
        FULL | dict(softmax=0),
    ),
    "max_has_a_syntax_error": (dict(softmax="def softmax(scores, axis=-1)\n"), FULL | dict(softmax=0)),
    "nia_never_ends": (
        dict(softmax="def softmax(scores, axis=-1):\n    while True:\n        pass\n"),
        FULL | dict(softmax=0),
    ),
    "ole_never_ends_outside": (
        dict(softmax="def softmax(scores, axis=-1):\n    return scores\n\nwhile True:\n    pass\n"),
        FULL | dict(softmax=0),
    ),
    "pia_redefines_check": (
        dict(softmax=OVERFLOWS + "\n\ndef check(*answers, **named):\n    return 3.0\n"),
        FULL | dict(softmax=0),
    ),
    "quin_edits_a_check_cell": (
        dict(softmax=OVERFLOWS, check_softmax="3.0"),
        FULL | dict(softmax=0),
    ),
    "ron_deletes_check_cells": (
        dict(softmax=OVERFLOWS, check_softmax="DELETED", check_sum_bounds="DELETED"),
        FULL | dict(softmax=0),
    ),
}


@pytest.fixture(scope="module")
def grades(tmp_path_factory):
    """The folder of a course in which the whole class is graded."""
    root = tmp_path_factory.mktemp("class")
    graded(root, LESSON, {student: cells for student, (cells, _) in CLASS.items()}, limit=3, more=IMPATIENT, short=True)
    nbgrader(root, "generate_feedback", LESSON, "--student", "eli_overflows")
    nbgrader(root, "export")
    return root


@pytest.mark.parametrize("student", CLASS)
def test_every_cell_earns_what_it_should(grades, student):
    """Honest work is never punished, and a wrong or missing answer never paid."""
    earned, expected = scores(grades, LESSON, student), CLASS[student][1]
    assert earned == expected


@pytest.mark.nightly
def test_validate_agrees_with_check(grades):
    """The button of the learner's notebook: success for the one, our words for the other."""
    solved, wrong = (
        nbgrader(grades, "validate", f"submitted/{student}/{LESSON}/{LESSON}.ipynb")
        for student in ("ada_solved_everything", "eli_overflows")
    )
    assert "Success" in solved
    assert "VALIDATION FAILED ON 1 CELL(S)" in wrong and "softmax: not yet" in wrong


def test_feedback_shows_the_card(grades):
    """A student reads in the feedback what the check would have said."""
    feedback = (grades / "feedback" / "eli_overflows" / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    assert "softmax: not yet" in feedback and "Smallest input that shows it" in feedback


def test_the_export_has_a_row_for_each(grades):
    """Nothing is lost on the way to the table of marks."""
    rows = (grades / "grades.csv").read_text().splitlines()
    assert len(rows) == 1 + len(CLASS)
