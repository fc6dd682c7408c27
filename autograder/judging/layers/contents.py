"""Do what is asked of a learner's layer or function where it lives: in this process, or in a worker that tells of it.

Who attacks a worker can let it tell what he likes: of what is here, results alone are compared with the judge's own.
"""

from collections.abc import Callable
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.parameter import is_lazy
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from ..source import handle_of

OF_EVERY_MODULE = vars(nn.Module())


@dataclass(frozen=True)
class Weight:
    """A parameter. names: all that lead to it; learns: it is not frozen."""

    names: list[str]
    shape: list[int]
    learns: bool
    lazy: bool  # it has no shape yet


@dataclass(frozen=True)
class Contents:
    """What a layer is made of. parts: name -> names of its class and of the classes that this is made from.

    hides: whether weights lie where PyTorch does not look; plain: whether there are tables that are no weights.
    """

    weights: list[Weight]
    parts: dict[str, list[str]]
    hides: bool
    plain: bool


def contents(layer: nn.Module):
    """Return what a layer is made of."""
    names: dict[int, list[str]] = {}
    for name, parameter in layer.named_parameters(remove_duplicate=False):
        names.setdefault(id(parameter), []).append(name)
    weights = [
        Weight(names[id(p)], [] if is_lazy(p) else list(p.shape), bool(p.requires_grad), is_lazy(p))
        for p in layer.parameters()
    ]
    parts = {name: names_of(type(part)) for name, part in layer.named_modules(remove_duplicate=False)}
    beside = [x for name, x in vars(layer).items() if name not in OF_EVERY_MODULE]
    hides = any(id(parameter) not in names for x in beside for parameter in _parameters_in(x))
    plain = any(isinstance(x, torch.Tensor) and not is_lazy(x) and x.ndim > 1 for x in (*beside, *layer.buffers()))
    return Contents(weights, parts, hides, plain)


def names_of(kind: type):
    """Return the names of a class and of its bases."""
    return [f"{part.__module__}.{part.__qualname__}" for part in kind.__mro__]


def _parameters_in(x, depth=3):
    """Return what is a weight in a list, tuple or dictionary, or in a layer, or is one itself."""
    if isinstance(x, (list, tuple, dict)):
        parts = (x.values() if isinstance(x, dict) else x) if depth else ()
        return [p for part in parts for p in _parameters_in(part, depth - 1)]
    if isinstance(x, nn.Module):
        return list(x.parameters())
    return [x] if isinstance(x, nn.Parameter) else []


@contextmanager
def exchanged(layer: nn.Module, weights: dict):
    """Put weights into the places of a layer's own. weights: name of a parameter -> a tensor, which may be computed."""
    new = {id(own): weights[name] for name, own in layer.named_parameters() if name in weights}
    shelves = [part._parameters for part in layer.modules()]
    places = [(shelf, name, own) for shelf in shelves for name, own in shelf.items() if id(own) in new]
    try:
        for shelf, name, own in places:
            shelf[name] = new[id(own)]
        yield
    finally:
        for shelf, name, own in places:
            shelf[name] = own


def forward(layer: nn.Module, weights: dict, given, named):
    """Call a layer as learners do, with these weights in the place of its own."""
    with exchanged(layer.to(given[0].dtype), weights):
        return layer(*given, **named)


def gradients(value, leaves):
    """Return what reaches each leaf from a mix of all numbers in a result, or in several; None where nothing does."""
    results = [x for x in (value if isinstance(value, (tuple, list)) else [value]) if isinstance(x, torch.Tensor)]
    mixes = [
        (x * torch.linspace(-1, 2, x.numel(), dtype=x.dtype, device=x.device).reshape(x.shape)).sum() for x in results
    ]
    mixes = [mix for mix in mixes if mix.requires_grad]
    if not mixes or not leaves:
        return [None] * len(leaves)
    return list(torch.autograd.grad(sum(mixes), leaves, allow_unused=True))


def learning(leaves):
    return [x for x in leaves if isinstance(x, torch.Tensor) and x.requires_grad]


def switch(layer: nn.Module, method: str, *mode):
    """Switch a layer to train or evaluation mode, as it understands that itself; it may return nothing."""
    getattr(layer, method)(*mode)


def modes_of(layer: nn.Module):
    """Return part's name -> whether it is in train mode."""
    return {name: bool(part.training) for name, part in layer.named_modules()}


def changed_by_calls(layer: nn.Module, given, named):
    """Say whether calls change what is saved, and whether they change a mode: one in train mode, then one after it."""
    saved, modes = deepcopy(layer.to(given[0].dtype).state_dict()), []
    for mode in (True, False):
        layer.train(mode)
        before = modes_of(layer)
        with torch.no_grad():
            layer(*given, **named)
        after = modes_of(layer)
        modes += [name for name in before if before[name] != after.get(name, before[name])]
    now = layer.state_dict()
    return now.keys() != saved.keys() or not all(_alike(saved[n], now[n]) for n in saved), bool(modes)


def _alike(before, after):
    """Say whether two tensors have the same type, sizes and numbers; whatever else a layer saves counts as alike."""
    if not isinstance(before, torch.Tensor) or not isinstance(after, torch.Tensor):
        return True
    if (before.dtype, before.shape) != (after.dtype, after.shape):
        return False
    first, second = before.to_dense(), after.to_dense()
    return torch.equal(first, second) or torch.allclose(first, second, rtol=0, atol=0, equal_nan=True)


def idle_weights(layer: nn.Module, given, named):
    """Return the names of those weights that have no effect on the result."""
    with torch.enable_grad():
        forward(layer, {}, given, named).sum().backward()
    return [name for name, parameter in layer.named_parameters() if parameter.grad is None]


def shares_weights(layer: nn.Module, other: nn.Module):
    first, second = ({id(parameter) for parameter in one.parameters()} for one in (layer, other))
    return bool(first & second)


def load(layer: nn.Module, other: nn.Module):
    """Let a layer load what another one has saved."""
    layer.load_state_dict(other.state_dict())


LOOKS = {
    look.__name__: look for look in (contents, switch, modes_of, changed_by_calls, idle_weights, shares_weights, load)
}


class Made(TorchDispatchMode):
    """Sees every tensor that torch makes: counts them, and keeps the largest number of numbers."""

    count = largest = 0

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # it would import a compiler, which takes seconds, and there is nothing to compile

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        for x in filter(lambda x: isinstance(x, torch.Tensor), tree_leaves(made)):
            held = x.untyped_storage().nbytes() // x.element_size()  # an expanded one repeats a few numbers
            self.count, self.largest = self.count + 1, max(self.largest, min(x.numel(), held))
        return made


def tensors_made(answer: Callable, run: Callable) -> tuple[int, int]:
    """Return how many tensors are made while `run()` calls the answer, where that runs, and the size of the largest."""
    if handle_of(answer):
        return handle_of(answer).watch("tensors_made", run)
    with Made() as seen:
        run()
    return seen.count, seen.largest
