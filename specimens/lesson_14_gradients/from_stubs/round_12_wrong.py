"""Wrong answers to lesson 14 (round 12)."""

import torch
from mha_ref import masked_softmax, softmax_backward


def attention_backward__1(query, key, value, grad_output, mask=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask
    weights = masked_softmax(scores, mask)
    grad_scores = softmax_backward(weights, grad_output @ value.mT)
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad_output


def attention_backward__2(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    scores = torch.einsum("...qd,...kd->...qk", query, key) * scale
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    grad_weights = torch.einsum("...qv,...kv->...qk", grad_output, value)
    grad_scores = weights * grad_weights * scale  # through softmax
    grad_query = torch.einsum("...qk,...kd->...qd", grad_scores, key)
    grad_key = torch.einsum("...qk,...qd->...kd", grad_scores, query)
    grad_value = torch.einsum("...qk,...qv->...kv", weights, grad_output)
    return grad_query, grad_key, grad_value


def attention_backward__3(query, key, value, grad_output, mask=None):
    root = query.shape[-1] ** 0.5
    scores = query @ key.mT / root
    weights = torch.softmax(scores, -1)
    grad_scores = softmax_backward(weights, grad_output @ value.mT)
    if mask is not None:
        grad_scores = grad_scores * mask  # nothing goes back to blocked keys
    return grad_scores @ key / root, grad_scores.mT @ query / root, weights.mT @ grad_output


TRUTH = {
    "attention_backward__1": "the scaling is missing on the way back: the gradients of query and key are too large by the root",
    "attention_backward__2": "the sum over the row is missing in softmax's gradient: weights times gradient alone",
    "attention_backward__3": "the weights are made without the mask, and the gradient of the scores is masked instead",
}
