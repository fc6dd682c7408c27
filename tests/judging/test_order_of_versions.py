"""A learner's test meets versions in an order that tells nothing of them."""

import numpy as np
import pytest
from written_tests import OF_SOFTMAX

from autograder.judging.judge import judge
from mha_ref import softmax as right_one

SCORES = np.array([[1.0, 2.0, 900.0], [3.0, 3.0, 5.0]])


def print_of(softmax):
    """By which it can be told from the wrong ones."""
    return repr([softmax(SCORES), softmax(SCORES, axis=0), softmax(SCORES[0]), softmax(SCORES[None])])


EXPECTED = print_of(right_one)


def met(seed):
    """What the versions gave, one after the other."""
    found = []

    def test_softmax(softmax):
        found.append(print_of(softmax))

    judge(test_softmax, OF_SOFTMAX, seed)
    return found


def test_the_first_one_is_never_right():
    """Or whoever lets only that pass would have all points."""
    assert EXPECTED not in {met(seed)[0] for seed in range(40)}


def test_none_comes_again_before_all_have_come():
    """Whatever comes after the first repetition would be wrong for sure, and what is repeated most is the right one."""
    for order in map(met, range(40)):
        assert len(set(order[:7])) == 7 == len(set(order))


@pytest.mark.slow
def test_who_only_remembers_has_a_third_of_the_points_at_most():
    """Which of the versions stop is decided when each comes for the first time: some first ones do, and new ones as
    soon as something came again."""

    def points(first, seed):
        passes, again = {}, []

        def test_softmax(softmax):
            told = print_of(softmax)
            again.extend([told] if told in passes else [])
            passes.setdefault(told, len(passes) >= first and not again)
            assert passes[told]

        return judge(test_softmax, OF_SOFTMAX, seed).score

    for first in range(1, 7):
        assert np.mean([points(first, seed) for seed in range(120)]) < 0.4, first
