"""Attention against torch's fused function, and what must hold whatever the numbers are."""

from functools import partial

import numpy as np
import pytest
import torch
from helpers import every_one
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from torch.nn.functional import scaled_dot_product_attention as fused

from mha_ref import (
    causal_attention,
    causal_mask,
    masked_attention,
    masked_weights,
    scaled_dot_product_attention,
    weighted_mean,
)

from .inputs import FEATURES, KEYS, MASKS, QUERIES, VALUE_FEATURES, arrays, key, query, sequences, several, value

assert_close = partial(assert_allclose, rtol=1e-12, atol=1e-12)


def in_torch(*inputs):
    """Both want (batch, heads, ...) and at least two axes in a mask."""
    return [x if x is None else torch.tensor(np.atleast_2d(x)) for x in inputs]


def test_torch_agrees():
    """The fused function gives the same for masks of every shape, rows with nothing allowed included."""

    def agrees(mask):
        assert_close(masked_attention(*several, mask), fused(*in_torch(*several, mask)))

    every_one(agrees, MASKS)


def test_torch_agrees_on_causal():
    """Torch's lower right triangle is ours; its is_causal is only where queries = keys."""
    from torch.nn.attention.bias import causal_lower_right  # it imports torch's compiler

    inputs = in_torch(*several)
    assert_close(causal_attention(*several), fused(*inputs, attn_mask=causal_lower_right(QUERIES, KEYS)))
    square = in_torch(several[0], several[0], several[0])
    assert_close(causal_attention(*[several[0]] * 3), fused(*square, is_causal=True))


@pytest.mark.parametrize("queries, keys", [(1, 20_000), (300, 2)])
@pytest.mark.parametrize("dtype, tolerance", [("float32", 1e-5), ("float64", 1e-13)])
def test_many_keys_or_many_queries(queries, keys, dtype, tolerance):
    """Long rows lose no digits: torch in float64 agrees."""
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal((n, 16)).astype(dtype) for n in (queries, keys, keys)]
    exact = fused(*(torch.tensor(x, dtype=torch.float64) for x in inputs))
    assert_allclose(scaled_dot_product_attention(*inputs), exact, atol=tolerance)


@pytest.mark.parametrize("size", [1e-30, 1e2, 1e15])
def test_scores_of_any_size(size):
    """From all alike (1e-60) to winner takes all (1e30): finite, and what torch computes."""

    def agrees(mask):
        inputs = [size * several[0], size * several[1], several[2], mask]
        assert_allclose(masked_attention(*inputs), fused(*in_torch(*inputs)), atol=1e-10)

    every_one(agrees, MASKS)


@given(sequences())
def test_weights_are_shares_of_one(drawn):
    """Each row sums to 1 over the keys that it may look at, or to 0 if there are none."""
    query, key, _, mask = drawn
    weights = masked_weights(query, key, mask)
    assert (weights >= 0).all() and not weights[~mask].any()
    assert_allclose(weights.sum(axis=-1), mask.any(axis=-1))


@given(sequences(), st.data())
def test_the_order_of_keys_does_not_matter(drawn, data):
    """Keys, values and mask in any common order give the same; attention looks up by content."""
    query, key, value, mask = drawn
    order = data.draw(st.permutations(range(len(key))))
    assert_close(masked_attention(query, key[order], value[order], mask[:, order]), masked_attention(*drawn))


@given(sequences(), st.data())
def test_each_query_gets_its_own_answer(drawn, data):
    """Reordered queries get reordered answers."""
    query, key, value, mask = drawn
    order = data.draw(st.permutations(range(len(query))))
    assert_close(masked_attention(query[order], key, value, mask[order]), masked_attention(*drawn)[order])


@given(sequences(), st.sampled_from([1e150, -1e150]))
def test_blocked_keys_have_no_influence(drawn, huge):
    """Not a digit changes, however large the keys and values that nobody may look at."""
    query, key, value, mask = drawn
    blocked = ~mask.any(axis=0)
    changed = [np.where(blocked[:, None], huge, x) for x in (key, value)]
    assert_array_equal(masked_attention(query, *changed, mask), masked_attention(*drawn))


