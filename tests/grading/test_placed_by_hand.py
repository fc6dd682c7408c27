"""Honest notebooks whose shape some program has broken, placed by hand: they are graded as if they had been collected.

Jupyter opens all of them, or says what it mends; nobody has done anything wrong.
"""

import json

import pytest
from classroom import CONFIG, Submission, mha_here, nbgrader, open_course, points_in, scores, well
from helpers import our_answers

pytestmark = [pytest.mark.nightly, pytest.mark.xdist_group("placed_by_hand")]
LESSON = "lesson_00_start_here"
FULL = sum(points_in(LESSON).values())


def ids(made):
    """Give each cell an id: a function of its number."""

    def surgery(notebook):
        for number, cell in enumerate(notebook.cells):
            cell["id"] = made(number)

    return surgery


def of_first_own(**parts):
    """Change the last cell, which is the learner's own; a part that is `...` goes."""

    def surgery(notebook):
        for name, value in parts.items():
            notebook.cells[-1].pop(name, None) if value is ... else notebook.cells[-1].update({name: value})

    return surgery


def of_notebook(**parts):
    """The same of the notebook."""

    def surgery(notebook):
        for name, value in parts.items():
            notebook.pop(name, None) if value is ... else notebook.update({name: value})

    return surgery


def no_outputs(notebook):
    for cell in notebook.cells:
        cell.pop("outputs", None)


SURGERIES = {
    "blanks_in_ids": ids(lambda n: f"cell {n}"),
    "dots_in_ids": ids(lambda n: f"cell.{n}"),
    "long_ids": ids(lambda n: f"{n:065}"),
    "whole_numbers_as_ids": ids(lambda n: n),
    "null_as_ids": ids(lambda n: None),
    "one_id_for_all": ids(lambda n: "same"),
    "no_metadata_of_a_cell": of_first_own(metadata=...),
    "null_as_metadata_of_a_cell": of_first_own(metadata=None),
    "no_metadata": of_notebook(metadata=...),
    "null_as_source": of_first_own(source=None),
    "no_source": of_first_own(source=...),
    "null_as_outputs": of_first_own(outputs=None),
    "no_outputs": no_outputs,
    "no_count": of_first_own(execution_count=...),
    "minor_0": of_notebook(nbformat_minor=0),
    "no_minor": of_notebook(nbformat_minor=...),
    "null_as_minor": of_notebook(nbformat_minor=None),
}


def opened(root):
    """A course in which all of them lie in submitted/, and what their files hold."""
    ours = our_answers(LESSON)
    class_ = {name: Submission(ours, surgery=surgery) for name, surgery in SURGERIES.items()}
    open_course(root, LESSON, class_, CONFIG.format(root=str(root), limit=15), short=True)
    return {name: file(root, name).read_bytes() for name in SURGERIES}


def file(root, student):
    return root / "submitted" / student / LESSON / f"{LESSON}.ipynb"


@pytest.fixture(scope="module")
def by_mha(tmp_path_factory):
    root = tmp_path_factory.mktemp("mha")
    before = opened(root)
    return root, before, mha_here(root, "grade", LESSON, "--trust-submissions")


@pytest.fixture(scope="module")
def by_nbgrader(tmp_path_factory):
    """As formgrader's button does it, too."""
    root = tmp_path_factory.mktemp("nbgrader")
    before = opened(root)
    nbgrader(root, "autograde", LESSON)
    return root, before


@pytest.mark.parametrize("student", SURGERIES)
def test_mha_grade(by_mha, student):
    """All points; and what was handed in stays as it is, byte for byte."""
    root, before, done = by_mha
    assert sum(scores(root, LESSON, student).values()) == FULL, done.stdout
    assert file(root, student).read_bytes() == before[student]


@pytest.mark.parametrize("student", SURGERIES)
def test_nbgrader_autograde(by_nbgrader, student):
    """The same."""
    root, before = by_nbgrader
    assert sum(scores(root, LESSON, student).values()) == FULL
    assert file(root, student).read_bytes() == before[student]


def test_once_is_enough(by_mha):
    """Whoever is as they were is not graded again, though what lies there is as broken as before."""
    root, *_ = by_mha
    said = well(mha_here(root, "grade", LESSON, "--trust-submissions"))
    assert f"{len(SURGERIES)} were graded before, and nothing has changed." in said


def test_what_is_placed_in_its_stead_counts(by_mha):
    """Another answer below the same broken ids."""
    root, before, _ = by_mha
    notebook = json.loads(before["blanks_in_ids"])
    (answer,) = (c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == "weighted_mean")
    answer["source"] = "def weighted_mean(weights, values):\n    return 0.0\n"
    file(root, "blanks_in_ids").write_text(json.dumps(notebook))
    mha_here(root, "grade", LESSON, "blanks_in_ids", "--trust-submissions")
    assert 0 < sum(scores(root, LESSON, "blanks_in_ids").values()) < FULL
