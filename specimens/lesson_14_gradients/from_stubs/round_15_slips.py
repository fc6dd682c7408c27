"""Slips in answers to lesson 14 (round 15)."""

import math

from mha_ref import masked_softmax, scale, softmax, softmax_backward



def softmax_backward__1(weights, grad_output):
    return weights * grad_output - (weights * grad_output).sum(dim=-1, keepdim=True)


def attention_backward__1(query, key, value, grad_output, mask=None):
    scale = 1 / math.sqrt(query.shape[-1])
    scores = query @ key.transpose(-2, -1) * scale
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    grad_value = weights.transpose(-2, -1) @ grad_output
    grad_weights = grad_output @ value.transpose(-2, -1)
    grad_products = softmax_backward(weights, grad_weights) * scale
    grad_query = grad_products @ key
    grad_key = grad_products.transpose(-2, -1) @ key
    return grad_query, grad_key, grad_value


TRUTH = {
    "softmax_backward__1": 'The parentheses around the difference are missing, so the sum is subtracted without being multiplied by the weights.',
    "attention_backward__1": 'grad_key is multiplied with key instead of query (a wrong variable name), which gives wrong numbers for as many queries as keys, and an error otherwise.',
}
