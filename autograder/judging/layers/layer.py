"""A learner's class as the judge sees it, in this process or in another: numbers go in, numbers come out.

A layer is called with the judge's weights in the place of its own, like the exercise's reference; where they belong,
and what to look for in it, is what a course says in an Inspection.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from typing import Any

import torch

from ...exercise import ModuleExercise
from ..running import caught_output, required, send
from ..source import handle_of
from .contents import LOOKS, exchanged, forward, gradients, names_of


class Layer:
    """One instance that lives on: it is called again, with other inputs and weights, and in other modes.

    It lives in this process; one in a worker is a RemoteLayer, which asks there.
    of: the class that it is an instance of.
    """

    def __init__(self, of, module: Any = None):
        self.of, self.module = of, module
        self._placed: list[tuple[dict, dict]] = []  # the judge's weights, and the same in the places of this layer

    def call(self, weights, given, named):
        """Return what its forward makes of inputs, given by position and by name, with these weights in their places.

        weights: name -> a tensor, which may be computed: gradients flow to what it is made of.
        """
        return forward(self.module, weights, given, named)

    def look(self, question, *inputs):
        """Return what only the side sees on which the layer lives: a function of contents.py."""
        return LOOKS[question](self.module, *(x.module if isinstance(x, Layer) else x for x in inputs))

    def gradients(self, leaves, weights, given, named):
        """Return what reaches each leaf, of which inputs or weights are computed, from a mix of all results."""
        with exchanged(self.module, weights):  # what was not kept is computed again
            return gradients(self.call(weights, given, named), leaves)

    def compute(self, exercise, inputs):
        """Call `forward` on inputs and weights as pure functions take them.

        Weights that the layer was called with before are not placed again, since that takes longest.
        """
        given = {n: x for n, x in inputs.items() if exercise.course.hooks.is_weight(n) and x is not None}
        placed = next((placed for before, placed in self._placed if _are_equal(before, given)), None)
        if placed is None:
            placed = exercise.inspection.place(self, inputs)
            self._placed.append((given, placed))
        return called(self, exercise, inputs, placed)

    @cached_property
    def contents(self):
        return self.look("contents")

    @property
    def weights(self):
        """Return name -> Weight."""
        return {weight.names[0]: weight for weight in self.contents.weights}

    def is_a(self, part, kind):
        """Say whether the part of this name is an instance of a class."""
        return names_of(kind)[0] in self.contents.parts.get(part, ())

    def has_a(self, kind):
        return any(self.is_a(part, kind) for part in self.contents.parts)

    def train(self):
        self.look("switch", "train")

    def eval(self):
        """Call `eval`, and not `train(False)`: a learner's class may have one of its own."""
        self.look("switch", "eval")


def _are_equal(first, second):
    alike = (first[n].dtype == x.dtype and first[n].equal(x) for n, x in second.items() if n in first)
    return first.keys() == second.keys() and all(alike)


def made(layer_class: type, exercise: ModuleExercise, arguments):
    """Make an instance as learners do: required arguments by position, whatever they are called."""
    named, handle = dict(arguments), handle_of(layer_class)
    positional = [named.pop(n) for n, p in exercise.constructor.parameters.items() if p.default is p.empty]
    if handle:
        return handle.build(layer_class, positional, named)
    module = layer_class(*positional, **named)
    return Layer(type(module), module)


def built(layer_class: type, exercise: ModuleExercise, inputs: dict, seed: int = 0, **options):
    """Build an instance for these inputs, in evaluation mode; the learner's random numbers stay as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # the CPU's alone
        layer = made(layer_class, exercise, exercise.arguments(inputs) | options)
        layer.look("switch", "train", False)
        if any(weight.lazy for weight in layer.weights.values()):
            with suppress(Exception), torch.no_grad(), caught_output():  # which is said where weights are looked for
                called(layer, exercise, send(inputs, "torch"), {})
            del layer.contents
    return layer


def forward_inputs(exercise: ModuleExercise, inputs: dict):
    """Return what `forward` is given: by position what is required, by name the rest."""
    named = {n: inputs[n] for n in exercise.shown_parameters if n in inputs}
    return [named.pop(name) for name in required(exercise.shown_parameters)], named


def called(layer: Layer, exercise: ModuleExercise, inputs: dict, weights: dict):
    """Call `forward` with these weights in the place of the layer's own."""
    return layer.call(weights, *forward_inputs(exercise, inputs))


