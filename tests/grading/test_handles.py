"""The judge cannot tell a handle, whose function lives in a worker, from the function itself."""

from contextlib import contextmanager

import numpy as np
import psutil
import pytest
from helpers import SPECIMENS, at_night, functions_in

import mha_ref
from autograder import EXERCISES, judge
from autograder.catalogue import LESSONS
from autograder.exercise import Exercise
from autograder.grading.examiner import error_in
from autograder.grading.outputs import safe_outputs
from autograder.grading.port.remote import Remote
from autograder.grading.sandbox.sources import source_of_workers
from autograder.judging.results import outcome_of
from autograder.judging.time_limits import alarms

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("examination")]  # their workers are copies of one process

KINDS = ("right", "wrong")
ALL = [*mha_ref.__all__, *(name for name, task in EXERCISES.items() if isinstance(task, Exercise))]
LUCK = "whatever was in memory"
SECONDS = 60  # for one call: what is compared are verdicts, and machines may be busy


def file_of(kind, lesson):
    return SPECIMENS / lesson / f"{kind}.py"


def well(reply):
    """Whether a cell came to its end."""
    return error_in(safe_outputs(reply)) is None


@contextmanager
def far_away(file):
    """A worker in which the answers of this file live; a function that gets one by its name."""
    with source_of_workers(True, ()).worker() as worker:
        remote = Remote(worker, SECONDS)
        remote.ask("begin", taught=ALL)
        assert well(remote.ask("run", seconds=SECONDS, code=file.read_text()))
        yield lambda name: remote.ask("get", name=name).value
        assert not remote.fault


def told(verdict):
    """All that a learner is told."""
    lines = verdict.example.lines if verdict.example else ()
    lines = [(source, LUCK if "empty(" in source else made) for source, made in lines]
    misconception = getattr(verdict.misconception, "name", None)
    return verdict.reason, misconception, verdict.property, verdict.score, verdict.message, lines


def same_verdicts(file, chosen):
    """Each of these answers is told the same far away as here."""
    answers = functions_in(file)
    names = [name for name in answers if chosen(name)]
    assert names
    with far_away(file) as found, alarms(False):
        for name in names:
            exercise = name.partition("__")[0]
            assert told(judge(found(name), exercise)) == told(judge(answers[name], exercise)), name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lesson", ["lesson_03_masks", *at_night(["lesson_06_batched_multi_head"])])
def test_the_first_of_each_exercise_is_told_the_same(kind, lesson):
    """In NumPy and in torch, functions and a class: reason, misconception, property, message, points, and the run."""
    first = {name.partition("__")[0]: name for name in reversed(functions_in(file_of(kind, lesson)))}
    same_verdicts(file_of(kind, lesson), {*first.values()}.__contains__)


def test_gradients_reach_a_model_that_is_among_the_inputs():
    """The model stays here, the loss is computed there, and every right answer is right."""
    same_verdicts(file_of("right", "lesson_09_language_model"), lambda name: name.startswith("next_token_loss"))


@pytest.mark.nightly
def test_large_tensors_are_seen_where_they_are_made():
    """A whole table of scores and a whole mask have right numbers; blocks and tiles have them too, and pass."""
    same_verdicts(file_of("clauses", "lesson_13_blocks"), lambda name: "holds" in name)
    same_verdicts(file_of("right", "lesson_13_blocks"), lambda name: name.startswith("attention_in_blocks"))
    same_verdicts(file_of("wrong", "lesson_13_blocks"), lambda name: "reason_property" in name)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_projections_are_found_in_the_same_way(kind):
    """Which way round a weight lies, and what a lazy layer makes in its first call."""
    file = file_of(f"{kind}_projections", "lesson_07_cross_attention")
    same_verdicts(file, lambda name: "own_linear" in name or "lazy" in name)


