"""What is done to the notebook itself: its cells, what nbgrader notes in them, and its file."""

import copy
import json
import os

import nbformat
from classroom import points_in
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from .attack import NOTHING, SOFTMAX, WHATEVER, WRONG, family

ATTACKS = []
attack = family("notebook_surgery", ATTACKS)

FULL = points_in(SOFTMAX)
NOT_SOFTMAX = {"softmax": "def softmax(scores, axis=-1):\n    return scores\n"}
WITHOUT_SOFTMAX = {"softmax": 0}


def cells_of(notebook):
    """grade_id -> cell."""
    ids = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    return {name: cell for name, cell in ids.items() if name}


def checks_of(notebook):
    return [cell for name, cell in cells_of(notebook).items() if name.startswith("check_")]


@attack(rest=WRONG)
def checks_are_skipped(notebook):
    """Cells with this tag are not run by nbconvert, and what is not run has no error."""
    for cell in checks_of(notebook):
        cell.metadata.tags = ["skip-execution"]


@attack(rest=WRONG)
def checks_are_deleted(notebook):
    """No check, no complaint."""
    gone = checks_of(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell not in gone]


@attack(rest=WRONG)
def checks_hold_a_number(notebook):
    """Locked cells, edited: a last value that is a number is a score."""
    for cell in checks_of(notebook):
        cell.source = "1.0"


@attack(rest=WRONG)
def checks_become_text(notebook):
    """A cell of text raises no error."""
    for cell in checks_of(notebook):
        cell.cell_type = "markdown"
        cell.pop("outputs", None), cell.pop("execution_count", None)


@attack(rest=WRONG)
def checks_become_raw(notebook):
    """The same with the third kind of cell."""
    for cell in checks_of(notebook):
        cell.cell_type = "raw"
        cell.pop("outputs", None), cell.pop("execution_count", None)


@attack(rest=WRONG)
def checks_are_worth_more(notebook):
    """The points stand in the notebook."""
    for cell in checks_of(notebook):
        cell.metadata.nbgrader.points = 1000


@attack(rest=WRONG)
def checks_have_negative_points(notebook):
    """Points that are less than nothing, or no number."""
    for cell, points in zip(checks_of(notebook), [-5, 1e308, 0] * 3):
        cell.metadata.nbgrader.points = points


@attack(deserves=WHATEVER)
def points_are_no_numbers(notebook):
    """Points that nobody can count."""
    for cell, points in zip(checks_of(notebook), ["three", None, float("inf"), float("nan"), [], {}] * 3):
        cell.metadata.nbgrader.points = points


@attack(rest=WRONG)
def checks_are_unlocked(notebook):
    """A cell that is not locked may be edited."""
    for cell in checks_of(notebook):
        cell.metadata.nbgrader.locked = False
        cell.source = "1.0"


@attack(rest=WRONG)
def checks_become_solutions(notebook):
    """A graded solution waits for a teacher, and has no score of its own."""
    for cell in checks_of(notebook):
        cell.metadata.nbgrader.solution = True
        cell.metadata.nbgrader.locked = False


@attack(rest=WRONG)
def checks_become_tasks(notebook):
    """A task is graded by hand."""
    for cell in checks_of(notebook):
        cell.metadata.nbgrader.update(task=True, grade=False)


@attack(rest=WRONG)
def checks_are_not_graded(notebook):
    """They are no longer graded, and copies without the name are."""
    for cell in checks_of(notebook):
        cell.metadata.nbgrader.grade = False
        cell.metadata.nbgrader.solution = True


@attack(rest=WRONG)
def solutions_are_graded(notebook):
    """The learner's own cells claim to be graded, with many points."""
    for cell in cells_of(notebook).values():
        if cell.metadata.nbgrader.solution:
            cell.metadata.nbgrader.update(grade=True, points=100)


@attack(rest=WRONG)
def checks_change_names(notebook):
    """The check of what is right stands under the name of what is wrong."""
    cells = cells_of(notebook)
    a, b = cells["check_softmax"].metadata.nbgrader, cells["check_weight_ratio"].metadata.nbgrader
    a.grade_id, b.grade_id = b.grade_id, a.grade_id


@attack(cells=NOT_SOFTMAX, deserves=WITHOUT_SOFTMAX)
def the_right_answers_check_stands_twice(notebook):
    """A copy of the check of another exercise, under the name of this one."""
    cells = cells_of(notebook)
    copy = json.loads(json.dumps(cells["check_softmax_bug"]))
    copy["metadata"]["nbgrader"]["grade_id"] = "check_softmax"
    notebook.cells.append(new_code_cell(copy["source"], metadata=copy["metadata"]))


