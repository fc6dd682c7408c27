"""Right answers in the idiom of well-known public implementations, written anew from understanding.

Each keeps the shapes of its model's code; what our contract asks besides is added in a line.
"""

import torch


def log_softmax__as_in_jax(scores, axis=-1):
    shifted = scores - scores.detach().amax(dim=axis, keepdim=True)
    return shifted - torch.log(torch.exp(shifted).sum(dim=axis, keepdim=True))
