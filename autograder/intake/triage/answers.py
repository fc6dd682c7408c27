"""Leave one cell for each task, which holds the learner's answer, and nothing after it that would undo it."""

import ast
import re

from IPython.core.inputtransformer2 import leading_empty_lines, leading_indent
from nbformat.v4 import new_code_cell

from .cell_marks import mark, unmark
from .released import mark_of, tidy

ELSEWHERE = "# The answer is in another cell of this notebook: {}"
MOST_PARTS = 4
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
METHOD = re.compile(r"^(async +)?def +\w+\(self\b", re.MULTILINE)
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
    """Join the cell of a task again if it was split into parts that cannot all run alone; its lines stay the same."""
    for first in of(name, cells)[:1]:
        begin = position(first, cells)
        parts = cells[begin : begin + 1]
        for cell in cells[begin + 1 : begin + MOST_PARTS]:
            if cell.cell_type != "code" or mark_of(cell) not in (None, name):
                return
            parts.append(cell)
            whole = "\n".join(part.source for part in parts)
            if _compiles(whole) and not all(_runs_alone(part.source) for part in parts):
                first.source = whole
                del cells[begin + 1 : begin + len(parts)]
                mended.append(f"The cell of {name} was split into {len(parts)}, which cannot run alone: joined again.")
                return


def _runs_alone(source):
    """Say whether a part can run as a cell of its own.

    IPython removes the blanks before a pasted cell, so they do not matter; but a method would have lost its class.
    """
    lines = leading_empty_lines(source.splitlines(keepends=True))
    plain = "".join(leading_indent(lines))
    return _compiles(plain) and (plain == "".join(lines) or not METHOD.search(plain))


def _compiles(source):
    if len(source) > LONGEST:
        return False
    try:
        return not _returns(ast.parse(source))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False


def _returns(tree):
    """Say whether there is a return or yield outside any function.

    Python notices that only when it compiles, and compiling a few short lines may take gigabytes.
    """
    queue = [tree]
    while queue:
        node = queue.pop()
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, FUNCTIONS):
            queue += ast.iter_child_nodes(node)
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
