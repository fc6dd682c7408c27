"""A learner's module as a pure function of inputs and weights, like the exercise's reference."""

from contextlib import contextmanager, suppress
from functools import partial, update_wrapper

import torch
from torch import nn
from torch.nn.parameter import is_lazy

from ...exercise import ModuleExercise
from ..asking import caught_output, required
from ..values import send
from .contents import exchanged


def built(layer_class: type[nn.Module], exercise: ModuleExercise, inputs: dict, seed: int = 0, **options):
    """Build an instance for these inputs, in evaluation mode; the learner's random numbers stay as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # the CPU's alone
        layer = made(layer_class, exercise, exercise.arguments(inputs) | options)
        nn.Module.eval(layer)  # whatever the class made of the method
        if any(map(is_lazy, layer.parameters())):
            _awaken(layer, exercise, inputs)
    return layer


def _awaken(layer, exercise, inputs):
    """Call it once: a LazyLinear has no weights before. If that fails, it says so where weights are looked for."""
    with suppress(Exception), torch.no_grad(), caught_output():
        called(layer, exercise, send(inputs, "torch"))


def made(layer_class: type[nn.Module], exercise: ModuleExercise, arguments):
    """Make an instance as learners do: required arguments by position, whatever they are called."""
    named = dict(arguments)
    positional = [named.pop(n) for n, p in exercise.constructor.parameters.items() if p.default is p.empty]
    return layer_class(*positional, **named)


def as_function(layer_class: type[nn.Module], exercise: ModuleExercise, doors=None):
    """Return what the class computes as a function with the parameters of the exercise's reference.

    doors: an ExitStack; until it is closed, or the next call, the weights stay in their places.
    """

    def function(*inputs, **options):
        named = dict(zip(required(exercise.parameters), inputs)) | options
        layer = built(layer_class, exercise, named)
        if doors is None:
            return run(layer, exercise, named)
        doors.close()
        return doors.enter_context(ready(layer, exercise, named, exercise.at_work.place(layer, named)))()

    return update_wrapper(function, layer_class.forward, assigned=(), updated=())  # marks the learner's code


def run(layer: nn.Module, exercise: ModuleExercise, inputs: dict):
    """Call `forward` with the weights of these inputs in the place of the layer's own; gradients flow to them."""
    return called(layer, exercise, inputs, exercise.at_work.place(layer, inputs))


def called(layer: nn.Module, exercise: ModuleExercise, inputs: dict, weights: dict | None = None):
    """Call `forward` with these weights in the place of the layer's own."""
    with ready(layer, exercise, inputs, weights or {}) as forward:
        return forward()


@contextmanager
def ready(layer: nn.Module, exercise: ModuleExercise, inputs: dict, weights: dict):
    """Return a call of `forward` as learners write it: required inputs by position, others by name."""
    positional, given = forward_inputs(exercise, inputs)
    with exchanged(layer.to(positional[0].dtype), weights):
        yield partial(layer, *positional, **given)


def forward_inputs(exercise: ModuleExercise, inputs: dict):
    """Return what `forward` is given: by position what is required, by name the rest."""
    given = {n: inputs[n] for n in exercise.forward_parameters if n in inputs}
    return tuple(given.pop(name) for name in required(exercise.forward_parameters)), given
