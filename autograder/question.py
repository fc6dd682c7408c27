"""Questions to answer, alike for all or with numbers of each student's own.

Numbers of each student's own make a copied result useless.
A function of the numbers makes the question, and its docstring is the passage of the lesson that holds them:

    @varied(rows=(2, 3, 5), columns=(4, 6, 7))
    def size_of_a_table(rows, columns):
        '''a table of {rows} rows and {columns} columns'''
        return Question(answer=rows * columns, wrong={rows + columns: f"You added {rows} and {columns}."})

The first choice of each is the common one: it is in the lesson, and everybody has it unless a kit was made
for them. What is called `size_of_a_table` then is the question with the common numbers.
"""

import json
import re
from collections.abc import Mapping
from functools import cached_property
from inspect import cleandoc
from itertools import combinations, product
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from click import ClickException

from .course import Task
from .plain_values import agree, plain

NUMBERS = "my_numbers.json"  # question -> its numbers, beside the notebook


class Question(Task):
    """Something to predict or calculate: the answer, and what to say of each likely wrong one.

    answer: a number, a text, a bool, or a tuple of these (a shape, a row); tolerance is relative.
    wrong: likely wrong answer -> what the one who gave it reads.
    With no points it is a review of an earlier lesson, a prediction before a run, or of the test that says where to
    begin: neither graded nor counted.
    values: of a question with numbers of one's own, what its hints may name beside these numbers.
    """

    to_be = "answered"
    variants: Any = None  # what else it may be asked with
    numbers: Mapping[str, Any] = MappingProxyType({})  # what it is asked with

    def __init__(self, answer, wrong=None, points=1, tolerance=1e-2, values=None):
        self.answer, self.points, self.tolerance, self.values = answer, points, tolerance, values or {}
        self.wrong = {value: cleandoc(message) for value, message in (wrong or {}).items()}

    @property
    def hints(self):
        """Return the hints that help with it, in which its numbers are filled in."""
        hints = super().hints
        return tuple(hint.format(**self.numbers, **self.values) for hint in hints) if self.variants else hints

    @property
    def has_own_numbers(self):
        return self.variants is not None and self is not self.variants.common

    @property
    def numbers_in_words(self):
        return ", ".join(f"{name} = {value}" for name, value in self.numbers.items())

    def name_of(self, wrong):
        """Return the name of a wrong answer: what it is with the common numbers, the same for everybody."""
        common = self.variants.common.wrong if self.variants else self.wrong
        return f"{self.name} = {dict(zip(self.wrong, common))[wrong]}"


def slips(answer, choices, messages):
    """Return every other answer that one can choose, place by place -> what to say of the first place that differs."""
    others = (given for given in product(choices, repeat=len(answer)) if given != answer)
    return {given: next(m for m, g, a in zip(messages, given, answer) if g != a) for given in others}


def varied(**choices):
    """Make a function of numbers into the question with the common numbers, which knows its variants."""
    return lambda make: Variants(make, choices).common


class Variants:
    """make: a function of numbers that returns a Question; choices: number -> what it may be, the common one first."""

    def __init__(self, make, choices):
        self.make, self.choices = make, choices
        self.common = self._asked_with({name: values[0] for name, values in choices.items()})

    @cached_property
    def fit(self):
        """Return all numbers that may be drawn: never the common ones, nor any with the same answer."""
        every = (dict(zip(self.choices, values)) for values in product(*self.choices.values()))
        return [numbers for numbers in every if _are_apart(self._asked_with(numbers), self.common)]

    def draw(self, seed):
        """Draw the numbers of one student."""
        return Random(seed).choice(self.fit)

    def with_numbers(self, numbers):
        """Return the question as it is asked with these numbers, which may come from a file."""
        if numbers.keys() != self.choices.keys():
            raise ValueError(f"{self.common.name} needs {', '.join(self.choices)}, and here are {', '.join(numbers)}")
        read = {name: tuple(value) if isinstance(value, list) else value for name, value in numbers.items()}  # of JSON
        question = self._asked_with(read)
        question.name, question.lesson, question.course = self.common.name, self.common.lesson, self.common.course
        return question

    def passage(self, numbers):
        """Return the passage of the lesson that holds these numbers."""
        return cleandoc(self.make.__doc__).format(**numbers)

    def _asked_with(self, numbers):
        question = self.make(**numbers)
        question.variants, question.numbers = self, numbers
        return question


def _are_apart(question, common):
    """Say whether no two answers of a question are alike: right, right for others, or wrong for different reasons."""
    answers = [question.answer, common.answer, *question.wrong]
    pairs = combinations(zip(map(plain, answers), ["right", "right for others", *question.wrong.values()]), 2)
    unlike = all(why == other or not agree(x, y, question.tolerance) for (x, why), (y, other) in pairs)
    return unlike and len(question.wrong) == len(common.wrong)


def short(number):
    """Return a number as people write it: 8.0 as 8, a root with four digits."""
    return int(number) if number == int(number) else float(f"{number:.4g}")


def as_asked(task):
    """Return a question with the numbers in the learner's notebook, or the common ones if no others can be read."""
    variants = getattr(task, "variants", None)
    numbers = (numbers_here() or {}).get(task.name) if variants else None
    try:
        return variants.with_numbers(numbers) if numbers else task
    except Exception:  # somebody wrote something into the file
        return task


def numbers_here():
    """Return question -> its numbers; empty if there is no file, None if it is damaged."""
    try:
        known = json.loads(Path(NUMBERS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None
    return known if isinstance(known, dict) else None


def put_numbers_in(notebook, question, numbers):
    """Let a lesson ask with these numbers, in the place of the common ones, in the text above the answer."""
    old, new = (question.variants.passage(some) for some in (question.numbers, numbers))
    ids = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    text, words = notebook.cells[ids.index(question.name) - 1], iter(new.split())
    passage = r"\s+".join(map(re.escape, old.split()))  # lines are broken as the lesson breaks them
    if len(re.findall(passage, text.source)) != 1:
        where = f"{question.lesson}: the text above {question.name}"
        raise ClickException(f"{where} should hold this once, since its numbers vary:\n{old}")
    text.source = re.sub(passage, lambda found: re.sub(r"\S+", lambda _: next(words), found[0]), text.source)
