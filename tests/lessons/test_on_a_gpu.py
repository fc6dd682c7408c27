"""The lessons in torch on a GPU, or on its twin: our solutions run there, and what is left on the CPU is found."""

import re

import pytest
import torch
from helpers import our_answers, solutions_of
from torch.utils._pytree import tree_leaves, tree_map
from twin_device import GPU

from autograder import EXERCISES
from autograder.catalogue import LESSONS
from autograder.exercise import Exercise
from autograder.judging.judge import judge
from autograder.judging.running import send

pytestmark = [pytest.mark.gpu, pytest.mark.xdist_group("gpu")]  # in one process, so that each lesson is run once
IN_TORCH = LESSONS[4:]
LONG = ("lesson_10_what_heads_learn",)  # half a minute


def functions_of(lesson):
    return {name: task for name, task in EXERCISES.items() if task.lesson == lesson and type(task) is Exercise}


def moved(x):
    return x.to(GPU) if torch.is_tensor(x) else x


def devices(answer, exercise):
    """Where the tensors are that an answer makes of inputs on the GPU; refused inputs make none."""
    found = set()
    for case in exercise.cases():
        inputs = tree_map(moved, send(case.inputs, "torch"))
        try:
            out = answer(**inputs)
        except ValueError:
            continue
        if any(torch.is_tensor(x) for x in tree_leaves(inputs)):
            found |= {x.device.type for x in tree_leaves(out) if torch.is_tensor(x)}
    return found


@pytest.mark.parametrize("lesson", [pytest.param(n, marks=[pytest.mark.nightly] * (n in LONG)) for n in IN_TORCH])
def test_our_solutions_run_there(lesson):
    """From the first cell to the last, as in a notebook; and each function's result is where its inputs are."""
    solutions = solutions_of(lesson, GPU)
    for name, exercise in functions_of(lesson).items():
        assert devices(solutions[name], exercise) <= {GPU}, name


def test_what_is_left_on_the_cpu_is_found():
    """Each solution that says `device=` needs it, though the judge, on the CPU, takes the answer without it."""
    needed = set()
    for lesson in IN_TORCH:
        for name, exercise in functions_of(lesson).items():
            source = our_answers(lesson)[name]
            careless = re.sub(r", device=[\w.]+", "", source)
            if careless != source:
                variables = dict(solutions_of(lesson, GPU))
                exec(careless, variables)
                assert judge(variables[name], name), name
                assert fails_there(variables[name], exercise), name
                needed.add(name)
    assert needed


def fails_there(answer, exercise):
    """Whether two devices meet, or the result is on the wrong one."""
    try:
        return devices(answer, exercise) != {GPU}
    except RuntimeError as error:
        return "same device" in str(error)
