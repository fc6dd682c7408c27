"""Build the notebook with solutions from a lesson's text, and from that, with nbgrader, the learner's notebook.

The author writes text/lesson.py (py:percent text) in the folder of the lesson, and nothing else.
Beside the learner's notebooks goes the cheat sheet, where lessons have rows for it.
Building twice gives the same bytes.
"""

import hashlib
import re
import shutil
import tempfile
from pathlib import Path

import jupytext
import nbformat
from click import ClickException
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.utils import is_solution

from .catalogue import EXERCISES, LESSONS, varying
from .course import installed
from .environment import find_our_commands
from .mistakes import check_hints
from .question import put_numbers_in
from .teaching.cheat_sheet import FILE as SHEET
from .teaching.cheat_sheet import cheat_sheet
from .trying import check_declarations, with_hints

INSTALL = "install"  # the id of the cell that gets what a lesson needs, where that is missing
HERE = """\
# Does nothing where the course is installed, as with `mha lab`.
try:
    import {}
"""
FROM = """\
except ImportError:
    %pip install --quiet git+{}\
"""
FROM_NOWHERE = """\
except ImportError as missing:
    print(f"{missing.name} is missing here: install the course as its README says; on a server, ask your instructor.")\
"""
IN_COLAB = "https://colab.research.google.com/github/{}/blob/HEAD/course/{}"


def build(root=None):
    """Make all notebooks of solutions/ and course/, and the cheat sheet; returns the files that changed.

    root: where both folders are, beside the package of the lessons by default.
    """
    course = installed()
    root = root or course.folder.parent
    check_declarations(course)
    check_hints(course, with_hints(course))
    with tempfile.TemporaryDirectory() as made:
        made = Path(made)
        for lesson in LESSONS:
            notebook = solution_notebook(course.text(lesson), course.outline.address)
            nbformat.validate(notebook)
            (made / "solutions" / lesson).mkdir(parents=True)
            nbformat.write(notebook, made / "solutions" / lesson / f"{lesson}.ipynb")
        _generate_assignments(made, LESSONS)
        if sheet := cheat_sheet(course):
            (made / "course" / SHEET).write_text(sheet, encoding="utf-8", newline="\n")
        return [file for kind in ("solutions", "course") for file in _replace_differing(made / kind, root / kind)]


def solution_notebook(text, address=""):
    """Make a notebook of the file with a lesson's text, with everything that nbgrader wants to know.

    address: of the repository, from which a notebook that is opened elsewhere can install the course.
    """
    notebook = jupytext.reads(text.read_text(encoding="utf-8"), fmt="py:percent")
    notebook.cells = [made for cell in notebook.cells for made in _prepared(cell, text)]
    notebook.cells = list(_short_after_checks(notebook.cells))
    _no_task_is_missing_or_double(notebook, text)
    for question in varying(_lesson_of(text)):  # so that a student's own numbers can take the place of these
        put_numbers_in(notebook, question, question.numbers)
    _give_stable_ids(notebook)
    _install_what_is_missing(notebook, address)
    _link_to_colab(notebook, address, _lesson_of(text))
    notebook.metadata = dict(
        generated=f"by `make build` from {'/'.join(text.parts[-4:])}; do not edit",
        kernelspec=dict(name="python3", display_name="Python 3", language="python"),
        language_info=dict(name="python"),
    )
    notebook.nbformat_minor = 5
    return notebook


def _lesson_of(text):
    """Return the name of the lesson, which is that of its folder."""
    return text.parent.parent.name


def _prepared(cell, text):
    """Return the cell as it is, or made ready for nbgrader, with its check after an exercise."""
    said = cell.metadata
    # again: another lesson's exercise, to be written here too, unmarked; free: what nobody checks, such as a plot
    name, again, free = map(said.get, ("exercise", "again", "free"))
    cell.metadata = {"jupyter": {"source_hidden": True}} if said.get("picture") else {}
    if cell.cell_type == "code":
        _must_compile(cell, text)
    if "written" in said:  # in words, which a person reads and marks
        cell.metadata["nbgrader"] = _nbgrader(said["written"], grade=True, solution=True, points=said.get("points", 0))
        return [cell]
    written = name or free or (again and f"again_{again}")  # a name of its own: by these, lessons are told apart
    if written is None:
        if said.get("locked"):
            cell.metadata["nbgrader"] = _nbgrader("given_" + _digest(cell.source), locked=True)
        return [cell]
    if name and (name not in EXERCISES or EXERCISES[name].lesson != _lesson_of(text)):
        raise ClickException(f"{_place(cell, text)}: exercises.py has no exercise {name!r}")
    if "### BEGIN SOLUTION" not in cell.source or "### END SOLUTION" not in cell.source:
        raise ClickException(f"{_place(cell, text)}: {written} needs ### BEGIN SOLUTION and ### END SOLUTION")
    cell.metadata["nbgrader"] = _nbgrader(written, solution=True)
    if free:
        return [cell]
    check = _check_cell(again, 0) if again else _check_cell(name, EXERCISES[name].points)
    if again:
        check.source += "  # once more, and not marked"
        check.metadata["nbgrader"]["grade_id"] = f"check_{written}"
    return [cell, check]


