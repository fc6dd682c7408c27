"""Whatever mistake a check names, the next hint is about that mistake."""

import pytest
import torch
from helpers import FUNCTIONS, every_one, functions_of, newest
from modules import answer_of
from test_bad_classes import DROPS, Layer
from texts_for_learners import HINTS
from torch import nn

from autograder import EXERCISES, check, hint
from autograder.course import installed
from autograder.exercise import ModuleExercise
from autograder.judging.results import is_tensor, to_array
from autograder.learner.check import _found, _given

CLASSES = [name for name in FUNCTIONS if isinstance(EXERCISES[name], ModuleExercise)]
SOONEST = [name for name in FUNCTIONS if name not in CLASSES] + CLASSES
JUDGED = {EXERCISES[name].step for name in FUNCTIONS}  # test_judgement.py asks for the hints after these
DEEPER = {
    step: [m for name in FUNCTIONS for m in EXERCISES[name].mistakes if m.step == step]
    for step, thing in installed().steps.items()
    if thing.own_mistakes and step not in JUDGED
}


def homes(misconception):
    """Where it can be made, with the wrong version that it makes there."""
    for name in SOONEST:
        yield from ((name, b) for b in EXERCISES[name].wrong_versions if b.mistakes == (misconception,))


class Unread:
    """A wrong version as if the learner had written it: `check` cannot see that its parts are those of mha_ref."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *inputs, **options):
        return self.function(*inputs, **options)


def in_numpy(function):
    """Let a version in NumPy take tensors, and return one of their type."""

    def version(*inputs, **options):
        made = function(*map(to_array, inputs), **{name: to_array(x) for name, x in options.items()})
        dtype = next((x.dtype for x in inputs if is_tensor(x) and x.is_floating_point()), None)
        if not any(map(is_tensor, (*inputs, *options.values()))):
            return made
        tensors = [torch.as_tensor(part) for part in (made if isinstance(made, tuple) else (made,))]
        tensors = [x.to(dtype) if dtype and x.is_floating_point() else x for x in tensors]
        return tuple(tensors) if isinstance(made, tuple) else tensors[0]

    return version


def versions_of(version, name):
    """Return a class, or the function as it is and as one in NumPy that takes tensors."""
    if name in CLASSES:
        return [answer_of(version.function, EXERCISES[name])]
    return [Unread(version.function), Unread(in_numpy(version.function))]


def hints_of_a_check(answer, name):
    """All that one gets after a first check, one by one, and what the check has found."""
    _given.clear()
    check(**{name: answer})
    found = _found[name]
    return [newest(hint(name)) for _ in range(3)], found and found.name


@pytest.mark.parametrize("step", DEEPER)
@pytest.mark.nightly
def test_after_a_misconception_of_a_step_the_hints_are_about_it(step):
    """The first, then the second and the third: in the first exercise that can tell it from others."""
    every_one(gets_its_hints, {m.name: m for m in DEEPER[step]})


def gets_its_hints(misconception):
    seen = (hints_of_a_check(v, name) for name, version in homes(misconception) for v in versions_of(version, name))
    given = next((given for given, found in seen if found == misconception.name), f"{misconception.name} unseen")
    assert given == list(misconception.hints)


TWICE = {"twice": lambda self, w: nn.functional.dropout(w, self.p, self.training)}
FAULTY = {fault: ("MultiHeadAttention", type("Wrong", (Layer,), {"drop": DROPS[fault]} | TWICE)) for fault in DROPS}
FAULTY |= {n.split("__")[1]: (n.split("__")[0], answer) for n, answer in functions_of("wrong").items()}
FAULTY = {fault: FAULTY[fault] for fault in FAULTY if fault in HINTS}


@pytest.mark.slow
def test_after_a_fault_of_a_class_the_hints_are_about_it():
    """What no function can hold has hints of its own."""

    def gets_its_hints(fault):
        name, answer = FAULTY[fault]
        given, found = hints_of_a_check(answer, name)
        assert (found, given) == (fault, list(HINTS[fault]))

    every_one(gets_its_hints, list(FAULTY))


def test_nearly_every_fault_is_tried():
    """All but two: a right layer that cannot be saved whole, and one that hides from `check` that it calls ours."""
    assert set(HINTS) - set(FAULTY) == {"loses_something_when_saved", "wraps_our_layer"}
