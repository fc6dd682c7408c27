"""Mend the lesson's cells in what came: none is missing, none is there twice, and locked ones say what they said."""

import nbformat
from nbformat.v4 import new_code_cell

from ..wording import listed
from .answers import free_id, of, position, settle_answers
from .cell_marks import put_marks_back, unmark
from .released import mark_of, tidy


def mend_cells(notebook, released, mended):
    put_marks_back(notebook.cells, released, mended)
    notebook.cells = _code_again(notebook.cells, released, mended)
    settle_answers(notebook.cells, released, mended)
    _leave_one_of_each_lock(notebook.cells, released, mended)
    _put_back(notebook.cells, released, mended)
    _checks_after_answers(notebook.cells, released, mended)
    _restore_locked(notebook.cells, released, mended)


def _code_again(cells, released, mended):
    """Return the cells after turning the lesson's back into code that became text, and the other way round."""
    turned = {id(c): mark_of(c) for c in cells if mark_of(c) and c.cell_type != released.roles[mark_of(c)].cell_type}
    if turned:
        mended.append(f"Turned into cells of another kind, and turned back: {listed(turned.values())}.")
    return [_in_the_kind_of(released.roles[mark_of(c)], c) if id(c) in turned else c for c in cells]


def _in_the_kind_of(role, cell):
    """Return the cell as a new one of the role's kind, since cells of different kinds have different parts."""
    made = nbformat.from_dict(role)
    made.update(id=cell.id, source=cell.source, metadata=cell.metadata)
    return made


def _leave_one_of_each_lock(cells, released, mended):
    """Leave one of each locked cell; of several checks, the first one after the answer."""
    several = []
    for name in released.roles:
        copies = of(name, cells)
        if len(copies) < 2 or name in released.tasks:
            continue
        several.append(name)
        answer = of(released.checks.get(name), cells)
        after = of(name, cells[position(answer[0], cells) :]) if answer else copies
        for cell in copies:
            if cell is not (after or copies[-1:])[0]:
                unmark(cell)
    if several:
        mended.append(f"There twice or more, of which one counts: {listed(several)}.")


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
