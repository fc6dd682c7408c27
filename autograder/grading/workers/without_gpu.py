"""Where there is no GPU, what should go there stays on the CPU: an answer with `.cuda()` loses no points."""

from functools import wraps

import torch
from torch.nn.parameter import UninitializedTensorMixin


def stay_here():
    """Let `cuda`, `to` and `set_default_device` take the CPU for a GPU, if torch finds none."""
    if torch.cuda.is_available():
        return
    for kind in (torch.Tensor, torch.nn.Module):
        kind.cuda = lambda self, *_, **__: self
        kind.to = to_the_cpu(kind.to)
    UninitializedTensorMixin._allowed_methods += [torch.Tensor.cuda, torch.Tensor.to]  # of lazy layers' weights
    torch.set_default_device = to_the_cpu(torch.set_default_device)


def to_the_cpu(move):
    """Make the same function, with the CPU in place of each GPU that it is given."""

    @wraps(move)
    def moved(*inputs, **options):
        inputs = ["cpu" if is_gpu(x) else x for x in inputs]
        return move(*inputs, **{name: "cpu" if is_gpu(x) else x for name, x in options.items()})

    return moved


def is_gpu(x):
    return isinstance(x, (str, torch.device)) and str(x).startswith("cuda")
