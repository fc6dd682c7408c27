"""No attacks: right answers in odd company. They earn everything, or the fence is too high."""

from helpers import our_answers

from .attack import BATCHED, COST, FIRST, LAST, MASKS, ONE_HEAD, SOFTMAX, family

ATTACKS = []
honest = family("honest", ATTACKS)

ALL = {"softmax": 3}


@honest()
def as_we_wrote_it():
    """Our own solution."""


@honest("softmax", deserves=ALL)
def checks_itself():
    """The check is called again, below the answer, in the answer's own cell."""

    def softmax(scores, axis=-1):
        lowered = scores - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)

    check(softmax=softmax)


@honest("softmax", deserves=ALL)
def warns():
    """Warnings of its own, and of NumPy."""
    import warnings

    def softmax(scores, axis=-1):
        warnings.warn("this could be faster", stacklevel=1)
        np.log(np.zeros(1))
        lowered = scores - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest("softmax", deserves=ALL)
def warnings_are_errors():
    """Somebody is strict with himself, in later cells as well."""
    import warnings

    warnings.simplefilter("error")

    def softmax(scores, axis=-1):
        lowered = scores - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest(
    "softmax",
    deserves=ALL,
    cells={
        "softmax": """
%cd .
a_number = 3
%store a_number
import faulthandler, pathlib, sys
print(sys.stdout.fileno(), get_ipython().kernel)
faulthandler.enable()
pathlib.Path("my_helpers.py").write_text("def lowered(x, axis): return x - x.max(axis=axis, keepdims=True)")
from my_helpers import lowered

def softmax(scores, axis=-1):
    low = lowered(scores, axis)
    return np.exp(low) / np.exp(low).sum(axis=axis, keepdims=True)
"""
    },
)
def does_what_runs_in_jupyter():
    """Another folder, values for another day, crash reports, a module of one's own."""


