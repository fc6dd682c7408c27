"""Mend the lesson's cells in what came: each is there once and marked, and locked ones say what they said."""

import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

from ...catalogue import EXERCISES
from ..bounds import Refused
from ..wording import listed

LAST, WHICH = "the last one with something written in it counts.", "look at both."
ELSEWHERE = "# The answer is in another cell of this notebook: {}"


class Released:
    """A lesson as it was released.

    roles: grade_id -> the cell, in order. A task is a cell that learners write; its check follows it.
    plain: the sources of the cells that are neither answers nor checks -> their metadata.
    """

    def __init__(self, file):
        notebook = nbformat.read(file, as_version=4)
        self.lesson, self.metadata, cells = Path(file).stem, notebook.metadata, notebook.cells
        self.plain = {tidy(cell.source): cell.metadata for cell in cells if not mark_of(cell)}
        self.roles = {mark_of(cell): cell for cell in cells if mark_of(cell)}
        self.tasks = [name for name, cell in self.roles.items() if cell.metadata.nbgrader.solution]
        self.checks = {f"check_{name}": name for name in self.tasks if f"check_{name}" in self.roles}

    def written(self, name, cells):
        """Return the cells of a task in which a learner wrote anything."""
        return [cell for cell in of(name, cells) if tidy(cell.source) not in ("", tidy(self.roles[name].source))]

    def defining(self, name, cells):
        """Return the cells that give a name its value by def, class, or =, except for the lesson's own cells."""
        is_given = re.compile(rf"^(?:(?:async\s+)?def|class)\s+{name}\b|^{name}\s*(?::[^=\n]*)?=(?!=)", re.M)
        ours = {tidy(self.roles[name].source), *self.plain}
        code = (cell for cell in cells if cell.cell_type == "code")
        return [cell for cell in code if is_given.search(cell.source) and tidy(cell.source) not in ours]


def answers(cells, released):
    """Return task -> what the learner wrote, for comparing two notebooks."""
    return {name: tidy(cell.source) for name in released.tasks for cell in released.written(name, cells)}


def tidy(source):
    """Return a source without the blanks that editors add and take away."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def mark_of(cell):
    """Return the grade_id that nbgrader gave a cell; None if it has none."""
    marks = cell["metadata"].get("nbgrader")  # asked so often that the time of `cell.metadata` would be seen
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    return name if isinstance(name, str) else None


def of(name, cells):
    """Return the cells that are marked as the lesson's cell of this name."""
    return [cell for cell in cells if mark_of(cell) == name]


def position(cell, cells):
    """Return the index of this very cell, since another one may say the same."""
    return next(n for n, other in enumerate(cells) if other is cell)


def free_id(name, cells):
    """Return the name, with a number if a cell has it as its id already: the same one each time, never a random one."""
    taken = {cell.id for cell in cells}
    return next(i for i in (name, *(f"{name}-{n}" for n in range(2, len(taken) + 3))) if i not in taken)


def mend_cells(notebook, released, mended):
    """Mend the cells of a notebook in place; raise Refused if none of them belongs to the lesson."""
    notebook.metadata, cells = nbformat.from_dict(released.metadata), notebook.cells
    _put_marks_back(cells, released)
    for name in released.roles:
        _leave_one(cells, name, released, mended)
    for name in released.tasks:
        if not released.written(name, cells):
            _find_elsewhere(cells, name, released, mended)
    _put_back(cells, released, mended)
    _checks_after_answers(cells, released, mended)
    _restore_locked(cells, released, mended)


def _put_marks_back(cells, released):
    """Mark the lesson's cells as it does, and no others: by nbgrader's mark, by the cell's id, or by what they say.

    A cell without a good mark gets that of a name which no other cell has.
    """
    marks = [mark_of(cell) for cell in cells]
    found = {name for name in marks if name in released.roles}
    meant = {tidy(cell.source): name for name, cell in released.roles.items()} | {name: name for name in released.roles}
    for n, (cell, name) in enumerate(zip(list(cells), marks)):
        if name not in released.roles:
            names = meant.get(cell.id), meant.get(tidy(cell.source))
            name = next((one for one in names if one and one not in found), None)
            found.add(name)
        role = released.roles.get(name)
        if role and cell.cell_type != role.cell_type:  # it was turned into text, or code, which has other parts
            cells[n] = nbformat.from_dict(role | dict(id=cell.id, source=cell.source))
        else:
            cell.metadata = nbformat.from_dict(role.metadata if role else released.plain.get(tidy(cell.source), {}))
    if found.isdisjoint([*released.tasks, *released.checks]):
        raise Refused(_which_lesson(marks, released))


