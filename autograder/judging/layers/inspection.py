"""Inspect a class twice: before it runs, whether it can; when its results are right, whether that is all."""

import inspect
from collections.abc import Sequence

import torch
from torch import nn

from ...cases import Case
from ...exercise import ModuleExercise
from ...mistakes import Mistake
from ..errors import error_line
from ..results import Run
from ..running import caught_output, observe, send
from ..source import handle_of
from ..symptoms import error_in_words
from ..verdict import Verdict
from .layer import LayerUnderTest, Misfit, built, keeps_layers_out_of_sight, keeps_weights_as_plain_tensors


def cannot_run(layer_class, exercise: ModuleExercise, cases: Sequence[Case]) -> Verdict | None:
    """Return a Verdict if the class cannot be built or its weights cannot be found; None if all is well."""
    handle = handle_of(layer_class)
    if not (handle.is_layer if handle else issubclass(layer_class, nn.Module)):
        message = f"{exercise.name} should be a torch module: begin with `class {exercise.name}(nn.Module):`."
        return Verdict("type", message)
    exercise.inspection.begin(layer_class)
    built_alike = {}  # sizes and which weights there are -> a case: of those that agree in these, one is enough
    for case in reversed(cases):
        weights = (name for name in case.inputs if name not in exercise.shown_parameters)
        built_alike[(*exercise.arguments(case.inputs).items(), *weights)] = case
    verdicts = (_cannot_run_on(layer_class, exercise, case) for case in reversed(built_alike.values()))
    return next(filter(None, verdicts), None)


def _cannot_run_on(layer_class, exercise, case):
    with caught_output():
        outcome = observe(built, dict(layer_class=layer_class, exercise=exercise, inputs=case.inputs))
    if outcome.error:
        return _cannot_be_built(exercise, case, outcome.error)
    layer = outcome.value
    if keeps_layers_out_of_sight(layer):
        return _named(keeps_layers_out_of_sight, exercise)
    for fault in exercise.inspection.built:
        if fault(layer, exercise):
            return _named(fault, exercise)
    try:
        exercise.inspection.place(layer, send(case.inputs, "torch"))
    except Misfit as misfit:
        return _without_place(layer, misfit, exercise)
    except Exception as error:
        message = f"The judge cannot put its weights into your layer: {error_line(error)}."
        return Verdict("raised", message)


def _cannot_be_built(exercise, case, error):
    if "before Module.__init__() call" in str(error):
        message = "`super().__init__()` has to come first in your `__init__`: it prepares the module for its parts."
        return Verdict("raised", message)
    arguments = ", ".join(f"{name}={value}" for name, value in exercise.arguments(case.inputs).items())
    return Verdict("raised", f"`{exercise.name}({arguments})` stops with {error_in_words(error)}")


def _without_place(layer, misfit, exercise):
    """Return a Verdict on why weights have no place: a known mistake, or what the misfit itself says."""
    known = misfit.name and Mistake(misfit.name, str(misfit), exercise.course)
    faults = (*exercise.inspection.unplaced, keeps_weights_as_plain_tensors)
    fault = next((fault for fault in faults if fault(layer)), None)
    if fault and not known:
        return _named(fault, exercise)
    return Verdict("misconception" if known else "type", str(misfit), misconception=known)


def names_are_unclear(layer_class, exercise: ModuleExercise, case: Case) -> Verdict | None:
    """Return a Verdict if it had to be guessed which weight is which, which may be why results are wrong."""
    message = exercise.inspection.unclear(built(layer_class, exercise, case.inputs), case.inputs)
    return Verdict("type", message) if message else None


def is_faulty(layer_class, exercise: ModuleExercise, runs: Sequence[Run]) -> Verdict | None:
    """Return a Verdict if a class whose results are right does something else that it should not."""
    tested = LayerUnderTest(layer_class, exercise, runs)
    with torch.random.fork_rng(devices=[]), torch.no_grad(), caught_output():
        torch.default_generator.manual_seed(0)
        verdicts = (_looked_for(fault, tested) for fault in exercise.inspection.faults)
        return next(filter(None, verdicts), None)


def _looked_for(fault, tested):
    """Return a Verdict if the fault is there, or if looking for it makes the learner's code stop."""
    outcome = observe(lambda: found if isinstance(found := fault(tested), str) else bool(found), {})
    if not outcome.error:
        where = outcome.value if outcome.kind == "text" else ""
        return _named(fault, tested.exercise, where) if outcome.value else None
    in_training = fault in tested.exercise.inspection.in_training
    if in_training or observe(lambda: tested.run(tested.in_training()), {}).error:
        when = "in train mode"
    else:
        when = "when a layer is called again, or copied,"
    message = f"Your results are right, but {when} your code stops with {error_in_words(outcome.error)}"
    return Verdict("raised", message, property=fault.__name__)


def _named(fault, exercise, where=""):
    message = f"{inspect.getdoc(fault)} {where}".strip()
    return Verdict("misconception", message, misconception=Mistake(fault.__name__, message, exercise.course))
