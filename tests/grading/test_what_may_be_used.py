"""A lesson in NumPy asks to write softmax and attention: what has them ready is not there while it is graded."""

from functools import cache

import pytest
from helpers import at_night, needs_sandbox

from autograder.build import solution_notebook
from autograder.catalogue import EXERCISES, LESSONS, lacking
from autograder.course import installed
from autograder.grading.examiner import Examination
from autograder.grading.sandbox.sources import WORKER, Spawner, workers
from autograder.outline import outline

READY_MADE = outline().not_before_torch

pytestmark = pytest.mark.slow

IN_NUMPY = LESSONS[:4]
LESSON = "lesson_01_softmax"
SECONDS = 30

TRICKS = {
    "asks importlib": "import importlib; importlib.import_module('torch.nn.functional').softmax([0.0])",
    "calls __import__": "__import__('scipy.special').special.softmax([0.0])",
    "imports it without whoever says no": """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if isinstance(finder, type)]
import torch
torch.softmax
""",
    "loads it from its file": """
import importlib.util, numpy
file = numpy.__file__.replace("numpy", "torch")
spec = importlib.util.spec_from_file_location("mine", file)
spec.loader.exec_module(importlib.util.module_from_spec(spec))
""",
    "finds it in a folder of its own": """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if isinstance(finder, type)]
sys.path += [f"{folder}/{name}" for folder in sys.path for name in ("torch", "scipy", "jax")]
import nn, special
""",
    "looks for its files": """
import os, site, sys
roots = [*site.getsitepackages(), sys.base_prefix, "/usr/lib/python3", "/usr/local/lib", "/lib/python3", "/tmp"]
files = (file for root in roots for _, _, files in os.walk(root) for file in files)
next(file for file in files if file.startswith(("libtorch", "_ufuncs", "libjax", "_logsumexp")))
""",
    "looks for it in memory": """
import gc, types
modules = (x for x in gc.get_objects() if isinstance(x, types.ModuleType))
next(x for x in modules if x.__name__.partition(".")[0] in ("torch", "scipy", "jax", "keras"))
""",
    "looks for a function in memory": """
import gc
next(x for x in gc.get_objects() if getattr(x, "__name__", "") in ("masked_softmax", "scaled_dot_product_attention"))
""",
    "looks for what is mapped": "next(line for line in open('/proc/self/maps') if 'torch' in line or 'scipy/' in line)",
    "loads libtorch": """
import ctypes, numpy
ctypes.CDLL(numpy.__file__.replace("numpy/__init__.py", "torch/lib/libtorch_cpu.so"))
""",
    "asks another Python": "import subprocess; subprocess.run(['/usr/bin/python3', '-c', 'import scipy'], check=True)",
}


@pytest.fixture(scope="module")
def graded():
    """A lesson -> what grades a submission of it."""
    needs_sandbox()
    opened = []

    @cache
    def zygote(lacks):
        opened.append(workers(without=lacks))
        return opened[-1].__enter__()

    yield lambda lesson: Examination(zygote(lacking(lesson)), lesson, 1, SECONDS, SECONDS)
    for manager in opened:
        manager.__exit__()


def error_of(outputs):
    """What a cell ended with; None if it ended well."""
    return next((output for output in outputs if output.output_type == "error"), None)


def test_torch_comes_with_a_lesson_and_stays():
    """Lesson 08 counts, and has no exercise in torch, but its cells have torch as those before it."""
    assert [lesson for lesson in LESSONS if lacking(lesson)] == list(IN_NUMPY)
    assert any(getattr(task, "library", "") == "torch" for task in EXERCISES.values())


def test_a_library_that_is_lacking_says_why(graded):
    """Whoever calls something in one reads why it is not there, installed or not; to import it is no mistake."""
    with graded(LESSON) as examination:
        for name in READY_MADE:
            assert not error_of(examination.run(f"import {name}.nn as nn"))
            error = error_of(examination.run("nn.softmax([0.0])"))
            assert (error.ename, error.evalue) == (
                "ModuleNotFoundError",
                f"No {name} here: this lesson is written in NumPy",
            )


@pytest.mark.parametrize("trick", TRICKS)
def test_no_trick_finds_one(graded, trick):
    """Not on disk, not in memory."""
    with graded(LESSON) as examination:
        assert error_of(examination.run(TRICKS[trick]))


