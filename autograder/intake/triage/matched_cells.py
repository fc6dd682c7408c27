"""Mend the lesson's cells in what came: none is missing, none is there twice, and locked ones say what they said."""

import nbformat
from nbformat.v4 import new_code_cell

from ..wording import listed
from .released import mark, mark_of, put_marks_back, tidy, unmark

ELSEWHERE = "# The answer is in another cell of this notebook: {}"


def of(name, cells):
    """Return the cells that are marked as the lesson's cell of this name."""
    return [cell for cell in cells if mark_of(cell) == name]


def position(cell, cells):
    """Return the index of this very cell, since another one may say the same."""
    return next(n for n, other in enumerate(cells) if other is cell)


def _written(cells, name, released):
    return [cell for cell in of(name, cells) if released.is_written(cell)]


def _leave_one(cells, name, released, mended):
    """Leave one cell of this name: the last one in which something was written.

    The others with something lose their mark, and run where they are; copies with nothing in them go.
    """
    copies, written = of(name, cells), _written(cells, name, released)
    kept = {id(cell) for cell in written or copies[-1:]}
    cells[:] = [cell for cell in cells if mark_of(cell) != name or id(cell) in kept]
    for cell in written[:-1]:
        unmark(cell)
    if len(copies) > 1:
        mended.append(f"There were {len(copies)} cells for {name}: the last one with something written in it counts.")


def _find_elsewhere(cells, name, released, mended):
    """Find the answer to a task in another cell, if the task's own cell was deleted or left empty."""
    candidates = released.defining(name, cells)
    if not candidates:
        return
    there, what = candidates[-1], "left empty" if of(name, cells) else "deleted"
    for stub in of(name, cells):
        del cells[position(stub, cells)]
    if mark_of(there) is None:
        mark(there, name, released)
    else:
        sign = new_code_cell(ELSEWHERE.format(name), id=free_id(name, cells))
        mark(sign, name, released)
        cells.insert(position(there, cells) + 1, sign)
    mended.append(f"The cell of {name} was {what}; {name} is in another cell, and is judged there.")


def free_id(name, cells):
    """Return the name, with a number if a cell has it as its id already: the same one each time, never a random one."""
    taken = {cell.id for cell in cells}
    return next(i for i in (name, *(f"{name}-{n}" for n in range(2, len(taken) + 3))) if i not in taken)


def answers(cells, released):
    """Return task -> what the learner wrote, for comparing two notebooks."""
    return {name: tidy(cell.source) for name in released.tasks for cell in _written(cells, name, released)}


def mend_cells(notebook, released, mended):
    put_marks_back(notebook.cells, released, mended)
    notebook.cells = _code_again(notebook.cells, released, mended)
    for name in released.roles:
        _leave_one(notebook.cells, name, released, mended)
    for name in released.tasks:
        if not _written(notebook.cells, name, released):
            _find_elsewhere(notebook.cells, name, released, mended)
    _put_back(notebook.cells, released, mended)
    _checks_after_answers(notebook.cells, released, mended)
    _restore_locked(notebook.cells, released, mended)


def _code_again(cells, released, mended):
    """Return the cells after turning the lesson's back into code that became text, and the other way round.

    Cells of different kinds have different parts, so each is made anew.
    """
    turned = {id(c): mark_of(c) for c in cells if mark_of(c) and c.cell_type != released.roles[mark_of(c)].cell_type}
    if turned:
        mended.append(f"Turned into cells of another kind, and turned back: {listed(turned.values())}.")
    made = {cell: nbformat.from_dict(released.roles[name]) for cell, name in turned.items()}
    for cell in cells:
        if id(cell) in made:
            made[id(cell)].update(id=cell.id, source=cell.source, metadata=cell.metadata)
    return [made.get(id(cell), cell) for cell in cells]


def _put_back(cells, released, mended):
    """Put deleted cells back, each of them after the cell that it followed."""
    gone, before = [], None
    for name, role in released.roles.items():
        if not of(name, cells):
            made = nbformat.from_dict(role)
            made.id = free_id(role.id, cells)
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
            del cells[position(cell, cells)]
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
