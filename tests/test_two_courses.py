"""Two courses live in one process, and know nothing of each other."""

import sys

import pytest

from autograder import EXERCISES, judge
from autograder.course import Course, UnknownExercise

REFERENCE = '''
"""The reference of a course on spread."""

import numpy as np

__all__ = ["mean", "shift", "variance"]


def mean(numbers):
    return np.mean(numbers)


def shift(numbers):
    return numbers - mean(numbers)


def variance(numbers):
    return mean(shift(numbers) ** 2)
'''
TOML = """
id = "spread"
title = "Spread"
reference = "spread"
modules = ["spread"]
"""
LESSON = '''
"""Lesson 00: how far numbers lie apart."""

import spread
from autograder.exercise import Exercise, Step
from autograder.question import Question
from autograder.cases import Case


def some(random):
    return [Case({"numbers": random.normal(size=n)}) for n in (2, 5, 8)]


mean = Exercise(spread.mean, some)
shift = Step(spread.shift)
variance = Exercise(spread.variance, some, points=2)
weighted_mean = Question(answer=3, wrong={2: "Two is the plain mean."})
'''
MISTAKES = {
    "mean": '''
import numpy as np

def takes_the_middle(numbers):
    """Your mean is the number in the middle. A mean weighs all numbers alike."""
    return np.median(numbers)
''',
    "shift": '''
def forgets_to_shift(numbers):
    """Your squares are those of the numbers themselves. A variance is about distances from the mean."""
    return numbers
''',
}


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course on variance, beside the installed one; one of its names is a name of ours."""
    lesson = tmp_path / "spread_lessons" / "lesson_00_spread"
    (lesson / "misconceptions").mkdir(parents=True)
    (tmp_path / "spread.py").write_text(REFERENCE)
    (tmp_path / "spread_lessons" / "__init__.py").write_text("")
    (lesson / "exercises.py").write_text(LESSON)
    for step, mistakes in MISTAKES.items():
        (lesson / "misconceptions" / f"{step}.py").write_text(mistakes)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "spread_lessons" / "course.toml").write_text(TOML)
    yield Course("spread_lessons")
    for name in [name for name in sys.modules if name.startswith("spread")]:
        del sys.modules[name]


def test_each_has_its_own_tasks_and_lessons(course):
    """Names are looked up in the course that they belong to."""
    assert list(course.exercises) == ["mean", "variance", "weighted_mean"]
    assert course.lessons == ("lesson_00_spread",)
    assert "variance" not in EXERCISES and "softmax" not in course.exercises
    with pytest.raises(UnknownExercise, match="did you mean 'variance'"):
        course.exercises["varianc"]


def test_a_draft_is_judged_and_not_released(course):
    """Learners do not get it; the author's tools know it like any other lesson."""
    draft = course.folder / "lesson_01_draft"
    draft.mkdir()
    (draft / "exercises.py").write_text("from autograder.question import Question\n\nlater = Question(answer=3)\n")
    (draft / "lesson.toml").write_text("minutes = 20\ndraft = true\n")
    again = Course("spread_lessons")
    assert again.lessons == ("lesson_00_spread", "lesson_01_draft") and again.released == ("lesson_00_spread",)
    assert judge(3, again.exercises["later"]).right
    assert again.outline.about("lesson_01_draft")["minutes"] == 20 and again.outline.about("lesson_00_spread") == {}


def test_an_exercise_knows_its_course(course):
    """The same name is a question here and a function there."""
    ours, theirs = EXERCISES["weighted_mean"], course.exercises["weighted_mean"]
    assert theirs.course is course and ours.course is not course
    assert judge(3, theirs).right
    assert not judge(2, theirs).right


def test_misconceptions_are_inherited_within_a_course(course):
    """What is believed of a step is found in what is built on it, and nowhere else."""
    variance = course.exercises["variance"]
    assert [held.name for held in variance.mistakes] == ["takes_the_middle", "forgets_to_shift"]
    found = judge(lambda numbers: (numbers**2).mean(), variance)
    assert found.misconception.name == "forgets_to_shift"
    assert judge(lambda numbers: numbers.var(), variance).right
    assert "forgets_to_shift" not in {held.name for task in EXERCISES for held in _misconceptions(task)}


def _misconceptions(name):
    return getattr(EXERCISES[name], "misconceptions", ())
