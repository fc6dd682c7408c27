"""A course with a class of submissions, graded by plain nbgrader, as an instructor does it."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
from helpers import ROOT, our_answers
from nbformat.v4 import new_code_cell

CONFIG = f"""
c = get_config()
load_subconfig({str(ROOT / "autograder" / "nbgrader_config.py")!r})
c.CourseDirectory.root = {{root!r}}
c.Execute.timeout = {{limit}}
"""


def graded(root, lesson, submissions, limit=15):
    """Grade in one go: student -> the cells that differ from our solution, "DELETED" for one that is not there.

    `...` instead of cells: nothing was written. limit: seconds for a cell.
    """
    (root / "nbgrader_config.py").write_text(CONFIG.format(root=str(root), limit=limit))
    solved = nbformat.read(ROOT / "solutions" / lesson / f"{lesson}.ipynb", as_version=4)
    _write(solved, root / "solutions" / lesson)
    nbgrader(root, "generate_assignment", lesson)
    released = nbformat.read(root / "course" / lesson / f"{lesson}.ipynb", as_version=4)
    for student, cells in submissions.items():
        sources = {} if cells is ... else our_answers(lesson) | cells
        _write(_submission(released, sources), root / "submitted" / student / lesson)
    nbgrader(root, "autograde", lesson)


def scores(root, lesson, student):
    """exercise -> what its check cell earned, from nbgrader's gradebook."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        notebook = gradebook.find_submission_notebook(lesson, lesson, student)
        return {grade.name.removeprefix("check_"): grade.auto_score for grade in notebook.grades}


def nbgrader(root, *command):
    """As an instructor types it, with the virtual environment's tools on the PATH."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=root,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def _submission(released, sources):
    """The released notebook with a student's cells in it."""
    notebook = nbformat.from_dict(released)
    notebook.cells = [nbformat.from_dict(cell) for cell in released.cells]
    for cell in notebook.cells:
        cell.source = sources.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    notebook.cells = [cell for cell in notebook.cells if cell.source != "DELETED"]
    notebook.cells.append(new_code_cell("print('a cell of my own')"))
    return notebook


def _write(notebook, folder):
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{folder.name}.ipynb")
