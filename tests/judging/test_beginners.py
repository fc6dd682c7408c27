"""What beginners write in the first lessons: each card has the sentence that helps, and that is true of the error."""

import math

import numpy as np
import pytest
import torch

import mha_ref
from autograder import judge
from autograder.judging.symptoms import TEXTS
from mha_ref import softmax


def says_dim(scores, axis=-1):
    powers = np.exp(scores)
    return powers / powers.sum(dim=axis, keepdims=True)


def clones_an_array(scores, axis=-1):
    shifted = scores.clone()
    return np.exp(shifted)


def asks_numpy_for_softmax(scores, axis=-1):
    return np.softmax(scores, axis=axis)


def asks_numpy_for_a_function_of_torch(scores, axis=-1):
    return np.exp(scores - np.logsumexp(scores, axis=axis, keepdims=True))


def takes_maths_exp(scores, axis=-1):
    powers = math.exp(scores)
    return powers / powers.sum(axis=axis, keepdims=True)


def takes_pythons_sum(scores, axis=-1):
    powers = np.exp(scores)
    return powers / sum(powers, axis=axis)


def uses_torch(scores, axis=-1):
    return torch.softmax(scores, dim=axis)


def shadows_a_function(scores, temperature, axis=-1):
    softmax = softmax(scores / temperature, axis)  # noqa: F823
    return softmax


def names_a_variable_later(scores, axis=-1):
    weights = weights / scores.sum(axis=axis)  # noqa: F821
    return weights


def makes_zeros_of_two_sizes(weights, values):
    mean = np.zeros(weights.shape[0], values.shape[1])
    return mean + weights @ values


def gets_the_loop_wrong(weights, values):
    mean = np.zeros((len(weights), values.shape[1]))
    for query in range(len(values)):
        mean[query] = weights[query] @ values
    return mean


def returns_in_the_loop(weights, values):
    mean = np.zeros((len(weights), values.shape[1]))
    for query in range(len(weights)):
        mean[query] = weights[query] @ values
        return mean


def puts_a_row_in_a_place(weights, values):
    mean = np.zeros(len(weights))
    for query in range(len(weights)):
        mean[query] = weights[query] @ values
    return mean


def goes_through_a_number(weights, values):
    mean = np.zeros((len(weights), values.shape[1]))
    for query in len(weights):
        mean[query] = weights[query] @ values
    return mean


def multiplies_a_list(weights, values):
    rows = [row @ values for row in weights]
    return rows / 1.0


def calls_the_shape(query, key):
    return query @ key.mT / math.sqrt(query.shape(-1))


def calls_the_size(query, key):
    return query @ key.mT / math.sqrt(key.size(-1))


def calls_the_transpose(query, key):
    return query @ key.T() / math.sqrt(key.shape[-1])


def transposes_as_torch_does(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])


def multiplies_without_a_transpose(query, key, value):
    weights = softmax(query @ key / math.sqrt(key.shape[-1]))
    return weights @ value


def forgets_the_brackets(query, key):
    return softmax @ key


def unpacks_the_shape(query, key):
    batch, queries, features = query.shape
    return (query @ key.mT).reshape(batch, queries, -1) / math.sqrt(features)


def negates_with_not(mask, scores=None):
    return not mask


def fills_as_torch_does(scores, mask):
    return softmax(scores.masked_fill(~mask, -np.inf))


def turns_round_a_float_mask(scores, mask):
    mask = mask.astype(float)
    return softmax(np.where(~mask, -np.inf, scores))


def subtracts_a_mask(scores, mask):
    return softmax(scores - 1e9 * -mask)


def gives_two_things_to_where(scores, mask):
    return softmax(np.where(mask, scores))


def joins_masks_with_and(first, second):
    return first and second


def turns_round_none(query, key, value, mask=None):
    scores = np.where(~mask, -np.inf, mha_ref.attention_scores(query, key))
    return mha_ref.softmax(scores) @ value


def loses_the_filled_scores(query, key, value, mask=None):
    scores = mha_ref.attention_scores(query, key)
    if mask is not None:
        np.where(mask, scores, -np.inf)
    return softmax(scores) @ value


def joins_without_a_list(queries, keys):
    return np.concatenate(np.zeros((queries, 1)), np.ones((queries, keys - 1)))


def halves_a_size(queries, keys):
    return np.ones((queries, keys / 1), dtype=bool)


def drops_the_axis_of_the_maximum(scores, mask):
    return np.where(mask, np.exp(scores - scores.max(axis=-1)), 0)


def counts_from_the_front(scores, axis=-1):
    return np.exp(scores) / np.exp(scores).sum(axis=3, keepdims=True)


def forgets_numpys_name(scores, axis=-1):
    return np.exp(scores) / nn.sum(scores)  # noqa: F821


def mixes_up_letters(query, key):
    return np.einsum("qf,kg->qkh", query, key)


def divides_by_no_size(tokens, model_size):
    return tokens // (model_size - model_size)


