"""Watch a notebook's cells for errors: say which answers are older than their cells, and what to run first.

Every kernel in the course's Python loads this, and any other one that imports `check`, `after` or `hint`.
"""

import ast
import linecache
import re
import sys
from contextlib import nullcontext
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from traceback import walk_tb

from IPython.display import display

from ..environment import is_graded
from ..judging.errors import error_line
from ..judging.running import quiet
from ..judging.source import is_stub
from ..outline import outline
from ..pictures.picture import Picture
from .card import Card

TOOLS = {"after", "check", "hint", "progress", "solution"}  # what the first cell of each lesson imports
CALL = re.compile(r"\b(after|check|hint|solution)\(")
RUN_ABOVE = "Run the cell above first, or choose *Run > Run All Above Selected Cell* in the menu. Then run this again."
WITHHELD = "one writes oneself"  # so a grader's worker names a function of ours that it was not given
MEND = "Fix it, and run it; then run this one again."
BLANK = re.compile(r"\A(?:[^\S\n]*\n)+")  # lines at the beginning of a cell, which IPython does not count
DEFINED = re.compile(r"^(?:(?:def|class)\s+(\w+)|(\w+)\s*=(?!=))", re.MULTILINE)  # where a cell cannot be parsed

MAGIC = re.compile(r"^%%\w+", re.MULTILINE)
KEEPS_TO_ITSELF = {"writefile", "file", "script", "bash", "sh", "html", "latex", "markdown", "javascript", "timeit"}

checked = {}  # task -> whether its last check was right; the last one checked comes last
_stopped = {}  # name -> how the cell stopped that should have given it a new value
_cells = []  # the last ones that have run, oldest first
LONG_AGO = 100  # cells


def after(answer, draw):
    """Show what `draw()` returns once the answer is written; until then, say that it comes."""
    name = answer.__name__
    if is_stub(answer):
        return Card("waiting", f"○ This comes once {name} is written", "Then run this cell again.")
    try:
        with quiet() if checked.get(name) else nullcontext():
            shown = draw()
    except Exception as error:
        if WITHHELD in str(error):
            return Card("waiting", "○ Not here", "A grader's copy of the course lacks what this cell calls of ours.")
        *_, (frame, _) = walk_tb(error.__traceback__)
        in_answer = isinstance(error, UnboundLocalError) or frame.f_code is getattr(answer, "__code__", None)
        if isinstance(error, NameError) and not in_answer:  # else no cell above would help
            return Card("waiting", "○ A cell above has not run yet", f"{error_line(error)}. {RUN_ABOVE}")
        if checked.get(name):
            needs = f"{error_line(error)}. Does it have the names that its first lines ask for?"
            return Card("waiting", f"○ {name} is right, and this cell cannot use it", needs)
        return Card("waiting", f"○ This comes once {name} is right", f"For now: {error_line(error)}")
    if checked.get(name) is False and isinstance(shown, Picture):  # its words are those of a right answer
        return replace(shown, alt=f"Once {name} is right: {shown.alt}")
    return shown


def load_ipython_extension(shell):
    """Watch the cells of this kernel, once; another program's own handler of errors stays."""
    if note_how_it_ended not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", note_how_it_ended)
    if not shell.custom_exceptions:
        shell.set_custom_exc((NameError,), say_what_to_run)


def stale(name):
    """Say that an answer is an older version than the one in its cell; nothing if it is not."""
    if name in _stopped:
        return f"Your cell stopped with {_stopped[name]}; this is about the version before."
    defining = (n for n, cell in enumerate(_cells) if name in defined_in(cell) and not not_run(name, cell))
    later = _cells[max(defining, default=len(_cells)) + 1 :]
    kept = next(filter(None, (not_run(name, cell) for cell in reversed(later))), "")
    if kept:
        return f"{kept} So this is about the version before."
    newer = nearly(name, [other for cell in later for other in defined_in(cell) if other not in _tasks()])
    return f"A cell that you ran later defines `{newer}`, and this is about `{name}`." if newer else ""


def note_how_it_ended(result):
    """Remember of each name that a cell should have defined whether it did."""
    error = result.error_before_exec or result.error_in_exec
    source = BLANK.sub("", result.info.raw_cell or "")
    _cells[:] = [*_cells[1 - LONG_AGO :], source]
    ran, left_out = _definitions(source, error, result.error_before_exec is None)
    for name in ran:
        _stopped.pop(name, None)
    if left_out:
        kind, line = type(error).__name__, _line(error)
        how = f"{'an' if kind[0] in 'AEIOU' else 'a'} {kind}{f' in line {line}' if line else ''}"
        _stopped.update(dict.fromkeys(left_out, how))


