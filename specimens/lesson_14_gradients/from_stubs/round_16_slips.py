"""Slips in answers to lesson 14 (round 16)."""

import math

import torch
from mha_ref import masked_softmax, softmax_backward



def attention_backward__1(query, key, value, grad_output, mask=None):
    root = math.sqrt(query.shape[-1])
    scores = query @ key.mT / root
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    weights = masked_softmax(scores, mask)
    grad_value = weights.mT @ grad_output
    grad_scores = softmax_backward(weights, grad_output @ value.mT)
    grad_query = grad_scores @ key / root
    grad_key = grad_scores.mT @ query / root
    return grad_query, grad_value, grad_key


TRUTH = {
    "attention_backward__1": 'Returns query, value, key instead of query, key, value, so two gradients are swapped.',
}
