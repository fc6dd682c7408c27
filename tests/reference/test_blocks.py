"""What is claimed of blocks: empty parts, associativity, far scores, and that no table of all scores is ever made."""

import numpy as np
import oracles
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from autograder.judging.layers.contents import tensors_made
from mha_ref import attention_in_blocks, causal_attention, log_sum_exp, merge_attention, partial_attention
from mha_ref import scaled_dot_product_attention as plain

from .inputs import mask, scores, several

seeds = st.integers(0, 2**32 - 1)
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def part_of(rng, lead=(3,)):
    """Draw an output and a log-sum-exp, some of them empty, with NaN as output."""
    output, lse = rng.normal(size=(*lead, 4)), 3 * rng.normal(size=lead)
    empty = rng.random(lead) < 0.3
    return np.where(empty[..., None], np.nan, output), np.where(empty, -np.inf, lse)


def test_rows_of_minus_infinity_sum_to_minus_infinity():
    """Nothing is NaN, and no gradient either."""
    hidden = np.where(mask, scores, -np.inf)
    assert_allclose(log_sum_exp(hidden), oracles.log_sum_exp(hidden))
    assert_allclose(log_sum_exp(torch.tensor(hidden)), torch.logsumexp(torch.tensor(hidden), -1))
    leaf = torch.tensor(hidden, requires_grad=True)
    log_sum_exp(leaf).nan_to_num(neginf=0).sum().backward()
    assert leaf.grad.isfinite().all()


@pytest.mark.parametrize("carry", [np.asarray, torch.tensor])
def test_nan_stays_nan(carry):
    """It is not taken for an empty part: whoever has it among the queries sees it, as without blocks."""
    query, key, value = (np.random.default_rng(0).normal(size=(4, 3)) for _ in range(3))
    query[1] = np.nan
    query, key, value = map(carry, (query, key, value))
    assert_allclose(attention_in_blocks(query, key, value, 2), plain(query, key, value))


@pytest.mark.parametrize("far", [1e4, -1e4])
def test_far_scores_neither_overflow_nor_vanish(far):
    assert_allclose(log_sum_exp(scores + far), oracles.log_sum_exp(scores) + far)


@given(seeds)
def test_empty_parts_do_not_count(seed):
    """Whatever their output is; two of them give zeros and minus infinity."""
    rng = np.random.default_rng(seed)
    a, b = part_of(rng), part_of(rng)
    for merged, expected in zip(merge_attention(*a, *b), oracles.merge_attention(*a, *b), strict=True):
        assert_allclose(merged, expected)


@given(seeds)
def test_merging_is_associative_and_commutative(seed):
    rng = np.random.default_rng(seed)
    a, b, c = (part_of(rng) for _ in range(3))
    on_the_left, on_the_right = merge_attention(*a, *b), merge_attention(*b, *c)
    for left, right in zip(merge_attention(*on_the_left, *c), merge_attention(*a, *on_the_right), strict=True):
        assert_allclose(left, right, atol=1e-12)
    for one, other in zip(merge_attention(*a, *b), merge_attention(*b, *a), strict=True):
        assert_allclose(one, other)


def test_a_part_with_nothing_allowed_is_empty():
    output, lse = partial_attention(*several, np.zeros((1, 1), bool))
    assert not output.any() and (lse == -np.inf).all()


@pytest.mark.parametrize("block", range(1, 7))
def test_blocks_change_nothing(block):
    """Of any size, also one larger than all keys."""
    assert_allclose(attention_in_blocks(*several, block), plain(*several))
    assert_allclose(attention_in_blocks(*several, block, causal=True), causal_attention(*several))


@pytest.mark.parametrize("causal", [False, True])
def test_no_tensor_is_as_large_as_all_scores(causal):
    """Exact, counted by torch; the plain version makes one."""
    inputs = torch.randn(3, 96, 8).unbind()
    _, made = tensors_made(attention_in_blocks, lambda: attention_in_blocks(*inputs, 16, causal=causal))
    assert made == 96 * 16
    whole = causal_attention if causal else plain
    assert tensors_made(whole, lambda: whole(*inputs))[1] == 96 * 96
