"""Wrong versions of a layer as learners hand them in: as torch modules."""

import torch
from torch import nn

import mha_ref.layer
from autograder.exercise import ModuleExercise
from autograder.judging.modules.weights import PROJECTIONS
from autograder.judging.tensors import send


def answer_of(function, exercise):
    """The function itself, or, for an exercise that asks for a class, a class that computes it."""
    return as_class(function, exercise) if isinstance(exercise, ModuleExercise) else function


def reference_of(exercise):
    """What the reference package has for it: a function, or a layer."""
    return getattr(mha_ref.layer, exercise.name) if isinstance(exercise, ModuleExercise) else exercise.reference


def as_class(function, exercise):
    """A module with weights of the names that the judge knows; forward runs the function, in NumPy."""

    class Layer(nn.Module):
        def __init__(self, *required, dropout=0.0, **sizes):
            super().__init__()
            sizes = dict(zip(exercise.constructor.parameters, required)) | sizes
            self.sizes = {name: size for name, size in sizes.items() if name in exercise.parameters}
            for name, weight in _weights_of(exercise, sizes).items():
                if name.startswith(("self_", "cross_")):
                    self._pack(*name.split("_"), weight)
                else:
                    self.register_parameter(name, nn.Parameter(weight))

        def _pack(self, part, kind, weight):
            """`self_weights` are the four matrices of the attention named `self`."""
            if not hasattr(self, part):
                self.add_module(part, nn.Module())
            for projection, matrix in zip(PROJECTIONS, weight):
                self.get_submodule(part).register_parameter(f"{kind[0]}_{projection}", nn.Parameter(matrix))

        def forward(self, *inputs, **options):
            given = dict(zip(exercise.forward_parameters, inputs)) | options | self.sizes
            given |= {n: w for n, w in self.named_parameters() if "." not in n}
            for part, attention in self.named_children():
                for kind in ("weights", "biases"):
                    given[f"{part}_{kind}"] = torch.stack([getattr(attention, f"{kind[0]}_{p}") for p in PROJECTIONS])
            return _tensors(
                function(**{n: x.detach().numpy() if hasattr(x, "detach") else x for n, x in given.items()})
            )

    Layer.__signature__ = exercise.constructor
    return Layer


def _weights_of(exercise, sizes):
    """Weights of the first case with these sizes."""
    arguments = {name: size for name, size in sizes.items() if name != "dropout"}
    inputs = next(c.inputs for c in exercise.cases() if exercise.arguments(c.inputs) == arguments)
    names = [n for n in exercise.parameters if n not in exercise.forward_parameters and n not in exercise.sizes]
    return {n: x for n, x in send(inputs, "torch").items() if n in names and x is not None}


def _tensors(result):
    return tuple(map(torch.as_tensor, result)) if isinstance(result, tuple) else torch.as_tensor(result)
