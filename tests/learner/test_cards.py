"""What of a card is seen at once, and what unfolds on a click."""

import re

import numpy as np
import pytest
import torch
from helpers import answers_from_stubs

from autograder import EXERCISES, check, judge
from autograder.learner.card import MOST_LINES, verdict_card


def without_maximum(scores, axis=-1):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def that_returns_the_values(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    return value * 1.0


def stops(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    return torch.cat([query, key[..., :1]], dim=-2)


def test_a_long_input_is_folded():
    """Some matrices of numbers would push the sentence and the picture off the screen."""
    card = check(multi_head_attention=that_returns_the_values).card
    assert card.figure and not card.blocks
    assert dict(card.folded)["Smallest input that shows it"].count("\n") > MOST_LINES


def test_the_smallest_input_never_fills_the_screen():
    """Seven long inputs are told by their shapes; a mask is shown all the same."""
    answer = answers_from_stubs("wrong")["round_11/multi_head_attention__1"]
    (_, inputs), *_ = verdict_card(judge(answer, "multi_head_attention"), EXERCISES["multi_head_attention"]).folded
    assert inputs.count("\n") < 20
    assert "w_query = 18×18 (model_size × model_size)" in inputs and "True" in inputs


def that_writes_token_1(model, tokens, steps, context, choose):
    return torch.cat([tokens, torch.ones((len(tokens), steps), dtype=tokens.dtype)], dim=-1)


def test_a_function_among_the_inputs_is_described():
    """Not by its place in memory: what matters is what it does."""
    card = check(generate=that_writes_token_1).card
    inputs = dict(card.folded)["Smallest input that shows it"]
    assert "model = a stand-in for a language model: its logits depend on all tokens" in inputs
    assert "choose = a way to choose:" in inputs and " at 0x" not in inputs


def test_a_short_input_is_seen_at_once():
    """One need not click to see what went in."""
    assert "scores" in dict(check(softmax=without_maximum).card.blocks)["Smallest input that shows it"]


def that_compares_each_probability_by_itself(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    exceeds = (logits / temperature).softmax(-1) > uniform[:, None]
    return torch.where(exceeds.any(-1), exceeds.int().argmax(-1), logits.shape[-1] - 1)


def test_what_breaks_a_rule_is_shown_on_an_input_with_a_wrong_result():
    """On many inputs this answer happens to be right, and whoever looked at one of them would doubt the card."""
    card = check(sample=that_compares_each_probability_by_itself).card
    assert "did not get their shares" in card.text
    assert dict(card.blocks)["What should come out"] != dict(card.blocks)["What your code gave"]


def test_without_a_picture_long_results_are_folded_too():
    """Where the code stops there is no picture, and the numbers that should come out may be many."""
    card = check(multi_head_attention=stops).card
    assert not card.figure
    assert all(text.count("\n") < MOST_LINES for _, text in card.blocks)


def test_a_high_card_ends_with_its_verdict():
    """Whoever has scrolled down sees it there; a card of few lines says it once."""
    wrong, title = check(softmax=without_maximum).card, "✗ softmax: not yet"
    words = re.sub(r"<[^>]+>", " ", wrong._repr_html_())
    assert words.count(title) == 2 and words.strip().endswith(title)
    assert str(wrong).count(title) == 1
    assert check(weight_ratio=3).card._repr_html_().count("weight_ratio: not yet") == 1


@pytest.mark.parametrize("answer", [{"weight_ratio": ...}, {"softmax": ...}])
def test_what_is_not_there_yet_says_what_to_do(answer):
    """A cell that is changed wants to be run, and so does its check."""
    assert check(**answer).card.text == "Write it in the cell above, and run that cell; then run this one again."
