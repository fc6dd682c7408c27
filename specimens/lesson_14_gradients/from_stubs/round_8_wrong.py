"""Wrong answers to lesson 14, gradients by hand (round 8)."""

import math

import torch

from mha_ref import attention_scores, masked_softmax


def _weights(query, key, mask):
    scores = attention_scores(query, key)
    if mask is None:
        mask = torch.ones(scores.shape, dtype=torch.bool, device=scores.device)
    return masked_softmax(scores, mask)


def softmax_backward__1(weights, grad_output):
    return grad_output * weights * (1 - weights)


def softmax_backward__2(weights, grad_output):
    inner = (weights * grad_output).sum(dim=-2, keepdim=True)
    return weights * (grad_output - inner)


def softmax_backward__3(weights, grad_output):
    weighted = weights * grad_output
    return weighted - weighted.mean(dim=-1, keepdim=True)


def softmax_backward__4(weights, grad_output):
    # rounding: make sure that every row sums to 1
    weights = weights / weights.sum(dim=-1, keepdim=True)
    dot = torch.einsum("...k,...k->...", weights, grad_output)
    return weights * (grad_output - dot[..., None])


def softmax_backward__5(weights, grad_output):
    grad = grad_output
    grad -= (weights * grad_output).sum(-1, keepdim=True)
    return weights * grad


def attention_backward__1(query, key, value, grad_output, mask=None):
    weights = _weights(query, key, mask)
    grad_value = weights.mT @ grad_output
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True))
    return grad_scores @ key, grad_scores.mT @ query, grad_value


def attention_backward__2(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    weights = _weights(query, key, mask)
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True))
    # backwards, as they come
    grad_value = weights.mT @ grad_output
    grad_key = grad_scores.mT @ query * scale
    grad_query = grad_scores @ key * scale
    return grad_value, grad_key, grad_query


def attention_backward__3(query, key, value, grad_output, mask=None):
    queries, keys = query.shape[-2], key.shape[-2]
    q, k, v, g = (x.reshape(-1, *x.shape[-2:]) for x in (query, key, value, grad_output))
    if mask is not None:
        mask = mask.expand(*mask.shape[:-2], queries, keys).reshape(-1, queries, keys)
        mask = mask.repeat(len(q) // len(mask), 1, 1)
    weights = _weights(q, k, mask)
    grad_weights = torch.einsum("nqv,nkv->nqk", g, v)
    dot = torch.einsum("nqk,nqk->nq", weights, grad_weights)
    grad_scores = weights * (grad_weights - dot.unsqueeze(-1)) / math.sqrt(query.shape[-1])
    grads = torch.bmm(grad_scores, k), torch.bmm(grad_scores.mT, q), torch.bmm(weights.mT, g)
    return tuple(grad.reshape(x.shape) for grad, x in zip(grads, (query, key, value)))


def attention_backward__4(query, key, value, grad_output, mask=None):
    scale = 1 / math.sqrt(query.shape[-1])
    scores = query @ key.transpose(-2, -1) * scale
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    grad_value = weights.transpose(-2, -1) @ grad_output
    grad_weights = grad_output @ value.transpose(-2, -1)
    grad_scores = weights * (grad_weights - (grad_weights * weights).sum(-1, keepdim=True))
    if mask is not None:
        grad_scores = grad_scores.masked_fill(~mask, 0.0)
    return scale * grad_scores @ key, scale * grad_scores.transpose(-2, -1) @ query, grad_value


def attention_backward__5(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    e = torch.exp(query @ key.mT * scale)
    if mask is not None:
        e = e * mask
    total = e.sum(-1, keepdim=True)
    weights = e / total.masked_fill(total == 0, 1.0)
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True)) * scale
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad_output


def attention_backward__6(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    weights = torch.softmax(query @ key.mT * scale, dim=-1)
    if mask is not None:
        weights = weights * mask
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True)) * scale
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad_output


def attention_backward__7(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    weights = _weights(query, key, mask)
    output = weights @ value
    # the row's sum of weight times gradient is output times gradient
    delta = (output * grad_output).sum(-1)
    if delta.shape[-1] != weights.shape[-1]:
        delta = delta.unsqueeze(-1)
    grad_scores = weights * (grad_output @ value.mT - delta) * scale
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad_output


def attention_backward__8(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    scores = query @ key.mT * scale
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    weights = scores.masked_fill(~mask, -1e4).softmax(-1)
    weights = weights * mask.any(-1, keepdim=True)
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(-1, keepdim=True)) * scale
    grad_scores = grad_scores * mask
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad_output


TRUTH = {
    "softmax_backward__1": "Only the diagonal of the Jacobian, w (1 - w): the other weights of the row are forgotten.",
    "softmax_backward__2": "The inner sum runs over the queries and not the keys.",
    "softmax_backward__3": "Takes off the mean of weight times gradient, in place of weight times their sum.",
    "softmax_backward__4": "Divides by the row's sum: a row of zeros gives NaN.",
    "softmax_backward__5": "grad is no copy: -= changes the caller's grad_output.",
    "attention_backward__1": "Forgets the scale, 1 over the root of the features, in the gradients of query and key.",
    "attention_backward__2": "The order is value, key, query.",
    "attention_backward__3": "A mask for each text, (batch, 1, queries, keys), is tiled (repeat, not repeat_interleave) over the flattened axes: heads get other texts' masks.",
    "attention_backward__4": "A query that may look at nothing has even weights and adds to the gradients of the values.",
    "attention_backward__5": "exp of the scores without taking the maximum off: large scores give NaN.",
    "attention_backward__6": "The mask comes after softmax: the weights that are left do not sum to 1.",
    "attention_backward__7": "With as many queries as keys, delta lies along the keys, not along the queries.",
    "attention_backward__8": "Blocked scores become -1e4: allowed scores below that lose against them.",
}
