"""Which of a module's parameters is which weight of an attention, whatever its author calls it.

A layer may have a matrix for each projection or one for several, for each head or for all.
"""

import re
from dataclasses import dataclass, replace
from math import prod

from torch import nn

from autograder.judging.layers.layer import Misfit

from .names import is_of_bias, is_of_lengths, number_in, projections_of, stem, tokens_of


@dataclass(frozen=True)
class Place:
    """One parameter: its name and shape, which projections it holds (none: unknown), and what it is of them.

    holds_lengths: of the rows alone, as `weight_norm` keeps them beside the rows themselves.
    """

    name: str
    shape: tuple
    projections: tuple
    is_bias: bool
    is_linear: bool
    holds_lengths: bool = False

    @property
    def size(self):
        return prod(self.shape)

    @property
    def number(self):
        return number_in(tokens_of(re.sub(r"original\d$", "", self.name)))

    @property
    def kind(self):
        return self.projections, self.is_bias, self.holds_lengths


def places_of(layer):
    """A Place for every parameter."""
    for name in (name for name, weight in layer.weights.items() if weight.lazy):
        raise Misfit(_NEVER_CALLED.format(name))
    return [_place(layer, name, tuple(weight.shape)) for name, weight in layer.weights.items()]


_NEVER_CALLED = (
    "Your `{}` has no numbers yet: like an `nn.LazyLinear`, it gets them in its first call. We called your layer, "
    "and it still has none. Call your layer yourself, on a small tensor, to see what happens; or make an "
    "`nn.Linear`, which has its weights from the start."
)


def _place(layer, name, shape):
    is_bias = is_of_bias(name) or (len(shape) == 1 and not is_of_lengths(name))
    return Place(name, shape, projections_of(name), is_bias, is_in_linear(layer, name), is_of_lengths(name))


def is_in_linear(layer, name):
    owner = name.partition(".parametrizations.")[0] if ".parametrizations." in name else name.rpartition(".")[0]
    return layer.is_a(owner, nn.Linear)


def head_of(place, places):
    """Which head alone this place belongs to, by its number among those of its kind; None if there is no other."""
    same = [p for p in places if p.kind == place.kind]
    return sorted(p.number or 0 for p in same).index(place.number or 0) if len(same) > 1 else None


def completed(places, matrices, orientation):
    """The same, where the only projection that is missing has the only name that says nothing.

    Several alike, numbered as in a list, are taken in the order of the projections; that is a guess, and noted.
    """
    known = {name for p in places if not p.is_bias for name in p.projections}
    missing = [name for name in matrices if name not in known]
    if not missing:
        return places
    unread = list(dict.fromkeys(stem(p.name) for p in places if not p.projections))
    if len(unread) != len(missing) or not all(_has_matrix(s, places, matrices) for s in unread):
        return places
    if len(unread) > 1:
        if len({_without_number(one) for one in unread}) > 1:
            return places
        orientation.goes_by_order = True
    meant = dict(zip(sorted(unread, key=lambda one: number_in(one) or 0), missing))
    return [p if p.projections else replace(p, projections=(meant[stem(p.name)],)) for p in places]


def _has_matrix(one, places, matrices):
    sizes = {matrix.numel() for matrix in matrices.values()}
    return any(p.size in sizes for p in places if stem(p.name) == one)


def _without_number(tokens):
    last = max((n for n, token in enumerate(tokens) if token.isdigit()), default=None)
    return tokens if last is None else (*tokens[:last], *tokens[last + 1 :])
