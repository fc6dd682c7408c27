"""Layers that live in a worker, and gradients from there."""

import torch

from ...judging.layers.contents import Contents, learning
from ...judging.layers.layer import Layer
from .frames import Malformed
from .replies import Names

SEEN = {  # what a look gives
    "contents": Contents,
    "modes_of": dict[str, bool],
    "changed_by_calls": tuple[bool, bool],
    "idle_weights": Names,
    "shares_weights": bool,
}


class RemoteLayer(Layer):
    """Its handle's worker knows it by a number. Random numbers are there as they are here."""

    def __init__(self, of, handle, number):
        super().__init__(of)
        self.handle, self.number = handle, number

    def call(self, weights, given, named):
        return self.handle.call(given, named, at=self.number, weights=weights, seed=dice())

    def gradients(self, leaves, weights, given, named):
        return flowing(leaves, self.handle, self.number, given, named, weights)

    def look(self, question, *inputs):
        return self.handle.seen(SEEN.get(question), question, self.number, *inputs)


def dice():
    return int(torch.randint(2**31, ()))


def flowing(leaves, handle, number, inputs, options, weights=None):
    """Return what reaches each leaf: what learns there is an input, a weight, or what a model here has made."""
    remote, details = handle.remote, dict(inputs=list(inputs), options=options, weights=weights, seed=dice())
    reply = remote.ask("gradients", at=number, **details)
    ends = learning([*inputs, *options.values(), *(weights or {}).values(), *remote.results])
    with remote.distrusted():
        found = [(x, torch.from_numpy(g)) for x, g in zip(ends, reply.gradients) if g is not None]
        kinds = ((x.shape, x.dtype) == (g.shape, g.dtype) for x, g in found)
        if len(reply.gradients) != len(ends) or not all(kinds):
            raise Malformed("other gradients")
    if not found or not leaves:
        return [None] * len(leaves)
    return list(torch.autograd.grad([x for x, _ in found], leaves, [g for _, g in found], allow_unused=True))


def gradients_of(implementation, inputs, options, places, directions):
    """Return what reaches those inputs of an implementation that learn, by their places."""
    leaves = [*inputs, *options.values()]
    for place in places:
        leaves[place] = leaves[place].detach().requires_grad_()
    with torch.enable_grad():  # autograd, which may be asking here, disables it
        value = implementation(*leaves[: len(inputs)], **dict(zip(options, leaves[len(inputs) :])))
    parts = value if isinstance(value, (tuple, list)) else [value]
    made = [part for part in parts if isinstance(part, torch.Tensor) and part.is_floating_point()]
    pairs = [(part, d) for part, d in zip(made, directions) if d is not None and part.requires_grad]
    if not pairs:
        return [None for _ in places]
    made, directions = zip(*pairs)
    return list(torch.autograd.grad(made, [leaves[place] for place in places], directions, allow_unused=True))
