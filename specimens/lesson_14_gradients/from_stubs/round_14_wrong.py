"""Wrong answers to lesson 14 (round 14)."""

import math

import torch
from mha_ref import attention_scores, masked_softmax, softmax, softmax_backward


def softmax_backward__1(weights, grad_output):
    slope = weights - weights**2
    return slope * grad_output


def softmax_backward__2(weights, grad_output):
    product = weights * grad_output
    return product - weights * product.sum()


def attention_backward__1(query, key, value, grad_output, mask=None):
    root = query.shape[-1] ** 0.5
    scores = query @ key.mT / root
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    weights = masked_softmax(scores, mask)
    grad_value = weights.mT @ grad_output
    grad_scores = softmax_backward(weights, grad_output @ value.mT) / root
    grad_query = grad_scores @ key
    grad_key = grad_scores @ query
    return grad_query, grad_key, grad_value


def attention_backward__2(query, key, value, grad_output, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores) if mask is None else masked_softmax(scores, mask)
    grad_scores = softmax_backward(weights, torch.einsum("...qv,...kv->...qk", grad_output, value))
    dq = torch.einsum("...qk,...kf->...qf", grad_scores, key) / math.sqrt(query.shape[-1])
    dk = torch.einsum("...qk,...qf->...kf", grad_scores, query)
    dv = torch.einsum("...qk,...qv->...kv", weights, grad_output)
    return dq, dk, dv


def attention_backward__3(query, key, value, grad_output, mask=None):
    scale = 1 / math.sqrt(query.shape[-1])
    scores = query @ key.transpose(-2, -1) * scale
    weights = masked_softmax(scores, torch.tensor(True) if mask is None else mask)
    grad_weights = grad_output @ value.transpose(-2, -1)
    grad_scores = softmax_backward(weights, grad_weights) * scale
    return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_weights.transpose(-2, -1) @ grad_output


TRUTH = {
    "softmax_backward__1": "Only the diagonal of the Jacobian, w (1 - w): how the other weights react is left out.",
    "softmax_backward__2": "The weighted sum is taken over everything, not row by row.",
    "attention_backward__1": "The key's gradient uses grad_scores as it is, not transposed (queries and keys exchanged).",
    "attention_backward__2": "Only the query's gradient is divided by the root of the features; the key's is not.",
    "attention_backward__3": "The value's gradient is mixed with the gradient of the weights, where it should be the weights themselves.",
}
