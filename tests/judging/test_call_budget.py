"""What a learner's test may ask of a version: in a notebook no more than in grading, so that no mark is a surprise."""

import numpy as np
import pytest
from written_tests import OF_SOFTMAX

from autograder.judging.judge import judge

EXPECTED = np.array([0.09003057, 0.24472847, 0.66524096])
TOO_MUCH = {
    "calls": lambda softmax: [softmax(np.ones(3)) for _ in range(1001)],
    "numbers at once": lambda softmax: softmax(np.zeros(2_000_001)),
    "numbers at once, that are multiplied slowly": lambda softmax: softmax(np.zeros(100_001, np.float16)),
    "numbers in all": lambda softmax: [softmax(np.zeros(1_000_000)) for _ in range(13)],
}


@pytest.mark.parametrize("ask", TOO_MUCH.values(), ids=TOO_MUCH)
def test_a_test_that_asks_for_too_much(ask):
    """It is told what is too much of what."""

    def test_softmax(softmax):
        assert np.allclose(softmax(np.array([1.0, 2.0, 3.0])), EXPECTED)
        ask(softmax)

    verdict = judge(test_softmax, OF_SOFTMAX)
    assert not verdict.score and "TooMuch: a test cannot" in verdict.message
