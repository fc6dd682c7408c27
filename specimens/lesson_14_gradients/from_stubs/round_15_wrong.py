"""Wrong answers to lesson 14 (round 15)."""

import math

import torch
from mha_ref import scale



def softmax_backward__1(weights, grad_output):
    return grad_output * weights * (1 - weights)


def softmax_backward__2(weights, grad_output):
    average = grad_output.mean(dim=-1, keepdim=True)
    return weights * (grad_output - average)


def attention_backward__1(query, key, value, grad_output, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        blocked = ~mask.broadcast_to(scores.shape)
        empty = blocked.all(dim=-1, keepdim=True)
        weights = scores.masked_fill(blocked, -math.inf).masked_fill(empty, 0).softmax(dim=-1)
        weights = weights.masked_fill(blocked, 0)
    grad_value = weights.transpose(-2, -1) @ grad_output
    grad_weights = grad_output @ value.transpose(-2, -1)
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(dim=-1, keepdim=True))
    grad_query = grad_scores @ key
    grad_key = grad_scores.transpose(-2, -1) @ query
    return grad_query, grad_key, grad_value


def attention_backward__2(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    weights = torch.softmax(torch.einsum("...qf,...kf->...qk", query, key) * scale, dim=-1)
    grad_value = torch.einsum("...qk,...qv->...kv", weights, grad_output)
    grad_weights = torch.einsum("...qv,...kv->...qk", grad_output, value)
    inner = (grad_weights * weights).sum(dim=-1, keepdim=True)
    grad_scores = weights * (grad_weights - inner)
    if mask is not None:
        grad_scores = grad_scores.masked_fill(~mask, 0)
    grad_query = torch.einsum("...qk,...kf->...qf", grad_scores, key) * scale
    grad_key = torch.einsum("...qk,...qf->...kf", grad_scores, query) * scale
    return grad_query, grad_key, grad_value


def attention_backward__3(query, key, value, grad_output, mask=None):
    root = math.sqrt(query.shape[-1])
    scores = query @ key.mT / root
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    grad_weights = grad_output @ value.mT
    grad_scores = weights * grad_weights - weights * (weights * grad_weights).sum(dim=-1, keepdim=True)
    grad_products = grad_scores / root
    return grad_products @ key, grad_products.mT @ query, weights.mT @ grad_output


TRUTH = {
    "softmax_backward__1": 'Only the derivative of each weight by its own score, w(1 - w), is used; that every score also lowers all other weights of the row is forgotten.',
    "softmax_backward__2": 'The plain mean of the arriving gradients is subtracted instead of their mean weighted by the weights, so the gradient of a row does not sum to 0.',
    "attention_backward__1": 'The division by the root of the features is done on the way forward but not on the way back, so the gradients of query and key are too large by that factor.',
    "attention_backward__2": 'The weights are computed without the mask and only the gradient of the blocked scores is set to zero, so the weights, and with them all three gradients, are those of other attention.',
    "attention_backward__3": 'A query whose keys are all blocked gets the softmax of nothing but -inf, which is NaN, and this NaN also spoils the gradients of all keys and values.',
}
