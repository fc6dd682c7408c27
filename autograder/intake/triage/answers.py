"""Leave one cell for each task, which holds the learner's answer, and nothing after it that would undo it."""

import ast

from nbformat.v4 import new_code_cell

from .cell_marks import mark, unmark
from .released import mark_of, tidy

ELSEWHERE = "# The answer is in another cell of this notebook: {}"
LONGEST = 100_000  # characters of a cell that was split: Python takes 400 bytes of memory for each


def settle_answers(cells, released, mended):
    for name in released.tasks:
        _join_parts(cells, name, mended)
        _leave_one(cells, name, released, mended)
        if not _written(cells, name, released):
            _find_elsewhere(cells, name, released, mended)


def of(name, cells):
    """Return the cells that are marked as the lesson's cell of this name."""
    return [cell for cell in cells if mark_of(cell) == name]


def position(cell, cells):
    """Return the index of this very cell, since another one may say the same."""
    return next(n for n, other in enumerate(cells) if other is cell)


def _written(cells, name, released):
    return [cell for cell in of(name, cells) if released.is_written(cell)]


def _join_parts(cells, name, mended):
    """Join the parts of a cell that JupyterLab split, each with the cell's mark, if they cannot all run alone."""
    parts = of(name, cells)
    begin = position(parts[0], cells) if parts else 0
    whole = "\n".join(part.source for part in parts)
    side_by_side = all(cell is part for cell, part in zip(cells[begin:], parts))
    if side_by_side and _parses(whole) and not all(_parses(part.source) for part in parts):
        parts[0].source = whole
        del cells[begin + 1 : begin + len(parts)]
        mended.append(f"The cell of {name} was split into {len(parts)}, which cannot run alone: joined again.")


def _parses(source):
    try:
        return len(source) <= LONGEST and bool(ast.parse(source))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False


def _leave_one(cells, name, released, mended):
    """Leave one cell for a task: the last one with an answer, as in nbgrader.

    The others with an answer lose their mark, and run where they are.
    """
    copies, written = of(name, cells), _written(cells, name, released)
    kept = {id(cell) for cell in written or copies[-1:]}
    cells[:] = [cell for cell in cells if mark_of(cell) != name or id(cell) in kept]
    for cell in written[:-1]:
        unmark(cell)
    if len(written) > 1:
        mended.append(f"There were {len(written)} cells for {name}: the last one counts, the others run before it.")
    elif len(copies) > 1:
        mended.append(f"There were {len(copies)} cells for {name}: those with nothing written were left out.")


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
