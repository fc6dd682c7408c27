"""Wrong answers to lesson 14 (round 13)."""

import torch
from mha_ref import masked_softmax, softmax_backward


def softmax_backward__1(weights, grad_output):
    return weights * (grad_output - grad_output.mean(dim=-1, keepdim=True))


def softmax_backward__2(weights, grad_output):
    inner = (weights * grad_output).mean(dim=-1, keepdim=True)
    return weights * (grad_output - inner)


def attention_backward__1(query, key, value, grad_output, mask=None):
    root = query.shape[-1] ** 0.5
    scores = query @ key.mT / root
    weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
    grad_scores = softmax_backward(grad_output @ value.mT, weights) / root
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad_output


def attention_backward__2(query, key, value, grad_output, mask=None):
    root = query.shape[-1] ** 0.5
    scores = query @ key.mT / root
    weights = scores.softmax(-1) if mask is None else masked_softmax(scores, mask)
    grad_scores = softmax_backward(weights, grad_output @ value.mT) / root
    return grad_scores @ query, grad_scores.mT @ key, weights @ grad_output


TRUTH = {
    "softmax_backward__1": "the plain mean of the gradient is subtracted, not the weighted one",
    "softmax_backward__2": "the weighted sum is divided by the number of keys once more",
    "attention_backward__1": "weights and gradient are exchanged in softmax_backward",
    "attention_backward__2": "nothing meets its partner: the gradient of query needs the keys, that of key the queries, and values need the transposed weights",
}