@pytest.mark.parametrize("lesson", [*LESSONS[:1], *at_night(LESSONS[1:])])
def test_a_solved_lesson_runs_to_its_end(graded, lesson):
    """All that a lesson itself imports and calls is there, and each of our answers is right."""
    with graded(lesson) as examination:
        cells = (c for c in solution_notebook(installed().text(lesson)).cells if c.cell_type == "code")
        for cell in cells:
            about = cell.metadata.get("nbgrader", {})
            if about.get("grade"):
                name = about["grade_id"].removeprefix("check_")
                assert f"✓ {name}: right" in str(examination.check(name))
            else:
                error = error_of(examination.run(cell.source))
                assert not error, (cell.source, error)


@pytest.mark.parametrize("name", ["translate_greedily", "next_token_loss", "Block"])
def test_tools_of_a_lesson_do_not_bring_its_answers(graded, name):
    """The translator and the language model import what is an exercise, and have it no more when it is graded."""
    with graded(EXERCISES[name].lesson) as examination:
        for module in ("mha_ref", "mha_ref.translator", "mha_ref.language_model", "mha_ref.layer", "mha_ref.decoding"):
            assert error_of(examination.run(f"from {module} import {name}\n{name}"))


def test_a_lesson_in_torch_has_all_of_it(graded):
    """Torch and the layers made with it, gradients, and what torch brings along."""
    with graded("lesson_07_cross_attention") as examination:
        outputs = examination.run("""
import torch, scipy.special
from mha_ref.layer import MultiHeadAttention
layer = MultiHeadAttention(6, 2)
layer(torch.ones(1, 3, 6)).sum().backward()
layer.train()
""")
        assert not error_of(outputs)


def test_an_answer_that_borrows_is_told_so(graded):
    """In one line, and for no points; another answer is judged all the same."""
    with graded(LESSON) as examination:
        examination.run("""
def softmax(scores, axis=-1):
    import torch
    return torch.softmax(torch.from_numpy(scores), axis).numpy()

softmax_bug = 3
""")
        (softmax,), (bug,) = examination.check("softmax"), examination.check("softmax_bug")
        assert softmax.data["text/plain"].startswith("0") and "No torch here" in softmax.data["text/html"]
        assert float(bug.data["text/plain"].split()[0]) == EXERCISES["softmax_bug"].points


def test_an_import_that_nothing_needs_costs_nothing(graded):
    """Out of habit, for a type, or for what is done elsewhere: the answer is in NumPy."""
    with graded(LESSON) as examination:
        examination.run("""
import numpy as np, torch, jax.numpy as jnp
import torch.nn.functional as F
from scipy.special import logsumexp
from mha_ref import weighted_mean
device = torch.device if torch.cuda else None

class Layer(torch.nn.Module):
    pass

def softmax(scores: "np.ndarray | torch.Tensor", axis=-1):
    if isinstance(scores, torch.Tensor):
        return F.softmax(scores, axis)
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)

mean = weighted_mean(np.ones((1, 2)) / 2, np.ones((2, 3)))
""")
        (softmax,) = examination.check("softmax")
        assert float(softmax.data["text/plain"]) == EXERCISES["softmax"].points, softmax.data["text/html"]
        assert not error_of(examination.run("mean.shape[0] == 1 or 1 / 0"))
        assert "No torch here" in error_of(examination.run("Layer()")).evalue


def test_all_heads_in_one_call_is_told_in_grading_too(graded):
    """The same words as in the notebook; what is written oneself is judged."""
    with graded("lesson_07_cross_attention") as examination:
        examination.run("""
import torch
from torch import nn
def cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return nn.MultiheadAttention(x.shape[-1], heads)(x, memory, memory)[0]
""")
        (cross_attention,) = examination.check("cross_attention")
        assert "asks you to write it yourself" in cross_attention.data["text/html"]
        examination.run("""
from mha_ref import multi_head_attention
def cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)
""")
        (cross_attention,) = examination.check("cross_attention")
        assert float(cross_attention.data["text/plain"]) == EXERCISES["cross_attention"].points


def test_without_a_sandbox_they_are_not_imported_either():
    """They lie on disk, but an import says no, and the process starts without them."""
    with Examination(Spawner(module=WORKER, without=READY_MADE), LESSON, 1, SECONDS, SECONDS) as examination:
        error = error_of(examination.run("import torch.nn.functional as F; F.softmax([0.0])"))
        assert error.evalue == "No torch here: this lesson is written in NumPy"