@given(sequences())
def test_blocking_is_leaving_out(drawn):
    """Each query's answer is plain attention over the keys that it may look at."""
    query, key, value, mask = drawn
    for one, seen, out in zip(query, mask, masked_attention(*drawn), strict=True):
        assert_close(out, scaled_dot_product_attention(one[None], key[seen], value[seen])[0])


@given(sequences(self_attention=True), st.data())
def test_the_future_has_no_influence(drawn, data):
    """A later token, changed, changes no digit of an earlier output."""
    *inputs, _ = drawn
    token = data.draw(st.integers(0, len(inputs[0]) - 1))
    changed = [x.copy() for x in inputs]
    for x in changed:
        x[token:] += 3
    assert_array_equal(causal_attention(*changed)[:token], causal_attention(*inputs)[:token])


@given(sequences(self_attention=True), st.data())
def test_the_last_queries_alone_see_the_same(drawn, data):
    """With a cache of keys and values only new queries are asked, and get what they got in the whole sequence."""
    query, key, value, _ = drawn
    new = data.draw(st.integers(1, len(query)))
    assert_close(causal_attention(query[-new:], key, value), causal_attention(query, key, value)[-new:])


def test_queries_before_the_first_key_get_zeros():
    """With more queries than keys the first ones have no key to look at."""
    out = causal_attention(key, query, query)
    assert not out[:, : KEYS - QUERIES].any()
    assert out[:, KEYS - QUERIES :].all()


@given(sequences())
def test_answers_lie_between_the_values(drawn):
    """A mean is never above the largest nor below the smallest."""
    query, key, value, _ = drawn
    out = scaled_dot_product_attention(query, key, value)
    assert (out <= value.max(axis=0) + 1e-12).all() and (out >= value.min(axis=0) - 1e-12).all()


@given(sequences(), arrays(3, 5), st.floats(-4, 4))
def test_values_are_only_mixed(drawn, weights, factor):
    """The answer to a sum of values is the sum of the answers."""
    query, key, value, mask = drawn
    other = value[::-1] ** 2
    mixed = masked_attention(query, key, value + factor * other, mask)
    assert_close(mixed, masked_attention(*drawn) + factor * masked_attention(query, key, other, mask))


def test_with_one_key_everybody_gets_its_value():
    """All the weight goes to the only key, whatever the score."""
    out = scaled_dot_product_attention(1e4 * query, key[:, :1], value[:, :1])
    assert_array_equal(out, np.broadcast_to(value[:, :1], out.shape))


def test_queries_that_see_nothing_get_zeros(world):
    """Exactly zero in every library and dtype, and no NaN elsewhere."""

    def get_zeros(mask):
        out = world.back(masked_attention(*map(world.carry, [*several, mask])))
        alive = np.broadcast_to(True if mask is None else mask, (*several[0].shape[:-1], KEYS)).any(axis=-1)
        assert np.isfinite(out).all()
        assert not out[~alive].any()

    every_one(get_zeros, MASKS)


def test_empty_axes(world):
    """No queries, no keys or no batch: the right shape, and zeros from no keys, with a mask or without."""
    for sizes in ((2, 0, 5), (2, 4, 0), (0, 4, 5), (2, 0, 0)):
        zeros_come_of_nothing(*sizes, world)


def zeros_come_of_nothing(batch, queries, keys, world):
    query, key = np.ones((batch, queries, FEATURES)), np.ones((batch, keys, FEATURES))
    inputs = [world.carry(x) for x in (query, key, np.ones((batch, keys, VALUE_FEATURES)))]
    for out in (scaled_dot_product_attention(*inputs), causal_attention(*inputs), masked_attention(*inputs, None)):
        assert out.shape == (batch, queries, VALUE_FEATURES)
        assert keys or not world.back(out).any()


@given(sequences())
def test_it_is_made_of_its_steps(drawn):
    """Masked attention is the weighted mean of the values, causal attention a mask of its own."""
    query, key, value, mask = drawn
    assert_array_equal(masked_attention(*drawn), weighted_mean(masked_weights(query, key, mask), value))
    triangle = causal_mask(len(query), len(key))
    assert_array_equal(causal_attention(query, key, value), masked_attention(query, key, value, triangle))
