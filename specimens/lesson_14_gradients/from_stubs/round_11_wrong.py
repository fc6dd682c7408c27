"""Wrong answers to lesson 14 (round 11)."""

import torch


def softmax_backward__1(weights, grad_output):
    return grad_output * weights * (1 - weights)


def softmax_backward__2(weights, grad_output):
    grad = weights * grad_output
    return grad - grad.sum(dim=-1, keepdim=True)


TRUTH = {
    "softmax_backward__1": "the diagonal of the derivative alone, as for a sigmoid: what one score does to the other weights is left out",
    "softmax_backward__2": "the sum is subtracted from each whole, not in the share of its weight",
}
