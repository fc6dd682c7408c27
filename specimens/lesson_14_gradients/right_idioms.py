"""Right answers in the idiom of well-known public implementations, written anew from understanding."""

import math

import torch
from einops import einsum

from mha_ref import masked_softmax


def softmax_backward__as_in_torch(weights, grad_output):
    """Its decomposition into simple operations: the product, then the sum, then one more product."""
    new_grad = grad_output * weights
    return new_grad - weights * torch.sum(new_grad, dim=-1, keepdim=True)


def softmax_backward__as_in_deep_learning_courses(weights, grad_output):
    """Rows side by side, a Jacobian for each, and a product of matrices over the whole batch."""
    flat, arriving = weights.flatten(0, -2), grad_output.flatten(0, -2)
    jacobian = torch.eye(flat.shape[-1]) * flat[:, :, None] - torch.bmm(flat[:, :, None], flat[:, None, :])
    return torch.bmm(arriving[:, None, :], jacobian)[:, 0].view_as(weights)


def attention_backward__as_in_flash_attention(query, key, value, grad_output, mask=None):
    """Delta, the mean of each row, comes from the output and its gradient."""
    sm_scale = 1.0 / math.sqrt(query.shape[-1])
    scores = (query @ key.transpose(-1, -2)) * sm_scale
    p = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    o = p @ value
    delta = (o * grad_output).sum(dim=-1, keepdim=True)
    dv = p.transpose(-1, -2) @ grad_output
    dp = grad_output @ value.transpose(-1, -2)
    ds = p * (dp - delta) * sm_scale
    return ds @ key, ds.transpose(-1, -2) @ query, dv


def attention_backward__as_in_the_reference_of_einops(query, key, value, grad_output, mask=None):
    scores = einsum(query, key, "... i d, ... j d -> ... i j") / query.shape[-1] ** 0.5
    attn = scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask)
    dattn = einsum(grad_output, value, "... i e, ... j e -> ... i j")
    dsim = attn * (dattn - (attn * dattn).sum(dim=-1, keepdim=True)) / query.shape[-1] ** 0.5
    return (
        einsum(dsim, key, "... i j, ... j d -> ... i d"),
        einsum(dsim, query, "... i j, ... i d -> ... j d"),
        einsum(attn, grad_output, "... i j, ... i e -> ... j e"),
    )
