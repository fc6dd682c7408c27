"""A layer that lives in a worker: it is called, and looked at, there."""

import torch
from msgspec import convert

from ...judging.modules.contents import Contents
from ...judging.modules.layer import Layer

SEEN = {  # what a look gives
    "contents": Contents,
    "modes_of": dict[str, bool],
    "changed_by_calls": tuple[bool, bool],
    "has_idle_weights": bool,
    "shares_weights": bool,
}


class FarLayer(Layer):
    """Its handle's worker knows it by a number. Random numbers are there as they are here."""

    def __init__(self, of, handle, number):
        super().__init__(of)
        self.handle, self.number = handle, number

    def call(self, weights, given, named):
        leaves = [*given, *named.values(), *weights.values()]
        details = dict(weights=weights, inputs=list(given), options=named, seed=dice())
        return self.handle.outcome_of("forward", self.number, leaves, **details)

    def look(self, question, *inputs):
        remote = self.handle.remote
        reply = remote.ask("look", at=self.number, question=question, inputs=list(inputs))
        with remote.distrusted():
            return convert(reply.value, SEEN.get(question))


def dice():
    return int(torch.randint(2**31, ()))
