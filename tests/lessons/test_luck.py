"""Luck decides nothing: a wrong answer has the same verdict, points and name, whatever numbers it is tried on.

`python tests/lessons/test_luck.py` lists those that have not; names of exercises may follow.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # for those who run this file
from helpers import FUNCTIONS, answers_from_stubs
from judgement import wrong_answers

from autograder import judge

SEEDS = None, 1, 2, 3, 4
IN_CI = 25  # of so many wrong answers CI tries one; every night all are tried


def lucky(name, one_in=1):
    """Return answer -> what was found, of the wrong answers to an exercise that are not judged alike."""
    answers = {f"{kind} {meant} {number}": a for number, (kind, meant, a) in enumerate(wrong_answers(name))}
    answers |= {key: answer for key, answer in answers_from_stubs("slips").items() if f"/{name}__" in key}
    found = {key: [_found(judge(answers[key], name, seed)) for seed in SEEDS] for key in list(answers)[::one_in]}
    return {key: verdicts for key, verdicts in found.items() if len(set(verdicts)) > 1}


def _found(verdict):
    return verdict.score, getattr(verdict.misconception, "name", None), getattr(verdict.also, "name", None)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_some_wrong_answers_are_judged_alike_with_five_seeds(name):
    """Of those in other styles, from the stubs, and of misconceptions."""
    assert lucky(name, IN_CI) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_wrong_answers_are_judged_alike_with_five_seeds(name):
    """As above, and those of the steps that it is built on."""
    assert lucky(name) == {}


if __name__ == "__main__":
    for name in sys.argv[1:] or FUNCTIONS:
        for key, verdicts in lucky(name).items():
            print(name, key, *dict.fromkeys(verdicts), sep=" | ", flush=True)
