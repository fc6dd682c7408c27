"""Cells of lessons that draw: their code is out of the way, and neither it nor their words answer a question."""

import ast
import re
from itertools import pairwise

import pytest
from helpers import released

from autograder import EXERCISES
from autograder.catalogue import LESSONS
from autograder.question import Question


def cells_of(lesson):
    return released(lesson).cells


def is_folded(cell):
    return cell.metadata.get("jupyter", {}).get("source_hidden", False)


def only_draws(cell):
    """Whether it is one call, of something that draws and has words for it."""
    lines = ast.parse(cell.source).body
    return len(lines) == 1 and isinstance(lines[0], ast.Expr) and any(descriptions(cell))


def descriptions(cell):
    """The words of its pictures, as they stand in the code."""
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.keyword) and node.arg == "alt":
            yield " ".join(str(part.value) for part in ast.walk(node.value) if isinstance(part, ast.Constant))


@pytest.mark.parametrize("lesson", LESSONS)
def test_code_that_only_draws_is_folded(lesson):
    """One reads on past it; what a learner writes, and what explains something, stays open."""
    code = [cell for cell in cells_of(lesson) if cell.cell_type == "code"]
    assert all(is_folded(cell) for cell in code if only_draws(cell))
    folded = [cell for cell in code if is_folded(cell)]
    assert folded and not any("nbgrader" in cell.metadata for cell in folded)


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_picture_answers_the_question_beside_it(lesson):
    """Neither by the words of a picture above the question, nor by open code below it."""
    cells = cells_of(lesson)
    for place, cell in enumerate(cells):
        task = EXERCISES.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if isinstance(task, Question) and len(str(task.answer)) > 1:
            beside = cells[max(0, place - 4) : place] + [c for c in cells[place + 1 : place + 5] if not is_folded(c)]
            words = [words for c in beside if c.cell_type == "code" for words in descriptions(c)]
            answer = rf"(?<![\w.]){re.escape(str(task.answer))}(?!\w)"
            assert not [one for one in words if re.search(answer, one)], task.name


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_text_after_a_check_is_short(lesson):
    """JupyterLab puts it in the middle of the window: above it there must be room for the card."""
    cells = cells_of(lesson)
    for check, following in pairwise(cells):
        is_check = check.metadata.get("nbgrader", {}).get("grade_id", "").startswith("check_")
        if is_check and following.cell_type == "markdown":
            assert "\n\n" not in following.source, check.source
