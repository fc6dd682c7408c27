"""Whole lessons in JupyterLab, from the first cell to Validate, as a learner goes through them."""

import sys

import pytest
from helpers import our_answers
from playwright.sync_api import expect

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lab")]

LESSON_00, LESSON_01, LESSON_06 = "lesson_00_start_here", "lesson_01_softmax", "lesson_06_batched_multi_head"

FIRST_TRIES = {
    "blanc_looks_at": 'blanc_looks_at = "cat"',
    "lookup_weights": 'lookup_weights = "c"',
    "temperature_at_nine": "temperature_at_nine = 14",
    "shape_of_six_days": "shape_of_six_days = (4, 2)",
    "weighted_mean": "def weighted_mean(weights, values):\n    return weights * values",
    "une_also_looks_at": 'une_also_looks_at = "red"',
}

NO_MAXIMUM = """\
def softmax(scores, axis=-1):
    unscaled = np.exp(scores)
    return unscaled / np.sum(unscaled, axis=axis, keepdims=True)
"""
WRONG_AXIS = """\
def softmax(scores, axis=-1):
    unscaled = np.exp(scores - scores.max(axis=0))
    return unscaled / unscaled.sum(axis=0)
"""
IN_FLOAT16 = """\
def softmax(scores, axis=-1):
    scores = scores.astype(np.float16)
    unscaled = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return unscaled / np.sum(unscaled, axis=axis, keepdims=True)
"""
SPLIT_BY_RESHAPE = """\
def split_heads(x, heads):
    batch, tokens, model_size = x.shape
    return x.reshape(batch, heads, tokens, model_size // heads)
"""


def test_a_newcomer_goes_through_lesson_00(learner):
    """Nothing is asked, no news pop up; a first try at each exercise is not right, and says more than no.

    The test that says where to begin is left out: it is not marked.
    """
    learner.open_lesson(LESSON_00)
    expect(learner.run_in_a_cell_of_my_own("import sys; print(sys.prefix)")).to_contain_text(sys.prefix)
    for cell in ("import numpy", "english = ", "weather = ", "times = ", "def weighted_mean_by_loops"):
        learner.run_cell_with(cell)
    for name, first in FIRST_TRIES.items():
        learner.write_answer(name, first)
        expect(learner.check(name)).to_contain_text(f"✗ {name}: not yet")
        learner.write_answer(name, our_answers(LESSON_00)[name])
        expect(learner.check(name)).to_contain_text(f"✓ {name}: right")
    learner.screenshot("newcomer", of=learner.card_below("weighted_mean"))
    assert learner.page.locator(".jp-Dialog, .Toastify__toast").count() == 0
    assert "Success! Your notebook passes all the tests." in learner.validate()


@pytest.mark.nightly
def test_softmax_comes_right_by_its_cards(learner):
    """Each mistake gets its own idea, and Validate agrees with the cards all along."""
    learner.open_lesson(LESSON_01)
    learner.run_cell_with("import numpy")
    learner.run_cell_with("def softmax(")
    expect(learner.check("softmax")).to_contain_text("○ softmax: not written yet")
    for mistake, code, key_words in (
        ("no maximum", NO_MAXIMUM, ("NaN", "exp", "does not fit into a float", "one number")),
        ("wrong axis", WRONG_AXIS, ("along the first axis", "along the last axis")),
        ("in float16", IN_FLOAT16, ("float16", "few digits")),
    ):
        learner.write_answer("softmax", code)
        card = learner.check("softmax")
        for words in key_words:
            expect(card).to_contain_text(words)
        learner.screenshot(f"softmax {mistake}", of=card)
    expect(learner.run_in_a_cell_of_my_own("hint(softmax)")).to_contain_text("Hint 1 of")
    said = learner.validate()
    assert "✗ softmax: not yet" in said and "few digits" in said
    for name, right in our_answers(LESSON_01).items():
        learner.write_answer(name, right)
    expect(learner.check("softmax")).to_contain_text("✓ softmax: right")
    assert "Success! Your notebook passes all the tests." in learner.validate()


@pytest.mark.nightly
def test_a_silent_reshape_is_seen_in_a_picture(learner):
    """Nothing raises and the shape is right: what is wrong shows beside what should come out."""
    learner.open_lesson(LESSON_06)
    learner.run_cell_with("import torch")
    learner.write_answer("split_heads", SPLIT_BY_RESHAPE)
    card = learner.check("split_heads")
    expect(card).to_contain_text("✗ split_heads: not yet")
    expect(card).to_contain_text("reshape")
    learner.screenshot("split by reshape", of=card)
    assert len(learner.described_pictures(card)) > 0
    learner.write_answer("split_heads", our_answers(LESSON_06)["split_heads"])
    expect(learner.check("split_heads")).to_contain_text("✓ split_heads: right")
