"""The judge's two looks at a class: before it runs, whether it can; when its results are right, whether that is all."""

import inspect

from torch import nn

from ..exercise import Slip
from ..outcome import caught_output
from ..verdict import Verdict, error_line
from .faults import (
    fault_of,
    keeps_layers_out_of_sight,
    keeps_weights_as_plain_tensors,
    shares_one_projection,
    wraps_the_layer_of_torch,
)
from .places import Misfit
from .running import as_function, as_tensors, built, weights_for

HIDING = (keeps_layers_out_of_sight, shares_one_projection, keeps_weights_as_plain_tensors)
__all__ = ["as_function", "cannot_run", "is_faulty"]


def cannot_run(layer_class, exercise, cases):
    """A Verdict if the class cannot be built, or its weights not be found; None if all is well."""
    if not issubclass(layer_class, nn.Module):
        message = f"{exercise.name} should be a torch module: begin with `class {exercise.name}(nn.Module):`."
        return Verdict("type", message)
    for case in cases:
        verdict = _cannot_run_on(layer_class, exercise, case)
        if verdict:
            return verdict


def _cannot_run_on(layer_class, exercise, case):
    try:
        with caught_output():
            layer = built(layer_class, exercise, case.inputs)
    except Exception as error:
        return _cannot_be_built(layer_class, exercise, case, error)
    if wraps_the_layer_of_torch(layer):
        return _named(wraps_the_layer_of_torch)
    try:
        weights_for(layer, as_tensors(case.inputs))
    except Misfit as misfit:
        return _without_place(layer, misfit)


def _without_place(layer, misfit):
    """Why weights have no place: a mistake that we know, or what the misfit itself says."""
    known = misfit.name and Slip(misfit.name, str(misfit))
    fault = next((fault for fault in HIDING if fault(layer)), None)
    if fault and not known:
        return _named(fault)
    return Verdict("misconception" if known else "type", str(misfit), misconception=known)


def _cannot_be_built(layer_class, exercise, case, error):
    arguments = ", ".join(f"{name}={value}" for name, value in exercise.arguments(case.inputs).items())
    if "before Module.__init__() call" in str(error):
        message = "`super().__init__()` has to come first in your `__init__`: it prepares the module for its parts."
        return Verdict("raised", message)
    return Verdict("raised", f"`{exercise.name}({arguments})` stops with {error_line(error)}")


def is_faulty(layer_class, exercise, trials):
    """A Verdict if a class whose results are right does something else that it should not."""
    fault = fault_of(layer_class, exercise, trials)
    return fault and _named(fault)


def _named(fault):
    message = inspect.getdoc(fault)
    return Verdict("misconception", message, misconception=Slip(fault.__name__, message))
