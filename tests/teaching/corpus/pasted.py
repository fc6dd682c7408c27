"""Cells of the lesson in another notebook, and notebooks of other lessons."""

from helpers import our_answers

from .broken import LESSON, code, family, id_of, solved

BROKEN = []
broken = family(BROKEN)
OURS = our_answers(LESSON)
OTHER = "lesson_00_start_here"


@broken("Deleted, and put back as they were: given_", graded=True)
def only_answers_were_pasted(notebook):
    """Into a new notebook, with their marks."""
    notebook["cells"] = [cell for cell in notebook["cells"] if id_of(cell) in OURS]


@broken("Deleted, and put back as they were: given_", graded=True)
def pasted_into_another_lesson(notebook):
    """Two lessons in one notebook."""
    theirs = [cell for cell in notebook["cells"] if id_of(cell) and not id_of(cell).startswith("given_")]
    notebook["cells"] = [*solved(OTHER)["cells"], *theirs]


@broken(trouble=f"this is {OTHER}, and {LESSON} was asked for")
def another_lesson(notebook):
    """With our lesson's name."""
    notebook["cells"] = solved(OTHER)["cells"]


@broken(trouble=f"it holds none of the cells of {LESSON}")
def something_else(notebook):
    """A notebook of another course."""
    notebook["cells"] = [code("import pandas as pd"), code("pd.DataFrame()")]


@broken(trouble=f"it holds none of the cells of {LESSON}")
def no_cells_at_all(notebook):
    """All of them were deleted."""
    notebook["cells"] = []