def _definitions(source, error, began):
    """Return two sets of names: those that a cell defined, and those that an error kept it from defining."""
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError):  # or it has magics, of which one does not know how far they ran
        names = {name for found in DEFINED.findall(source) for name in found if name}
        return (names if error is None else set()), (set() if began else names)
    stop = _line(error) if error and began else 0
    ran = [one for one in statements if error is None or one.end_lineno < stop]
    return set().union(*map(_names, ran)), set().union(*map(_names, statements[len(ran) :]))


def _names(statement):
    """Return the names that one statement gives a value."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _line(error):
    """Return the line of a cell in which it stopped; 0 if that is not known."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    lines = (line for frame, line in walk_tb(error.__traceback__) if _is_cell(frame))
    return next(lines, 0)


def _is_cell(frame):
    """Tell whether a frame runs a cell's own lines, and not a function's."""
    return frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__"


def say_what_to_run(shell, kind, error, traceback, tb_offset=None):
    """Show a card in the place of a NameError where a cell of the lesson runs before those above it."""
    *_, (frame, _) = walk_tb(traceback)
    cell = "".join(linecache.getlines(frame.f_code.co_filename)) if _is_cell(frame) else ""
    if not (cell and _is_too_early(error.name, cell, shell)):
        shell.showtraceback((kind, error, traceback), tb_offset=tb_offset, running_compiled_code=True)
    elif is_graded():
        shell._showtraceback(kind, error, str(_missing(error.name)).splitlines())  # nbgrader lists it, and counts 0
    else:
        display(_missing(error.name))


def _is_too_early(name, cell, shell):
    """Tell whether a check, or what needs an answer, ran too early; before a lesson's first cell, anything does."""
    if not any(tool in shell.user_ns for tool in TOOLS) and Path.cwd().name in outline().released:
        return True
    return bool(CALL.search(cell)) and (name in TOOLS or name in _tasks() or "after(" in cell)


def _tasks():
    """Return all tasks by name. A worker that loads this module, for `after`, does not call it: it is to know none."""
    from ..catalogue import EXERCISES

    return EXERCISES


def _quotes_for(name):
    """Ask for quotes where the newest cell that answers a question gives it one word, and a text is wanted."""
    newest = next((cell for cell in reversed(_cells) if re.search(rf"^{name} *=", cell, re.MULTILINE)), "")
    found = re.search(rf"^{name} *= *([^\W\d]\w*) *(#.*)?$", newest, re.MULTILINE)
    if found and isinstance(getattr(_tasks().get(name), "answer", None), str) and "NameError" in _stopped[name]:
        return f'Python takes {found[1]} for the name of a variable; a text has quotes: "{found[1]}". '
    return ""


def _missing(name):
    """Make a card that says which cell to run."""
    if name in _stopped:
        stopped = f"Its cell stopped with {_stopped[name]}. {_quotes_for(name)}{MEND}"
        return Card("waiting", f"○ {name}: not run yet", stopped)
    instead = next(filter(None, (found_instead(name, cell) for cell in reversed(_cells))), "")
    if instead and name in _tasks():
        return Card("waiting", f"○ {name}: not there yet", f"There is no `{name}`. {instead} {MEND}")
    title = f"○ {name}: not run yet" if name in _tasks() else "○ The cells above have not run yet"
    return Card("waiting", title, f"`{name}` is not there yet. {RUN_ABOVE}")


def found_instead(name: str, cell: str):
    """Say what is in a cell that should define this name, and does not; "" if nothing of it is seen."""
    if why := not_run(name, cell):
        return why
    if re.search(rf"^ *# *(def|class) {name}\b", cell, re.MULTILINE):
        return f"The line that defines `{name}` is a comment: it begins with `#`."
    near = nearly(name, defined_in(cell))
    return f"Its cell defines `{near}`, and the name that is asked for is `{name}`." if near else ""


def not_run(name: str, cell: str):
    """Say which line with `%%` keeps a cell from defining a name; "" if none does."""
    magic = MAGIC.search(cell)
    if not (magic and re.search(rf"^(def|class) {name}\b|^{name} *=", cell, re.MULTILINE)):
        return ""
    if cell[: magic.start()].strip():
        return f"In its cell `{magic[0]}` comes after another line. It is understood in the first line of a cell only."
    if magic[0].strip("%") in KEEPS_TO_ITSELF:
        return f"Its cell begins with `{magic[0]}`, which keeps the text to itself: nothing of it is defined here."
    return ""


def defined_in(cell: str):
    """Return the names of the functions and classes that a cell defines, where all of it is run."""
    return re.findall(r"^(?:async +)?(?:def|class) +(\w+)", cell, re.MULTILINE)


def nearly(name: str, others: list[str]):
    """Return the first of these names that somebody may have meant by this one, or None."""
    same = [other for other in others if other.lower().replace("_", "") == name.lower().replace("_", "")]
    return next(iter([*same, *get_close_matches(name, others, n=1, cutoff=0.85)]), None)


if shell := "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
    load_ipython_extension(shell)
