"""How the judge looks at the layer of lesson 01."""

from torch import ones_like, zeros_like

from autograder.judging.layers.layer import Inspection, Misfit, called, close


def place(layer, inputs):
    """Return name of a parameter -> the weights that belong there."""
    names = set(layer.weights)
    if names != {"gain", "bias"}:
        raise Misfit(f"Call the two parameters of your layer `gain` and `bias`. Here are: {', '.join(sorted(names))}.")
    return {name: inputs[name] for name in names}


def starts_with_other_weights(tested):
    """Your results are right for any weights, but a new layer of yours does not return plain standard scores.
    A layer that has learned nothing yet should change nothing: its gain is 1 and its bias is 0. How do yours start?"""
    layer, given = tested.build(), tested.inputs
    plain = {name: one(given[name]) for name, one in dict(gain=ones_like, bias=zeros_like).items() if name in given}
    return not close(called(layer, tested.exercise, given, {}), layer.compute(tested.exercise, given | plain))


standardise = Inspection(place, faults=(starts_with_other_weights,))
