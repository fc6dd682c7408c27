"""The notebook that learners got: which of its cells nbgrader knows, and how to recognise them without its marks."""

import re
from functools import cached_property
from pathlib import Path

import nbformat

from ...catalogue import EXERCISES


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
    marks = cell["metadata"].get("nbgrader")  # asked so often that `cell.metadata`, three times as slow, would be seen
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    return name if isinstance(name, str) else None


def lesson_of(mark):
    """Return the lesson that a cell belongs to, as far as its mark tells; None if it does not."""
    task = EXERCISES.get(str(mark).removeprefix("check_"))
    return task and task.lesson


def tidy(source):
    """Return a source without the blanks that editors add and take away."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
