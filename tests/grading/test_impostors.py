"""Whatever a worker answers, an answer gets its points or none, and grading goes on.

Many more, once: MHA_REPLIES=20000 pytest -n 0 tests/grading/test_impostors.py
"""

import math
import os
import resource
from contextlib import contextmanager
from itertools import cycle
from time import monotonic

import numpy as np
import pytest
from fake_workers.impostors import ANSWERS, Kept, impostor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder import EXERCISES
from autograder.grading import cells
from autograder.grading.examiner import Examination
from autograder.grading.port.remote import Call, most_memory

pytestmark = pytest.mark.slow

TRIES = int(os.environ.get("MHA_REPLIES", 25))
many = settings(max_examples=TRIES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
SECONDS = 1.0


def function(name, number=0, signature=None):
    return Kept(_is="function", number=number, name=name, stub=False, signature=signature)


def layer(name):
    forward, init = [["x", 1, None], ["mask", 1, [None]]], [["model_size", 1, None], ["head_size", 1, None]]
    methods = {"__init__": [["self", 1, None], *init], "forward": [["self", 1, None], *forward]}
    about = dict(_is="class", number=0, name=name, stub=False, signature=init, methods=methods, is_layer=True)
    return Kept(about)


class Zygote:
    """Workers that begin as they should, show what is to be judged, and then answer as they like."""

    def __init__(self, value, answers):
        self.honest = {"begin": {"value": None}, "get": {"found": True, "value": value}}
        self.answers, self.workers = cycle(answers), []

    @contextmanager
    def worker(self):
        with impostor(self._answer) as worker:
            self.workers.append(worker)
            yield worker

    def _answer(self, request):
        return self.honest[request["do"]] if request.get("do") in self.honest else next(self.answers)


def checked(name, zygote):
    """What a check cell shows, and the points in it."""
    task = EXERCISES[name]
    with Examination(zygote, getattr(task, "lesson", None) or "lesson_04_single_head", 1, SECONDS, SECONDS) as trial:
        (output,) = trial.check(name)
    points = float(output["data"]["text/plain"])
    assert output.output_type == "execute_result" and 0 <= points <= task.points and math.isfinite(points)
    return points


def value_of(name):
    return layer(name) if name == "AttentionHead" else function(name)


@pytest.mark.parametrize("name", ["test_causal_attention", "softmax", "AttentionHead"])
@many
@given(st.lists(ANSWERS, min_size=1, max_size=4))
def test_forged_replies_earn_nothing(name, answers):
    """And they stop nobody: there is a card, with no points."""
    start = monotonic()
    assert checked(name, Zygote(value_of(name), answers)) == 0
    assert monotonic() - start < 40


@many
@given(ANSWERS, st.sampled_from(["softmax", "AttentionHead", "test_causal_attention", "causal_attention"]))
def test_forged_answers_earn_nothing(value, name):
    """What is said to be the learner's function is nonsense itself."""
    zygote = Zygote(value, [value])
    assert checked(name, zygote) == 0


@many
@given(st.lists(ANSWERS, min_size=1, max_size=3))
@pytest.mark.nightly
def test_nothing_but_nonsense_earns_nothing(answers):
    """From the first question on."""
    zygote = Zygote(None, answers)
    zygote.honest = {}
    assert checked("softmax", zygote) == 0


@many
@given(ANSWERS)
def test_cells_show_something(answer):
    """Or an error that says why not."""
    zygote = Zygote(None, [answer])
    with Examination(zygote, "lesson_01_softmax", 1, SECONDS, SECONDS) as trial:
        assert isinstance(trial.run("1"), list)


def call_of(*inputs, callback=0):
    """What a worker asks in the middle of a test."""
    return {"callback": callback, "inputs": list(inputs), "options": {}, "numerics": {}}


HUNGRY = {
    "without end": call_of(*np.zeros((3, 2, 3))),
    "with 10^9 numbers to come": call_of(np.zeros((10**5, 1)) + np.zeros(3)),
    "with a kept function": call_of(function("softmax")),
    "of nobody": call_of(callback=7),
    "with an array for a list": call_of() | {"inputs": np.zeros(10**6)},
    "with a great number": call_of(np.zeros((2, 2)), 10**300),
    "with no words for what overflows": call_of(np.zeros((2, 3))) | {"numerics": [1]},
}


@pytest.mark.parametrize("answer", HUNGRY.values(), ids=HUNGRY)
def test_calls_end(answer, name="test_causal_attention"):
    """A test may ask for a version again and again; it gets no more than its time, and little memory."""
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, monotonic()
    assert checked(name, Zygote(function(name), [answer])) == 0
    assert monotonic() - start < 30
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000


def test_memory_is_bounded_in_a_call():
    """(20000, 1) and (1, 20000) make 400 million numbers: that is an error of the test's."""
    call = Call(0, [np.zeros((20_000, 1)), np.zeros((1, 20_000))], {}, {})
    error = call.reply(lambda a, b: a + b, monotonic() + 5, most_memory())["error"]
    assert error["type"] in ("MemoryError", "_ArrayMemoryError")
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


def test_a_worker_is_ended_at_the_first_nonsense():
    """Then nothing else that it says counts, and a few more are tried, and no more."""
    zygote = Zygote(function("softmax"), [b"nonsense"])
    checked("softmax", zygote)
    assert len(zygote.workers) == 1 and zygote.workers[0].killed
    assert cells.MOST_WORKERS < 30
