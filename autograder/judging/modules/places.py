"""Which of a module's parameters is which weight of an attention, whatever its author calls it and however it lies.

A layer may have a matrix for each projection or one for three, for each head or for all,
as nn.Linear (out, in) or as nn.Parameter (in, out).
"""

import re
from dataclasses import dataclass
from functools import cache

import torch
from torch import nn

CLEAR = {
    "query": {"q", "query", "queries"},
    "key": {"k", "key", "keys"},
    "value": {"v", "value", "values"},
    "fused": {"qkv"},
}
VAGUE = {"output": {"o", "out", "output", "mix"}, "fused": {"in"}}  # "query_in" is a query's
BARE = {"output": {"proj"}, "fused": {"attn"}}  # where the name says nothing more: `c_attn` and `c_proj` of GPT-2


class Misfit(Exception):
    """The judge's weights have no place in this module; the message tells the learner why.

    name: for the class report, where it is a mistake that has one.
    """

    def __init__(self, message, name=None):
        super().__init__(message)
        self.name = name


@dataclass(frozen=True)
class Place:
    """One parameter: its name, which projection's it is, and how it lies; number: the last one in its name."""

    name: str
    parameter: torch.Tensor
    projection: str
    is_bias: bool
    is_linear: bool

    @property
    def number(self):
        return next((int(token) for token in reversed(tokens_of(self.name)) if token.isdigit()), None)


@cache
def tokens_of(name):
    """`self_attn.inProj.0.weight` -> self, attn, in, proj, 0, weight."""
    return tuple(re.findall(r"[a-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()))


@cache
def projection_of(name):
    """Which projection a parameter's name speaks of; None if of none."""
    for meanings in (CLEAR, VAGUE, BARE):
        for token in reversed(tokens_of(name)):
            for projection, words in meanings.items():
                if {token, token.removeprefix("w"), token.removeprefix("b")} & words:
                    return projection


def places_of(module):
    """A Place for every parameter whose name speaks of a projection."""
    found = []
    for name, parameter in module.named_parameters():
        tokens, projection = tokens_of(name), projection_of(name)
        if projection:
            is_bias = "bias" in tokens or "b" in tokens or tokens[-1] in ("bq", "bk", "bv", "bo")
            found.append(Place(name, parameter, projection, is_bias, is_in_linear(module, name)))
    return found


def is_in_linear(module, name):
    return isinstance(module.get_submodule(name.rpartition(".")[0]), nn.Linear)


def head_of(place, places):
    """Which head alone this place belongs to, by its number among those of its kind; None if there is no other."""
    same = [p for p in places if (p.projection, p.is_bias) == (place.projection, place.is_bias)]
    return sorted(p.number or 0 for p in same).index(place.number or 0) if len(same) > 1 else None


def filled(place, weights, heads, head=None):
    """What stands at this place when the layer has these weights: the first of all layouts that has its size.

    weights: {"query": (in, out), ...}, or biases {"query": (out,), ...}.
    """
    names = ("query", "key", "value") if place.projection == "fused" else (place.projection,)
    ways = zip(*(_ways(weights[name], place, heads, head) for name in names))
    layouts = [torch.cat(parts, dim=-1) for parts in ways]
    turned = [layout.T for layout in layouts if layout.ndim == 2]
    layouts = turned if place.is_linear and not place.is_bias else layouts + turned
    fitting = [layout for layout in layouts if _long_axes(layout) == _long_axes(place.parameter)]
    if not fitting:
        raise Misfit(_other_size(place, torch.cat([weights[name] for name in names], dim=-1)))
    return fitting[0].reshape(place.parameter.shape)


def _long_axes(tensor):
    """An axis of length 1 more or less is a matter of style."""
    return [size for size in tensor.shape if size != 1]


def _ways(weight, place, heads, head):
    """A weight as it stands, one head's block of it, and with an axis for the heads, in either place."""
    axis = 0 if place.is_bias or place.projection == "output" else 1
    ways = [weight]
    if head is not None and head < heads:
        ways.append(weight.tensor_split(heads, dim=axis)[head])
    if weight.shape[axis] % heads == 0:
        by_head = weight.unflatten(axis, (heads, -1))
        ways += [by_head, by_head.movedim(axis, 0)]
    return ways


def _other_size(place, whole):
    given, wanted = place.parameter.shape, whole.shape
    if place.is_linear and not place.is_bias:
        maps = f"Your `{place.name}` makes {given[0]} numbers out of {given[1]}"
        return f"{maps}. This layer needs one that makes {wanted[1]} out of {wanted[0]}."
    sizes = ["×".join(map(str, shape)) for shape in (given, wanted)]
    return "Your `{}` has the size {}. This layer needs {} there.".format(place.name, *sizes)
