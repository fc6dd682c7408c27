"""Hints that belong to a named mistake: there are three, they are short, and they leave the writing to the learner."""

import re
from importlib import import_module

import pytest
from helpers import FUNCTIONS, solution_cells

from autograder import EXERCISES
from autograder.catalogue import LESSONS
from autograder.exercise import STEPS, Step

GROUPS = {hints: step for step in STEPS for hints in STEPS[step].hints_by_misconception.values()}


def steps_in(lesson):
    """What a lesson's file says misconceptions of."""
    things = vars(import_module(f"autograder.exercises.{lesson}")).values()
    return [thing for thing in things if isinstance(thing, Step)]


def solution_lines(lesson):
    """The lines of code of our solutions, and what stands right of their `return` or `=`; spaces do not count."""
    for cell in solution_cells(lesson):
        for written in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell, re.DOTALL):
            for line in written.splitlines():
                yield from (squeezed(part) for part in (line, re.split(r"\breturn | = ", line)[-1]))


def squeezed(text):
    return re.sub(r"\s|`", "", text)


def is_code(line):
    """Long enough, and more than a name, to be something that only a solution says."""
    return len(line) >= 12 and re.search(r"[^\w.]", line)


@pytest.mark.parametrize("hints", GROUPS, ids=lambda hints: f"{GROUPS[hints]}: {hints[0][:30]}")
def test_three_short_hints(hints):
    """The concept, the place and the line, each of a length that one reads at once."""
    assert len(hints) == 3
    for hint in hints:
        assert 30 <= len(hint.split()) <= 100, hint


@pytest.mark.parametrize("lesson", sorted({EXERCISES[name].lesson for name in FUNCTIONS}))
def test_no_hint_is_a_solution(lesson):
    """None of our lines of code stands in a hint, so that there is still something to write."""
    lines = set(filter(is_code, solution_lines(lesson)))
    assert lines
    for hints in GROUPS:
        for hint in hints:
            assert not [line for line in lines if line in squeezed(hint)], hint


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_misconception_has_hints(lesson):
    """Whoever reads what went wrong can ask for help with that."""
    for step in steps_in(lesson):
        assert {m.name for m in step.own} == set(step.hints_by_misconception)