def _which_lesson(names, released):
    """Say which lesson it is, as far as the marks of its cells tell."""
    tasks = (EXERCISES.get(str(name).removeprefix("check_")) for name in names)
    other = sorted({task.lesson for task in tasks if task})
    if other:
        return f"this is {listed(other)}, and {released.lesson} was asked for"
    return f"it holds none of the cells of {released.lesson}"


def _leave_one(cells, name, released, mended):
    """Leave one cell of this name: of those in which something was written, the last one that its check saw.

    The others with something lose their mark, and run where they are; copies with nothing in them go.
    """
    copies, written, checks = of(name, cells), released.written(name, cells), of(f"check_{name}", cells)
    if len(copies) < 2:
        return
    seen = [cell for cell in written if checks and position(cell, cells) < position(checks[-1], cells)]
    counts = (seen or written or copies)[-1]
    kept = {id(cell) for cell in written} | {id(counts)}
    cells[:] = [cell for cell in cells if mark_of(cell) != name or id(cell) in kept]
    for cell in written:
        if cell is not counts:
            cell.metadata.clear()
    overruled = seen and tidy(written[-1].source) != tidy(counts.source)
    which = f"the last one above its check counts. Another is below it: {WHICH}" if overruled else LAST
    mended.append(f"There were {len(copies)} cells for {name}: {which}")


def _find_elsewhere(cells, name, released, mended):
    """Find the answer to a task in another cell, if the task's own cell was deleted or left empty."""
    candidates = released.defining(name, cells)
    if not candidates:
        return
    there, what = candidates[-1], "left empty" if of(name, cells) else "deleted"
    cells[:] = [cell for cell in cells if mark_of(cell) != name]
    if mark_of(there) is not None:
        sign = new_code_cell(ELSEWHERE.format(name), id=free_id(name, cells))
        cells.insert(position(there, cells) + 1, sign)
        there = sign
    there.metadata = nbformat.from_dict(released.roles[name].metadata)
    mended.append(f"The cell of {name} was {what}; {name} is in another cell, and is judged there.")


def _put_back(cells, released, mended):
    """Put deleted cells back, each of them after the cell that it followed."""
    gone, before = [], None
    for name, role in released.roles.items():
        if not of(name, cells):
            made = nbformat.from_dict(role | dict(id=free_id(role.id, cells)))
            cells.insert(position(before, cells) + 1 if before else 0, made)
            gone.append(name)
        before = of(name, cells)[0]
    if gone:
        mended.append(f"Deleted, and put back as they were: {listed(gone)}.")


def _checks_after_answers(cells, released, mended):
    moved = []
    for check, name in released.checks.items():
        (cell,), (answer,) = of(check, cells), of(name, cells)
        if position(cell, cells) < position(answer, cells):
            cells.remove(cell)
            cells.insert(position(answer, cells) + 1, cell)
            moved.append(name)
    if moved:
        mended.append(f"Checks were above what they check, and are below it now: {listed(moved)}.")


def _restore_locked(cells, released, mended):
    """Restore locked cells, and move what a learner wrote there to a new cell: before a check, after other cells."""
    changed = []
    for cell in list(cells):
        name = mark_of(cell)
        role = released.roles.get(name)
        if role is None or not role.metadata.nbgrader.locked or cell.source == role.source:
            continue
        if tidy(cell.source) not in ("", tidy(role.source)):
            own = new_code_cell(cell.source, id=free_id(f"in_{name}", cells))
            cells.insert(position(cell, cells) + (name not in released.checks), own)
            changed.append(name)
        cell.source = role.source
    if changed:
        mended.append(f"Written into locked cells, and kept in cells of their own: {listed(changed)}.")
