"""What grading in the sandbox gives, what a worker holds there, and what a class's report says."""

import csv
import re
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


def graded():
    """Yield what a class earns and reads in each lesson, what its report says, and what a student sees in a worker."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for lesson in LESSONS:
            open_course(root, lesson, _class_of(lesson), CONFIG.format(root=folder, limit=60), short=True)
        yield "grade", _without_times(well(mha(root, "grade", "--all", "--jobs", 1)))
        for lesson in LESSONS:
            for student in _class_of(lesson):
                yield f"{lesson} {student}", [scores(root, lesson, student), _cards(root, lesson, student)]
            printed = _printed(root, lesson, "wrong_in_everything", _functions_of(lesson)[0])
            yield f"{lesson} held by a worker", printed.splitlines()
        yield from _reported(root, "lesson_02_scaled_dot_product")


def _reported(root, lesson):
    """Yield what the report and the marks of a class say."""
    well(mha(root, "report", lesson))
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


def _functions_of(lesson):
    return [name for name, task in EXERCISES.items() if task.lesson == lesson and isinstance(task, Exercise)]


def _class_of(lesson):
    """Return student -> the cells that differ from our solution. The one who is always wrong prints NAMES as well."""
    functions = [name for name in _functions_of(lesson) if EXERCISES[name].points]
    questions = (task for task in EXERCISES.values() if task.lesson == lesson and isinstance(task, Question))
    wrong = {name: _handed_in("wrong", lesson, name) for name in functions}
    wrong[_functions_of(lesson)[0]] += f"\n{NAMES}"
    wrong |= {one.name: f"{one.name} = {next(iter(one.wrong), 4711)!r}" for one in questions if one.points}
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


def _cards(root, lesson, student):
    """Return what each check cell of an autograded notebook shows, as text."""
    names = (f"check_{name}" for name, task in EXERCISES.items() if task.lesson == lesson and task.points)
    return {name: _printed(root, lesson, student, name) for name in names}


def _printed(root, lesson, student, name):
    """Return what a cell of an autograded notebook shows, as text."""
    notebook = nbformat.read(root / "autograded" / student / lesson / f"{lesson}.ipynb", 4)
    cell = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name)
    return "\n".join(o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs)


def _without_times(text):
    """Leave out dates, times and durations, which differ from run to run."""
    text = re.sub(r"\d{1,2} (?:[A-Z][a-z]+) \d{4}", "DATE", text)
    return re.sub(r"\d+(?:\.\d+)? (?:s|seconds|min|minutes)\b|\d{4}-\d\d-\d\d[T ][\d:.]+", "TIME", text)