def makes_weights_for_nothing(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    weights = softmax(scores)  # noqa: F841
    return scores @ value


def ends_with_a_comma(weights, values):
    return weights @ values,  # fmt: skip


def names_the_result_alone(scores, axis=-1):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights = exponentials / exponentials.sum(axis=axis, keepdims=True)
    weights  # noqa: B018


def rounds_the_scores_down(query, key):
    return query @ np.swapaxes(key, -1, -2) // np.sqrt(query.shape[-1])


def gives_the_axis_twice(scores, axis=-1):
    return np.exp(scores) / np.sum(np.exp(scores), -1, axis=axis)


def calls_the_library(scores, axis=-1):
    return np(scores)


def names_an_input_that_is_none(scores, axis=-1):
    return np.exp(scores, along=axis)


def refuses_what_it_should_take(scores, axis=-1):
    if scores.ndim > 0:
        raise ValueError("scores have axes")
    return scores


SLIPS = [
    (names_the_result_alone, "softmax", "did you mean `return weights`?"),
    (rounds_the_scores_down, "attention_scores", "`//` divides and rounds down"),
    (gives_the_axis_twice, "softmax", "gives `axis` twice"),
    (calls_the_library, "softmax", "what should come after its name and a dot"),
    (names_an_input_that_is_none, "softmax", "This function takes nothing by the name `along`"),
    (refuses_what_it_should_take, "softmax", "Is its condition too strict"),
    (makes_weights_for_nothing, "scaled_dot_product_attention", "You make `weights`, and no line uses it."),
    (ends_with_a_comma, "weighted_mean", "The comma at the end of the line with `return` makes a tuple"),
    (says_dim, "softmax", "NumPy says `axis` and `keepdims`"),
    (clones_an_array, "softmax", "use `copy`"),
    (asks_numpy_for_softmax, "softmax", "NumPy has no `softmax`"),
    (asks_numpy_for_a_function_of_torch, "softmax", "another library may"),
    (takes_maths_exp, "softmax", "`math`, `float` and `int` take one number"),
    (takes_pythons_sum, "softmax", "Python's own `sum`, which knows no axes"),
    (uses_torch, "softmax", "A NumPy array has met torch"),
    (shadows_a_function, "softmax_with_temperature", "`softmax` is a function of the course"),
    (names_a_variable_later, "softmax", "Which line makes it"),
    (makes_zeros_of_two_sizes, "weighted_mean", "wants a shape as one thing"),
    (gets_the_loop_wrong, "weighted_mean", "along which axis does it count"),
    (returns_in_the_loop, "weighted_mean", "ends your function in its first pass"),
    (puts_a_row_in_a_place, "weighted_mean", "One position in an array holds one number"),
    (goes_through_a_number, "weighted_mean", "`range` counts up to it"),
    (multiplies_a_list, "weighted_mean", "A list is not an array"),
    (calls_the_shape, "attention_scores", "square brackets give one of its numbers"),
    (calls_the_size, "attention_scores", "the `size` of an array"),
    (calls_the_transpose, "attention_scores", "`x.T` and `x.mT` take no brackets"),
    (transposes_as_torch_does, "attention_scores", "`swapaxes` swaps two of them"),
    (multiplies_without_a_transpose, "scaled_dot_product_attention", "How often are the last two axes of `key`"),
    (forgets_the_brackets, "attention_scores", "a function that was not called"),
    (unpacks_the_shape, "attention_scores", "Count axes from the end"),
    (fills_as_torch_does, "masked_softmax", "use `np.where`"),
    (turns_round_a_float_mask, "masked_softmax", "knows nothing of floating-point numbers"),
    (subtracts_a_mask, "masked_softmax", "and no minus"),
    (gives_two_things_to_where, "masked_softmax", "`np.where` wants three things"),
    (joins_masks_with_and, "combine_masks", "`&` and `|` join masks entry by entry"),
    (turns_round_none, "masked_attention", "Check `mask is None` before"),
    (
        loses_the_filled_scores,
        "masked_attention",
        "`np.where(mask, scores, -np.inf)` makes a new value that nothing keeps",
    ),
    (joins_without_a_list, "causal_mask", "in square brackets"),
    (halves_a_size, "causal_mask", "`6 / 2` is 3.0"),
    (drops_the_axis_of_the_maximum, "masked_softmax", "`sum` and `max` remove their axis"),
    (counts_from_the_front, "softmax", "There are fewer axes than this number asks for"),
    (forgets_numpys_name, "softmax", "Has the cell that imports it run"),
    (mixes_up_letters, "attention_scores", "Each letter after the arrow"),
    (divides_by_no_size, "attention_flops", "is 0 here"),
]


@pytest.mark.parametrize(("answer", "exercise", "sentence"), SLIPS, ids=[slip[0].__name__ for slip in SLIPS])
def test_a_slip_gets_a_sentence_that_helps(answer, exercise, sentence):
    """More than Python's own words."""
    verdict = judge(answer, exercise)
    assert not verdict.right and sentence in verdict.message, verdict.message


def test_a_word_of_the_other_library_is_none_of_this_one():
    """Advice for a word that exists would never be given, or be false."""
    homes = {"array": np.ndarray, "tensor": torch.Tensor, "numpy": np, "torch": torch}
    assert homes.keys() == TEXTS["instead"].keys()
    known = {where: entry["words"] for where, entry in TEXTS["instead"].items()}
    assert not [word for where, words in known.items() for word in words if hasattr(homes[where], word)]


def test_a_library_in_place_of_a_result_is_told():
    """And stops nothing: a module has attributes that look like an array's."""
    assert "something of type module" in judge(lambda scores, axis=-1: np, "softmax").message
