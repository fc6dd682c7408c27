"""Gradients across the wire: autograd at one end goes on with what autograd finds at the other."""

import torch

from .frames import Malformed


def with_gradients(remote, value, call, leaves):
    """Return the value of a call, tied to what learns: inputs, and what models among them made in the meantime."""
    learning = those_that_learn([*leaves, *remote.implementations.results])
    results = [made for _, made in sorted(remote.things.differentiable.items())]
    if not (learning and torch.is_grad_enabled()):
        return value

    def found_there(directions):
        numbers = [None if d is None else d.detach().numpy() for d in directions]
        reply = remote.ask("backward", call=call, directions=numbers)
        with remote.distrusted():
            return _gradients(reply.gradients, [(x.shape, x.dtype) for x in learning])

    with remote.distrusted():  # nothing is asked yet
        return tied(value, results, learning, found_there)


def those_that_learn(leaves):
    return [x for x in leaves if isinstance(x, torch.Tensor) and x.requires_grad]


def tied(value, results, learning, found_there):
    """Return a value whose gradients come from the other end.

    found_there: the gradients of those that learn, for a direction of each result (or None).
    """
    new = Bridge.apply(found_there, results, *learning)
    return _replaced(value, {id(result): made for result, made in zip(results, new)})


class Bridge(torch.autograd.Function):
    """Forward has been done at the other end; backward asks there."""

    @staticmethod
    def forward(ctx, found_there, results, *learning):
        ctx.found_there = found_there
        ctx.set_materialize_grads(False)
        return tuple(results)

    @staticmethod
    def backward(ctx, *directions):
        return None, None, *ctx.found_there(directions)


def tensors_in(value):
    """Return all floating tensors of a value: others have no gradients."""
    parts = value if isinstance(value, (tuple, list)) else [value]
    return [part for part in parts if isinstance(part, torch.Tensor) and part.is_floating_point()]


def gradients_of(implementation, inputs, options, learning, directions):
    """Return what reaches those of its leaves that learn, by their places."""
    leaves = [*inputs, *options.values()]
    for place in learning:
        leaves[place] = leaves[place].detach().requires_grad_()
    with torch.enable_grad():  # autograd, which may be asking here, disables it
        value = implementation(*leaves[: len(inputs)], **dict(zip(options, leaves[len(inputs) :])))
    pairs = [(made, d) for made, d in zip(tensors_in(value), directions) if d is not None and made.requires_grad]
    if not pairs:
        return [None for _ in learning]
    made, directions = zip(*pairs)
    return list(torch.autograd.grad(made, [leaves[place] for place in learning], directions, allow_unused=True))


def _gradients(found, leaves):
    """Return what was found for each leaf, in its shape and type, or None."""
    if len(found) != len(leaves):
        raise Malformed("other gradients")
    return [None if g is None else _gradient(g, *leaf) for g, leaf in zip(found, leaves)]


def _gradient(numbers, shape, kind):
    gradient = torch.from_numpy(numbers)
    if gradient.shape != shape or gradient.dtype != kind:
        raise Malformed("a gradient that is none of its tensor")
    return gradient


def _replaced(value, places):
    if isinstance(value, (tuple, list)):
        return type(value)(_replaced(item, places) for item in value)
    return places.get(id(value), value)
