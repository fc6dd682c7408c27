"""Torch's own layer and fused function, used as their manuals and articles do: weights averaged, and masks."""

import math

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention
from torch.testing import assert_close

from mha_ref import (
    causal_mask,
    masked_attention,
    merge_heads,
    mix_heads,
    multi_head_attention,
    padding_mask,
    project,
    split_heads,
)
from mha_ref.exchange import load_torch
from mha_ref.layer import MultiHeadAttention

from .test_layer import BATCH, HEADS, KEYS, QUERIES, draw, matrices, memory, ours, torchs, x

some = draw(BATCH, HEADS, QUERIES, KEYS) > 0
some[..., 0] = True  # torch's layer gives NaN where nothing is allowed
future, padded = ~causal_mask(QUERIES, KEYS, like=x), ~padding_mask(torch.tensor([3, KEYS]), KEYS)[:, 0, 0]


def test_torchs_layer_at_the_size_of_articles():
    """768 in 12 heads, 4 × 128 tokens, float32: the output to 1e-5, and weights that are the mean over heads."""
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(embed_dim=768, num_heads=12, batch_first=True)
    layer, tokens = MultiHeadAttention(768, 12), torch.randn(4, 128, 768)
    load_torch(layer, theirs.state_dict())
    out, averaged = theirs(tokens, tokens, tokens)
    our_out, weights = layer(tokens, return_weights=True)
    assert (out.shape, averaged.shape, weights.shape) == ((4, 128, 768), (4, 128, 128), (4, 12, 128, 128))
    assert_close((our_out, weights.mean(dim=1)), (out, averaged), rtol=0, atol=1e-5)


def test_our_mask_in_torchs_layer_is_its_opposite():
    """What may be looked at is blocked, silently."""
    theirs = torchs()
    allowed = ~future & (torch.arange(KEYS) > 0)  # so that its opposite, too, leaves something to everybody
    assert_close(theirs(x, memory, memory, attn_mask=allowed)[0], ours(theirs)(x, memory, mask=~allowed))


def test_torchs_layer_takes_no_mask_of_four_axes():
    """(1, 1, T, S), which broadcasts to every head's scores, is an error there."""
    with pytest.raises((AssertionError, RuntimeError)):  # which one depends on its version
        torchs()(x, memory, memory, attn_mask=future[None, None])


def test_torchs_layer_where_nothing_is_allowed():
    """Theirs is NaN, at least where it returns its weights; ours is the bias of the output layer."""
    theirs, nothing = torchs(), torch.zeros(1, 1, dtype=torch.bool).expand(QUERIES, KEYS)
    assert theirs(x, memory, memory, attn_mask=~nothing)[0].isnan().all()
    assert_close(ours(theirs)(x, memory, mask=nothing), theirs.out_proj.bias.expand_as(x))


def test_weights_that_torchs_layer_returns_are_after_dropout():
    """In training its rows do not sum to 1, by 0.5 and more; ours are shown before dropout, and do."""
    theirs = torchs()
    theirs.dropout = 0.5
    torch.manual_seed(0)
    rows = theirs(x, memory, memory, average_attn_weights=False)[1].sum(dim=-1)
    assert (rows - 1).abs().max() > 0.5
    assert_close(ours(theirs, dropout=0.5)(x, memory, return_weights=True)[1].sum(dim=-1), torch.ones_like(rows))


@pytest.mark.parametrize(
    "mask",
    [
        pytest.param(None, id="none"),
        pytest.param(~future, id="T_S"),
        pytest.param(~future[None, None], id="1_1_T_S"),
        pytest.param(~padded[:, None, None], id="B_1_1_S"),
        pytest.param(some, id="B_H_T_S"),
    ],
)
def test_the_fused_function_between_our_steps(mask):
    """Project, split, torch's function, merge, mix: the whole, to 1e-12; its True means may look, as ours does."""
    every = matrices(torchs(bias=False))
    views = [split_heads(view, HEADS) for view in project(x, memory, memory, *every[:3])]
    whole = multi_head_attention(x, memory, memory, *every, HEADS, mask)
    additive = mask if mask is None else torch.zeros(mask.shape).double().masked_fill(~mask, -math.inf)
    for attn_mask in (mask, additive):
        each = scaled_dot_product_attention(*views, attn_mask, is_causal=False)
        assert_close(mix_heads(merge_heads(each), every[3]), whole, rtol=0, atol=1e-12)


@pytest.mark.parametrize("queries, keys", [(4, 4), (3, 5), (5, 3)])
def test_is_causal_starts_at_the_top_left(queries, keys):
    """There the first query sees the first key; here the last sees the last: the same only for as many of both."""
    query, key, value = draw(1, 2, queries, 6), draw(1, 2, keys, 6), draw(1, 2, keys, 7)
    theirs = scaled_dot_product_attention(query, key, value, is_causal=True)
    top_left = torch.ones(queries, keys).tril().bool()
    assert_close(masked_attention(query, key, value, top_left), theirs, rtol=0, atol=1e-12)
    assert top_left.equal(causal_mask(queries, keys, like=query)) == (queries == keys)
