"""Answers that break one clause of a docstring, and little else: lesson_05_multi_head.toml says which."""

import torch

from mha_ref import multi_head_by_loop, parameter_count


def multi_head_by_loop__loses_every_axis_of_length_1(x, w_query, w_key, w_value, w_output, mask=None):
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask).squeeze()


def multi_head_by_loop__joins_the_last_head_first(x, w_query, w_key, w_value, w_output, mask=None):
    w_query, w_key, w_value = (w.flip(0) for w in (w_query, w_key, w_value))
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask)


def multi_head_by_loop__wants_more_than_one_head(x, w_query, w_key, w_value, w_output, mask=None):
    assert len(w_query) > 1
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask)


def multi_head_by_loop__wants_heads_that_fill_the_model(x, w_query, w_key, w_value, w_output, mask=None):
    assert len(w_output) == x.shape[-1]
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask)


def multi_head_by_loop__wants_a_mask_of_two_axes(x, w_query, w_key, w_value, w_output, mask=None):
    assert mask is None or mask.ndim == 2
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask)


def multi_head_by_loop__cuts_the_gradient_of_the_output_weights(x, w_query, w_key, w_value, w_output, mask=None):
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output.detach(), mask)


def parameter_count__wants_more_than_one_head(model_size, heads, bias=True, head_size=None, value_size=None):
    assert heads > 1
    return parameter_count(model_size, heads, bias, head_size, value_size)


def _inputs():
    return torch.ones(2, 3), *torch.ones(3, 2, 3, 4), torch.ones(8, 3)
