"""What only a learner's computer has, what is here, and answers that are written in vain."""

import pytest

from autograder.catalogue import lacking
from autograder.grading.examiner import Examination, error_in
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


def test_exact_numbers_are_numbers(trial):
    """They come out of the sandbox as such, and are right or wrong like others."""
    trial.run("from fractions import Fraction\nimport sympy\nweight_ratio = sympy.exp(2)")
    assert score(trial, "weight_ratio") == 1
    trial.run("weight_ratio = Fraction(1, 3)")
    assert trial.check("weight_ratio")[0].metadata["verdict"]["reason"] == "values"


@pytest.mark.parametrize(
    "cell, found",
    [
        (SOFTMAX.replace("softmax", "Softmax"), "Its cell defines `Softmax`"),
        (f"%%writefile /dev/null\n{SOFTMAX}", "Its cell begins with `%%writefile`"),
        (f"# mine\n%%time\n{SOFTMAX}", "`%%time` comes after another line"),
    ],
)
def test_what_was_written_in_vain_is_not_called_unwritten(trial, cell, found):
    """The card says what the cell holds in the answer's place."""
    trial.run(cell)
    trial.sources["softmax"] = cell
    verdict = trial.check("softmax")[0].metadata["verdict"]
    assert found in verdict["message"] and verdict["reason"] != "unwritten"
