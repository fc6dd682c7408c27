"""How many tensors a function makes on its way, and the size of the largest."""

from collections.abc import Callable
from functools import partial

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from ..shapes import inputs_in_words
from .source import handle_of
from .verdict import Example, Verdict


class Made(TorchDispatchMode):
    """Sees every tensor that torch makes: counts them, and keeps the largest number of numbers."""

    count = largest = 0

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # it would import a compiler, which takes seconds, and there is nothing to compile

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        sizes = [_size(x) for x in tree_leaves(made)]
        self.count, self.largest = self.count + len(sizes), max(self.largest, *sizes, 0)
        return made


def _size(x):
    """Count the numbers of a tensor as far as they are held: an expanded one repeats a few."""
    return min(x.numel(), x.untyped_storage().nbytes() // x.element_size()) if isinstance(x, torch.Tensor) else 0


def tensors_made(answer: Callable, run: Callable) -> tuple[int, int]:
    """Return how many tensors are made while `run()` calls the answer, where that runs, and the size of the largest."""
    if handle_of(answer):
        return handle_of(answer).watch("tensors_made", run)
    with Made() as seen:
        run()
    return seen.count, seen.largest


def makes_large_tensors(answer) -> Verdict | None:
    """Return a Verdict if the answer makes a tensor that is too large for its exercise, or does not go piece by piece.

    Too large has as many numbers as the exercise says, or more; piece by piece makes at least one tensor for each.
    """
    for run in answer.runs:
        most, least = (bound and bound(**run.inputs) for bound in (answer.exercise.too_many, answer.exercise.pieces))
        most = 0 if run.case.tag else most
        made, largest = tensors_made(answer.function, partial(answer.ask, run.inputs)) if most or least else (0, 0)
        sizes = inputs_in_words(run.inputs, answer.exercise.reference)
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
