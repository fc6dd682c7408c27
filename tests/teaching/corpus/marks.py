"""What nbgrader notes about cells: lost, changed, from elsewhere; and locked cells that say something else."""

from helpers import our_answers

from .broken import LESSON, after, cell_of, clone, code, family, id_of

BROKEN = []
broken = family(BROKEN)
OURS = our_answers(LESSON)


def marked(notebook):
    return [cell for cell in notebook["cells"] if id_of(cell)]


@broken()
def all_marks_are_lost(notebook):
    """A tool has tidied the metadata; the ids of cells are there."""
    for cell in notebook["cells"]:
        cell["metadata"] = {}


@broken(
    *(f"The cell of {name} was deleted; {name} is in another cell" for name in OURS),
    graded=True,
)
def all_marks_and_ids_are_lost(notebook):
    """As some platforms in the web do: checks are known by what they say, answers by their names."""
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"], cell["id"] = {}, f"cell-{number}"


@broken()
def one_answer_lost_its_marks(notebook):
    """The others have them."""
    cell_of("softmax", notebook)["metadata"] = {}


@broken()
def marks_of_a_newer_nbgrader(notebook):
    """One that we do not know."""
    for cell in marked(notebook):
        cell["metadata"]["nbgrader"] |= {"schema_version": 4, "colour": "green"}


@broken(graded=True)
def marks_of_an_older_nbgrader(notebook):
    """Schema 1 knew nothing of tasks; plain nbgrader stops the whole class at that."""
    for cell in marked(notebook):
        cell["metadata"]["nbgrader"]["schema_version"] = 1
        del cell["metadata"]["nbgrader"]["task"]


@broken()
def points_were_changed(notebook):
    """By hand."""
    cell_of("check_softmax", notebook)["metadata"]["nbgrader"]["points"] = 100


@broken()
def a_check_is_no_check_any_more(notebook):
    """Its marks say that it is an answer."""
    cell_of("check_softmax", notebook)["metadata"]["nbgrader"] |= {"grade": False, "solution": True, "locked": False}


@broken()
def a_cell_with_empty_marks(notebook):
    """nbgrader itself leaves these behind, and stops at them with KeyError: 'grade_id'."""
    notebook["cells"].append(code("1 + 1", nbgrader={}))


@broken()
def marks_that_are_no_marks(notebook):
    """Somebody's tool has a different idea of them."""
    notebook["cells"].append(code("1 + 1", nbgrader="yes"))
    notebook["cells"].append(code("1 + 2", nbgrader={"grade_id": 7, "grade": True}))


@broken(graded=True)
def a_cell_of_another_course(notebook):
    """Pasted, with its marks: a scored cell that is none of ours."""
    marks = clone("check_softmax", notebook)["metadata"]["nbgrader"] | {"grade_id": "exercise_7"}
    notebook["cells"].append(code("1.0", nbgrader=marks))


@broken("Written into locked cells, and kept in cells of their own: check_softmax", graded=True)
def an_answer_was_written_into_its_check(notebook):
    """The cell below it: nbgrader would throw that away."""
    cell_of("check_softmax", notebook)["source"] = OURS["softmax"] + "\n\ncheck(softmax=softmax)"
    cell_of("softmax", notebook)["source"] = "# see below"


@broken("Written into locked cells, and kept in cells of their own: given_")
def an_import_was_added(notebook):
    """To the locked cell with the others."""
    given = marked(notebook)[0]
    given["source"] += "\nimport itertools"


@broken("Written into locked cells, and kept in cells of their own: check_softmax")
def a_check_is_a_number(notebook):
    """nbgrader takes the last value of a check for its score."""
    cell_of("check_softmax", notebook)["source"] = "3.0"


@broken()
def a_check_was_emptied(notebook):
    """There is nothing in it that could be lost."""
    cell_of("check_softmax", notebook)["source"] = ""


@broken()
def blanks_were_added(notebook):
    """By an editor that ends every file with a line."""
    for cell in marked(notebook):
        cell["source"] += "\n"


@broken()
def cells_of_ones_own(notebook):
    """As many as one likes."""
    after("softmax", notebook, code("helper = 1"), code("%matplotlib inline"), code("this is no Python"))
