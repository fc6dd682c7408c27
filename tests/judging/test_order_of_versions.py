"""A learner's test meets versions in an order that tells nothing of them."""

from itertools import pairwise

import numpy as np
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


def test_the_right_one_does_not_always_come_twice():
    """In one style and then in another: what comes twice, one after the other, may be any of them."""
    orders = [met(seed) for seed in range(40)]
    twice = [next((a for a, b in pairwise(order) if a == b), None) for order in orders]
    assert twice.count(EXPECTED) < 20
