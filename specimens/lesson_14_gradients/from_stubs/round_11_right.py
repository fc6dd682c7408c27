"""Right answers to lesson 14 (round 11)."""

import torch


def softmax_backward__1(weights, grad_output):
    jacobian = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    return (jacobian @ grad_output[..., None]).squeeze(-1)


WHY = {"softmax_backward__1": "The whole Jacobian of every row, times the gradient."}
