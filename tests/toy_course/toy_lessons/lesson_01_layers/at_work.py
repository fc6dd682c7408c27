"""How the judge looks at the layer of lesson 01."""

import torch

from autograder.judging.modules.at_work import AtWork, Misfit


def place(layer, inputs):
    """Return name of a parameter -> the weights that belong there."""
    names = {name for name, _ in layer.named_parameters()}
    if names != {"gain", "bias"}:
        raise Misfit(f"Call the two parameters of your layer `gain` and `bias`. Here are: {', '.join(sorted(names))}.")
    return {name: inputs[name] for name in names}


def does_not_learn_its_gain(work):
    """Your results are right, but no gradient reaches `gain`, so it would never learn.
    A parameter that is detached from the result stays as it is. Where does your line cut it off?"""
    layer = work.build()
    with torch.enable_grad():
        work.run(layer).sum().backward()
    return layer.gain.grad is None


standardise = AtWork(place, faults=(does_not_learn_its_gain,))
