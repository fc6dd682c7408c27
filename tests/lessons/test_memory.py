"""Questions without marks: what a lesson asks about earlier ones, and what it lets one predict before a run."""

import re
from functools import cache
from itertools import pairwise

import jupytext
import pytest
import torch
from helpers import released
from torch import nn

from autograder import EXERCISES, judge
from autograder.catalogue import LESSONS
from autograder.course import installed
from autograder.learner.own_work import borrowed

NUMBERS = {int(lesson[7:9]): lesson for lesson in LESSONS}
FROM_TWO_ON = [number for number in NUMBERS if number >= 2]
POINTER = re.compile(r"[Ll]esson (\d\d)\b[^*]*\*([^*]+)\*")


@cache
def cells_of(number):
    return jupytext.read(installed().text(NUMBERS[number]), fmt="py:percent").cells


def sections_of(number):
    """The titles of a lesson's sections, as a message writes them: without signs for formulas."""
    text = "\n".join(cell.source for cell in cells_of(number) if cell.cell_type == "markdown")
    return {title.replace("$", "") for title in re.findall(r"^##+ (.*)$", text, flags=re.MULTILINE)}


def names_in(number):
    return [cell.metadata["exercise"] for cell in cells_of(number) if "exercise" in cell.metadata]


@pytest.mark.parametrize("number", FROM_TWO_ON)
def test_a_lesson_opens_with_two_questions_about_earlier_ones(number):
    """About the one before it, and the one three back."""
    text = "\n".join(cell.source for cell in cells_of(number) if cell.cell_type == "markdown")
    memory = text.partition("## From memory\n")[2].partition("\n## ")[0]
    about = [int(earlier) for earlier in re.findall(r"\*\*From lesson (\d\d)\.\*\*", memory)]
    assert about == [number - 1, max(0, number - 3)] and "not marked" in memory
    first, second, *others = names_in(number)
    assert first.startswith("remember_") and second.startswith("remember_")
    assert not [name for name in others if name.startswith("remember_")]


def test_names_tell_what_is_not_marked():
    """Whoever reads a report or a gradebook sees it."""
    unmarked = {name for name, task in EXERCISES.items() if not task.points}
    assert unmarked == {name for name in EXERCISES if name.startswith(("remember_", "predict_", "entry_"))}


@pytest.mark.parametrize("number", FROM_TWO_ON)
def test_a_wrong_memory_is_told_where_to_look(number):
    """Each message names an earlier lesson, and a section that it has."""
    messages = [message for name in names_in(number)[:2] for message in EXERCISES[name].wrong.values()]
    for message in messages:
        (earlier, title), *_ = POINTER.findall(message) or [("99", "")]
        assert int(earlier) < number and title in sections_of(int(earlier)), message


@pytest.mark.parametrize("number", NUMBERS)
def test_every_prediction_has_a_cell(number):
    """It is written down before the run shows what happens."""
    for cell, following in pairwise(cells_of(number)):
        if cell.cell_type == "markdown" and re.search(r"\*\*Predict\b|^Predict:", cell.source, flags=re.MULTILINE):
            assert "exercise" in following.metadata, cell.source


def test_the_way_ends_with_a_blank_page():
    """The whole layer once more: no stub, no marks, the judge of lesson 06, and for who asks a plan without code."""
    name, cells = "MultiHeadAttention", [cell for cell in released(NUMBERS[8]).cells if "nbgrader" in cell.metadata]
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in cells}
    answer, check = cells[f"again_{name}"], cells[f"check_again_{name}"]
    assert answer.source == f"{name} = ...  # write the class in place of this line\n# your work goes here"
    assert not check.metadata.nbgrader.grade and f"check({name}={name})" in check.source
    (ours,) = (cell.source for cell in cells_of(8) if cell.metadata.get("again") == name)
    exec(ours, variables := {"torch": torch, "nn": nn, "__name__": "__main__"})
    assert judge(variables[name], name).right and not borrowed(variables[name], EXERCISES[name])
    assert judge(..., name).reason == "unwritten" and len(EXERCISES[name].hints) == 3
    code = re.findall("`([^`]*)`", " ".join(EXERCISES[name].hints))
    assert not [words for words in code if not re.fullmatch(r"[\w.]+", words)]
