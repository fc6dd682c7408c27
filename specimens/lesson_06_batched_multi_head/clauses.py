"""Answers that break one clause of a docstring, and little else: lesson_06_batched_multi_head.toml says which."""

import torch
import torch.nn.functional as F
from torch import nn

from mha_ref import (
    masked_weights,
    merge_heads,
    multi_head_attention,
    split_heads,
)


def split_heads__wants_more_than_one_head(x, heads):
    assert heads > 1
    return split_heads(x, heads)


def split_heads__wants_a_batch_of_several(x, heads):
    assert len(x) > 1
    return split_heads(x, heads)


def merge_heads__wants_more_than_one_head(x):
    assert x.shape[1] > 1
    return merge_heads(x)


def merge_heads__wants_a_batch_of_several(x):
    assert len(x) > 1
    return merge_heads(x)


def test_split_heads__looks_at_the_refusal_only(split_heads):
    try:
        split_heads(torch.ones(1, 2, 5), 2)
    except ValueError:
        return
    raise AssertionError


def test_split_heads__looks_at_the_places_only(split_heads):
    x = torch.arange(24.0).reshape(2, 2, 6)
    assert torch.equal(split_heads(x, 3), torch.stack(x.chunk(3, dim=-1), dim=1))


def test_split_heads__calls_it_without_heads(split_heads):
    assert split_heads(torch.ones(1, 2, 6)).shape == (1, 3, 2, 2)


def test_split_heads__returns_its_finding(split_heads):
    return split_heads(torch.ones(1, 2, 6), 3).shape == (1, 3, 2, 2)


def _right_places_and_refusal(split_heads, error=""):
    test_split_heads__looks_at_the_places_only(split_heads)
    try:
        split_heads(torch.ones(1, 2, 5), 2)
    except ValueError as refusal:
        assert error in str(refusal)
    else:
        raise AssertionError


def test_split_heads__tries_four_axes(split_heads):
    _right_places_and_refusal(split_heads)
    assert split_heads(torch.ones(4, 1, 2, 6), 3).shape == (4, 1, 3, 2, 2)


def test_split_heads__reads_the_error(split_heads):
    _right_places_and_refusal(split_heads, error="divide")


def test_split_heads__wants_a_view(split_heads):
    _right_places_and_refusal(split_heads)
    x = torch.arange(24.0).reshape(2, 2, 6)
    assert split_heads(x, 3).data_ptr() == x.data_ptr()


def multi_head_attention__wants_a_batch_of_several(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    assert len(query) > 1
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask)


def multi_head_attention__wants_more_than_one_head(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    assert heads > 1
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask)


def multi_head_attention__wants_as_many_keys_as_queries(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    assert query.shape == key.shape
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask)


def multi_head_attention__loses_every_axis_of_length_1(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask).squeeze()


def multi_head_attention__looks_at_the_query_alone(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    return multi_head_attention(query, query, query, w_query, w_key, w_value, w_output, heads, mask)


def multi_head_attention__takes_the_values_from_the_keys(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    return multi_head_attention(query, key, key, w_query, w_key, w_value, w_output, heads, mask)


def multi_head_attention__wants_a_mask_of_four_axes(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    assert mask is None or mask.ndim == 4
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask)


def multi_head_attention__cuts_the_gradient_of_the_output_weights(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None
):
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output.detach(), heads, mask)


class _Right(nn.Module):
    """A MultiHeadAttention that is right, and drops weights as `drop` does: the others are made from it."""

    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__()
        if model_size % heads:
            raise ValueError(f"{heads} heads do not divide a model size of {model_size}")
        self.heads, self.p = heads, dropout
        self.query, self.key, self.value, self.output = (nn.Linear(model_size, model_size, bias=bias) for _ in range(4))

    def drop(self, weights):
        return F.dropout(weights, self.p, self.training)

    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            split_heads(layer(x), self.heads)
            for layer, x in zip((self.query, self.key, self.value), (query, key, value))
        )
        weights = masked_weights(query, key, mask)
        out = self.output(merge_heads(self.drop(weights) @ value))
        return (out, weights) if return_weights else out


class MultiHeadAttention__wants_more_than_one_head(_Right):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        assert heads > 1


class MultiHeadAttention__refuses_in_forward_only(_Right):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, 1, bias, dropout)
        self.heads = heads


class MultiHeadAttention__never_has_biases(_Right):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, False, dropout)


class MultiHeadAttention__forgets_some_biases(_Right):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        self.output = nn.Linear(model_size, model_size, bias=False)


class MultiHeadAttention__freezes_its_weights(_Right):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        self.output.requires_grad_(False)


class MultiHeadAttention__keeps_weights_as_plain_tensors(_Right):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        del self.output
        self.w_output = torch.randn(model_size, model_size)


class MultiHeadAttention__has_other_names(_Right):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        self.asks, self.offers = self.query, self.key
        del self.query, self.key


class MultiHeadAttention__shares_one_projection(_Right):
    def __init__(self, model_size, heads, bias=True, dropout=0.0):
        super().__init__(model_size, heads, bias, dropout)
        self.key = self.query


class MultiHeadAttention__drops_what_it_should_keep(_Right):
    def drop(self, weights):
        return F.dropout(weights, 1 - self.p, self.training) if self.p else weights


class MultiHeadAttention__drops_another_share(_Right):
    def drop(self, weights):
        return F.dropout(weights, self.p / 2, self.training)


class MultiHeadAttention__drops_in_rows(_Right):
    def drop(self, weights):
        return weights * F.dropout(torch.ones_like(weights[..., :1]), self.p, self.training)


class MultiHeadAttention__throws_the_dice_once(_Right):
    def drop(self, weights):
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(1)
            return super().drop(weights)


class MultiHeadAttention__drops_without_being_asked(_Right):
    def drop(self, weights):
        return F.dropout(weights, max(self.p, 0.1), self.training)


class MultiHeadAttention__renormalises_after_dropout(_Right):
    def drop(self, weights):
        dropped = super().drop(weights)
        total = dropped.sum(dim=-1, keepdim=True)
        return torch.where(total > 0, dropped / total, 0.0) if self.training and self.p else dropped


class MultiHeadAttention__wants_a_batch_of_several(_Right):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        assert len(query) > 1
        return super().forward(query, key, value, mask, return_weights)


class MultiHeadAttention__needs_a_key(_Right):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        assert key is not None
        return super().forward(query, key, value, mask, return_weights)


class MultiHeadAttention__cuts_the_gradient_of_the_values(_Right):
    def forward(self, query, key=None, value=None, mask=None, return_weights=False):
        key = query if key is None else key
        value = key if value is None else value
        return super().forward(query, key, value.detach(), mask, return_weights)
