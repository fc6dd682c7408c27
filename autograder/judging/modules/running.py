"""A learner's module as a pure function of inputs and weights, like the exercise's reference."""

import torch
from torch import nn
from torch.func import functional_call

from ..asking import required
from .decoder import decoder_weights
from .weights import layer_weights


def built(layer_class, exercise, inputs, seed=0, **options):
    """An instance for these inputs, in evaluation mode; the learner's random numbers stay as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # the CPU's alone
        layer = made(layer_class, exercise, exercise.arguments(inputs) | options)
    nn.Module.eval(layer)  # whatever the class made of the method
    return layer


def made(layer_class, exercise, arguments):
    """An instance, made as learners make it: required arguments by position, whatever they are called."""
    named = dict(arguments)
    positional = [named.pop(n) for n, p in exercise.constructor.parameters.items() if p.default is p.empty]
    return layer_class(*positional, **named)


def as_function(layer_class, exercise):
    """What the class computes, with the parameters of the exercise's reference."""

    def function(*inputs, **options):
        named = dict(zip(required(exercise.parameters), inputs)) | options
        return run(built(layer_class, exercise, named), exercise, named)

    function.__wrapped__ = layer_class.forward  # the learner's code
    return function


def run(layer, exercise, inputs):
    """Forward with the weights of these inputs in the place of the layer's own; gradients flow to them."""
    return called(layer, exercise, inputs, weights_for(layer, inputs))


def weights_for(layer, inputs):
    """Parameter name -> the tensor that stands there when the layer has the weights of these inputs."""
    return decoder_weights(layer, inputs) if "self_weights" in inputs else layer_weights(layer, inputs)


def called(layer, exercise, inputs, weights=None):
    """Forward, as learners call it: required inputs by position, whatever they are called, others by name."""
    given = {n: inputs[n] for n in exercise.forward_parameters if n in inputs}
    positional = tuple(given.pop(name) for name in required(exercise.forward_parameters))
    return functional_call(layer.to(positional[0].dtype), weights or {}, positional, given)
