"""What a layer holds: the judge's weights put in its place for a while, and what a call changes in it."""

from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import torch
from torch import nn

from ..source import handle_of


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


def left_behind(work):
    """Return the names of what a call changes: in the state that is saved, and of parts that change their mode."""
    layer, (given, named) = work.build(), work.forward_inputs
    if handle_of(type(layer)):
        return layer.left_behind(given, named)
    return changed_by_calls(layer, given, named)


def changed_by_calls(layer: nn.Module, given: Any, named):
    """Return what calls change in a layer of this process: one in train mode, then one in evaluation mode."""
    saved, modes = deepcopy(layer.to(given[0].dtype).state_dict()), []
    for mode in (True, False):
        layer.train(mode)
        before = modes_of(layer)
        with torch.no_grad():
            layer(*given, **named)
        after = modes_of(layer)
        modes += [name for name in before if before[name] != after.get(name, before[name])]
    now = layer.state_dict()
    names = [name for name in {**saved, **now} if name not in saved or name not in now]
    return {"saved": names + [n for n in saved if n in now and not _alike(saved[n], now[n])], "modes": modes}


def modes_of(layer: nn.Module):
    """Return part's name -> whether it is in train mode."""
    return {name: bool(part.training) for name, part in layer.named_modules()}


def _alike(before, after):
    """Say whether two tensors have the same type, sizes and numbers; whatever else a layer saves counts as alike."""
    if not isinstance(before, torch.Tensor) or not isinstance(after, torch.Tensor):
        return True
    if (before.dtype, before.shape) != (after.dtype, after.shape):
        return False
    first, second = before.to_dense(), after.to_dense()
    return torch.equal(first, second) or torch.allclose(first, second, rtol=0, atol=0, equal_nan=True)
