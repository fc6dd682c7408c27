"""Slips in answers to lesson 14 (round 19)."""

import math

from mha_ref import attention_scores, masked_softmax, softmax, softmax_backward


def attention_backward__1(query, key, value, grad_output, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    grad_value = weights.transpose(-2, -1) @ grad_output
    grad_scores = softmax_backward(weights, grad_output @ value.transpose(-2, -1))
    grad_products = grad_scores / math.sqrt(query.shape[-1])
    grad_query = grad_products @ key
    grad_key = grad_products.transpose(-2, -1) @ query
    return grad_query, grad_value, grad_key


TRUTH = {
    "attention_backward__1": 'The three gradients are returned in the wrong order: value comes before key.',
}
