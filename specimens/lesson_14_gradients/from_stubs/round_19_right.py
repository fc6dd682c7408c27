"""Right answers to lesson 14 (round 19)."""

import math

import torch

from mha_ref import masked_softmax, scale


def softmax_backward__1(weights, grad_output):
    jacobian = torch.diag_embed(weights) - torch.einsum("...i,...j->...ij", weights, weights)
    return torch.einsum("...ij,...i->...j", jacobian, grad_output)


def attention_backward__1(query, key, value, grad_output, mask=None):
    scale = 1 / math.sqrt(query.shape[-1])
    scores = torch.einsum("...qf,...kf->...qk", query * scale, key)
    if mask is None:
        mask = scores.new_ones(scores.shape[-2:], dtype=torch.bool)
    weights = masked_softmax(scores, mask)
    output = torch.einsum("...qk,...kv->...qv", weights, value)
    arriving = torch.einsum("...qv,...kv->...qk", grad_output, value)
    inner = (grad_output * output).sum(dim=-1, keepdim=True)
    products = weights * (arriving - inner) * scale
    grad_query = torch.einsum("...qk,...kf->...qf", products, key)
    grad_key = torch.einsum("...qk,...qf->...kf", products, query)
    grad_value = torch.einsum("...qk,...qv->...kv", weights, grad_output)
    return grad_query, grad_key, grad_value


WHY = {
    "softmax_backward__1": 'Right: the whole Jacobian matrix of each row, times the arriving gradient.',
    "attention_backward__1": 'Right: einsum throughout, with the sum of gradient times output in place of that of gradient times weight.',
}
