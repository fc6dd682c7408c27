"""Find faults in what a layer keeps: its weights, and what it remembers."""

from collections.abc import Callable

import numpy as np

from ..answer import Answer, fullest, wrong_with_other_numbers
from ..results import same
from ..running import ask, required
from .layer import LayerUnderTest, and_others, built, called, close


def registers_a_weight_twice(tested: LayerUnderTest):
    """Your results are right, but one weight has two names in your layer, so `state_dict()` saves it twice,
    and whoever loads it may give the two names different numbers. Keep each `nn.Linear` or `nn.Parameter` as one
    attribute of `self`, not in a second list beside it.
    """
    twice = next((weight.names for weight in tested.layer.weights.values() if len(weight.names) > 1), None)
    return twice and f"{and_others(twice)} are one and the same."


def freezes_its_weights(tested: LayerUnderTest):
    """Your results are right, but some of your weights are frozen: with `requires_grad` False they get no gradient, and
    training leaves them as they are. The weights of a layer are there to be learned.
    """
    frozen = [name for name, weight in tested.layer.weights.items() if not weight.learns]
    return frozen and f"Look for {and_others(frozen)}."


def shares_weights_among_layers(tested: LayerUnderTest):
    """Your results are right, but two layers that are made one after the other share a weight: train one, and the other
    changes, too. A weight that belongs to a layer is made in its `__init__`, anew for every layer.
    """
    return tested.build().look("shares_weights", tested.layer)


def has_weights_without_effect(tested: LayerUnderTest):
    """Your results are right, but your layer has a weight that no result depends on: it gets no gradient, so it is
    saved and loaded, and never learns. Is it used in `forward`, or is another one used in its place?
    """
    idle = tested.ask(tested.build(), "idle_weights")
    return idle and f"Look for {and_others(idle)}."


def takes_equal_shapes_for_equal_numbers(tested: LayerUnderTest):
    """Your results are right when a layer is called once. But a second call with other numbers of the same shapes still
    uses some of the first. Equal shapes do not mean equal numbers: a mask of the same shape may hide other keys. What
    is computed from inputs is computed anew in every call.
    """
    case = fullest([run.case for run in tested.ordinary])
    layer = _layer_for(tested, case)
    before = [run for run in tested.ordinary if run.case is case]
    answer = Answer(layer, tested.exercise, before, "torch")
    answer.ask(case.inputs)
    wrong = wrong_with_other_numbers(answer, case)
    if not wrong or not _is_right(_layer_for(tested, case), tested.exercise, wrong.first_wrong):
        return False
    other = next((run for run in tested.ordinary if _has_other_shapes(run, case, tested.exercise)), None)
    return other is None or _is_right(layer, tested.exercise, other)


def _has_other_shapes(run, case, exercise):
    """Say whether it is a run of the same layer in which every input has another shape, or is left out."""
    inputs = [n for n in exercise.shown_parameters if n in run.inputs]
    alike = any(np.shape(run.inputs[n]) == np.shape(case.inputs.get(n)) for n in inputs)
    return not alike and exercise.arguments(run.inputs) == exercise.arguments(case.inputs)


def remembers_an_earlier_call(tested: LayerUnderTest):
    """Your results are right when one layer is called once, but a later call, or a second layer, is influenced by an
    earlier one. Something of it stays behind, a mask perhaps or a number: in an attribute of `self`, of the class, or
    in a global variable. What belongs to one call lives in variables of `forward`.
    """
    layers: dict[tuple, Callable] = {}
    for run in (*tested.ordinary, *reversed(tested.ordinary[:-1])):
        sizes = tuple(tested.exercise.arguments(run.inputs).items())
        layers[sizes] = layers.get(sizes) or _layer_for(tested, run.case)
        if not _is_right(layers[sizes], tested.exercise, run):
            return True
    layer = tested.in_training()
    tested.run(layer)
    layer.eval()
    return not close(tested.run(layer), tested.still)  # it is trained by calls


def _is_right(layer, exercise, run):
    again = ask(layer, run.inputs, "torch", exercise.parameters)
    return same(again, run.expected, run.tolerance)


def _layer_for(tested, case):
    """Return a new layer as a function of inputs and weights."""
    layer, exercise = built(tested.layer_class, tested.exercise, case.inputs), tested.exercise
    names = required(exercise.parameters)
    return lambda *inputs, **options: layer.compute(exercise, dict(zip(names, inputs)) | options)


def changes_what_it_saves(tested: LayerUnderTest):
    """Your results are right, but a call of your layer changes its `state_dict()`: names or numbers in it are others
    afterwards. A `state_dict()` holds what is learned, and only training changes that. Does `forward` register a
    buffer, or write into a parameter?
    """
    saved, _ = tested.once(_changed_by_calls)
    return saved


def changes_its_mode(tested: LayerUnderTest):
    """Your results are right, but a call of your layer changes its mode: after `forward`, `training` is no longer what
    it was, in the layer or in one of its parts. The mode is for those to choose who use the layer.
    """
    _, modes = tested.once(_changed_by_calls)
    return modes


def _changed_by_calls(tested):
    return tested.ask(tested.build(), "changed_by_calls")


def loses_something_when_saved(tested: LayerUnderTest):
    """Your results are right, but a copy of your layer, made by `copy.load_state_dict(layer.state_dict())`, gives
    other results. So a trained layer could not be saved and loaded. Something that it computes with is neither an
    `nn.Parameter` nor in a module that is an attribute of `self`.
    """
    layer, copy = tested.build(), tested.build(seed=1)
    copy.look("load", layer)
    first, second = (called(x, tested.exercise, tested.inputs, {}) for x in (layer, copy))
    return not close(first, second)


LEARNED = (registers_a_weight_twice, freezes_its_weights, shares_weights_among_layers)
KEPT = (
    has_weights_without_effect,
    takes_equal_shapes_for_equal_numbers,
    remembers_an_earlier_call,
    changes_what_it_saves,
    changes_its_mode,
    loses_something_when_saved,
)
