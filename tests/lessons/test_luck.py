"""Luck decides nothing: a wrong answer has the same verdict, points and name, whatever numbers it is tried on.

`python tests/lessons/test_luck.py` lists those that have not; names of exercises may follow.
"""

import sys
from pathlib import Path
from unittest.mock import patch

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))  # for those who run this file
from helpers import FUNCTIONS, MOST_FIRST, answers_from_stubs, of
from judgement import wrong_answers

from autograder import judge

SEEDS = None, 1, 2, 3, 4


def lucky(name):
    """Return answer -> what was found, of the wrong answers to an exercise that are not judged alike."""
    answers = {f"{kind} {meant} {number}": a for number, (kind, meant, a) in enumerate(wrong_answers(name))}
    answers |= of(answers_from_stubs("slips"), name)
    with patch("autograder.judging.judge.TIME_LIMIT", 60):  # on a busy machine, ten seconds are luck
        found = {key: [_found(judge(answers[key], name, seed)) for seed in SEEDS] for key in answers}
    return {key: verdicts for key, verdicts in found.items() if len(set(verdicts)) > 1}


def _found(verdict):
    return verdict.score, getattr(verdict.misconception, "name", None), getattr(verdict.also, "name", None)


@pytest.mark.nightly
@pytest.mark.parametrize("name", MOST_FIRST)
def test_wrong_answers_are_judged_alike_with_five_seeds(name):
    """Those in other styles, from the stubs, of its misconceptions, and of those of the steps that it is built on."""
    assert lucky(name) == {}


if __name__ == "__main__":
    for name in sys.argv[1:] or FUNCTIONS:
        for key, verdicts in lucky(name).items():
            print(name, key, *dict.fromkeys(verdicts), sep=" | ", flush=True)
