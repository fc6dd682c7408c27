"""What the course says about scaling, masks and heads, measured rather than believed."""

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from mha_ref import (
    attention_head,
    attention_scores,
    attention_weights,
    causal_mask,
    masked_softmax,
    merge_heads,
    multi_head_by_loop,
    parameter_count,
    scaled_dot_product_attention,
    similarity,
    softmax,
    split_heads,
    weighted_mean,
)

from .inputs import HEADS, MODEL_SIZE, SIZE, each_head, scores, w_mix, x

square, causal = np.random.default_rng(0).standard_normal((5, 5)), causal_mask(5, 5)


@pytest.mark.parametrize(
    "features, largest, slope", [(16, 0.578, 0.294), (64, 0.791, 0.211), (512, 0.928, 0.092), (4096, 0.974, 0.035)]
)
def test_unscaled_scores_saturate(features, largest, slope):
    """With more features the largest of 64 weights nears 1 and softmax' slopes vanish; scaled, neither: to 0.015."""
    queries, keys = torch.randn(2, 10, 64, features, generator=torch.Generator().manual_seed(0))
    for rows, expected in (
        (similarity(queries, keys), (largest, slope)),
        (attention_scores(queries, keys), (0.107, 0.183)),
    ):
        rows = rows.flatten(0, 1)
        slopes = torch.func.vmap(torch.func.jacrev(softmax))(rows).norm(dim=(1, 2))  # one Jacobian for each row
        assert_allclose((softmax(rows).amax(dim=-1).mean(), slopes.mean()), expected, atol=0.015)


@pytest.mark.parametrize("features", [4, 64, 1024])
def test_dot_products_spread_with_the_features(features):
    """The variance of q·k is d_k, to 5 %; of the scaled scores it is 1."""
    query, key = np.random.default_rng(0).standard_normal((2, 300, features))
    assert_allclose(similarity(query, key).var(), features, rtol=0.05)
    assert_allclose(attention_scores(query, key).var(), 1, rtol=0.05)


@pytest.mark.parametrize("features", [1, 3, 7])
def test_scores_have_the_rank_of_the_features(features):
    """However many tokens there are, QKᵀ has at most rank d_k; the weights, after exp, may have more."""
    query, key = np.random.default_rng(0).standard_normal((2, 12, features))
    assert np.linalg.matrix_rank(similarity(query, key)) == features
    assert np.linalg.matrix_rank(attention_weights(query, key)) > features


def test_a_large_negative_number_blocks_in_every_precision():
    """Where something is left, adding -1e9 is our mask: to 1e-3 in float16, where it is -inf, else to 1e-6."""
    blocked = torch.where(torch.tensor(causal), 0, -1e9)
    for dtype, tolerance in ((torch.float16, 1e-3), (torch.float32, 1e-6), (torch.float64, 1e-6)):
        filled = torch.tensor(square, dtype=dtype) + blocked.to(dtype)
        assert_allclose(softmax(filled), masked_softmax(square, causal), atol=tolerance)


def test_a_large_negative_number_where_nothing_is_left():
    """NaN in float16; all alike in float32, to 1e-7; as if there were no mask in float64, to 1e-6. Ours: zeros."""
    half, single, double = (torch.tensor(scores, dtype=d) for d in (torch.float16, torch.float32, torch.float64))
    assert softmax(half - 1e9).isnan().all()
    assert_allclose(softmax(single - 1e9), 1 / scores.shape[-1], atol=1e-7)
    assert_allclose(softmax(double - 1e9), softmax(scores), atol=1e-6)
    assert not masked_softmax(scores, np.zeros((1, 1), bool)).any()


def test_nothing_need_be_added_to_the_denominator():
    """After subtracting the largest score the sum is at least 1, where 1e-12 is less than a float32's last digit."""
    each = np.exp(scores - scores.max(axis=-1, keepdims=True)).astype(np.float32)
    sums = each.sum(axis=-1)
    assert (sums >= 1).all()
    assert_array_equal(sums + np.float32(1e-12), sums)


def test_zeroing_after_softmax_lets_the_future_through():
    """Rows sum to less than 1, and a later key changes earlier outputs, though its value does not."""
    query, keys, values = np.random.default_rng(0).standard_normal((3, 5, 7))
    later = np.eye(5)[:, -1:]  # 1 for the last token, 0 for those before

    def earlier(key, value):
        return weighted_mean(attention_weights(query, key) * causal, value)[:-1]

    assert ((attention_weights(query, keys) * causal)[:-1].sum(axis=-1) < 1).all()
    assert_array_equal(earlier(keys, values + later), earlier(keys, values))
    assert (abs(earlier(keys + later, values) - earlier(keys, values)).max(axis=-1) > 1e-3).all()


def test_zeroed_weights_shared_out_anew_are_masked_ones():
    """Divided by what is left of each row they are ours, to twelve digits."""
    zeroed = softmax(square) * causal
    assert_allclose(zeroed / zeroed.sum(axis=-1, keepdims=True), masked_softmax(square, causal), rtol=1e-12)


def test_a_sequence_of_multiples_shows_nothing_about_heads():
    """x[i, j] = 0.01 (i + 1)(j + 1), as an article has it, has rank 1, and so has what any head makes of it."""
    x = 0.01 * np.outer(np.arange(1, 6), np.arange(1, 9))
    out = attention_head(x, *np.random.default_rng(0).standard_normal((3, 8, 4)), causal)
    assert np.linalg.matrix_rank(x) == np.linalg.matrix_rank(out) == 1


def test_without_output_weights_nothing_breaks():
    """Heads side by side are as wide as the model, and can be added to their input."""
    each = split_heads(x, HEADS)
    merged = merge_heads(scaled_dot_product_attention(each, each, each))
    assert (x + merged).shape == merged.shape == x.shape


def test_heads_may_have_any_size():
    """3 heads of 9 columns in a model of 18: the output weights lead back; there are more parameters than 4d²."""
    assert HEADS * SIZE != MODEL_SIZE
    assert multi_head_by_loop(x, *each_head, w_mix).shape == x.shape
    assert parameter_count(MODEL_SIZE, HEADS, bias=False, head_size=SIZE, value_size=SIZE) > 4 * MODEL_SIZE**2
