"""What an attack is, and how one is written down.

    @attack("softmax")
    def loops_for_ever():
        \"\"\"The answer never comes back.\"\"\"
        def softmax(scores, axis=-1):
            while True:
                pass

Its name says what it is, its docstring what it tries, and its *body is the cell* that is handed in for `softmax`.
A function with a parameter is surgery instead: it is called with the whole notebook, and changes it.
In cells and files, {canary}, {home}, {port}, {victim}, {project} and {student} stand for what the arena has made.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from classroom import Submission, points_in
from helpers import our_answers
from nbformat.v4 import new_code_cell

from autograder import EXERCISES

SOFTMAX, WEIGHTED_MEAN = "lesson_01_softmax", "lesson_00_start_here"
MASKS = "lesson_03_masks"
ATTENTION, ONE_HEAD = "lesson_02_scaled_dot_product", "lesson_04_single_head"
BY_LOOP, BATCHED = "lesson_05_multi_head", "lesson_06_batched_multi_head"
COST = "lesson_08_cost"

# What the other cells hold: whichever shows an undeserved point, or a point that was taken.
RIGHT, WRONG, NOTHING = "right", "wrong", "nothing"

FIRST, LAST = "first", "last"  # a cell of one's own, before or after all others
WHATEVER = None  # what it earns is its own business: only the others may not suffer


@dataclass(frozen=True, eq=False)
class Attack:
    """deserves: exercise -> points. dangerous: not to be run outside a sandbox. alone: it would ruin a whole class."""

    name: str
    tries: str
    lesson: str
    rest: str
    cells: dict
    surgery: Callable
    files: dict
    deserves: dict
    dangerous: bool = False
    alone: bool = False
    own: dict = field(default_factory=dict)

    def submission(self, places):
        """What is handed in, where places say what stands for {canary} and the like."""

        def filled(content):
            if isinstance(content, str):
                for name, place in places.items():
                    content = content.replace("{" + name + "}", str(place))
            return content

        def surgery(notebook):
            for where, source in self.own.items():
                notebook.cells.insert(0 if where == FIRST else len(notebook.cells), new_code_cell(filled(source)))
            self.surgery(notebook)

        cells = others(self.lesson, self.rest) | {name: filled(source) for name, source in self.cells.items()}
        files = {filled(name): _placed(content, places, filled) for name, content in self.files.items()}
        return Submission(cells, surgery, files)


def _placed(content, places, filled):
    return (lambda file: content(file, places)) if callable(content) else filled(content)


def family(name, collected):
    """The decorator with which a file writes down its attacks."""

    def attack(cell=None, lesson=SOFTMAX, rest=RIGHT, deserves=(), cells=(), files=(), **flags):
        def note(function):
            is_surgery = bool(inspect.signature(function).parameters)
            body = "" if is_surgery else body_of(function)
            in_cells = dict(cells) | ({cell: body} if body and cell not in (FIRST, LAST) else {})
            collected.append(
                Attack(
                    name=f"{name}__{function.__name__}",
                    tries=inspect.getdoc(function),
                    lesson=lesson,
                    rest=rest,
                    cells=in_cells,
                    own={cell: body} if body and cell in (FIRST, LAST) else {},
                    surgery=function if is_surgery else lambda notebook: None,
                    files=dict(files),
                    deserves=_deserved(lesson, rest, in_cells, deserves),
                    **flags,
                )
            )
            return function

        return note

    return attack


def _deserved(lesson, rest, cells, deserves):
    """What was attacked earns nothing, the rest what it holds, if nothing else is said."""
    if deserves is WHATEVER:
        return dict.fromkeys(points_in(lesson), WHATEVER)
    honest = points_in(lesson) if rest == RIGHT else dict.fromkeys(points_in(lesson), 0)
    attacked = dict.fromkeys((name for name in cells if name in honest), 0)
    return honest | attacked | dict(deserves)


def body_of(function):
    """The lines after the docstring, as a cell."""
    source = textwrap.dedent(inspect.getsource(function))
    docstring, *rest = ast.parse(source).body[0].body
    return textwrap.dedent("\n".join(source.splitlines()[docstring.end_lineno :])) if rest else ""


def others(lesson, rest):
    """grade_id -> source of the cells that are not attacked."""
    ours = our_answers(lesson)
    if rest == RIGHT:
        return dict(ours)
    return {name: _wrong(name) for name in ours} if rest == WRONG else {}


def _wrong(name):
    """It runs, and is not right; where it can, it returns what an input was."""
    if name.islower() and hasattr(EXERCISES[name], "parameters"):
        names = ", ".join(n if p is inspect.Parameter.empty else f"{n}={p!r}" for n, p in _parameters(name))
        return f"def {name}({names}):\n    return {next(iter(EXERCISES[name].parameters))} * 1\n"
    if name.startswith("test_"):
        return f"def {name}({name.removeprefix('test_')}):\n    assert {name.removeprefix('test_')}\n"
    return f"{name} = -0.125\n"


def _parameters(name):
    return EXERCISES[name].parameters.items()