@attack(rest=WRONG)
def checks_stand_twice(notebook):
    """The same name again, with something content in it."""
    for cell in checks_of(notebook):
        notebook.cells.append(new_code_cell("1.0", metadata=json.loads(json.dumps(cell.metadata))))


@attack(rest=WRONG)
def every_cell_stands_twice(notebook):
    """The whole notebook again, with the same ids."""
    notebook.cells += [type(cell)(json.loads(json.dumps(cell))) for cell in notebook.cells]


@attack(rest=WRONG)
def every_cell_stands_a_hundred_times(notebook):
    """Thousands of cells."""
    notebook.cells += [new_code_cell("pass") for _ in range(3000)]


@attack(deserves=WHATEVER)
def cells_stand_in_reverse(notebook):
    """Each check before its answer: nothing is defined when it is asked for."""
    notebook.cells.reverse()


@attack(rest=WRONG)
def outputs_are_forged(notebook):
    """Results of a run that never was are in the file."""
    for cell in checks_of(notebook):
        data = {"text/plain": "1.0"}
        cell.outputs = [dict(output_type="execute_result", execution_count=1, data=data, metadata={})]
        cell.execution_count = 1


@attack(rest=WRONG)
def cells_after_all_others_grade(notebook):
    """A last cell that looks like a check of each exercise, with names that nbgrader does not know."""
    for name, points in FULL.items():
        noted = dict(grade=True, grade_id=f"check_{name}_", locked=True, points=points, schema_version=3)
        noted |= dict(solution=False, task=False, cell_type="code", checksum="0" * 32)
        notebook.cells.append(new_code_cell(f"{points}.0", metadata=dict(nbgrader=noted)))


@attack(deserves=WHATEVER)
def names_of_cells_are_odd(notebook):
    """Names with quotes, commands, paths and line breaks."""
    for cell, name in zip(notebook.cells, ["../../x", "'; DROP TABLE grade; --", "a\nb", "\x00", "é" * 500, ""]):
        cell.metadata["nbgrader"] = dict(grade_id=name, grade=False, solution=True, locked=False, schema_version=3)


@attack(deserves=WHATEVER)
def notes_are_of_the_wrong_kind(notebook):
    """What nbgrader notes is a list, a text, a number."""
    for cell, noted in zip(checks_of(notebook), [[], "graded", 3, None, {"grade_id": {}}, {"grade": True}, {}] * 2):
        cell.metadata["nbgrader"] = noted


@attack(deserves=WHATEVER)
def notes_come_from_the_future(notebook):
    """A version of nbgrader's notes that is not yet there."""
    for cell in cells_of(notebook).values():
        cell.metadata.nbgrader.schema_version = 99


@attack(deserves=WHATEVER)
def notes_come_from_the_past(notebook):
    """A version of nbgrader's notes that is no longer read."""
    for cell in cells_of(notebook).values():
        cell.metadata.nbgrader.schema_version = 0


@attack(deserves=WHATEVER)
def notebook_comes_from_the_past(notebook):
    """The format of many years ago."""
    cells, notebook["nbformat"], notebook["nbformat_minor"] = notebook.pop("cells"), 3, 0
    notebook["worksheets"] = [dict(cells=[dict(c, input=c.get("source", "")) for c in cells], metadata={})]


@attack()
def a_heading_is_very_low(notebook):
    """In the format of many years ago it is a number, and its # are written when that is read: a gigabyte of them."""
    old = nbformat.convert(copy.deepcopy(notebook), 3)
    old.worksheets[0].cells.append(dict(cell_type="heading", level=10**9, source="x", metadata={}))
    notebook.clear()
    notebook.update(old)


def nest_zeros(file, places):
    """In a file a zero takes two letters, and where it is written with blanks before it a hundred."""
    notebook = json.loads(file.read_text())
    notebook["metadata"]["x"] = "HERE"
    zeros = "[" * 95 + "0," * 5_000_000 + "0" + "]" * 95
    file.write_text(json.dumps(notebook).replace('"HERE"', zeros))


@attack(deserves=WHATEVER, files={f"{SOFTMAX}.ipynb": nest_zeros})
def notes_are_nested():
    """A list in a list, and so on, and in the last one very much: half a gigabyte once it is written."""


@attack(deserves=WHATEVER)
def notebook_comes_from_the_future(notebook):
    """A format that is not yet there."""
    notebook["nbformat"], notebook["nbformat_minor"] = 99, 0


@attack(rest=WRONG)
def another_kernel_is_asked_for(notebook):
    """A kernel of another name, which might be anything."""
    notebook.metadata["kernelspec"] = dict(name="bash", display_name="Bash", language="bash")
    notebook.metadata["language_info"] = dict(name="bash")


@attack(rest=WRONG)
def the_notebook_asks_for_patience(notebook):
    """Settings in the notebook's own notes."""
    notebook.metadata["nbgrader"] = dict(timeout=None, enabled=False, score=100)
    notebook.metadata["execution"] = dict(timeout=-1, allow_errors=True, iopub_timeout=0)


