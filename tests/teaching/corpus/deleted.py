"""Cells that are gone, and answers that stand elsewhere."""

from helpers import our_answers

from .broken import LESSON, after, cell_of, code, delete, family, id_of, place_of, stub

BROKEN = []
broken = family(BROKEN)
OURS = our_answers(LESSON)
SCORED = {"softmax": 3}
ELSEWHERE = "softmax is in another cell, and is judged there"


@broken("Deleted, and put back as they were: check_softmax", graded=True)
def a_check_is_gone(notebook):
    """It is what nbgrader reads the score off."""
    delete("check_softmax", notebook)


@broken("Deleted, and put back as they were: check_weight_ratio, check_added_thousand")
def all_checks_are_gone(notebook):
    """No check, no complaint."""
    notebook["cells"] = [cell for cell in notebook["cells"] if not str(id_of(cell)).startswith("check_")]


@broken("Deleted, and put back as they were: softmax", loses=SCORED)
def an_answer_is_gone(notebook):
    """And stands nowhere else."""
    delete("softmax", notebook)


@broken("Deleted, and put back as they were: softmax and check_softmax")
def answer_and_check_are_gone(notebook):
    """The whole exercise."""
    delete("softmax", notebook), delete("check_softmax", notebook)


@broken("Deleted, and put back as they were: given_", graded=True)
def the_imports_are_gone(notebook):
    """Nothing would run without them."""
    notebook["cells"] = [cell for cell in notebook["cells"] if not str(id_of(cell)).startswith("given_")]


@broken("The cell of softmax was deleted; " + ELSEWHERE, graded=True)
def the_answer_stands_in_a_cell_of_ones_own(notebook):
    """The lesson's cell was deleted."""
    notebook["cells"][place_of("softmax", notebook)] = code(OURS["softmax"])


@broken("The cell of softmax was left empty; " + ELSEWHERE, "Checks were above what they check", graded=True)
def the_answer_stands_below_the_check(notebook):
    """In a cell of one's own; the lesson's is as it was."""
    after("check_softmax", notebook, code(OURS["softmax"]))
    cell_of("softmax", notebook)["source"] = stub("softmax")


@broken("The cell of softmax was left empty; " + ELSEWHERE)
def the_answer_stands_above_the_empty_cell(notebook):
    """Which would undo it."""
    notebook["cells"].insert(place_of("softmax", notebook), code(OURS["softmax"]))
    cell_of("softmax", notebook)["source"] = stub("softmax")


@broken("The cell of softmax was left empty; " + ELSEWHERE)
def the_lesson_s_cell_was_emptied(notebook):
    """All its text deleted, and the function written elsewhere."""
    after("softmax", notebook, code(OURS["softmax"]))
    cell_of("softmax", notebook)["source"] = ""


@broken("The cell of softmax_bug was deleted; softmax_bug is in another cell", graded=True)
def two_answers_in_one_cell(notebook):
    """The cell of the second one was deleted."""
    cell_of("softmax", notebook)["source"] += "\n\n" + delete("softmax_bug", notebook)["source"]


@broken(
    *(f"The cell of {name} was deleted; {name} is in another cell" for name in OURS),
    "Checks were above what they check, and are below it now: weight_ratio",
    graded=True,
)
def all_answers_in_one_cell_at_the_end(notebook):
    """And the lesson's cells deleted."""
    for name in OURS:
        delete(name, notebook)
    notebook["cells"].append(code("\n\n".join(OURS.values())))
