"""Answers that break one clause of a docstring, and little else: clauses.toml says which."""

import torch

from mha_ref import attention_backward, softmax_backward


def softmax_backward__merges_the_batch(weights, grad_output):
    return softmax_backward(weights, grad_output).reshape(-1, *weights.shape[-2:])


def softmax_backward__wants_weights_above_zero(weights, grad_output):
    assert (weights > 0).all() or not (weights.sum(dim=-1) > 0).all()
    return softmax_backward(weights, grad_output)


def softmax_backward__wants_two_keys(weights, grad_output):
    assert weights.shape[-1] > 1
    return softmax_backward(weights, grad_output)


def softmax_backward__wants_two_queries(weights, grad_output):
    assert weights.shape[-2] > 1
    return softmax_backward(weights, grad_output)


def softmax_backward__wants_rows_that_sum_to_one(weights, grad_output):
    assert torch.allclose(weights.sum(dim=-1), torch.ones(()).double())
    return softmax_backward(weights, grad_output)


def attention_backward__merges_the_batch(query, key, value, grad_output, mask=None):
    return tuple(x.reshape(-1, *x.shape[-2:]) for x in attention_backward(query, key, value, grad_output, mask))


def attention_backward__writes_over_what_arrives(query, key, value, grad_output, mask=None):
    three = attention_backward(query, key, value, grad_output, mask)
    grad_output.mul_(2)
    return three


def attention_backward__wants_two_tokens(query, key, value, grad_output, mask=None):
    assert key.shape[-2] > 1
    return attention_backward(query, key, value, grad_output, mask)


def attention_backward__needs_a_mask(query, key, value, grad_output, mask=None):
    return attention_backward(query, key, value, grad_output, mask & (mask | True))
