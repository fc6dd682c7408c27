"""Wrong answers to lesson 14 (round 19)."""

import math

import torch

from mha_ref import attention_scores, masked_softmax, scale, softmax, softmax_backward


def softmax_backward__1(weights, grad_output):
    slope = weights * (1 - weights)
    return slope * grad_output


def softmax_backward__2(weights, grad_output):
    mean = grad_output.mean(dim=-1, keepdim=True)
    return weights * (grad_output - mean)


def attention_backward__1(query, key, value, grad_output, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        weights = softmax(scores)
    else:
        weights = masked_softmax(scores, mask)
    grad_value = weights.mT @ grad_output
    grad_scores = softmax_backward(weights, grad_output @ value.mT)
    return grad_scores @ key, grad_scores.mT @ query, grad_value


def attention_backward__2(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** 0.5
    scores = torch.einsum("...qf,...kf->...qk", query, key) / scale
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, -1e9))
    weights = torch.softmax(scores, dim=-1)
    grad_value = torch.einsum("...qk,...qv->...kv", weights, grad_output)
    grad_weights = torch.einsum("...qv,...kv->...qk", grad_output, value)
    grad_scores = softmax_backward(weights, grad_weights) / scale
    if mask is not None:
        grad_scores = grad_scores * mask
    grad_query = torch.einsum("...qk,...kf->...qf", grad_scores, key)
    grad_key = torch.einsum("...qk,...qf->...kf", grad_scores, query)
    return grad_query, grad_key, grad_value


def attention_backward__3(query, key, value, grad_output, mask=None):
    root = math.sqrt(query.shape[-1])
    weights = softmax(query @ key.transpose(-2, -1) / root)
    grad_weights = grad_output @ value.transpose(-2, -1)
    grad_scores = softmax_backward(weights, grad_weights)
    if mask is not None:
        grad_scores = grad_scores.masked_fill(~mask, 0.0)
    grad_products = grad_scores / root
    grad_value = weights.transpose(-2, -1) @ grad_output
    return grad_products @ key, grad_products.transpose(-2, -1) @ query, grad_value


TRUTH = {
    "softmax_backward__1": 'Only the slope of each weight along its own score is used, w (1 - w), so what a score does to the other weights of its row is missing.',
    "softmax_backward__2": 'The plain mean of the arriving gradients is subtracted instead of their mean weighted by the weights.',
    "attention_backward__1": 'The division by the root of features is forgotten on the way back, so the gradients of query and key are too large by that root.',
    "attention_backward__2": 'The mask fills in -1e9 before an ordinary softmax, so a query whose keys are all blocked has even weights and adds to the gradients of the values.',
    "attention_backward__3": 'The weights are computed without the mask, which only deletes the gradients of blocked scores, so blocked keys still take a share of the weights.',
}
