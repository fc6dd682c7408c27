"""Gradients across the wire: autograd here goes on with what autograd there finds."""

import torch

from .packing import Malformed
from .words import array, few


def with_gradients(remote, value, call, leaves):
    """The value of a call, tied to those of its inputs that learn."""
    learning = [x for x in leaves if isinstance(x, torch.Tensor) and x.requires_grad]
    results = [made for _, made in sorted(remote.things.differentiable.items())]
    if not (learning and torch.is_grad_enabled()):
        return value
    with remote.distrusted():  # nobody is asked yet
        tied = Bridge.apply(remote, call, results, *learning)
    return _replaced(value, {id(result): new for result, new in zip(results, tied)})


class Bridge(torch.autograd.Function):
    """Forward has been done by the worker; backward asks it."""

    @staticmethod
    def forward(ctx, remote, call, results, *leaves):
        ctx.remote, ctx.call, ctx.leaves = remote, call, [(x.shape, x.dtype) for x in leaves]
        ctx.set_materialize_grads(False)
        return tuple(results)

    @staticmethod
    def backward(ctx, *directions):
        numbers = [None if d is None else d.detach().numpy() for d in directions]
        reply = ctx.remote.ask("backward", call=ctx.call, directions=numbers)
        with ctx.remote.distrusted():
            return None, None, None, *_gradients(reply["gradients"], ctx.leaves)


def _gradients(found, leaves):
    """Of each leaf that which was found, or None; of its shape and type."""
    if len(few(found, len(leaves))) < len(leaves):
        raise Malformed("too few gradients")
    return [None if g is None else _gradient(array(g), *leaf) for g, leaf in zip(found, leaves)]


def _gradient(numbers, shape, kind):
    gradient = torch.from_numpy(numbers)
    if gradient.shape != shape or gradient.dtype != kind:
        raise Malformed("a gradient that is none of its tensor")
    return gradient


def _replaced(value, places):
    if isinstance(value, (tuple, list)):
        return type(value)(_replaced(item, places) for item in value)
    return places.get(id(value), value)
