"""In torch a right result must also let gradients through to every floating input."""

import inspect

import numpy as np

from .outcome import caught_output
from .verdict import Example, Verdict

_ADVICE = "detach, .data, .item(), torch.tensor(...) and NumPy cut the graph."


def cut_gradients(answer, exercise, trials, library):
    """A Verdict if gradients are cut; None if they flow, or if nobody asked for any."""
    trial = next(t for t in trials if not t.case.tag)
    if library != "torch" or trial.expected.kind != "floating":
        return None
    try:
        lost = _inputs_without_gradient(answer, exercise, trial)
    except Exception as error:
        message = f"Your numbers are right, but your code fails where gradients are wanted: {error}"
        return Verdict("property", message, property="gradients_flow", example=Example.of(trial))
    if lost:
        where = ", ".join(lost)
        message = f"Your numbers are right, but no gradient reaches {where}: nothing can be learned there. {_ADVICE}"
        return Verdict("property", message, property="gradients_flow", example=Example.of(trial))


def _inputs_without_gradient(answer, exercise, trial):
    import torch  # here, so that a NumPy lesson never waits for it

    inputs = {n: torch.from_numpy(x.copy()) if isinstance(x, np.ndarray) else x for n, x in trial.inputs.items()}
    leaves = {n: x.requires_grad_() for n, x in inputs.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    required = [inputs.pop(n) for n, default in exercise.parameters.items() if default is inspect.Parameter.empty]
    with torch.enable_grad(), caught_output():
        out = answer(*required, **inputs)
    if not isinstance(out, torch.Tensor) or not out.requires_grad:
        return list(leaves)
    direction = torch.linspace(-1, 2, out.numel(), dtype=out.dtype).reshape(out.shape)
    gradients = torch.autograd.grad((out * direction).sum(), list(leaves.values()), allow_unused=True)
    return [n for n, g in zip(leaves, gradients) if g is None or not g.any() or not torch.isfinite(g).all()]
