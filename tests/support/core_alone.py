"""The lessons in NumPy, where only the core is installed: every check, hint, picture and slider.

    python tests/support/core_alone.py REPOSITORY

test_wheel.py runs it in environments that hold no more than that; so it imports nothing else.
"""

import json
import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from ipywidgets import SelectionSlider, ToggleButton

from autograder import EXERCISES, check, hint, judge, progress
from autograder.catalogue import LESSONS, lacking
from autograder.play import Play
from autograder.play.board import board

IN_NUMPY = [lesson for lesson in LESSONS if lacking(lesson)]


def run_solved(lesson, repository):
    """Run a lesson with our solutions, and return what its cells show."""
    notebook = json.loads((repository / "solutions" / lesson / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    shell, shown = InteractiveShell(), []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            with capture_output():
                result = shell.run_cell("".join(cell["source"]))
            result.raise_error()
            shown.append(result.result)
    return [thing for thing in shown if hasattr(thing, "_repr_html_")]


def move_everything(play):
    """Move each slider to its ends, and press each button, as one does in JupyterLab; return how many there are."""
    controls = [w for w in everything(board(play, hidden="stills")) if isinstance(w, (SelectionSlider, ToggleButton))]
    for control in controls:
        if isinstance(control, ToggleButton):
            control.value = not control.value
        else:
            control.index = len(control.options) - 1
            control.index = 0
    return len(controls)


def everything(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from everything(child)


def mistakes(lesson):
    """Yield the name of each exercise of a lesson with each wrong answer to it that we know."""
    for name, task in EXERCISES.items():
        if task.lesson == lesson:
            for wrong in getattr(task, "wrong", ()):
                yield name, wrong
            for wrong in getattr(task, "own", ()):
                yield name, wrong.function


def try_lesson(lesson):
    """Do all that one can do in a lesson, and say how much it was."""
    shown = run_solved(lesson, REPOSITORY)
    marks = [thing for thing in shown if hasattr(thing, "card")]
    assert marks and all(mark.card.title.startswith("✓") for mark in marks), lesson
    assert all(thing._repr_html_() for thing in shown)
    controls = sum(move_everything(thing) for thing in shown if isinstance(thing, Play))
    wrong = list(mistakes(lesson))
    for name, answer in wrong:
        with capture_output():
            assert not check(**{name: answer}), answer
            assert all(hint(name)._repr_html_() for _ in range(3))
    print(f"{lesson}: {len(marks)} checks, {len(shown)} cards and pictures, {controls} controls, {len(wrong)} mistakes")


def torch_is_told():
    """An answer that would need torch is not called wrong: one sentence says what to install."""
    try:
        judge(lambda *inputs: None, next(name for name, t in EXERCISES.items() if t.lesson not in IN_NUMPY))
    except ModuleNotFoundError as missing:
        print(missing)


if __name__ == "__main__":
    REPOSITORY = Path(sys.argv[1])
    found = [name for name in ("torch", "nbgrader", "jupytext", "rich", "matplotlib") if find_spec(name)]
    assert not found, f"{found} should not be here"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MHA_PROGRESS"] = str(Path(folder, "progress.jsonl"))
        for lesson in IN_NUMPY:
            try_lesson(lesson)
        assert progress()._repr_html_()
    torch_is_told()