def as_function(layer_class: Any, exercise: ModuleExercise):
    """Return what the class computes as a function with the parameters of the exercise's reference."""

    def ready(inputs, options):
        named = dict(zip(required(exercise.parameters), inputs)) | options
        layer = built(layer_class, exercise, named)
        return layer, exercise.inspection.place(layer, named), *forward_inputs(exercise, named)

    def function(*inputs, **options):
        layer, *weights_and_inputs = ready(inputs, options)
        return layer.call(*weights_and_inputs)

    def gradients(leaves, inputs, options):
        layer, *weights_and_inputs = ready(inputs, options)
        return layer.gradients(leaves, *weights_and_inputs)

    function.gradients = gradients  # type: ignore[attr-defined]
    return update_wrapper(function, layer_class.forward, assigned=(), updated=())  # marks the learner's code


class LayerUnderTest:
    """A learner's class, the exercise, and what came out of it on each case."""

    def __init__(self, layer_class, exercise, runs):
        self.layer_class, self.exercise, self.runs = layer_class, exercise, runs
        self.inputs = send(runs[0].inputs, "torch")
        self._found = {}

    def build(self, **options):
        return built(self.layer_class, self.exercise, self.inputs, **options)

    def in_training(self, **options):
        layer = self.build(**options)
        layer.train()
        return layer

    @property
    def ordinary(self):
        """Return the runs with one result that are no edge cases."""
        return [run for run in self.runs if not run.case.tag and not run.expected.parts]

    @cached_property
    def layer(self):
        """Return a layer to look at, which is neither run nor changed."""
        return self.build()

    @cached_property
    def still(self):
        """Return the result where nothing is random."""
        return self.run(self.build())

    def run(self, layer, **changes):
        """Call `forward` on the inputs of the smallest case."""
        return layer.compute(self.exercise, self.inputs | changes)

    def ask(self, layer, question):
        """Return what is seen on the side on which the layer lives, when it is called."""
        return layer.look(question, *forward_inputs(self.exercise, self.inputs))

    def once(self, look, *details):
        """Return what `look(tested, *details)` finds, looked for once: several faults look at the same."""
        if (look, details) not in self._found:
            self._found[look, details] = look(self, *details)
        return self._found[look, details]


def close(first, second) -> bool:
    """Say whether two results agree up to rounding."""
    return torch.allclose(torch.as_tensor(first), torch.as_tensor(second), atol=1e-5, equal_nan=True)


def and_others(names):
    """Write the first two of some names of weights, and how many more there are."""
    shown, more = [f"`{name}`" for name in names[:2]], len(names) - 2
    return ", ".join(shown) + f", and {more} more" if more > 0 else " and ".join(shown)


def keeps_layers_out_of_sight(layer: Layer):
    """Your layer keeps weights where PyTorch does not see them. It looks for modules and parameters among the
    attributes of `self`, but not inside a plain list, tuple or dict (and a comma at the end of a line makes a tuple).
    So no training would change them, and they would not be saved. Which kind of list does PyTorch look into?
    """
    return layer.contents.hides


def keeps_weights_as_plain_tensors(layer: Layer):
    """Your layer keeps weights as plain tensors or as buffers, so PyTorch does not know that they are to be learned:
    `parameters()` leaves them out, and no training changes them. What makes a tensor a weight of its module?
    `nn.Linear` and `nn.Parameter` do.
    """
    return layer.contents.plain


@dataclass(frozen=True)
class Inspection:
    """How the judge looks at the layer of one exercise.

    A fault is a function of a LayerUnderTest, or of a Layer before that can run, which says whether the mistake is
    there; of the former it may return a sentence that says where. It holds what no function can; its name is for the
    class report, its docstring for the learner, with that sentence behind it.
    """

    place: Callable  # (layer, inputs) -> {name of a parameter: its tensor}; raises a Misfit where that fails
    faults: tuple  # functions of a LayerUnderTest that say whether a fault is there, in the order of looking
    begin: Callable = lambda layer_class: None  # called with a class before it is judged
    built: tuple = ()  # functions of a layer and the exercise: faults in how it is built
    unplaced: tuple = ()  # functions of a layer: faults that may be why weights have no place
    in_training: tuple = ()  # those of the faults that look at train mode
    unclear: Callable = lambda layer, inputs: None  # -> a message where `place` had to guess which weight is which
    misfits: tuple = ()  # names of the Misfits that have one

    @property
    def all_faults(self):
        """Return every fault that may be named, those of how any class is built among them."""
        of_every_class = keeps_layers_out_of_sight, keeps_weights_as_plain_tensors
        return *of_every_class, *self.built, *self.unplaced, *self.faults


class Misfit(Exception):
    """The judge's weights have no place in this module; the message tells the learner why.

    name: for the class report, where it is a mistake that has one.
    """

    def __init__(self, message, name=None):
        super().__init__(message)
        self.name = name
