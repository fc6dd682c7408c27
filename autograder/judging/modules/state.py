"""Faults in what a layer keeps: weights, and what it remembers."""

import torch

from ..asking import ask, required
from ..outcome import ACCIDENTS, same
from .decoder import is_norm, norms_of
from .running import built, called, made, run
from .work import close


def registers_a_weight_twice(work):
    """Your results are right, but one weight stands under two names in your layer, so `state_dict()` saves it twice,
    and whoever loads it may give the two names different numbers. Keep each `nn.Linear` or `nn.Parameter` as one
    attribute of `self`, not in a second list beside it.
    """
    return len(list(work.layer.named_parameters(remove_duplicate=False))) > len(list(work.layer.parameters()))


def freezes_its_weights(work):
    """Your results are right, but some of your weights are frozen: with `requires_grad` False they get no gradient, and
    training leaves them as they are. The weights of a layer are there to be learned.
    """
    return not all(parameter.requires_grad for parameter in work.layer.parameters())


def shares_weights_among_layers(work):
    """Your results are right, but two layers that are made one after the other share a weight: train one, and the other
    changes, too. A weight that belongs to a layer is made in its `__init__`, anew for every layer.
    """
    layers = work.layer, work.build()
    first, second = ({id(parameter) for parameter in layer.parameters()} for layer in layers)
    return bool(first & second)


def has_weights_without_effect(work):
    """Your results are right, but your layer has a weight that no result depends on: it gets no gradient, so it is
    saved and loaded, and never learns. Is it used in `forward`, or is another one used in its place?
    """
    layer = work.build()
    with torch.enable_grad():
        called(layer, work.exercise, work.inputs).sum().backward()
    return any(parameter.grad is None for parameter in layer.parameters())


def shares_one_norm(work):
    """Your results are right for new normalisations, but one `nn.LayerNorm` stands under several names in your layer.
    So what one part needs to learn, the others must use, too. A list times three holds the same thing three times.
    How do you get three norms that are made one by one?
    """
    layer = work.layer
    names = [name for name, _ in layer.named_parameters(remove_duplicate=False) if is_norm(layer, name)]
    alone = [name for name, _ in layer.named_parameters() if is_norm(layer, name)]
    return len(norms_of(layer)) in (1, 2) and len(names) > len(alone)


def has_too_few_norms(work):
    """Your results are right for new normalisations, which have factor 1 and add 0. But an `nn.LayerNorm` learns for
    every feature a factor and a number to add, and in your layer some of the three parts share one. Give each part a
    norm of its own.
    """
    return len(norms_of(work.layer)) in (1, 2)  # none: made by hand, and not learned


def has_too_many_norms(work):
    """Your results are right, but your layer has more than three norms. Each of the three parts has one in front, and
    nothing else is normalised: the memory comes ready to use, and the last sum is handed on as it is.
    """
    return len(norms_of(work.layer)) > 3


def remembers_an_earlier_call(work):
    """Your results are right when one layer is called once, but a later call, or a second layer, is influenced by an
    earlier one. Something of it stays behind, a mask perhaps or a number: in an attribute of `self`, of the class, or
    in a global variable. What belongs to one call lives in variables of `forward`.
    """
    cases = [t for t in work.trials if not t.case.tag and not t.expected.parts]
    layers = {}
    for trial in (*cases, *reversed(cases)):
        sizes = tuple(work.exercise.arguments(trial.inputs).items())
        layers[sizes] = layers.get(sizes) or built(work.layer_class, work.exercise, trial.inputs)
        again = ask(_at(layers[sizes], work.exercise), trial.inputs, "torch", work.exercise.parameters)
        if not same(again, trial.expected, trial.tolerance):
            return True
    return False


def _at(layer, exercise):
    names = required(exercise.parameters)
    return lambda *inputs, **options: run(layer, exercise, dict(zip(names, inputs)) | options)


def loses_something_when_saved(work):
    """Your results are right, but a copy of your layer, made by `copy.load_state_dict(layer.state_dict())`, gives
    other results. So a trained layer could not be saved and loaded. Something that it computes with is neither an
    `nn.Parameter` nor in a module that is an attribute of `self`.
    """
    layer, copy = work.build(), work.build(seed=1)
    copy.load_state_dict(layer.state_dict())
    first, second = (called(x, work.exercise, work.inputs) for x in (layer, copy))
    return not close(first, second)


def accepts_heads_that_do_not_divide(work):
    """Your results are right, but your class also accepts a model size of 10 with 3 heads, which cannot be shared out
    evenly. Refuse it in `__init__`, with a ValueError that names both numbers: an error there is easier to
    understand than one of shapes, deep in `forward`.
    """
    arguments = work.exercise.arguments(work.inputs) | dict(model_size=10, heads=3)
    try:
        made(work.layer_class, work.exercise, arguments)
    except ACCIDENTS:
        raise  # which is said as it is
    except Exception:
        return False
    return True
