"""check, in a learner's notebook, of a function that never ends, and of those that call it."""

import sys
from importlib import import_module
from time import monotonic

import numpy as np
import pytest

from autograder import check
from autograder.judging.time_limits import TooSlow, time_limit
from mha_ref import softmax

LIMIT, PARTS = 0.6, 0.3  # seconds, in place of ten and three


at_jumps = pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="needs Python 3.12")


@pytest.fixture(autouse=True, params=["alarms", pytest.param("jumps", marks=at_jumps)])
def impatient(request, monkeypatch):
    """With alarms, and where there are none, as in a browser."""
    if request.param == "jumps":
        monkeypatch.delattr("signal.setitimer", raising=False)
    monkeypatch.setattr(import_module("autograder.judging.judge"), "TIME_LIMIT", LIMIT)
    monkeypatch.setattr(import_module("autograder.learner.own_work"), "PATIENCE", PARTS)


def attention_scores(query, key):
    while True:
        pass


def attention_weights(query, key):
    return softmax(attention_scores(query, key))


def seconds_of(answer):
    """The seconds that a check takes, and what it says."""
    begin = monotonic()
    said = str(check(answer)._repr_html_())
    return monotonic() - begin, said


def test_a_loop_costs_one_limit():
    """The function itself, and one that calls it before it was checked."""
    seconds, said = seconds_of(attention_weights)
    assert "given a right <code>attention_scores</code>" in said and seconds < LIMIT + PARTS + 0.5
    seconds, said = seconds_of(attention_scores)
    assert "a loop that never ends" in said and LIMIT <= seconds < LIMIT + 0.5


def test_then_it_is_not_called_again(monkeypatch):
    """What calls it is judged at once, with a right one; and with the learner's, once it is written anew."""
    check(attention_scores)
    seconds, said = seconds_of(attention_weights)
    assert "given a right <code>attention_scores</code>" in said and seconds < LIMIT

    def dot_products(query, key):
        return query @ key.mT / np.sqrt(query.shape[-1])

    monkeypatch.setitem(globals(), "attention_scores", dot_products)
    assert check(attention_weights) == 1


class GoesOnWhenItIsGone:
    def __del__(self):
        while True:
            pass


def test_time_that_is_over_in_a_callback_is_not_printed(capfd):
    """Python would print an error that nobody can catch there; the clock strikes again."""
    with pytest.raises(TooSlow), time_limit(PARTS):
        GoesOnWhenItIsGone()
        while True:
            pass
    assert "TooSlow" not in capfd.readouterr().err
