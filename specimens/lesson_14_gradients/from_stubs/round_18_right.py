"""Right answers to lesson 14 (round 18)."""

import torch


def softmax_backward__1(weights, grad_output):
    jacobian = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    return (jacobian @ grad_output[..., None])[..., 0]


WHY = {
    "softmax_backward__1": 'Right: the whole matrix of derivatives of each row, times the gradient.',
}
