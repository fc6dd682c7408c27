"""Gradients across the wire: autograd here goes on with what autograd there finds."""

import torch

from .handles import array


def with_gradients(remote, reply, leaves):
    """The value of a call, tied to those of its inputs that learn."""
    learning = [x for x in leaves if isinstance(x, torch.Tensor) and x.requires_grad]
    results = [remote.things.differentiable[n] for n in sorted(remote.things.differentiable)]
    if not (learning and torch.is_grad_enabled()):
        return reply["value"]
    tied = Bridge.apply(remote, reply["call"], results, *learning)
    places = {id(result): new for result, new in zip(results, tied)}
    return _replaced(reply["value"], places)


class Bridge(torch.autograd.Function):
    """Forward has been done by the worker; backward asks it."""

    @staticmethod
    def forward(ctx, remote, call, results, *leaves):
        ctx.remote, ctx.call, ctx.leaves = remote, call, [x.shape for x in leaves]
        ctx.set_materialize_grads(False)
        return tuple(results)

    @staticmethod
    def backward(ctx, *directions):
        numbers = [None if d is None else d.detach().numpy() for d in directions]
        found = ctx.remote.ask("backward", call=ctx.call, directions=numbers)["gradients"]
        gradients = [None if g is None else torch.from_numpy(array(g)) for g in found]
        if [g.shape for g in gradients if g is not None] != [s for s, g in zip(ctx.leaves, gradients) if g is not None]:
            raise RuntimeError("gradients of another shape than their tensors")
        return None, None, None, *gradients


def _replaced(value, places):
    if isinstance(value, (tuple, list)):
        return type(value)(_replaced(item, places) for item in value)
    return places.get(id(value), value)
