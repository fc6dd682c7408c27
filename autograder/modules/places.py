"""Which of a module's parameters is which weight of the exercise, whatever its author calls it and however it lies.

A layer may have a matrix for each projection or one for three, for each head or for all,
as nn.Linear (out, in) or as nn.Parameter (in, out).
"""

import re
from dataclasses import dataclass
from functools import cache

import torch
from torch import nn

WORDS = {
    "query": {"q", "query", "queries"},
    "key": {"k", "key", "keys"},
    "value": {"v", "value", "values"},
    "output": {"o", "out", "output", "mix"},
    "fused": {"qkv", "in"},
}
CROSS = {"cross", "memory", "source", "src", "encoder", "enc"}
ADVICE = (
    "The judge puts its own weights into your layer, and finds them by name. "
    "Name your projections `query`, `key`, `value`{output}, "
    "or `q_proj`, `k_proj`, `v_proj`{out_proj}, or `w_query`, `w_key`, `w_value`{w_output}; "
    "or one for three, `in_proj` or `qkv`."
)


class Misfit(Exception):
    """The judge's weights have no place in this module; the message tells the learner why.

    name: for the class report, where it is a mistake that has one.
    """

    def __init__(self, message, name=None):
        super().__init__(message)
        self.name = name


@dataclass(frozen=True)
class Place:
    """One parameter: its name, which projection's it is, of which head alone, and how it lies."""

    name: str
    parameter: torch.Tensor
    projection: str
    is_bias: bool
    is_linear: bool
    head: int | None

    @property
    def owner(self):
        """The part of the name in front of the projection's own."""
        return self.name.rpartition(".")[0].rpartition(".")[0] if self.is_linear else self.name.rpartition(".")[0]


@cache
def tokens_of(name):
    """ "self_attn.inProj.0.weight" -> self, attn, in, proj, 0, weight."""
    return tuple(re.findall(r"[a-z]+|\d+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()))


@cache
def projection_of(name):
    """Which projection a parameter's name speaks of; None if of none."""
    for token in reversed(tokens_of(name)):
        for projection, words in WORDS.items():
            if token in words or token.removeprefix("w") in words or token.removeprefix("b") in words:
                return projection


def places_of(module):
    """A Place for every parameter whose name speaks of a projection."""
    found = []
    for name, parameter in module.named_parameters():
        tokens, projection = tokens_of(name), projection_of(name)
        if projection:
            owner = module.get_submodule(name.rpartition(".")[0])
            is_bias = "bias" in tokens or "b" in tokens or tokens[-1] in ("bq", "bk", "bv", "bo")
            head = next((int(token) for token in tokens if token.isdigit()), None)
            found.append(Place(name, parameter, projection, is_bias, isinstance(owner, nn.Linear), head))
    return found


def filled(place, weights, heads):
    """What stands at this place when the layer has these weights: the first of all layouts that has its size.

    weights: {"query": (in, out), ...}, or biases {"query": (out,), ...}.
    """
    if place.projection == "fused":
        whole = torch.cat([weights[name] for name in ("query", "key", "value")], dim=-1)
    else:
        whole = weights[place.projection]
    layouts = [layout for layout in _layouts(whole, place, heads) if layout.shape == place.parameter.shape]
    if not layouts:
        raise Misfit(_other_size(place, whole))
    return layouts[0]


def _other_size(place, whole):
    given, wanted = place.parameter.shape, whole.shape
    if place.is_linear and not place.is_bias:
        maps = f"Your `{place.name}` makes {given[0]} numbers out of {given[1]}"
        return f"{maps}. This layer needs one that makes {wanted[1]} out of {wanted[0]}."
    sizes = ["×".join(map(str, shape)) for shape in (given, wanted)]
    return "Your `{}` has the size {}. This layer needs {} there.".format(place.name, *sizes)


def _layouts(whole, place, heads):
    """A weight as it stands, turned, cut by head, or one head's block of it."""
    if place.is_bias:
        return [whole, _block(whole, place, heads, 0), *_cut(whole, heads, 0)]
    if place.is_linear:
        return [whole.T, _block(whole, place, heads, int(place.projection != "output")).T]
    if place.projection == "output":
        return [whole, whole.T, _block(whole, place, heads, 0), *_cut(whole, heads, 0)]
    by_head = _cut(whole, heads, 1)
    return [whole, whole.T, _block(whole, place, heads, 1), *by_head, *(x.movedim(1, 0) for x in by_head)]


def _block(whole, place, heads, axis):
    if place.head is None or place.head >= heads:
        return whole
    return whole.tensor_split(heads, dim=axis)[place.head]


def _cut(whole, heads, axis):
    """With an axis for the heads, where they divide."""
    size = whole.shape[axis]
    return [whole.unflatten(axis, (heads, size // heads))] if size % heads == 0 else []
