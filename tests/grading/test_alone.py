"""A learner's test has points for what it asserts, and none for what it remembers."""

import pytest
from helpers import our_answers

from autograder.grading.examination import Examination
from autograder.grading.sandbox.choosing import workers
from autograder.libraries import lacking

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("examination")]
LESSON = "lesson_01_softmax"
IMPORTS = "import numpy as np\n"
GUESSES = """
seen = []

def test_softmax(softmax):
    made = repr([softmax(np.array(x)) for x in ([1.0, 2.0, 900.0], [[1.0, 1.0], [2.0, 3.0]])])
    if made not in seen:
        seen.append(made)
    assert seen.index(made) + 1 {guess}
"""
HELPS = """
SCORES = np.array([[1.0, 2.0, 900.0], [3.0, 4.0, 5.0]])

def sums_to_one(x, axis):
    return np.allclose(x.sum(axis), 1)
"""
NEEDS_HELP = our_answers(LESSON)["test_softmax"] + "    assert sums_to_one(softmax(SCORES, 0), 0)\n"


@pytest.fixture(scope="module")
def source():
    with workers(trust_submissions=True, lacks=lacking(LESSON)) as source:
        yield source


def points(source, *cells, seed=1):
    with Examination(source, LESSON, seed, 5, 5) as trial:
        for cell in (IMPORTS, *cells):
            trial.run(cell)
        return float(trial.check("test_softmax")[0].data["text/plain"].split()[0])


@pytest.mark.parametrize(
    "guess", ["> 1", "== 1", *(f"== {n}" for n in range(2, 8)), *(f"in (1, {n})" for n in range(2, 8))]
)
def test_that_tells_versions_by_when_they_come(source, guess):
    """It recognises each, and knows nothing of softmax. One of these guesses is true for each seed."""
    assert [points(source, GUESSES.format(guess=guess), seed=seed) for seed in range(3)] == [0, 0, 0]


def test_that_needs_other_cells(source):
    """All that it needs is there when it is asked alone, wherever it stands."""
    assert points(source, HELPS, "import os", NEEDS_HELP) == 2


def test_that_needs_a_cell_which_takes_long(source):
    """That one runs once more."""
    assert points(source, f"import time\ntime.sleep(3)\n{HELPS}", NEEDS_HELP) == 2