@honest("softmax", deserves=ALL)
def prints():
    """Traces of a long search."""

    def softmax(scores, axis=-1):
        print("scores", scores.shape, "axis", axis)
        lowered = scores - scores.max(axis=axis, keepdims=True)
        print(f"{lowered=}", flush=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest("softmax", deserves=ALL)
def complains_on_the_other_stream():
    """Logging, and writing to stderr, in the cell and in the answer."""
    import logging
    import sys

    logging.basicConfig(level=logging.DEBUG)
    print("a cell that complains", file=sys.stderr)

    def softmax(scores, axis=-1):
        logging.error("called with %s", scores.shape)
        sys.stderr.write("careful\n")
        lowered = scores - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest("softmax", deserves=ALL)
def is_slow():
    """Loops in Python, and a nap of a few milliseconds."""
    import time

    def softmax(scores, axis=-1):
        time.sleep(0.01)
        rows = np.moveaxis(scores, axis, -1)
        result = np.empty(rows.shape)
        for place in np.ndindex(rows.shape[:-1]):
            top = max(rows[place])
            total = sum(np.exp(score - top) for score in rows[place])
            result[place] = [np.exp(score - top) / total for score in rows[place]]
        return np.moveaxis(result, -1, axis)


@honest("softmax", deserves=ALL)
def a_slow_cell():
    """Two seconds of work in a cell."""
    import time

    time.sleep(2)

    def softmax(scores, axis=-1):
        lowered = scores - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest(
    "softmax",
    cells={"sum_bounds": "def lower(x, axis):\n    return x - x.max(axis=axis, keepdims=True)\n\nsum_bounds = 1, 8"},
    deserves=ALL | {"sum_bounds": 1},
)
def uses_what_earlier_cells_defined():
    """Helpers and numbers from other cells, and a counter that it keeps."""
    calls = 0

    def softmax(scores, axis=-1):
        global calls
        calls += 1
        lowered = lower(scores, axis)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest(cells={"softmax": "%matplotlib inline\n%config InlineBackend.figure_format = 'svg'\n"}, deserves=ALL)
def uses_magics(notebook):
    """Magics before the code, a cell that is timed, a line of shell."""
    from helpers import our_answers
    from nbformat.v4 import new_code_cell

    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "softmax":
            cell.source += our_answers("lesson_01_softmax")["softmax"]
    notebook.cells += [new_code_cell("%%time\n1 + 1"), new_code_cell("!echo hello"), new_code_cell("softmax?")]


@honest(LAST)
def draws_figures():
    """A few figures, one of them never closed, and one of an interactive kind."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2)
    axes[0].plot(softmax(np.arange(3.0)))
    axes[1].imshow(np.eye(3))
    plt.show()
    plt.hist([1, 2, 2])


@honest(FIRST)
def seeds_everything():
    """Another random seed, in every generator that there is."""
    import random

    import numpy as np
    import torch

    random.seed(7), np.random.seed(7), torch.manual_seed(7)
    np.random.rand(100)


@honest(FIRST)
def sets_threads():
    """As many threads as one likes."""
    import torch

    torch.set_num_threads(4)
    print((torch.ones(600, 600) @ torch.ones(600, 600)).sum())


@honest("softmax", deserves=ALL)
def works_in_threads():
    """A pool of threads, closed as it should be."""
    from concurrent.futures import ThreadPoolExecutor

    def softmax(scores, axis=-1):
        def work():
            lowered = scores - scores.max(axis=axis, keepdims=True)
            return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)

        with ThreadPoolExecutor(2) as pool:
            return pool.submit(work).result()


@honest(FIRST)
def changes_settings():
    """Print options, errors of NumPy as exceptions, a recursion limit, another folder for temporary files."""
    import sys

    import numpy as np

    np.set_printoptions(precision=1, threshold=3)
    np.seterr(under="warn", over="warn")
    sys.setrecursionlimit(5000)


@honest("softmax", deserves=ALL)
def writes_small_files():
    """A result is saved beside the notebook, and read again; temporary files come and go."""
    import tempfile

    np.save("mine.npy", np.arange(3.0))
    assert np.load("mine.npy").sum() == 3

    def softmax(scores, axis=-1):
        with tempfile.TemporaryFile() as file:
            np.save(file, scores)
            file.seek(0)
            lowered = np.load(file) - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest("softmax", deserves=ALL)
def imports_other_libraries():
    """Libraries that are there anyway."""
    import collections
    import functools
    import json
    import math
    import random
    import re

    import torch

    def softmax(scores, axis=-1):
        top = functools.reduce(np.maximum, np.moveaxis(scores, axis, 0))
        lowered = scores - np.expand_dims(top, axis)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest("softmax", deserves=ALL)
def recurs_and_catches():
    """Recursion, generators, exceptions: all of Python."""

    def softmax(scores, axis=-1):
        def total(rows):
            return rows[0] if len(rows) == 1 else total(rows[: len(rows) // 2]) + total(rows[len(rows) // 2 :])

        try:
            raise KeyError("as planned")
        except KeyError:
            lowered = scores - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.expand_dims(total(list(np.moveaxis(np.exp(lowered), axis, 0))), axis)


@honest("softmax", deserves=ALL)
def is_no_plain_function():
    """A decorated one, with a cache of its own and a signature that it borrows."""
    import functools

    def noted(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)

        return wrapper

    @noted
    def softmax(scores, axis=-1):
        lowered = scores - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest("softmax", deserves=ALL)
def defines_names_of_ours():
    """A learner's own check, hint and judge, his own softmax2, and a variable called `shell`."""
    check_mine = hint = judge = "mine"
    shell = socket = worker = lesson = exercise = 3

    def softmax(scores, axis=-1):
        lowered = scores - scores.max(axis=axis, keepdims=True)
        return np.exp(lowered) / np.exp(lowered).sum(axis=axis, keepdims=True)


@honest()
def makes_mistakes_between(notebook):
    """Cells of one's own that fail in every way: they cost nothing."""
    from nbformat.v4 import new_code_cell

    for source in ("1 / 0", "def f(:\n", "undefined", "raise Exception('x')", "import not_there", "assert False"):
        notebook.cells.insert(9, new_code_cell(source))


@honest(lesson=ONE_HEAD)
def a_lesson_in_torch():
    """Our own solution of a lesson with classes and training."""


@honest(
    "AttentionHead",
    lesson=ONE_HEAD,
    deserves={"AttentionHead": 3},
)
def a_class_in_another_style():
    """Parameters in place of layers, a base class of one's own, prints in the constructor."""

    class Named(nn.Module):
        def __repr__(self):
            return "mine"

    class AttentionHead(Named):
        def __init__(self, model_size, head_size):
            super().__init__()
            print("made", model_size, head_size)
            for name in ("query", "key", "value"):
                setattr(self, name, nn.Parameter(torch.randn(model_size, head_size) / model_size**0.5))

        def forward(self, x, mask=None):
            return masked_attention(x @ self.query, x @ self.key, x @ self.value, mask)


@honest()
def tries_an_indented_line_below(notebook):
    """Lines of a function, pasted as they stand into a cell of one's own, to see what they make: IPython runs them."""
    from nbformat.v4 import new_code_cell

    answers = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    tried = "    scores = __import__('numpy').ones(3)\n    np = __import__('numpy')\n    np.max(scores)"
    notebook.cells.insert(answers.index("softmax") + 1, new_code_cell(tried))


@honest(
    cells={
        "sum_bounds": "from fractions import Fraction\n\nsum_bounds = np.array([Fraction(1), Fraction(8)])",
        "added_thousand": 'added_thousand = np.array("a")',
    },
    deserves={"sum_bounds": 1, "added_thousand": 1},
)
def answers_in_arrays_of_other_things():
    """To questions: an array of fractions, one of texts. The judge in the notebook says that they are right."""


def _head(*more):
    """AttentionHead with more lines in its __init__."""
    projections = [f"self.{n} = nn.Linear(model_size, head_size, bias=False)" for n in ("query", "key", "value")]
    lines = "".join(f"        {line}\n" for line in ("super().__init__()", *projections, *more))
    forward = "        return masked_attention(self.query(x), self.key(x), self.value(x), mask)\n"
    begin = "class AttentionHead(nn.Module):\n    def __init__(self, model_size, head_size):\n"
    return f"{begin}{lines}\n    def forward(self, x, mask=None):\n{forward}"


@honest(
    lesson=ONE_HEAD,
    cells={"AttentionHead": _head('self.register_buffer("seen", torch.ones(4096, 4096).tril(), persistent=False)')},
    deserves={"AttentionHead": 3},
)
def keeps_a_large_mask():
    """As published layers do: a causal mask for the longest text, 64 MiB of it, made once and kept as a buffer."""


@honest(
    lesson=ONE_HEAD,
    cells={"AttentionHead": _head("self.factor = torch.tensor(2.0, dtype=torch.bfloat16)")},
    deserves={"AttentionHead": 3},
)
def keeps_a_number_that_numpy_has_not():
    """A tensor in bfloat16, beside the weights: NumPy knows no such type."""


@honest(
    lesson=ONE_HEAD,
    cells={"AttentionHead": _head("self.words = [str(n) for n in range(200_000)]")},
    deserves={"AttentionHead": 3},
)
def keeps_a_dictionary():
    """A list of many words, beside the weights: there is no weight in it."""


def _tests_more(*lines, name="test_causal_attention"):
    """Our test, with more lines, which the docstring of what is tested allows: they hold for the right version."""
    ours = our_answers(LESSONS[name])[name].replace("    ### END SOLUTION", "")
    return {name: ours + "".join(f"    {line}\n" for line in lines)}


LESSONS = {"test_causal_attention": MASKS, "test_split_heads": BATCHED}
SPLIT = our_answers(BATCHED)["test_split_heads"]


def _split_first(*lines):
    """Our test of a split, with more lines in front of what ends it."""
    head, _, rest = SPLIT.partition("    ### BEGIN SOLUTION\n")
    return {
        "test_split_heads": head + "".join(f"    {line}\n" for line in lines) + rest.replace("    ### END SOLUTION", "")
    }


@honest(
    lesson=BATCHED,
    cells=_split_first(
        "x = torch.randn(2, 4, 6, requires_grad=True)",
        "split_heads(x, 3).sum().backward()",
        "assert x.grad is not None",
    ),
    deserves={"test_split_heads": 3},
)
def tests_that_gradients_flow():
    """As the docstring of what is tested promises: gradients reach the input."""


@honest(
    lesson=BATCHED,
    cells=_split_first(
        "x = torch.randn(2, 6, 4).mT",
        "assert split_heads(x, 2).shape == (2, 2, 4, 3)",
    ),
    deserves={"test_split_heads": 3},
)
def tests_with_turned_numbers():
    """Transposed numbers lie in memory in another order."""


@honest(
    lesson=BATCHED,
    cells=_split_first("assert split_heads(torch.randn(8, 50, 256), 8).shape == (8, 8, 50, 32)"),
    deserves={"test_split_heads": 3},
)
def tests_with_sizes_of_the_paper():
    """A batch of 8 texts of 50 tokens of 256 numbers: 100,000 numbers, which take a millisecond."""


@honest(
    lesson=BATCHED,
    cells=_split_first(
        "x = torch.randn(2, 4, 6, dtype=torch.bfloat16)",
        "assert split_heads(x, 3).dtype == torch.bfloat16",
    ),
    deserves={"test_split_heads": 3},
)
def tests_in_bfloat16():
    """The type in which models are trained, which NumPy does not have."""


@honest(
    lesson=MASKS,
    cells=_tests_more(
        "x = np.ones((300, 300))",
        "for _ in range(20):",
        "    assert np.allclose(causal_attention(x, x, x), 1)",
    ),
    deserves={"test_causal_attention": 3},
)
def tests_with_many_numbers():
    """Many calls of 100,000."""


@honest(
    lesson=MASKS,
    cells=_tests_more(
        "from concurrent.futures import ThreadPoolExecutor",
        "many = [np.ones((2, size)) for size in range(1, 20)]",
        "with ThreadPoolExecutor(4) as pool:",
        "    assert all(np.allclose(made, 1) for made in pool.map(causal_attention, many, many, many))",
    ),
    deserves={"test_causal_attention": 3},
)
def tests_in_threads():
    """Four of them, at once."""


def _nothing_overflows(*lines):
    x = "x = 60 * np.ones((3, 4))"
    return _tests_more("import warnings", x, *lines)


@honest(
    lesson=MASKS,
    cells=_nothing_overflows("with np.errstate(over='raise', invalid='raise'):", "    causal_attention(x, x, x)"),
    deserves={"test_causal_attention": 3},
)
def tests_that_nothing_overflows():
    """By an error, which NumPy raises on request."""


@honest(
    lesson=MASKS,
    cells=_nothing_overflows(
        "with warnings.catch_warnings(), np.errstate(over='warn', invalid='warn'):",
        "    warnings.simplefilter('error')",
        "    causal_attention(x, x, x)",
    ),
    deserves={"test_causal_attention": 3},
)
def tests_that_nothing_warns():
    """By a warning that becomes an error."""


@honest(
    lesson=COST,
    cells={"factor_for_eight_heads": "import sympy\nfactor_for_eight_heads = sympy.Integer(1)"},
    deserves={"factor_for_eight_heads": 1},
)
def answers_with_a_number_of_sympy():
    """Which is exact, and no int."""


@honest(
    lesson=COST,
    cells={"factor_for_eight_heads": "factor_for_eight_heads = 1 + 0j"},
    deserves={"factor_for_eight_heads": 1},
)
def answers_with_a_complex_number():
    """As a sum of eigenvalues comes out."""


CHOICES = """
from enum import Enum


class Choice(str, Enum):
    b = "b"


what_the_article_forgot = Choice.b
"""


@honest(lesson=COST, cells={"what_the_article_forgot": CHOICES}, deserves={"what_the_article_forgot": 1})
def answers_with_a_member_of_an_enum():
    """A text, of which str() would make its name."""


RECOMPUTES = """
from torch.utils.checkpoint import checkpoint


class MultiHeadAttention(Plain):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        def attend(*inputs):
            return Plain.forward(self, *inputs, mask, True)

        key = query if key is None else key
        out, weights = checkpoint(attend, query, key, key if value is None else value, use_reentrant=False)
        return (out, weights) if return_weights else out
"""


def _computes_again():
    from helpers import our_answers

    return our_answers(BATCHED)["MultiHeadAttention"].replace("class MultiHeadAttention", "class Plain") + RECOMPUTES


@honest(lesson=BATCHED, cells={"MultiHeadAttention": _computes_again()}, deserves={"MultiHeadAttention": 4})
def computes_again_for_gradients():
    """As long texts need it: what memory has no room for is computed again on the way back."""


def _softmax_below(*lines):
    """In one cell: these lines, and below them our answer."""
    from helpers import our_answers

    return {"softmax": "\n".join([*lines, our_answers("lesson_01_softmax")["softmax"]])}


@honest(cells=_softmax_below("!pip install -q numpy", "here = !pwd"), deserves=ALL)
def installs_what_is_there_already():
    """As notebooks from elsewhere begin. In a kernel no line of shell stops a cell, whatever becomes of it."""


@honest(cells=_softmax_below("%pip install -q numpy"), deserves=ALL)
def installs_by_magic():
    """The same, as IPython recommends it."""


@honest(
    cells={"softmax_bug": "points = 0\npoints += check(softmax=softmax)\nsoftmax_bug = 3"},
    deserves={"softmax_bug": 1},
)
def adds_up_its_points():
    """`check` returns the points, a number, says its docstring."""


@honest(
    lesson=ONE_HEAD,
    cells={"AttentionHead": _head().replace("bias=False", "bias=False, dtype=torch.bfloat16")},
    deserves={"AttentionHead": 3},
)
def weighs_in_bfloat16():
    """Weights of a type that NumPy does not have; the judge puts its own in their place."""


@honest(FIRST, lesson=ONE_HEAD)
def needs_no_gradients():
    """As notebooks begin that only look at a model: nothing is trained here."""
    import torch

    torch.set_grad_enabled(False)


def _compiled():
    from helpers import our_answers

    return {"attention_head": "@torch.compile\n" + our_answers(ONE_HEAD)["attention_head"]}


@honest(lesson=ONE_HEAD, cells=_compiled(), deserves={"attention_head": 2})
def compiles():
    """In a sandbox no compiler can be called, and where it can, it takes longer than an answer may."""


def _asks_for_exactly():
    from helpers import our_answers

    ours, anything = our_answers(BATCHED)["test_split_heads"], "except ValueError:"
    assert anything in ours
    return {"test_split_heads": ours.replace(anything, "except Exception as e:\n        assert type(e) is ValueError")}


@honest(lesson=BATCHED, cells=_asks_for_exactly(), deserves={"test_split_heads": 3})
def asks_for_exactly_a_value_error():
    """As the docstring promises it."""
