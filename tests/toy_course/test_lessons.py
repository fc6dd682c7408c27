"""The toy course is built, learned, graded and reported with the same commands."""

import nbformat
import numpy as np
import pytest

from autograder import check, hint, solution
from autograder.build import build
from autograder.course import installed
from autograder.hints_in_markdown import WrongHints


def test_a_second_build_changes_nothing(built):
    """Every notebook is as its text makes it, to the byte."""
    assert build(built) == []


def test_learners_get_stubs(built):
    """Our solutions stay behind; a mark by hand stays."""
    (mean,) = [
        cell.source for cell in cells(built, "course") if cell.metadata.get("nbgrader", {}).get("grade_id") == "mean"
    ]
    assert "your work goes here" in mean and "sum(" not in mean
    assert [cell.metadata.nbgrader.points for cell in cells(built, "course") if cell.id == "why_squares"] == [2]


def cells(root, kind, lesson="lesson_00_spread"):
    return nbformat.read(root / kind / lesson / f"{lesson}.ipynb", as_version=4).cells


def test_what_does_the_whole_exercise_is_forbidden():
    """NumPy has a function for it."""
    card = check(mean=lambda numbers, counts=None: np.average(numbers, axis=-1, weights=counts, keepdims=True)).card
    assert "uses `average`, which does all of this at once" in card.text


def test_unless_it_is_told_where_it_builds_beside_the_lessons(monkeypatch):
    """Whoever has the course, and wherever they type the command."""
    built_in = []
    monkeypatch.setattr("autograder.build._replace_differing", lambda made, target: built_in.append(target) or [])
    assert build() == [] and built_in == [installed().folder.parent / kind for kind in ("solutions", "course")]


def test_hints_that_are_missing_stop_the_build(built, monkeypatch):
    """The author reads for what."""

    without = {name: hints for name, hints in installed().hints.items() if name != "takes_the_root"}
    kept = type(installed().hints)(installed())
    vars(kept)["_by_name"] = without
    monkeypatch.setattr(installed(), "hints", kept)
    with pytest.raises(WrongHints, match="1 without hints: write sections `## takes_the_root`"):
        build(built)


def test_check_hint_and_solution():
    """What a learner calls works for any course."""
    card = check(mean=lambda numbers, counts=None: numbers.mean(axis=-1, keepdims=True)).card
    assert "leaves_the_counts_out" in card.title or "counts" in card.text
    assert hint("mean").title.startswith("Hint 1 of 3")
    assert "counts.sum" in str(solution("mean", anyway=True).blocks)