def _check_cell(name, points):
    """Make the cell that checks an exercise. It imports `check` anew: a learner may have used that name."""
    cell = new_code_cell(f"from autograder import check\n\ncheck({name}={name})")
    graded = dict(grade=True, points=points) if points else {}  # what is asked again is not
    cell.metadata["nbgrader"] = _nbgrader(f"check_{name}", locked=True, **graded)
    cell.metadata["tags"] = ["raises-exception"]  # Run All goes on
    return cell


def _short_after_checks(cells):
    """Cut off the first paragraph of a text that follows a check.

    JupyterLab puts the cell that follows in the middle of the window: a long one would leave no room for the card.
    """
    follows_check = False
    for cell in cells:
        first, blank, rest = cell.source.partition("\n\n")
        if follows_check and cell.cell_type == "markdown" and blank and "```" not in first:
            yield new_markdown_cell(first)
            cell.source = rest
        yield cell
        follows_check = cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("check_")


def _nbgrader(name, grade=False, solution=False, locked=False, **points):
    return dict(grade_id=name, grade=grade, solution=solution, locked=locked, task=False, schema_version=3, **points)


def _must_compile(cell, text):
    try:
        compile(cell.source, text.name, "exec")
    except SyntaxError as error:
        raise ClickException(f"{_place(cell, text, error.lineno)}: {error.msg}") from None


def _place(cell, text, line=1):
    """Return "file:line" for a line of a cell."""
    before = text.read_text(encoding="utf-8").partition(cell.source)[0]
    return f"{text}:{before.count(chr(10)) + line}"


def _no_task_is_missing_or_double(notebook, text):
    asked = [cell.metadata["nbgrader"]["grade_id"] for cell in notebook.cells if is_solution(cell)]
    for name, task in EXERCISES.items():
        if task.lesson == _lesson_of(text) and asked.count(name) != 1:
            raise ClickException(f"{text}: the exercise {name} occurs {asked.count(name)} times; it should occur once")


def _install_what_is_missing(notebook, address):
    """Insert a cell before the first code cell that installs the course where it is missing, or says who does."""
    cells = notebook.cells
    first = next((n for n, cell in enumerate(cells) if cell.cell_type == "code"), len(cells))
    in_torch = any(re.search("^import torch", cell.source, re.MULTILINE) for cell in cells if cell.cell_type == "code")
    source = HERE.format("autograder, torch" if in_torch else "autograder")
    source += FROM.format(f"{address}{' torch' if in_torch else ''}") if address else FROM_NOWHERE
    cells.insert(first, new_code_cell(source, id=INSTALL))


def _link_to_colab(notebook, address, lesson):
    """Put a link below the title of a lesson that GitHub has, with which it opens in Colab."""
    host, _, repository = address.removeprefix("https://").partition("/")
    title, blank, rest = notebook.cells[0].source.partition("\n\n") if notebook.cells else ("", "", "")
    if host == "github.com" and title.startswith("# ") and blank:
        link = IN_COLAB.format(repository, f"{lesson}/{lesson}.ipynb")
        notebook.cells[0].source = f"{title}\n\n[Open in Colab]({link})\n\n{rest}"


def _give_stable_ids(notebook):
    """Give each cell an id made from what it is or says, so that a build changes no id without need."""
    seen = set()
    for cell in notebook.cells:
        base = cell.metadata.get("nbgrader", {}).get("grade_id") or _digest(cell.source)
        cell.id = next(i for i in (base, *(f"{base}-{n}" for n in range(2, 100))) if i not in seen)
        seen.add(cell.id)


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _generate_assignments(root, names):
    """Let nbgrader take the solutions out: the same as `nbgrader generate_assignment`, in a folder of its own."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", path=str(Path(__file__).parent)).load_config()
    config.CourseDirectory.root = str(root)
    find_our_commands()
    api = NbGraderAPI(config=config)
    for name in names:
        result = api.generate_assignment(name)
        if not result["success"]:
            raise ClickException(f"nbgrader could not make {name}:\n{result.get('error') or result.get('log')}")


def _replace_differing(made, target):
    """Copy each new file over the old one if they differ."""
    changed = []
    for file in sorted([*made.glob("lesson_*/*.ipynb"), *made.glob(SHEET)]):
        old = target / file.relative_to(made)
        if not old.exists() or old.read_bytes() != file.read_bytes():
            old.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, old)
            changed.append(old)
    return changed
