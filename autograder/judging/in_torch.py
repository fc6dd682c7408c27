"""What a right answer in torch must do besides: let gradients flow, and make no tensor that is too large."""

from functools import partial

import torch

from ..cases import Model
from ..exercise import ModuleExercise
from ..shapes import inputs_in_words
from .answer import Answer
from .layers.contents import gradients, tensors_made
from .running import caught_output, required, send
from .symptoms import error_in_words
from .verdict import RIGHT, Example, Verdict

_ADVICE = "detach, .data, .item(), torch.tensor(...), no_grad and NumPy cut the connection."


def cut_gradients(answer: Answer) -> Verdict | None:
    """Return a Verdict if gradients are cut, or NaN in an ordinary case; None if they flow, or are not asked for."""
    if not answer.exercise.gradients:
        return None
    ordinary = [run for run in answer.ordinary if _is_floating(run.expected)]
    tried = dict.fromkeys((*ordinary[:1], *sorted(ordinary, key=lambda run: -len(run.inputs))[:1]))
    verdicts = (_cut_in(answer, run) for run in tried)  # with few inputs, and most
    return next(filter(None, verdicts), None)


def _is_floating(outcome):
    """Say whether a result, or each of several, is of floating-point numbers."""
    return {part.kind for part in outcome.parts or (outcome,)} == {"floating"}


def _cut_in(answer, run):
    """Return a Verdict if gradients are cut in this case."""
    exercise = answer.exercise
    try:
        found = _gradients(answer.function, exercise, run)
    except Exception as error:
        return _flow_no_longer(f"your code fails where gradients are wanted: {error_in_words(error)}", run)
    nan = [(name, gradient) for name, gradient in found.items() if not _is_finite(gradient)]
    if nan:
        return Verdict("property", _told(*nan[0]), property="gradients_are_finite", example=Example.of(run))
    silent = getattr(exercise, "no_gradient", ())  # zero in a right answer, too
    lost = ", ".join(n for n, x in found.items() if x is None or not (n in silent or x.any()))
    if lost:
        why = "is it used?" if lost in silent else f"nothing can be learned there. {_ADVICE}"
        mode = " in evaluation mode" if isinstance(exercise, ModuleExercise) else ""
        return _flow_no_longer(f"no gradient reaches {lost}{mode}: {why}", run)
    if not _near(found, _gradients(exercise.reference, exercise, run)):
        return _flow_no_longer(f"gradients are not: on some of the ways through your code they are cut. {_ADVICE}", run)


def _flow_no_longer(why, run):
    message = f"Your numbers are right, but {why}"
    return Verdict("property", message, property="gradients_flow", example=Example.of(run))


def _is_finite(gradient):
    return gradient is None or bool(gradient.isfinite().all())


def _told(name, gradient):
    """Say that a gradient is not a number, and what makes it so on the way back."""
    odd = gradient[~gradient.isfinite()]
    what = "NaN" if odd.isnan().all() else "infinite or NaN"
    return (
        f"Your numbers are right, but {odd.numel():,} of the {gradient.numel():,} numbers in the gradient of {name} "
        f"are {what}, which ends any training. On the way back a factor of 0 removes no NaN: 0 times NaN is NaN. "
        "Does a line of yours make NaN or an infinity, and a later one throw it away? It must not arise."
    )


def _near(found, expected):
    """Say whether gradients agree with the reference's up to single precision."""
    pairs = ((found[name], expected[name]) for name in found)
    return all(abs(g - e).max() <= 1e-3 * (1 + abs(e).max()) for g, e in pairs if e is not None)


def remark_on_nan(answer: Answer) -> Verdict | None:
    """Return a right Verdict with a remark if gradients are NaN on an edge; a wrong one if the code stops there."""
    remarks = answer.exercise.course.hooks.nan_remarks if answer.exercise.gradients else {}
    ends = next((run for run in answer.runs if run.case.tag in remarks and _is_floating(run.expected)), None)
    if ends is None:
        return None
    try:
        found = _gradients(answer.function, answer.exercise, ends)
    except Exception as error:
        return _flow_no_longer(f"your code fails where gradients are wanted: {error_in_words(error)}", ends)
    if not all(map(_is_finite, found.values())):
        message = f"{RIGHT.message} {remarks[ends.case.tag]}"
        return Verdict("right", message, score=1.0, property="finite_gradients")
    return None


def _gradients(function, exercise, run):
    """Name of a floating input, or of a model's table -> the gradient that reaches it from a mix of all outputs."""
    inputs = send(run.inputs, "torch")
    given = inputs | {
        f"{n}.{name}": x for n, m in inputs.items() if isinstance(m, Model) for name, x in m.tables.items()
    }
    leaves = {n: x.requires_grad_() for n, x in given.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    positional = [inputs.pop(name) for name in required(exercise.parameters)]
    with torch.enable_grad(), caught_output():
        if hasattr(function, "gradients"):  # of a layer, or of a function in another process
            found = function.gradients(list(leaves.values()), positional, inputs)
        else:
            found = gradients(function(*positional, **inputs), list(leaves.values()))
    return dict(zip(leaves, found))


def makes_large_tensors(answer: Answer) -> Verdict | None:
    """Return a Verdict if the answer makes a tensor that is too large for its exercise, or does not go piece by piece.

    Too large has as many numbers as the exercise says, or more; piece by piece makes at least one tensor for each.
    """
    exercise = answer.exercise
    for run in answer.runs if exercise.too_many or exercise.pieces else ():
        most, least = (bound and bound(**run.inputs) for bound in (exercise.too_many, exercise.pieces))
        most = 0 if run.case.tag else most
        made, largest = tensors_made(answer.function, partial(answer.ask, run.inputs)) if most or least else (0, 0)
        sizes = inputs_in_words(run.inputs, exercise.reference)
        if most and largest >= most:
            message = (
                f"Your numbers are right, but on the way your code makes a tensor of {largest:,} numbers, for {sizes}. "
                f"Here each has to stay below {most:,}. Which line makes it? Print the shapes."
            )
            return Verdict("property", message, property="makes_no_large_tensor", example=Example.of(run))
        if least and made < least:
            message = (
                f"Your numbers are right, but your code does not work piece by piece: for {sizes}, there are {least} "
                "pieces, and it makes fewer tensors on the way than one for each. What does your loop go over?"
            )
            return Verdict("property", message, property="works_piece_by_piece", example=Example.of(run))
    return None
