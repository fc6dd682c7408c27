"""A course with a class of submissions, graded by nbgrader, as an instructor does it."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile

import nbformat
from click.testing import CliRunner
from helpers import ROOT, our_answers, released, solved
from nbformat.v4 import new_code_cell

from autograder import EXERCISES

CONFIG = f"""
c = get_config()
load_subconfig({str(ROOT / "autograder" / "nbgrader_config.py")!r})
c.CourseDirectory.root = {{root!r}}
c.Execute.timeout = {{limit}}
c.Examiner.timeout = {{limit}}
c.Examiner.trust_submissions = True  # they are ours: where there is no sandbox, they are graded without
"""


@dataclass(frozen=True)
class Submission:
    """What a student hands in: the released notebook, changed.

    cells: grade_id -> source, "DELETED" for a cell that is not there. `...`: nothing was written.
    surgery: a function that changes the whole notebook, after that.
    files: what lies beside the notebook: path -> text or bytes, or a function that makes something of the path.
    """

    cells: object = field(default_factory=dict)
    surgery: Callable = lambda notebook: None
    files: dict = field(default_factory=dict)


def graded(root, lesson, submissions, limit=15, more="", short=False):
    """Grade in one go: student -> a Submission, or the cells that differ from our solution (`...`: nothing written).

    limit: seconds for a cell; more: other settings; short: see `open_course`.
    """
    open_course(root, lesson, submissions, CONFIG.format(root=str(root), limit=limit) + more, short)
    nbgrader(root, "autograde", lesson)


def open_course(root, lesson, submissions, config, short=False):
    """A folder in which the lesson is released, as it is in ours, and everybody has handed in.

    short: for tests that are not about the lesson; of its code only what is asked, checked, imported or defined is
    there.
    """
    (root / "nbgrader_config.py").write_text(config)
    for place, notebook in (("solutions", solved(lesson)), ("course", released(lesson))):
        if short:
            notebook.cells = [c for c in notebook.cells if "nbgrader" in c.metadata or _only_defines(c)]
        _write(notebook, root / place / lesson)
    _hand_in_all(root, lesson, submissions, released=notebook)


def _only_defines(cell):
    """Say whether a cell is text, or does nothing but define functions and classes."""
    code = ast.parse(cell.source).body if cell.cell_type == "code" else ()
    return all(isinstance(statement, ast.FunctionDef | ast.ClassDef) for statement in code)


def make_known(root, lesson):
    """To nbgrader's gradebook; grading does it by itself, if nobody has done it."""
    nbgrader(root, "generate_assignment", lesson, "--force")


def _hand_in_all(root, lesson, submissions, released):
    for student, submission in submissions.items():
        if not isinstance(submission, Submission):
            submission = Submission(submission if submission is ... else our_answers(lesson) | submission)
        _hand_in(submission, released, root / "submitted" / student / lesson)


def points_in(lesson):
    """Return exercise -> its points, for everything in a lesson that counts."""
    return {name: task.points for name, task in EXERCISES.items() if task.lesson == lesson and task.points}


def scores(root, lesson, student):
    """exercise -> what its check cell earned, from nbgrader's gradebook."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        notebook = gradebook.find_submission_notebook(lesson, lesson, student)
        return {grade.name.removeprefix("check_"): grade.auto_score for grade in notebook.grades}


def nbgrader(root, *command):
    """As an instructor types it."""
    return well(started(root, *command))


def mha(root, *command, **environment):
    """The same of ours, whatever becomes of it."""
    return started(root, *map(str, command), program="autograder.cli", **environment)


def mha_here(root, *command):
    """The same in this process, which takes a tenth of the time; like a new one, it has read no course yet."""
    from autograder.cli import main
    from autograder.grading import grade
    from autograder.teaching import feedback

    for kept in (grade._api, feedback._course):
        kept.cache_clear()
    with chdir(root):
        done = CliRunner().invoke(main, [*map(str, command)])
    return subprocess.CompletedProcess(command, done.exit_code, done.stdout, done.stderr)


def well(done):
    """The words of a command that came to a good end."""
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def started(root, *command, program="nbgrader", timeout=None, **environment):
    """A command, whatever becomes of it, with the virtual environment's tools on the PATH; `program`: a module.

    Its words go to files, since what it leaves running would keep a pipe open. returncode is None after the timeout.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path} | environment
    with TemporaryFile() as said, TemporaryFile() as complained:
        streams = dict(stdin=subprocess.DEVNULL, stdout=said, stderr=complained)
        command = [sys.executable, "-m", program, *command]
        try:
            code = subprocess.run(command, cwd=root, env=environment, timeout=timeout, **streams).returncode
        except subprocess.TimeoutExpired:
            code = None
        return subprocess.CompletedProcess(command, code, _text(said), _text(complained))


def _text(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def _hand_in(submission, released, folder):
    _write(_changed(released, submission), folder)
    for name, content in submission.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(file)
        else:
            file.write_bytes(content.encode() if isinstance(content, str) else content)


def _changed(released, submission):
    """The released notebook with a student's cells in it."""
    sources = {} if submission.cells is ... else submission.cells
    notebook = nbformat.from_dict(released)
    notebook.cells = [nbformat.from_dict(cell) for cell in released.cells]
    for cell in notebook.cells:
        cell.source = sources.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    notebook.cells = [cell for cell in notebook.cells if cell.source != "DELETED"]
    notebook.cells.append(new_code_cell("print('a cell of my own')"))
    submission.surgery(notebook)
    return notebook


def _write(notebook, folder):
    """As it is: nbformat would mend, or refuse, what a student has broken."""
    folder.mkdir(parents=True)
    (folder / f"{folder.name}.ipynb").write_text(json.dumps(notebook, indent=1))
