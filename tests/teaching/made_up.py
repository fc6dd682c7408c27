"""A class that never was: answers of our tests, judged for real, handed out to as many students as one likes."""

import random
from functools import cache
from inspect import getsource

from helpers import functions_of, our_answers

from autograder import EXERCISES, judge
from autograder.exercise import Exercise
from autograder.grading.outputs import in_data
from autograder.judging.behaviour import behaviour_hash
from autograder.judging.verdict import RIGHT, Verdict
from autograder.question import Question
from autograder.teaching.gradebook import FOUND, Results, Row

NAMES = "ada bo cem dee eli fay gil hua ida jon kim lea mia noa oya pia qin rui sam tia"
FAMILIES = "okafor lindqvist haddad novak"


def students(number):
    """Names as an LMS gives them."""
    return [f"{name}.{family}" for family in FAMILIES.split() for name in NAMES.split()][:number]


def class_of(number, lesson, seed=0):
    """Results of so many students: about half of it right, and of mistakes a few frequent ones and many rare ones."""
    chance, rows = random.Random(seed), []
    tasks = [task for task in EXERCISES.values() if task.lesson == lesson and task.points]
    able = {student: chance.betavariate(5, 1.3) for student in students(number)}
    for n, task in enumerate(tasks):
        wrong = list(_wrong(task.name))
        chance.shuffle(wrong)
        for student in able:
            right = chance.random() < able[student] * (1.05 - 0.04 * n)
            unwritten = chance.random() < 0.03 + 0.01 * n
            answer = _right(task.name) if right else None if unwritten or not wrong else _one_of(wrong, chance)
            rows.append(_row(student, task, *(answer or (Verdict("unwritten", "Not written yet."), None, ""))))
    return Results(lesson, tuple(rows))


def _one_of(answers, chance):
    """The first ones much more often than the last."""
    return answers[min(int(chance.expovariate(0.5)), len(answers) - 1)]


def _row(student, task, verdict, same_as, code):
    data = in_data(verdict, task, same_as)
    found = {name: data[name] or "" for name in FOUND}
    return Row(student, task.name, verdict.score * task.points, float(task.points), code=code, **found)


def _right(name):
    return RIGHT, None, our_answers(EXERCISES[name].lesson)[name]


@cache
def _wrong(name):
    """(verdict, which others do the same, code) for wrong answers to a task."""
    task = EXERCISES[name]
    return [(verdict, same_as, code) for verdict, same_as, code in map(_judged, *zip(*_answers(task))) if verdict]


def _answers(task):
    if isinstance(task, Exercise):
        functions = functions_of("wrong", task.lesson)
        mine = {name: function for name, function in functions.items() if name.split("__")[0] == task.name}
        return [(task, function, getsource(function)) for function in mine.values()]
    if isinstance(task, Question):
        given = [*task.wrong, 17.25, 17.25, 4711]
        return [(task, answer, f"{task.name} = {answer!r}") for answer in given]
    return [(task, lambda implementation: None, f"def {task.name}(implementation):\n    pass")]


def _judged(task, answer, code):
    verdict = judge(answer, task)
    if verdict.right:
        return None, None, None
    return verdict, None if verdict.misconception else behaviour_hash(answer, task), code
