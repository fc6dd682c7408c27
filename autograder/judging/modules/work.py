"""A learner's class at work: what faults are looked for in.

A fault is a function that takes a Work (or, before anything can run, a layer) and says whether the mistake is there.
It says of modules what no function can hold; its name is for the class report, its docstring for the learner.
"""

from functools import cached_property

import torch

from ..values import send
from .running import built, called, forward_inputs, run


class Work:
    """A learner's class, the exercise, and what came out of it on each case."""

    def __init__(self, layer_class, exercise, trials):
        self.layer_class, self.exercise, self.trials = layer_class, exercise, trials
        self.inputs = send(trials[0].inputs, "torch")
        self._found, self._placed = {}, {}

    def build(self, **options):
        return built(self.layer_class, self.exercise, self.inputs, **options)

    def in_training(self, **options):
        layer = self.build(**options)
        layer.train()  # it may return nothing
        return layer

    @property
    def ordinary(self):
        """Return the trials with one result that are no edge cases."""
        return [trial for trial in self.trials if not trial.case.tag and not trial.expected.parts]

    @cached_property
    def layer(self):
        """Return a layer to look at, which is neither run nor changed."""
        return self.build()

    @cached_property
    def still(self):
        """Return the result where nothing is random."""
        return self.run(self.build())

    def run(self, layer, **changes):
        """Call `forward`. A layer that runs again keeps its weights, since placing them takes longest."""
        if id(layer) not in self._placed:
            placed = self.exercise.at_work.place(layer, self.inputs)
            self._placed[id(layer)] = layer, placed  # the layer is kept, so that its id stays its own
        return called(layer, self.exercise, self.inputs | changes, self._placed[id(layer)][1])

    @cached_property
    def forward_inputs(self):
        """Return what `forward` is given by position, and by name."""
        return forward_inputs(self.exercise, self.inputs)

    def once(self, look, *details):
        """Return what `look(work, *details)` finds, looked for once: several faults look at the same."""
        if (look, details) not in self._found:
            self._found[look, details] = look(self, *details)
        return self._found[look, details]

    def compute(self, layer, inputs):
        """Call `forward` on other inputs and weights, both as pure functions take them."""
        return run(layer, self.exercise, inputs)


def close(first, second) -> bool:
    """Say whether two results agree up to rounding."""
    return torch.allclose(torch.as_tensor(first), torch.as_tensor(second), atol=1e-5, equal_nan=True)
