"""The size of the largest tensor that a function makes on its way."""

from collections.abc import Callable

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from .source import handle_of


class Largest(TorchDispatchMode):
    """Sees every tensor that torch makes, and keeps the largest number of numbers."""

    numbers = 0

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # it would import a compiler, which takes seconds, and there is nothing to compile

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        self.numbers = max(self.numbers, *(_size(x) for x in tree_leaves(made)), 0)
        return made


def _size(x):
    """Count the numbers of a tensor as far as they are held: an expanded one repeats a few."""
    return min(x.numel(), x.untyped_storage().nbytes() // x.element_size()) if isinstance(x, torch.Tensor) else 0


def largest_tensor(answer: Callable, run: Callable) -> int:
    """Return the size of the largest tensor that is made while `run()` calls the answer, where the answer runs."""
    if handle_of(answer):
        return handle_of(answer).watch("largest_tensor", run)
    with Largest() as seen:
        run()
    return seen.numbers
