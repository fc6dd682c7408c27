"""A class over the lessons in torch, graded by plain nbgrader: what each cell of each submission must earn."""

import pytest
from classroom import graded, scores
from helpers import functions_in, of, specimens

from autograder import EXERCISES
from autograder.catalogue import LESSONS
from autograder.exercise import Exercise
from autograder.question import Question

pytestmark = pytest.mark.nightly
IN_TORCH = LESSONS[4:]
PATIENT = 60  # seconds for a cell: a training is cut to three steps


def tasks_of(lesson):
    return {name: task for name, task in EXERCISES.items() if task.lesson == lesson and task.points}


def handed_in(kind, lesson, name):
    """All answers of a file, as a cell that gives the first one to this exercise the exercise's name."""
    answers = {file: of(functions_in(file), name) for file in specimens(f"{lesson}/{kind}*.py")}
    file, (answer, *_) = next((file, [*found]) for file, found in answers.items() if found)
    return f"{file.read_text()}\n\n{name} = {answer}"


def class_of(lesson):
    """student -> the cells that differ from our solution, and what each check must earn."""
    tasks = tasks_of(lesson)
    full, functions = {n: t.points for n, t in tasks.items()}, [n for n, t in tasks.items() if isinstance(t, Exercise)]
    questions = {n: t for n, t in tasks.items() if isinstance(t, Question) and t.wrong}
    slips = {name: f"{name} = {next(iter(task.wrong))!r}" for name, task in questions.items()}
    tests = {
        n: f"def {n}(implementation):\n    assert implementation" for n in tasks if n not in functions + [*questions]
    }
    unwritten = dict.fromkeys((n for n in tasks if n != functions[0]), "# your work goes here")
    wrong = {name: handed_in("wrong", lesson, name) for name in functions}
    return {
        "ada_solved_everything": ({}, full),
        "bo_in_another_style": ({name: handed_in("right", lesson, name) for name in functions}, full),
        "cem_has_misconceptions_and_deletes_checks": (  # of every second
            {f"check_{n}": "DELETED" for n in functions[::2]} | wrong,
            full | dict.fromkeys(functions, 0),
        ),
        "dee_guesses": (slips | tests, full | dict.fromkeys([*slips, *tests], 0)),
        "eli_untouched": (..., dict.fromkeys(full, 0)),
        "fay_did_the_first": (unwritten, full | dict.fromkeys(unwritten, 0)),
    }


IN_CI = ("lesson_06_batched_multi_head",)  # the others train, or are like these
LESSONS_TO_GRADE = [pytest.param(n, marks=[] if n in IN_CI else [pytest.mark.nightly]) for n in IN_TORCH]


@pytest.fixture(scope="module", params=LESSONS_TO_GRADE)
def graded_class(request, tmp_path_factory):
    """The folder of a course in which the whole class is graded, its lesson, and the class."""
    root, students = tmp_path_factory.mktemp("class"), class_of(request.param)
    graded(root, request.param, {student: cells for student, (cells, _) in students.items()}, limit=PATIENT)
    return root, request.param, students


def _judged(marks):
    """Without answers in words, which a person marks."""
    return {name: mark for name, mark in marks.items() if name in EXERCISES}


def test_every_cell_earns_what_it_should(graded_class):
    """Honest work is never punished, and a wrong or missing answer never paid."""
    root, lesson, students = graded_class
    earned = {student: _judged(scores(root, lesson, student)) for student in students}
    assert earned == {student: expected for student, (_, expected) in students.items()}
