"""What only a learner's computer has: an import of it costs a remark, and no points for what does without it."""

import pytest

from autograder.catalogue import lacking
from autograder.grading.examination import Examination
from autograder.grading.examiner import error_in
from autograder.grading.sandbox.selection import source_of_workers

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


@pytest.mark.parametrize(
    "imports",
    [
        "import pandas as pd",
        "import seaborn as sns, wandb",
        "from my_own_file import plot_weights",
        "%matplotlib inline\nimport google.colab.drive as drive",
        "with open('/dev/null'):\n    import plotly.express as px",
    ],
)
def test_the_rest_of_the_cell_runs(trial, imports):
    """A remark says what is missing; the answer below it has its points, and so has the next cell."""
    shown = trial.run(f"{imports}\nimport numpy as np\n{SOFTMAX}\nprint('done')")
    assert error_in(shown) is None and shown[0].text.startswith("There is no `") and shown[0].text.endswith("done\n")
    assert "where submissions are graded" in shown[0].text and score(trial, "softmax") == 1
    assert error_in(trial.run(imports)) is None


def test_what_is_called_there_says_so(trial):
    """The cell stops at that line, and not before."""
    shown = trial.run(f"import pandas as pd\nimport numpy as np\n{SOFTMAX}\nprint('so far')\npd.DataFrame([1])")
    assert error_in(shown).endswith("No pandas here: it is not installed where submissions are graded")
    assert "so far" in shown[0].text and score(trial, "softmax") == 1


def test_whoever_knows_what_else_to_do_is_told_the_truth(trial):
    """An import in a `try` fails as anywhere."""
    shown = trial.run("try:\n    import cupy_of_mine as np\nexcept ImportError:\n    import numpy as np\nnp.ones(1)[0]")
    assert shown[0]["data"]["text/plain"] == "np.float64(1.0)"


@pytest.mark.parametrize(
    "loop",
    [
        "from tqdm import tqdm\nfor n in tqdm(range(3), desc='three'): print(n, end='')",
        "from tqdm.auto import trange\nfor n in trange(3): print(n, end='')",
        "from tqdm.notebook import tqdm\nwith tqdm(total=3) as bar:\n    for n in range(3):\n        bar.update(1)"
        "\n        bar.set_description('x')\n        print(n, end='')",
        "import tqdm\nbar = tqdm.tqdm([0, 1, 2])\nassert len(bar) == 3\nprint(*bar, sep='')",
    ],
)
def test_progress_bars_go_through_their_loops(trial, loop):
    """Without a remark."""
    (shown,) = trial.run(loop)
    assert shown.text.strip().endswith("012") and "There is no" not in shown.text


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


@pytest.mark.parametrize("imports", ["from my_utils import softmax", "import my_utils\nsoftmax = my_utils.softmax"])
def test_an_answer_from_a_file_beside_the_notebook_is_told_so(trial, imports):
    """That file is not there, so nobody can say what kind of thing it held."""
    trial.run(imports)
    message = trial.check("softmax")[0].metadata["verdict"]["message"]
    assert "imported from `my_utils`" in message and "class" not in message


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
