"""Cells that are there twice, in pieces, or in the wrong place."""

from .broken import LESSON, after, cell_of, clone, code, delete, family, our_answers, place_of, stub

BROKEN = []
broken = family(BROKEN)
OURS = our_answers(LESSON)
WRONG = "def softmax(scores, axis=-1):\n    return scores\n"


@broken()
def nothing_is_wrong(notebook):
    """A good student's work."""


@broken("2 cells for softmax: the last one with something", graded=True)
def an_answer_is_there_twice(notebook):
    """Copied, and left."""
    after("softmax", notebook, clone("softmax", notebook))


@broken("2 cells for softmax: the last one with something", graded=True)
def an_empty_copy_comes_later(notebook):
    """It would undo the answer."""
    after("softmax", notebook, clone("softmax", notebook, stub("softmax")))


@broken("2 cells for softmax: the last one with something")
def an_empty_copy_comes_first(notebook):
    """The answer was written into the second one."""
    notebook["cells"].insert(place_of("softmax", notebook), clone("softmax", notebook, stub("softmax")))


@broken("3 cells for softmax: the last one with something")
def old_versions_are_kept(notebook):
    """Above the good one, each in a copy of the cell."""
    place = place_of("softmax", notebook)
    notebook["cells"][place:place] = [clone("softmax", notebook, WRONG), clone("softmax", notebook, WRONG + "# 2")]


@broken("2 cells for softmax: the last one with something", "2 cells for check_softmax: the last one", graded=True)
def answer_and_check_are_copied_below(notebook):
    """A second try, which is right."""
    answer, check = clone("softmax", notebook), clone("check_softmax", notebook)
    cell_of("softmax", notebook)["source"] = WRONG
    after("check_softmax", notebook, answer, check)


@broken("2 cells for softmax: the last one above its check counts", graded=True)
def an_old_version_is_kept_below_the_check(notebook):
    """As a backup: the answer that was checked is the one above."""
    after("check_softmax", notebook, clone("softmax", notebook, WRONG))


@broken("2 cells for softmax: the last one with something", graded=True)
def the_same_is_below_the_check(notebook):
    """Both say the same: there is nothing to look at."""
    after("check_softmax", notebook, clone("softmax", notebook))


@broken("2 cells for check_softmax: the last one", graded=True)
def a_check_is_copied(notebook):
    """With its marks: nbgrader stops at that."""
    after("check_softmax_bug", notebook, clone("check_softmax", notebook))


@broken("2 cells for check_softmax: the last one")
def a_check_is_copied_to_the_top(notebook):
    """Where there is no answer yet."""
    notebook["cells"].insert(0, clone("check_softmax", notebook))


@broken("2 cells for given_")
def the_imports_are_copied(notebook):
    """To the end."""
    given = next(c["metadata"]["nbgrader"]["grade_id"] for c in notebook["cells"] if c["metadata"].get("nbgrader"))
    notebook["cells"].append(clone(given, notebook))


@broken()
def checks_are_typed_again(notebook):
    """In cells of one's own, as everybody may."""
    notebook["cells"].append(code("from autograder import check\n\ncheck(softmax=softmax)"))


@broken(graded=True)
def lines_of_an_answer_pasted_below(notebook):
    """With the blanks before them, to see what they make: IPython runs them as they are."""
    after("softmax", notebook, code("    scores = np.ones(3)\n    np.exp(scores)"))


@broken()
def a_function_with_self_below(notebook):
    """It is no half of a class, though a line is empty before it."""
    after("softmax", notebook, code("\ndef forward(self, scores):\n    return scores"))


@broken("2 cells for softmax: the last one with something")
def split_between_two_functions(notebook):
    """Each half runs alone."""
    source = cell_of("softmax", notebook)["source"]
    after("softmax", notebook, clone("softmax", notebook, source))
    cell_of("softmax", notebook)["source"] = "def highest(scores):\n    return scores.max()"


@broken("Checks were above what they check, and are below it now: softmax", graded=True)
def an_answer_was_moved_below_its_check(notebook):
    """With the arrow in the cell."""
    check = delete("check_softmax", notebook)
    notebook["cells"].insert(place_of("softmax", notebook), check)


@broken(graded=True)
def an_answer_became_text(notebook):
    """The key m, pressed in the wrong moment."""
    _turn(cell_of("softmax", notebook), "markdown")


@broken()
def an_answer_became_raw(notebook):
    """The key r."""
    _turn(cell_of("softmax", notebook), "raw")


@broken()
def a_check_became_text(notebook):
    """Or somebody wanted to be rid of it."""
    _turn(cell_of("check_softmax", notebook), "markdown")


def _turn(cell, kind):
    cell["cell_type"] = kind
    del cell["outputs"], cell["execution_count"]
