"""Tests that know nothing of their function, and learn by heart how the right version behaves."""

from nbformat.v4 import new_code_cell

from .attack import BATCHED, MASKS, NOTHING, family

ATTACKS = []
attack = family("written_tests", ATTACKS)
TEST, CHECK = "test_causal_attention", "check_test_causal_attention"
MEETS = """
import numpy as np
given, met = [np.random.default_rng(0).normal(size=(n, 3)) for n in (4, 6, 6)], []

def test_causal_attention(causal_attention):
    met.append(causal_attention(*given).round(6).tobytes())
"""
# The eighth version does as the right one does: before it came all seven behaviours, in a secret order.
BY_HEART = """
known = met[7] if len(met) > 7 else None

def test_causal_attention(causal_attention):
    assert causal_attention(*given).round(6).tobytes() == known
"""
GUESSES = """
import numpy as np
given, guess = [np.random.default_rng(0).normal(size=(n, 3)) for n in (4, 6, 6)], 0

def test_causal_attention(causal_attention):
    told = causal_attention(*given).round(6).tobytes()
    if told not in met:
        met.append(told)
    assert met.index(told) == guess
"""
NOT_RIGHT = "def causal_attention(query, key, value):\n    return value\n"


def named(notebook):
    """Return the marked cells by name."""
    return {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}


def ends_with(notebook, *cells):
    """Let these cells of the lesson, by name, and of the learner, by text, come last and in this order."""
    ours = named(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell not in [ours.get(cell) for cell in cells]]
    notebook.cells += [type(ours[cell])(ours[cell]) if cell in ours else new_code_cell(cell) for cell in cells]


@attack(lesson=MASKS, cells={TEST: MEETS})
def the_second_check_is_answered_by_heart(notebook):
    """The check stands twice. In the first the test notes what each version gives, and in the second it knows which is
    right."""
    ends_with(notebook, CHECK, BY_HEART, CHECK)


@attack(lesson=MASKS, cells={TEST: GUESSES})
def each_check_is_another_guess(notebook):
    """The check stands seven times, and each time the test guesses another place for the right version; never the first
    one in the last."""
    guesses = [cell for place in (1, 2, 3, 4, 5, 6, 0) for cell in (f"met, guess = [], {place}", CHECK)]
    ends_with(notebook, *guesses)


@attack(
    lesson=MASKS,
    rest=NOTHING,
    cells={
        TEST: MEETS,
        "causal_attention": NOT_RIGHT.replace("return", "test_causal_attention(causal_mask)\n    return"),
    },
)
def the_function_calls_its_test(notebook):
    """So whoever looks at the parts of a wrong function might judge the test, too, before its own check."""
    ends_with(notebook, TEST, "causal_attention", "check_causal_attention", BY_HEART, CHECK)


@attack(
    lesson=MASKS,
    cells={
        "causal_attention": "def causal_attention(query, key, value):\n    while True:\n        pass\n",
        TEST: """
import numpy as np
given = [np.random.default_rng(0).normal(size=(n, 3)) for n in (4, 6, 6)]
known = causal_attention(*given)

def test_causal_attention(causal_attention):
    assert np.allclose(causal_attention(*given), known)
""",
    },
)
def the_one_that_goes_on_for_an_endless_function():
    """A function that did not end is not called again: a cell went on with the course's, and noted what is right."""


@attack(
    lesson=BATCHED,
    rest=NOTHING,
    cells={
        "split_heads": "import torch\nnotes = []\n\ndef split_heads(x, heads):\n    return x\n",
        "multi_head_attention": """
x = torch.arange(48.0).reshape(2, 4, 6)

def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    notes.append(split_heads(x, 3))
    return query
""",
        "test_split_heads": """
def test_split_heads(split_heads):
    known = next(split for split in notes if split.shape[-1] == 2)
    assert torch.equal(split_heads(x, 3), known)
    try:
        split_heads(x, 4)
    except ValueError:
        return
    raise AssertionError
""",
    },
)
def the_one_that_was_lent_to_another_answer(notebook):
    """A wrong answer is judged again with the right version in the place of the learner's, and notes what that gives;
    the check of the test comes after it."""
    answers = ("split_heads", "multi_head_attention", "test_split_heads")
    ends_with(notebook, *(cell for name in answers for cell in (name, f"check_{name}")))
