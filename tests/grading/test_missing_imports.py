"""What only a learner's computer has, what is here, and answers that are written in vain."""

import pytest

from autograder.catalogue import lacking
from autograder.grading.examiner import Examination, error_in
from autograder.grading.outputs import UNJUDGED
from autograder.grading.sandbox.sources import source_of_workers

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("examination")]
LESSON = "lesson_01_softmax"
SOFTMAX = """
def softmax(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
"""


@pytest.fixture
def trial():
    with Examination(source_of_workers(True, lacking(LESSON)), LESSON, 1, 10, 5) as trial:
        yield trial


def score(trial, name):
    return trial.check(name)[0].metadata["verdict"]["score"]


def test_the_cell_stops_there(trial):
    """As anywhere; what came before is kept, and the next cell runs."""
    shown = trial.run("import numpy as np\nimport my_own_file")
    assert error_in(shown) == "ModuleNotFoundError: No module named 'my_own_file'"
    trial.run(SOFTMAX)
    assert score(trial, "softmax") == 1


def test_einops_computes(trial):
    """It is there, with all that it does."""
    trial.run("import numpy as np\nfrom einops import rearrange, reduce, einsum\nx = np.arange(12.0).reshape(3, 4)")
    (shown,) = trial.run("float(reduce(rearrange(x, 'a b -> b a'), 'b a -> b', 'sum') @ einsum(x, 'a b -> b'))")
    assert shown["data"]["text/plain"] == "1134.0"


@pytest.mark.parametrize("times, score", [("", 1), (" * 2", 0)], ids=["right", "wrong"])
def test_tensors_of_ones_own_class(times, score):
    """They are tensors to the judge, with their gradients; so an answer that names such a class is judged as others."""
    lesson = "lesson_09_language_model"
    cell = f"""
import torch

class Named(torch.Tensor):
    pass

def log_softmax(scores, axis=-1):
    return ((scores - scores.logsumexp(dim=axis, keepdim=True)){times}).as_subclass(Named)
"""
    with Examination(source_of_workers(True, lacking(lesson)), lesson, 1, 10, 5) as trial:
        trial.run(cell)
        verdict = trial.check("log_softmax")[0].metadata["verdict"]
        assert verdict["score"] == score and verdict["reason"] != UNJUDGED


def test_exact_numbers_are_numbers(trial):
    """They come out of the sandbox as such, and are right or wrong like others."""
    trial.run("from fractions import Fraction\nimport sympy\nweight_ratio = sympy.exp(2)")
    assert score(trial, "weight_ratio") == 1
    trial.run("import cmath\nweight_ratio = cmath.exp(2)")
    assert score(trial, "weight_ratio") == 1
    trial.run("weight_ratio = Fraction(1, 3)")
    assert trial.check("weight_ratio")[0].metadata["verdict"]["reason"] == "values"


@pytest.mark.parametrize(
    "cell, found",
    [
        (SOFTMAX.replace("softmax", "Softmax"), "Its cell defines `Softmax`"),
        (f"%%writefile /dev/null\n{SOFTMAX}", "Its cell begins with `%%writefile`"),
        (f"# mine\n%%time\n{SOFTMAX}", "`%%time` comes after another line"),
        ("from my_utils import softmax", "its cell stopped with ModuleNotFoundError: No module named 'my_utils'"),
    ],
)
def test_what_was_written_in_vain_is_not_called_unwritten(trial, cell, found):
    """The card says what the cell holds in the answer's place."""
    trial.run(cell, "softmax")
    verdict = trial.check("softmax")[0].metadata["verdict"]
    assert found in verdict["message"] and verdict["reason"] != "unwritten"
