"""The notebook that learners got: which of its cells nbgrader knows, and how to recognise them without its marks."""

import re
from functools import cached_property
from pathlib import Path

import nbformat

from ...catalogue import EXERCISES
from ..wording import count, cut, listed
from .finding import Unfit


class Released:
    """A lesson as it was released.

    roles: grade_id -> the cell, in order. A task is a cell that learners write; its check follows it.
    """

    def __init__(self, file):
        self.lesson, self.notebook = Path(file).stem, nbformat.read(file, as_version=4)
        self.roles = {cell.metadata.nbgrader.grade_id: cell for cell in self.notebook.cells if mark_of(cell)}
        self.tasks = [name for name, cell in self.roles.items() if cell.metadata.nbgrader.solution]
        self.checks = {f"check_{name}": name for name in self.tasks if f"check_{name}" in self.roles}

    @cached_property
    def plain_sources(self):
        """Return the sources of the cells that are neither answers nor checks."""
        return {tidy(cell.source) for cell in self.notebook.cells if not mark_of(cell)}

    def is_written(self, cell):
        """Say whether a learner wrote anything in the cell of a task."""
        return tidy(cell.source) not in ("", tidy(self.roles[mark_of(cell)].source))

    def defining(self, name, cells):
        """Return the cells that give a name its value by def, class, or =, except for the lesson's own cells."""
        is_given = re.compile(rf"^(?:(?:async\s+)?def|class)\s+{name}\b|^{name}\s*(?::[^=\n]*)?=(?!=)", re.M)
        stub = tidy(self.roles[name].source)
        return [
            cell
            for cell in cells
            if cell.cell_type == "code"
            and is_given.search(cell.source)
            and tidy(cell.source) not in (stub, *self.plain_sources)
        ]


def mark_of(cell):
    """Return the grade_id that nbgrader gave a cell; None if it has none."""
    return _name(cell["metadata"].get("nbgrader"))  # asked so often that the time of `cell.metadata` would be seen


def _name(marks):
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    return name if isinstance(name, str) else None


def tidy(source):
    """Return a source without the blanks that editors add and take away."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def put_marks_back(cells, released, mended):
    """Mark the lesson's cells, found by nbgrader's mark, by the cell's id, or by what they say.

    Raise Unfit if none of them belongs to the lesson.
    """
    came = {id(cell): cell.metadata.pop("nbgrader", None) for cell in cells if "nbgrader" in cell.metadata}
    marked = [(cell, _name(came[id(cell)])) for cell in cells if id(cell) in came]
    ours = [(cell, name) for cell, name in marked if name in released.roles]
    if others := [cut(name or "one without a name") for _, name in marked if name not in released.roles]:
        mended.append(f"Marks of cells that the lesson does not have were taken off: {listed(others)}.")
    lost = [*_recognised(cells, released, {name for _, name in ours})]
    if not any(name in released.tasks or name in released.checks for _, name in ours + lost):
        raise Unfit(_which_lesson([name for _, name in marked], released))
    changed = [name for cell, name in ours if _differs(came[id(cell)], released.roles[name])]
    if lost or changed:
        mended.append(f"Marks of nbgrader were lost or changed in {count(len(lost + changed), 'cell')}: renewed.")
    for cell, name in (*ours, *lost):
        mark(cell, name, released)


def mark(cell, name, released):
    """Mark a cell as the lesson's cell of this name; what else a learner noted in its metadata stays."""
    cell.metadata.update(nbformat.from_dict(released.roles[name].metadata))


def unmark(cell):
    """Turn a cell into one of the learner's own."""
    for key in ("nbgrader", "deletable", "editable"):
        cell.metadata.pop(key, None)


def _recognised(cells, released, found):
    """Yield (cell, name) for cells that have lost their mark, once for each name."""
    names = {tidy(cell.source): name for name, cell in released.roles.items()} | {name: name for name in released.roles}
    for cell in cells:
        for key in (cell.id, tidy(cell.source)):
            if key in names and names[key] not in found and "nbgrader" not in cell.metadata:
                found.add(names[key])
                yield cell, names[key]
                break


def _which_lesson(names, released):
    """Say which lesson it is, as far as the marks of its cells tell."""
    tasks = (EXERCISES.get(str(name).removeprefix("check_")) for name in names)
    other = sorted({task.lesson for task in tasks if task})
    if other:
        return f"this is {listed(other)}, and {released.lesson} was asked for"
    return f"it holds none of the cells of {released.lesson}"


def _differs(marks, role):
    """Say whether marks differ from those released, apart from what nbgrader itself renews."""
    renewed = ("checksum", "cell_type")
    mine, ours = ({k: v for k, v in m.items() if k not in renewed} for m in (marks, role.metadata.nbgrader))
    return mine != ours
