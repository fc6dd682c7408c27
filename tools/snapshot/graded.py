"""What grading in the sandbox gives, what a worker holds, and what a class's report says."""

import csv
import re
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from classroom import CONFIG, mha, open_course, scores, well
from helpers import functions_in, of, specimens

from autograder import EXERCISES
from autograder.catalogue import LESSONS
from autograder.exercise import Exercise
from autograder.question import Question

NAMES = """\
import sys
packages = "mha_ref", "autograder", "mha_lessons"
held = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in packages and module}
for name in sorted(held):
    print(name, *sorted(vars(held[name])))
"""


def graded_classes(lesson):
    """Yield what a class earns and reads: right answers in other styles, and wrong ones to every task."""
    with _graded(lesson, _class_of(lesson)) as (root, _):
        for student in sorted(_class_of(lesson)):
            yield f"{lesson} {student}", [scores(root, lesson, student), _cards(root, lesson, student)]


def held_by_workers():
    """Yield the names of our own modules, and what they hold, in a worker of each lesson."""
    for lesson in LESSONS:
        first = next(name for name, task in EXERCISES.items() if task.lesson == lesson and isinstance(task, Exercise))
        with _graded(lesson, {"curious": {first: NAMES}}) as (root, _):
            notebook = nbformat.read(_autograded(root, lesson, "curious"), 4)
            cell = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == first)
            yield lesson, "".join(output.get("text", "") for output in cell.outputs).splitlines()


def reported(lesson):
    """Yield what the report and the marks of a class say."""
    with _graded(lesson, _class_of(lesson)) as (root, said):
        well(mha(root, "report", lesson))
        yield "grade", _without_times(said)
        for file in sorted((root / "reports").iterdir()):
            text = file.read_text(encoding="utf-8", errors="replace") if file.suffix in (".html", ".csv") else ""
            yield f"report {file.name}", _without_times(text)
        exported = root / "export.csv"
        exported.write_text("Student,ID,SIS Login ID,Section,Lesson (1)\nPoints Possible,,,,10\n")
        with exported.open("a", newline="") as rows:
            csv.writer(rows).writerows([[name, n, name, "A", ""] for n, name in enumerate(_class_of(lesson))])
        done = mha(root, "marks", lesson, "--canvas", exported, "--column", "Lesson (1)", "--to", root / "marks.csv")
        marks = root / "marks.csv"
        yield "marks", [done.returncode, marks.read_text(encoding="utf-8") if marks.exists() else done.stderr]


def _class_of(lesson):
    """Return student -> the cells that differ from our solution."""
    tasks = {name: task for name, task in EXERCISES.items() if task.lesson == lesson and task.points}
    functions = [name for name, task in tasks.items() if isinstance(task, Exercise)]
    wrong = {name: _handed_in("wrong", lesson, name) for name in functions}
    wrong |= {name: f"{name} = {next(iter(t.wrong), 4711)!r}" for name, t in tasks.items() if isinstance(t, Question)}
    return {
        "nothing_written": ...,
        "our_solution": {},
        "other_style": {name: _handed_in("right", lesson, name) for name in functions},
        "wrong_in_everything": wrong,
    }


def _handed_in(kind, lesson, name):
    """Return a cell with all answers of a file, which gives the first one to this exercise the exercise's name."""
    files = specimens(f"{lesson}/{kind}*.py")
    file, answer = next((file, answer) for file in files for answer in of(functions_in(file), name))
    return f"{file.read_text()}\n\n{name} = {answer}"


@contextmanager
def _graded(lesson, students):
    """Grade a class in a course of its own, in one process; give its folder, and what the command said."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        open_course(root, lesson, students, CONFIG.format(root=folder, limit=60))
        yield root, well(mha(root, "grade", lesson, "--jobs", 1))


def _cards(root, lesson, student):
    """Return what each check cell of an autograded notebook shows, as text."""
    cells = [c for c in nbformat.read(_autograded(root, lesson, student), 4).cells if c.cell_type == "code"]
    texts = {c.metadata.get("nbgrader", {}).get("grade_id"): _text(c.outputs) for c in cells}
    return {name: text for name, text in texts.items() if name and name.startswith("check_")}


def _text(outputs):
    return "\n".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs)


def _autograded(root, lesson, student):
    return root / "autograded" / student / lesson / f"{lesson}.ipynb"


def _without_times(text):
    """Leave out dates, times and durations, which differ from run to run."""
    text = re.sub(r"\d{1,2} (?:[A-Z][a-z]+) \d{4}", "DATE", text)
    return re.sub(r"\d+(?:\.\d+)? (?:s|seconds|min|minutes)\b|\d{4}-\d\d-\d\d[T ][\d:.]+", "TIME", text)
