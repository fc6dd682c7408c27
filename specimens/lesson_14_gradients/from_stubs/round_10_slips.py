"""Slips in answers to lesson 14 (round 10)."""

import math

from mha_ref import masked_softmax


def softmax_backward__1(weights, grad_output):
    mean = (weights * grad_output).sum(dim=-1)
    return weights * (grad_output - mean)


def attention_backward__1(query, key, value, grad_output, mask=None):
    root = math.sqrt(query.shape[-1])
    scores = query @ key.mT / root
    weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
    grad_value = weights.mT @ grad_output
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True)) / root
    grad_key = grad_scores.mT @ query
    grad_query = grad_scores @ key
    return grad_key, grad_query, grad_value


TRUTH = {
    "softmax_backward__1": "keepdim is missing, so the mean of query i is subtracted from column i: a RuntimeError where queries and keys differ (The size of tensor a must match the size of tensor b), wrong numbers where they are the same.",
    "attention_backward__1": "The gradients are returned in the order key, query, value: wrong in nearly all cases, and of the wrong shapes where queries and keys differ in number.",
}
