"""The line that one small change would mend: the card tells it where the mistake has no name."""

import inspect

import numpy as np
import pytest
import torch
from torch import nn

from autograder import EXERCISES, check
from autograder.judging import repairs
from autograder.judging.repairs import line_to_change
from mha_ref import attention_scores, masked_attention, masked_softmax, merge_heads, split_heads


def takes_the_first_axis(x, w_query, w_key, w_value, mask=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    if mask is not None:
        return masked_attention(query, key, value, mask)
    return torch.softmax(attention_scores(query, key), dim=-2) @ value  # <- another number


def projects_with_the_wrong_matrix(x, w_query, w_key, w_value, mask=None):
    query = x @ w_query
    key = x @ w_query  # <- another name
    return masked_attention(query, key, x @ w_value, mask)


def returns_inside_of_the_loop(weights, values):
    mean = np.zeros((*weights.shape[:-1], values.shape[-1]))
    for key in range(values.shape[-2]):
        mean = mean + weights[..., key, None] * values[..., key, None, :]
        return mean  # <- less indentation


def counts_one_key_too_few(weights, values):
    mean = np.zeros((*weights.shape[:-1], values.shape[-1]))
    for key in range(values.shape[-2] - 1):  # <- another number
        mean = mean + weights[..., key, None] * values[..., key, None, :]
    return mean


def splits_into_a_float(x, heads):
    *front, tokens, model_size = x.shape
    head_size = model_size / heads  # <- another operator
    return x.reshape(*front, tokens, heads, head_size).transpose(-3, -2)


def has_its_sizes_the_other_way_round(queries, keys):
    return np.tri(queries, keys, queries - keys, dtype=bool)  # <- two things the other way round


class GivesAPairInAnyCase(nn.Module):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError("heads must divide model_size")
        self.heads, self.dropout = heads, nn.Dropout(dropout)
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias) for _ in range(4))

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        parts = zip((self.query, self.key, self.value), (query, key, value))
        query, key, value = (split_heads(layer(x), self.heads) for layer, x in parts)
        scores = attention_scores(query, key)
        weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
        output = self.output(merge_heads(self.dropout(weights) @ value))
        return output, weights if return_weights else output  # <- other brackets


SLIPS = {
    takes_the_first_axis: "attention_head",
    projects_with_the_wrong_matrix: "attention_head",
    returns_inside_of_the_loop: "weighted_mean",
    counts_one_key_too_few: "weighted_mean",
    splits_into_a_float: "split_heads",
    has_its_sizes_the_other_way_round: "causal_mask",
    GivesAPairInAnyCase: "MultiHeadAttention",
}


@pytest.mark.parametrize("answer", SLIPS)
def test_the_line_is_found(answer, monkeypatch):
    """And what kind of change it wants, but not the change."""
    monkeypatch.setattr(repairs, "LIMIT", 60)
    monkeypatch.setattr(repairs, "EACH", 20)  # other tests run beside this one
    source, first = inspect.getsourcelines(answer)
    number, line = next((first + n, line) for n, line in enumerate(source) if "# <- " in line)
    code, _, kind = line.strip().partition("  # <- ")
    told = line_to_change(answer, EXERCISES[SLIPS[answer]])
    assert f"With {kind} in line {number}, your code would be right: `{code}" in told, told


def has_two_mistakes(scores, axis=-1):
    powers = np.exp(scores + scores.max(axis=axis, keepdims=True))
    return powers / powers.max(axis=axis)


def never_ends_when_changed(scores, axis=-1):
    total, row = 0 * scores, 0
    while row < 3:
        row += 1
        total = total + np.exp(scores) * row
    return total


@pytest.mark.parametrize("answer", [has_two_mistakes, never_ends_when_changed])
@pytest.mark.slow
def test_where_one_change_is_not_enough_nothing_is_said(answer):
    """A changed loop that goes on for ever is stopped."""
    assert line_to_change(answer, EXERCISES["softmax"]) == ""


def test_the_card_says_it_where_the_mistake_has_no_name():
    """With a name, the hints lead there step by step."""
    card = check(split_heads=splits_into_a_float).card
    assert "With another operator in line" in str(card).replace("\n", " ")
    named = check(softmax=lambda scores, axis=-1: np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)).card
    assert "your code would be right" not in str(named)


def test_code_and_variables_stay_as_they_are():
    """Changes are tried in a world of their own."""
    code, variables = counts_one_key_too_few.__code__, dict(globals())
    line_to_change(counts_one_key_too_few, EXERCISES["weighted_mean"])
    assert counts_one_key_too_few.__code__ is code and dict(globals()) == variables
