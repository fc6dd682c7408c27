"""Three words, two heads: what two patterns of attention say that their mixture cannot."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from mha_ref import attention_head, multi_head_by_loop, weighted_mean

SUBJECT, LOVE, OBJECT = range(3)
VERB_AND_SUBJECT = np.array([[0.1, 0.8, 0.1], [0.7, 0.2, 0.1], [0.3, 0.4, 0.3]])
VERB_AND_OBJECT = np.array([[0.3, 0.4, 0.3], [0.1, 0.2, 0.7], [0.1, 0.8, 0.1]])
HEADS = np.stack([VERB_AND_SUBJECT, VERB_AND_OBJECT])
values = np.random.default_rng(0).standard_normal((2, 3, 4))  # a different one for each head and word

words = np.eye(3)  # each word is a vector of its own, so that a matrix says what becomes of each
w_query, w_key = np.log(HEADS) * 3**0.5, np.stack([words, words])  # scores are then the logarithms of the weights


def test_rows_are_shares_of_one():
    """Of both heads."""
    assert_allclose(HEADS.sum(axis=-1), 1)


def test_love_takes_its_shares():
    """0.7 / 0.2 / 0.1 of one head's values, 0.1 / 0.2 / 0.7 of the other's."""
    one, two = weighted_mean(HEADS, values)[:, LOVE]
    assert_allclose(one, 0.7 * values[0, SUBJECT] + 0.2 * values[0, LOVE] + 0.1 * values[0, OBJECT])
    assert_allclose(two, 0.1 * values[1, SUBJECT] + 0.2 * values[1, LOVE] + 0.7 * values[1, OBJECT])


def test_projections_can_say_it():
    """There are weights with which two heads have these patterns: side by side, and mixed, to 1e-12."""
    assert_allclose(multi_head_by_loop(words, w_query, w_key, w_key, np.eye(6)), np.hstack(list(HEADS)), rtol=1e-12)
    w_output = np.random.default_rng(1).standard_normal((8, 5))
    mixed = np.hstack(list(weighted_mean(HEADS, values))) @ w_output
    assert_allclose(multi_head_by_loop(words, w_query, w_key, values, w_output), mixed, rtol=1e-12)


@pytest.mark.parametrize("head", range(2))
def test_each_head_is_attention(head):
    """Alone, with its own projections, it has its own pattern."""
    assert_allclose(attention_head(words, w_query[head], w_key[head], words), HEADS[head], rtol=1e-12)


def test_one_mixture_cannot_tell_who_loves_whom():
    """The mean of both patterns is the same for `AI love I`; one of two heads differs by 0.7 - 0.1."""
    turned, mean = words[[OBJECT, LOVE, SUBJECT]], HEADS.mean(axis=0)
    assert_allclose(mean[LOVE], [0.4, 0.2, 0.4])
    assert_allclose(weighted_mean(mean, turned)[LOVE], weighted_mean(mean, words)[LOVE])
    difference = weighted_mean(HEADS, turned) - weighted_mean(HEADS, words)
    assert_allclose(difference[:, LOVE], [[-0.6, 0, 0.6], [0.6, 0, -0.6]], atol=1e-15)
