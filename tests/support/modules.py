"""Wrong versions of a layer as learners hand them in: as torch modules."""

from unittest.mock import patch

import torch
from torch import nn

import mha_ref.layer
from autograder.exercise import ModuleExercise
from autograder.judging.running import send
from mha_lessons.lesson_04_single_head.layers.weights import PROJECTIONS


def answer_of(function, exercise):
    """The function itself, or, for an exercise that asks for a class, a class that computes it."""
    return as_class(function, exercise) if isinstance(exercise, ModuleExercise) else function


def reference_of(exercise):
    """What the reference package has for it: a function, or a layer."""
    return getattr(mha_ref.layer, exercise.name) if isinstance(exercise, ModuleExercise) else exercise.reference


def as_class(function, exercise):
    """A module of nn.Linear with the names that the judge knows; forward runs the function, in NumPy."""

    class Layer(nn.Module):
        @patch.object(nn.Linear, "reset_parameters", lambda self: None)  # others take the place of its numbers
        def __init__(self, *required, dropout=0.0, **sizes):
            super().__init__()
            sizes = dict(zip(exercise.constructor.parameters, required)) | sizes
            self.sizes = {name: size for name, size in sizes.items() if name in exercise.parameters}
            weights = _weights_of(exercise, sizes)
            for name in (name[2:] for name in weights if name.startswith("w_")):
                self.add_module(name, _linear(weights["w_" + name], weights.get("b_" + name)))
            for part in (name.removesuffix("_weights") for name in weights if name.endswith("_weights")):
                four = map(_linear, weights[part + "_weights"], weights[part + "_biases"])
                self.add_module(part, nn.ModuleDict(zip(PROJECTIONS, four)))

        def forward(self, *inputs, **options):
            given = dict(zip(exercise.shown_parameters, inputs)) | options | self.sizes
            for name, part in self.named_children():
                if isinstance(part, nn.Linear):
                    given |= {f"w_{name}": part.weight.T} | ({} if part.bias is None else {f"b_{name}": part.bias})
                else:
                    given[f"{name}_weights"] = torch.stack([p.weight.T for p in part.values()])
                    given[f"{name}_biases"] = torch.stack([p.bias for p in part.values()])
            return _tensors(
                function(**{n: x.detach().numpy() if hasattr(x, "detach") else x for n, x in given.items()})
            )

    Layer.__signature__ = exercise.constructor
    return Layer


def _linear(matrix, bias):
    """An nn.Linear of this matrix, (in, out)."""
    made = nn.Linear(*matrix.shape, bias=bias is not None)
    made.weight = nn.Parameter(matrix.T)
    made.bias = None if bias is None else nn.Parameter(bias)
    return made


def _weights_of(exercise, sizes):
    """Weights of the first case with these sizes."""
    arguments = {name: size for name, size in sizes.items() if name != "dropout"}
    inputs = next(c.inputs for c in exercise.cases() if exercise.arguments(c.inputs) == arguments)
    names = [n for n in exercise.parameters if n not in exercise.shown_parameters and n not in exercise.sizes]
    return {n: x for n, x in send(inputs, "torch").items() if n in names and x is not None}


def _tensors(result):
    return tuple(map(torch.as_tensor, result)) if isinstance(result, tuple) else torch.as_tensor(result)
