"""Heads: split, each for itself, merged, mixed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from mha_ref import (
    attention_head,
    cross_attention,
    fuse_heads,
    masked_attention,
    merge_heads,
    mix_heads,
    multi_head_attention,
    multi_head_by_loop,
    split_heads,
)

from .inputs import (
    BATCH,
    HEADS,
    KEYS,
    MODEL_SIZE,
    QUERIES,
    arrays,
    each_head,
    mask,
    memory,
    padding,
    sizes,
    w_key,
    w_mix,
    w_output,
    w_query,
    w_value,
    weights,
    x,
)

HEAD_SIZE = MODEL_SIZE // HEADS


def block(head):
    """The columns of one head."""
    return slice(head * HEAD_SIZE, (head + 1) * HEAD_SIZE)


@given(st.lists(st.integers(0, 3), max_size=2), st.integers(0, 4), sizes, sizes)
def test_merging_undoes_splitting(batch, tokens, heads, head_size):
    """And the other way round, for any sizes, without tokens or batch too."""
    whole = np.random.default_rng(0).standard_normal((*batch, tokens, heads * head_size))
    parts = split_heads(whole, heads)
    assert parts.shape == (*batch, heads, tokens, head_size)
    assert_array_equal(merge_heads(parts), whole)
    assert_array_equal(split_heads(merge_heads(parts), heads), parts)


def test_a_head_is_a_block_of_columns():
    """Neighbouring columns stay together, and tokens keep their places."""
    for head in range(HEADS):
        assert_array_equal(split_heads(x, HEADS)[:, head], x[..., block(head)])


@given(sizes, sizes, sizes, sizes, st.data())
def test_one_after_another_or_all_at_once(tokens, heads, model_size, head_size, data):
    """The loop over heads and the fused matrices give the same, for any sizes and any mask."""
    allowed = data.draw(arrays(tokens, tokens, elements=st.booleans()))
    draw = np.random.default_rng(0).standard_normal
    x, w_output = draw((BATCH, tokens, model_size)), draw((heads * head_size, model_size))
    each = draw((3, heads, model_size, head_size))
    at_once = multi_head_attention(x, x, x, *map(fuse_heads, each), w_output, heads, allowed)
    assert_allclose(multi_head_by_loop(x, *each, w_output, allowed), at_once, atol=1e-12)


def test_fused_heads_are_blocks_of_columns():
    """One product projects into all heads, each in its place."""
    projected = split_heads(x @ fuse_heads(each_head[0]), HEADS)
    for head in range(HEADS):
        assert_allclose(projected[:, head], x @ each_head[0, head])


def test_identical_heads_are_one_head():
    """Heads that share their weights say the same several times: nothing is gained."""
    shared = np.broadcast_to(each_head[:, :1], each_head.shape)
    once = attention_head(x, *each_head[:, 0])
    summed = w_mix.reshape(HEADS, -1, MODEL_SIZE).sum(axis=0)
    assert_allclose(multi_head_by_loop(x, *shared, w_mix), mix_heads(once, summed))


def test_many_heads_are_one_head_several_times():
    """Each head attends with its own columns of the weights; side by side they are mixed."""
    each = [attention_head(x, *(w[:, block(head)] for w in weights[:3])) for head in range(HEADS)]
    assert_allclose(multi_head_attention(x, x, x, *weights, HEADS), mix_heads(np.concatenate(each, -1), w_output))


def test_one_head_without_projections_is_attention():
    """With identities for weights nothing but attention remains."""
    out = cross_attention(x, memory, *[np.eye(MODEL_SIZE)] * 4, 1, mask[:, None])
    assert_allclose(out, masked_attention(x, memory, memory, mask))


@pytest.mark.parametrize("head", range(HEADS))
@pytest.mark.parametrize("which", range(3))
def test_heads_do_not_touch_each_other(head, which):
    """Before mixing, other projections for one head change that head's columns and no digit of the others."""
    changed = [w.copy() for w in weights[:3]]
    changed[which][:, block(head)] *= -1
    unmixed = np.eye(MODEL_SIZE)
    before, after = (cross_attention(x, memory, *w, unmixed, HEADS) for w in (weights[:3], changed))
    is_changed = (before != after).any(axis=(0, 1))
    assert is_changed[block(head)].all()
    assert not np.delete(is_changed, block(head)).any()


def test_the_order_of_heads_does_not_matter():
    """Heads that change places, with their rows of the output weights, give the same."""
    order = np.arange(MODEL_SIZE).reshape(HEADS, HEAD_SIZE)[::-1].ravel()
    swapped = w_query[:, order], w_key[:, order], w_value[:, order], w_output[order]
    assert_allclose(cross_attention(x, memory, *swapped, HEADS), cross_attention(x, memory, *weights, HEADS))


def test_batch_items_do_not_touch_each_other():
    """Each item alone gives what it gives in the batch."""
    together = cross_attention(x, memory, *weights, HEADS, padding)
    for item in range(BATCH):
        one = slice(item, item + 1)
        assert_allclose(cross_attention(x[one], memory[one], *weights, HEADS, padding[one]), together[one])


def test_the_memory_serves_as_keys_and_values():
    """Cross-attention is multi-head attention with the memory in both places; padded tokens of it have no influence."""
    out = cross_attention(x, memory, *weights, HEADS, padding)
    assert_array_equal(out, multi_head_attention(x, memory, memory, *weights, HEADS, padding))
    changed = np.where(padding[:, 0, 0, :, None], memory, 1e6)
    assert_array_equal(cross_attention(x, changed, *weights, HEADS, padding), out)


def test_queries_that_see_nothing_get_zeros(world):
    """Through heads, merging and mixing a zero stays a zero."""
    dead = ~mask.any(axis=-1)
    out = world.back(cross_attention(*map(world.carry, [x, memory, *weights]), HEADS, world.carry(mask[:, None])))
    assert not out[dead].any() and out[~dead].all()


def test_empty_axes(world):
    """No queries, no keys or no batch: the right shape."""
    for batch, queries, keys in ((BATCH, 0, KEYS), (BATCH, QUERIES, 0), (0, QUERIES, KEYS)):
        x, memory = (world.carry(np.ones((batch, tokens, MODEL_SIZE))) for tokens in (queries, keys))
        assert cross_attention(x, memory, *map(world.carry, weights), HEADS).shape == (batch, queries, MODEL_SIZE)
