"""In torch a right result must also let gradients through to every floating input."""

from ..cases import Model
from ..exercise import ModuleExercise
from .answer import Answer
from .running import caught_output, required, send
from .symptoms import error_in_words
from .verdict import RIGHT, Example, Verdict

_ADVICE = "detach, .data, .item(), torch.tensor(...), no_grad and NumPy cut the connection."


def cut_gradients(answer: Answer) -> Verdict | None:
    """Return a Verdict if gradients are cut or are not numbers; None if they flow, or if none were asked for."""
    if answer.library != "torch" or not answer.exercise.gradients:
        return None
    ordinary = [run for run in answer.ordinary if _is_floating(run.expected)]
    tried = {id(run): run for run in (*ordinary[:1], *sorted(ordinary, key=lambda run: -len(run.inputs))[:1])}
    verdicts = (_cut_in(answer.function, answer.exercise, run) for run in tried.values())  # with few inputs, and most
    return next(filter(None, verdicts), None) or _remark_on_nan(answer.function, answer.exercise, answer.runs)


def _is_floating(outcome):
    """Say whether a result, or each of several, is of floating-point numbers."""
    return {part.kind for part in outcome.parts or (outcome,)} == {"floating"}


def _cut_in(answer, exercise, run):
    """Return a Verdict if gradients are cut in this case."""
    try:
        gradients = _gradients(answer, exercise, run)
    except Exception as error:
        return _fails(error, run)
    silent = _silent(exercise)
    nan = [name for name, gradient in gradients.items() if gradient is not None and not gradient.isfinite().all()]
    lost = ", ".join(name for name, gradient in gradients.items() if not _reaches(gradient, name in silent))
    if nan:
        message = _told(nan[0], gradients[nan[0]])
        return Verdict("property", message, property="gradients_are_finite", example=Example.of(run))
    if not lost and not _agree(gradients, _gradients(exercise.reference, exercise, run)):
        where = "on some of the ways through your code they are cut"
        message = f"Your numbers are right, but gradients are not: {where}. {_ADVICE}"
        return Verdict("property", message, property="gradients_flow", example=Example.of(run))
    if lost:
        why = "is it used?" if lost in silent else f"nothing can be learned there. {_ADVICE}"
        mode = " in evaluation mode" if isinstance(exercise, ModuleExercise) else ""
        message = f"Your numbers are right, but no gradient reaches {lost}{mode}: {why}"
        return Verdict("property", message, property="gradients_flow", example=Example.of(run))


def _told(name, gradient):
    """Say that a gradient is not a number, and what makes it so on the way back."""
    odd = gradient[~gradient.isfinite()]
    what = "NaN" if odd.isnan().all() else "infinite or NaN"
    return (
        f"Your numbers are right, but {odd.numel():,} of the {gradient.numel():,} numbers in the gradient of {name} "
        f"are {what}, which ends any training. On the way back a factor of 0 removes no NaN: 0 times NaN is NaN. "
        "Does a line of yours make NaN or an infinity, and a later one throw it away? It must not arise."
    )


def _fails(error, run):
    message = f"Your numbers are right, but your code fails where gradients are wanted: {error_in_words(error)}"
    return Verdict("property", message, property="gradients_flow", example=Example.of(run))


def _silent(exercise):
    """Return the names of weights whose gradients are zero in a right answer, too."""
    return getattr(exercise, "no_gradient", ())


def _reaches(gradient, may_be_zero):
    return gradient is not None and (may_be_zero or bool(gradient.any()))


def _agree(gradients, expected):
    """Say whether gradients agree with the reference's up to single precision."""
    pairs = ((gradients[name], expected[name]) for name in gradients)
    return all(abs(g - e).max() <= 1e-3 * (1 + abs(e).max()) for g, e in pairs if e is not None)


def _remark_on_nan(answer, exercise, runs):
    """Add a remark to a right Verdict if there is a case whose gradients are not numbers, which ends a training run."""
    remarks = exercise.course.hooks.nan_remarks
    ends = next((t for t in runs if t.case.tag in remarks and _is_floating(t.expected)), None)
    try:
        gradients = _gradients(answer, exercise, ends) if ends else {}
    except Exception as error:
        return _fails(error, ends)
    if not all(g is None or g.isfinite().all() for g in gradients.values()):
        message = f"{RIGHT.message} {remarks[ends.case.tag]}"
        return Verdict("right", message, score=1.0, property="finite_gradients")


def _gradients(answer, exercise, run):
    """Name of a floating input, or of a model's table -> the gradient that reaches it from a mix of all outputs."""
    import torch  # here, so that a NumPy lesson never waits for it

    from .layers.contents import gradients

    inputs = send(run.inputs, "torch")
    given = inputs | {
        f"{n}.{name}": x for n, m in inputs.items() if isinstance(m, Model) for name, x in m.tables.items()
    }
    leaves = {n: x.requires_grad_() for n, x in given.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    positional = [inputs.pop(name) for name in required(exercise.parameters)]
    with torch.enable_grad(), caught_output():
        if hasattr(answer, "gradients"):  # of a layer, or of a function in another process
            found = answer.gradients(list(leaves.values()), positional, inputs)
        else:
            found = gradients(answer(*positional, **inputs), list(leaves.values()))
    return dict(zip(leaves, found))
