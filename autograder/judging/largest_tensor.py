"""How many tensors a function makes on its way, and the size of the largest."""

from collections.abc import Callable

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from .source import handle_of


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


def largest_tensor(answer: Callable, run: Callable) -> int:
    """Return the size of the largest tensor that is made while `run()` calls the answer, where the answer runs."""
    if handle_of(answer):
        return handle_of(answer).watch("largest_tensor", run)
    with Made() as seen:
        run()
    return seen.largest


def tensors_made(answer: Callable, run: Callable) -> int:
    """Return how many tensors are made while `run()` calls the answer, where the answer runs."""
    if handle_of(answer):
        return handle_of(answer).watch("tensors_made", run)
    with Made() as seen:
        run()
    return seen.count