@attack(rest=WRONG, cells={"softmax": "DELETED", "check_softmax": "DELETED"})
def cells_and_checks_are_gone():
    """Nothing is there, neither answer nor check."""


@attack(rest=NOTHING)
def nothing_is_left(notebook):
    """No cell at all."""
    notebook.cells = []


@attack(deserves=WHATEVER)
def cells_lack_what_all_cells_have(notebook):
    """No source, no kind, no metadata; and a cell that is a number."""
    del notebook.cells[3]["source"], notebook.cells[4]["cell_type"], notebook.cells[5]["metadata"]
    notebook.cells.append(3)


@attack(rest=WRONG)
def code_hides_in_text(notebook):
    """Cells of other kinds that look like checks."""
    notebook.cells += [new_markdown_cell("1.0"), new_raw_cell("1.0")]
    for cell in notebook.cells[-2:]:
        cell.metadata["nbgrader"] = dict(grade=True, grade_id="check_softmax", points=3, locked=True, solution=False)


def as_link(target):
    """Lays a link where a file was."""

    def link(file, places):
        file.unlink(missing_ok=True)
        place = target
        for name, value in places.items():
            place = place.replace("{" + name + "}", str(value))
        os.symlink(place, file)

    return link


@attack(
    rest=NOTHING, files={f"{SOFTMAX}.ipynb": as_link("../../../solutions/lesson_01_softmax/lesson_01_softmax.ipynb")}
)
def the_notebook_is_a_link_to_the_solution():
    """Who follows it grades our own work."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": as_link("../../aaa_honest/lesson_01_softmax/lesson_01_softmax.ipynb")})
def the_notebook_is_a_link_to_the_work_of_another():
    """Who follows it grades the work of somebody else."""


@attack(
    rest=NOTHING,
    files={"letter.txt": as_link("{canary}/letter.txt")},
    cells={"weight_ratio": 'print(open("letter.txt").read())'},
)
def a_link_beside_the_notebook():
    """What lies beside the notebook is copied along, links and all: this one shows to a secret."""


@attack(
    rest=NOTHING,
    files={"course": as_link("../../../")},
    cells={"weight_ratio": 'print(open("course/canary/letter.txt").read())'},
)
def a_link_to_the_whole_course():
    """A link to a folder, in which the link itself lies: whoever walks into it never comes back."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": as_link("lesson_01_softmax.ipynb")})
def the_notebook_is_a_link_to_itself():
    """Who follows it goes round in a circle."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": as_link("nowhere.ipynb")})
def the_notebook_is_a_link_to_nothing():
    """Who follows it finds nothing."""


def as_pipe(file, places):
    file.unlink(missing_ok=True)
    os.mkfifo(file)


@attack(rest=NOTHING, alone=True, files={f"{SOFTMAX}.ipynb": as_pipe})
def the_notebook_is_a_pipe():
    """Who opens it waits for a writer, and there is none."""


@attack(rest=NOTHING, files={"data.txt": as_pipe}, alone=True)
def a_pipe_beside_the_notebook():
    """The same with a file that is only copied."""


def as_folder(file, places):
    file.unlink(missing_ok=True)
    file.mkdir()


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": as_folder})
def the_notebook_is_a_folder():
    """A folder of that name."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": '{"cells": [', "note.txt": "sorry"})
def the_notebook_is_cut_off():
    """Half a file."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": b""})
def the_notebook_is_empty():
    """No byte."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": b"\xff\xfe\x00" * 1000})
def the_notebook_is_no_text():
    """Bytes that no encoding has."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": "[" * 100_000})
def the_notebook_is_nested_too_deep():
    """JSON on which a parser falls."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": '{"cells": [], "metadata": {}, "x": 1' + "0" * 10_000 + "}"})
def the_notebook_holds_a_long_number():
    """A number with more digits than Python wants to read."""


@attack(rest=NOTHING, files={f"{SOFTMAX}.ipynb": json.dumps("a text")})
def the_notebook_is_a_text():
    """JSON, but no notebook."""


@attack(deserves=WHATEVER, files={"timestamp.txt": "yesterday or so"})
def handed_in_at_an_odd_time():
    """A date that is none."""


@attack(files={"lesson_01_softmax copy.ipynb": "{}", "lesson_99.ipynb": '{"cells": []}'})
def other_notebooks_lie_beside():
    """Copies and others, broken ones."""


@attack(
    rest=NOTHING,
    files={"nbgrader_config.py": "c = get_config()\nopen('{canary}/letter.txt', 'w').write('mine')\n"},
)
def settings_lie_beside():
    """A file with settings, for whoever reads settings where the notebook lies."""
