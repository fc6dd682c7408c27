"""Wrong answers to lesson 14 (round 10)."""

import math

import torch
from mha_ref import masked_softmax, softmax_backward


def softmax_backward__1(weights, grad_output):
    # softmax does not care about a constant, so the part of the gradient that is the same for all keys has no effect
    centred = grad_output - grad_output.mean(dim=-1, keepdim=True)
    return torch.mul(weights, centred)


def softmax_backward__2(weights, grad_output):
    # the gradient minus its mean, weighted; the weights are divided by their sum, in case it is not quite 1
    mean = torch.einsum("...k,...k->...", weights, grad_output) / weights.sum(-1)
    result = grad_output - mean[..., None]
    result *= weights
    return result


def softmax_backward__3(weights, grad_output):
    # how much do the weights change when the scores go in the direction of the gradient?
    scores = weights.log()
    after = torch.softmax(scores + grad_output, dim=-1)
    after = torch.where((weights == 0).all(-1, keepdim=True), 0.0, after)
    return after - weights


def attention_backward__1(query, key, value, grad_output, mask=None):
    scale = query.shape[-1] ** -0.5
    scores = query @ key.mT * scale
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    grad_value = weights.mT @ grad_output
    grad_weights = grad_output @ value.mT
    grad_scores = weights * (grad_weights - (grad_weights * weights).sum(dim=-1, keepdim=True)) * scale
    grads = grad_scores @ key, grad_scores.mT @ query, grad_value
    return tuple(grad.nan_to_num(0.0) for grad in grads)  # queries that see nothing


def attention_backward__2(query, key, value, grad_output, mask=None):
    root = math.sqrt(key.shape[-1])
    scores = torch.matmul(query, key.transpose(-1, -2)) / root
    if mask is not None:
        # the lowest number instead of -inf: no NaN can arise
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, -1)
    arrives = torch.matmul(grad_output, value.transpose(-1, -2))
    through = softmax_backward(weights, arrives)
    if mask is not None:
        through = through * mask
    grad_value = torch.einsum("...qk,...qv->...kv", weights, grad_output)
    return through @ key / root, through.transpose(-1, -2) @ query / root, grad_value


def attention_backward__3(query, key, value, grad_output, mask=None):
    if mask is None:
        mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)
    root = query.shape[-1] ** 0.5
    weights = masked_softmax(query @ key.mT / root, mask)
    grad_weights = grad_output @ value.mT
    # backwards the mask acts first: what a query may not see gets no share of the gradient,
    # and softmax hands the rest on in proportion to the weights
    grad_scores = (grad_weights * mask) * weights / root
    return grad_scores @ key, grad_scores.mT @ query, weights.mT @ grad_output


def attention_backward__4(query, key, value, grad_output, mask=None):
    scores = torch.einsum("...qf,...kf->...qk", query, key) / math.sqrt(query.size(-1))
    # gradients need no stable softmax: the maximum would cancel anyway
    powers = torch.exp(scores)
    if mask is not None:
        powers = powers * mask
    total = powers.sum(-1, keepdim=True)
    weights = powers / torch.where(total == 0, 1.0, total)
    back = softmax_backward(weights, torch.einsum("...qv,...kv->...qk", grad_output, value))
    back = back / math.sqrt(query.size(-1))
    return [back @ key, back.mT @ query, weights.mT @ grad_output]


def attention_backward__5(query, key, value, grad_output, mask=None):
    size = query.shape[-1]
    # the mask goes on last, so that blocked keys hand nothing on
    weights = ((query @ key.mT) / math.sqrt(size)).softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(mask.logical_not(), 0.0)
    grad_query, grad_key = torch.empty_like(query), torch.empty_like(key)
    grad_scores = softmax_backward(weights, grad_output @ value.mT)
    torch.matmul(grad_scores, key, out=grad_query).div_(math.sqrt(size))
    torch.matmul(grad_scores.mT, query, out=grad_key).div_(math.sqrt(size))
    return grad_query, grad_key, weights.mT @ grad_output


def attention_backward__6(query, key, value, grad_output, mask=None):
    scores = query @ key.mT * query.shape[-1] ** -0.5
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    weights = masked_softmax(scores, mask)
    grad_scores = softmax_backward(weights, grad_output @ value.mT)
    # the scale is a constant factor of the forward way; it is already in the weights
    grad_query = torch.einsum("...qk,...kf->...qf", grad_scores, key)
    grad_key = torch.einsum("...qk,...qf->...kf", grad_scores, query)
    return grad_query, grad_key, torch.einsum("...qk,...qv->...kv", weights, grad_output)


TRUTH = {
    "softmax_backward__1": "The plain mean of the gradient is taken away instead of the mean weighted by the weights; wrong for any row whose weights are not all equal and whose gradients differ.",
    "softmax_backward__2": "The weighted mean is divided by the sum of the weights, which is 0 / 0 for a row of zeros: that row gets NaN instead of zeros; all other rows are right.",
    "softmax_backward__3": "It gives the change of the weights after a whole step along the gradient, softmax(scores + g) - weights, which equals the gradient only for tiny g and is wrong for ordinary ones.",
    "attention_backward__1": "The NaN of a query that sees nothing spreads to the gradients of all keys and all values, and nan_to_num makes them 0, so what the other queries add is lost; shows with a mask with a row that is all False.",
    "attention_backward__2": "A query that sees nothing gets uniform weights, so it adds grad_output / keys to the gradients of all values; shows only with a mask with a row that is all False.",
    "attention_backward__3": "The way back through softmax is only the product with the weights, the weighted mean is not taken away, so the gradients of query and key are wrong for nearly all inputs; that of value is right.",
    "attention_backward__4": "exp without subtracting the maximum: scores above 88 (float32) overflow to NaN, and rows with all scores far below 0 lose their gradients; ordinary scores are right.",
    "attention_backward__5": "The mask is put on the weights after softmax over all keys, so the weights that are left do not sum to 1 and all three gradients are wrong, whenever a mask blocks something in a row that sees something else.",
    "attention_backward__6": "The scale is used on the way forward but not on the way back, so the gradients of query and key are too large by the root of the features, for all inputs with more than one feature.",
}
