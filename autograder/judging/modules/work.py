"""A learner's class at work: what faults are looked for in.

A fault is a function that takes a Work (or, before anything can run, a layer) and says whether the mistake is there.
It says of modules what no function can hold; its name is for the class report, its docstring for the learner.
"""

from functools import cached_property

import torch

from ..tensors import send
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
        """Trials with one result that are no edge."""
        return [trial for trial in self.trials if not trial.case.tag and not trial.expected.parts]

    @cached_property
    def layer(self):
        """A layer for those who only look at it: nobody runs or changes it."""
        return self.build()

    @cached_property
    def still(self):
        """The result where nothing is random."""
        return self.run(self.build())

    def run(self, layer, **changes):
        """Forward; a layer that runs again has the same weights in place, which take longer to place than to use."""
        if id(layer) not in self._placed:
            placed = self.exercise.at_work.place(layer, self.inputs)
            self._placed[id(layer)] = layer, placed  # the layer is kept, so that its id stays its own
        return called(layer, self.exercise, self.inputs | changes, self._placed[id(layer)][1])

    @cached_property
    def forward_inputs(self):
        """What `forward` is given: by position, and by name."""
        return forward_inputs(self.exercise, self.inputs)

    def once(self, look, *details):
        """What `look(work, *details)` finds: several faults look at the same throws."""
        if (look, details) not in self._found:
            self._found[look, details] = look(self, *details)
        return self._found[look, details]

    def compute(self, layer, inputs):
        """Forward on other inputs and weights, these too as pure functions take them."""
        return run(layer, self.exercise, inputs)


def close(first, second):
    """Two results agree up to rounding."""
    return torch.allclose(torch.as_tensor(first), torch.as_tensor(second), atol=1e-5, equal_nan=True)
