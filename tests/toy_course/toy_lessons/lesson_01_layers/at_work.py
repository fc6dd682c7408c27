"""How the judge looks at the layer of lesson 01."""

from autograder.judging.modules.at_work import AtWork, Misfit
from autograder.judging.modules.running import made


def place(layer, inputs):
    """Return name of a parameter -> the weights that belong there."""
    names = {name for name, _ in layer.named_parameters()}
    if names != {"gain", "bias"}:
        raise Misfit(f"Call the two parameters of your layer `gain` and `bias`. Here are: {', '.join(sorted(names))}.")
    return {name: inputs[name] for name in names}


def starts_with_other_weights(work):
    """Your results are right for any weights, but a new layer of yours does not return plain standard scores.
    A layer that has learned nothing yet should change nothing: its gain is 1 and its bias is 0. How do yours start?"""
    layer = made(work.layer_class, work.exercise, work.exercise.arguments(work.inputs))
    return not ((layer.gain == 1).all() and (layer.bias == 0).all())


standardise = AtWork(place, faults=(starts_with_other_weights,))