CLASS_OF_ITS_OWN_MIND = """
import torch
from torch import nn
from mha_ref import masked_attention

class AttentionHead(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))
        self.attend = nn.Identity()

    def attend(self):
        pass

    def forward(self, x, mask=None):
        return masked_attention(self.query(x), self.key(x), self.value(x), mask)

    def train(self, mode=True):
        return super().train(mode)

    def __call__(self, *inputs, **options):
        return super().__call__(*inputs, **options)

    def __len__(self):
        return 0

    def __setattr__(self, name, x):
        super().__setattr__(name, x)

    def extra_repr(self):
        return "mine"
"""
CLASS_THAT_SAVES_MORE = """
import torch
from torch import nn
from mha_ref import masked_attention

class AttentionHead(nn.Module):
    def __init__(self, model_size, head_size):
        super().__init__()
        self.query, self.other_key, self.value = (nn.Linear(model_size, head_size, bias=False) for _ in range(3))
        self.key, self.handle, self.number = None, 1, 2
        self._own, self._handle, self._number = (nn.Identity() for _ in range(3))
        self.register_buffer("diagonal", torch.eye(3).to_sparse())

    def forward(self, x, mask=None):
        return self._own(masked_attention(self.query(x), self.other_key(x), self.value(x), mask))

    def get_extra_state(self):
        return {"version": 1}

    def set_extra_state(self, state):
        self.version = state["version"]

    def state_dict(self, *how, **options):
        return super().state_dict(*how, **options) | {"number": self.number}

    def load_state_dict(self, state, strict=True):
        state = dict(state)
        self.number = state.pop("number")
        return super().load_state_dict(state, strict)
"""
ODD = """
import numpy as np
from decimal import Decimal
from fractions import Fraction
values = [
    np.array([1, 2], ">i4"), np.array([1.5], ">f8"), np.array(1.5, np.longdouble), np.float16(2), np.array(["a"]),
    np.broadcast_to(0.0, (300, 500)), np.broadcast_to(0.0, (10**6, 10**6)), np.zeros((0, 10**6)), np.array([None]),
    np.ma.array([1.0, 2.0], mask=[0, 1]), 10**300, -(10**500), True, {1: 2}, {(1, 2): 3}, {1, 2}, 1j,
    Fraction(1, 3), sum(Fraction(1, n) for n in range(1, 300)), Decimal("1e400"), range(3), int, b"a", "a\\0b",
]
def value(number):
    return values[number]
"""


@pytest.mark.parametrize("code", [CLASS_OF_ITS_OWN_MIND, CLASS_THAT_SAVES_MORE], ids=["its own mind", "saves more"])
def test_a_class_may_say_for_itself_what_modules_do(code):
    """Methods that every module has, what it saves, attributes with any name: right here, right there."""
    exec(code, here := {"__name__": "__main__"})
    assert judge(here["AttentionHead"], "AttentionHead").right
    with source_of_workers(True, ()).worker() as worker, alarms(False):
        remote = Remote(worker, SECONDS)
        remote.ask("begin", taught=["masked_attention"])
        assert well(remote.ask("run", seconds=SECONDS, code=code))
        verdict = judge(remote.ask("get", name="AttentionHead").value, "AttentionHead")
        assert verdict.right and not remote.fault, verdict.message


def test_odd_values_are_what_they_are():
    """Other byte orders, very large arrays, exact numbers: a judge makes the same of them, and no worker is ended."""
    here = {}
    exec(ODD, here)
    with source_of_workers(True, ()).worker() as worker:
        remote = Remote(worker, SECONDS)
        remote.ask("begin", taught=[])
        assert well(remote.ask("run", seconds=SECONDS, code=ODD))
        value = remote.ask("get", name="value").value
        for number, near in enumerate(here["values"]):
            far, near = outcome_of(value(number)), outcome_of(near)
            if isinstance(near.value, np.ndarray) and near.value.size > 10**7:
                assert far.type_name == "array of 1,000,000,000,000 numbers"
            else:
                assert (far.kind, far.type_name) == (near.kind, near.type_name), number
                assert getattr(far.value, "shape", None) == getattr(near.value, "shape", None), number
        assert not remote.fault


HOARDS = """
import numpy as np

def hoard(ask, rows, times):
    for _ in range(times):
        try:
            ask(np.empty((rows, 0)))
        except Exception:
            pass
    return times
"""


@pytest.mark.parametrize("rows, times", [(15_000_000, 8), (3_000_000, 40)], ids=["too large to send", "very many"])
@pytest.mark.nightly
def test_inputs_without_bytes_have_a_bound(rows, times):
    """What our functions make of them takes room here, and there is some for one conversation."""
    held = []

    def ask(x):
        held.append(psutil.Process().memory_info().data)
        return np.ones(len(x))

    with source_of_workers(True, ()).worker() as worker, alarms(False):
        remote = Remote(worker, SECONDS)
        remote.ask("begin", taught=[])
        assert well(remote.ask("run", seconds=SECONDS, code=HOARDS))
        assert remote.ask("get", name="hoard").value(ask, rows, times) == times
    assert len(held) > 3 and max(held) - held[0] < 600 * 2**20


def test_dots_are_no_answer_yet():
    """A question that nobody touched is not written yet, and no answer of a wrong type."""
    with source_of_workers(True, ()).worker() as worker:
        remote = Remote(worker, SECONDS)
        remote.ask("begin", taught=[])
        remote.ask("run", seconds=SECONDS, code="weight_ratio = ...")
        assert judge(remote.ask("get", name="weight_ratio").value, "weight_ratio").reason == "unwritten"


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lesson", LESSONS)
def test_all_are_told_the_same(kind, lesson):
    """All answers that we have."""
    same_verdicts(file_of(kind, lesson), bool)
