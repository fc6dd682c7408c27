"""Wrong answers to lesson 14 (round 16)."""

import math

import torch
from mha_ref import attention_scores, masked_softmax, softmax, softmax_backward



def softmax_backward__1(weights, grad_output):
    return grad_output * weights * (1 - weights)


def softmax_backward__2(weights, grad_output):
    centre = grad_output.mean(dim=-1, keepdim=True)
    return weights * (grad_output - centre)


def attention_backward__1(query, key, value, grad_output, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        mask = torch.ones(scores.shape, dtype=torch.bool, device=scores.device)
    weights = masked_softmax(scores, mask)
    grad_value = weights.mT @ grad_output
    grad_scores = softmax_backward(weights, grad_output @ value.mT)
    grad_query = grad_scores @ key
    grad_key = grad_scores.mT @ query
    return grad_query, grad_key, grad_value


def attention_backward__2(query, key, value, grad_output, mask=None):
    root = math.sqrt(query.shape[-1])
    weights = softmax(query @ key.transpose(-2, -1) / root)
    grad_value = weights.transpose(-2, -1) @ grad_output
    grad_scores = softmax_backward(weights, grad_output @ value.transpose(-2, -1))
    if mask is not None:
        grad_scores = grad_scores.masked_fill(~mask, 0.0)
    grad_query = grad_scores @ key / root
    grad_key = grad_scores.transpose(-2, -1) @ query / root
    return grad_query, grad_key, grad_value


TRUTH = {
    "softmax_backward__1": 'Uses w (1 - w) as if each weight depended on its own score only, and so leaves out that every score lowers the other weights.',
    "softmax_backward__2": 'Subtracts the plain mean of the gradients over the keys instead of their mean weighted by the weights.',
    "attention_backward__1": 'Does not divide by the root of the features on the way back, so the gradients of query and key are too large by that factor.',
    "attention_backward__2": 'Computes the weights without the mask and only zeroes the gradient of the blocked scores, so blocked keys took part in the softmax and blocked values receive a gradient.',
}
