"""How a weight lies in the parameter that holds it: with inputs or outputs first, whole or head by head, or fused."""

import torch

from autograder.judging.layers.layer import Misfit


def filled(place, weights, heads, head, orientation):
    """What is at this place when the layer has these weights: the first of all layouts that has its size.

    weights: {"query": (in, out), ...}, or biases {"query": (out,), ...}. orientation: which way round a matrix lies
    whose size fits both ways.
    """
    three = [weights[name] for name in place.projections]
    if place.holds_lengths:
        return _lengths(place, torch.cat(three, dim=-1))
    ways = (False,) if place.is_bias else (True,) if place.is_linear else (False, True)
    found = {way: _fitting(place, _layouts(place, three, heads, head, turned=way)) for way in ways}
    fitting = [way for way in ways if found[way] is not None]
    if not fitting:
        raise Misfit(_other_size(place, torch.cat(three, dim=-1)))
    way = orientation.way_of(place.name, fitting) if len(ways) > 1 else fitting[0]
    return found[way].reshape(place.shape)


def _fitting(place, layouts):
    """The first one of this size."""
    size = _long_axes(place)
    return next((layout for layout in layouts if _long_axes(layout) == size), None)


def _layouts(place, weights, heads, head, turned):
    """Of one weight, or of several side by side or one behind the other."""
    axis = 0 if place.is_bias or place.projections == ("output",) else 1
    if turned:
        weights, axis = [weight.T for weight in weights], 1 - axis
    for parts in zip(*(_ways(weight, axis, heads, head) for weight in weights)):
        yield torch.cat(parts, dim=-2 if turned else -1) if len(parts) > 1 else parts[0]
        if len(parts) > 1:
            yield torch.stack(parts)


def _ways(weight, axis, heads, head):
    """A weight as it is, one head's block of it, and with an axis for the heads, in either place."""
    yield weight
    if head is not None and head < heads:
        yield weight.tensor_split(heads, dim=axis)[head]
    if weight.shape[axis] % heads == 0:
        by_head = weight.unflatten(axis, (heads, -1))
        yield from (by_head, by_head.movedim(axis, 0))


def _long_axes(x):
    """An axis of length 1 more or less is a matter of style."""
    return [size for size in x.shape if size != 1]


def _lengths(place, matrix):
    """Of the rows of a matrix that `weight_norm` keeps as (out, in)."""
    lengths = matrix.norm(dim=0)
    if lengths.numel() != place.size:
        raise Misfit(_other_size(place, lengths))
    return lengths.reshape(place.shape)


def _other_size(place, whole):
    given, wanted = place.shape, whole.shape
    if place.is_linear and not place.is_bias and len(given) == len(wanted) == 2:
        maps = f"Your `{place.name}` makes {given[0]} numbers out of {given[1]}"
        return f"{maps}. This layer needs one that makes {wanted[1]} out of {wanted[0]}."
    sizes = ["×".join(map(str, shape)) for shape in (given, wanted)]
    return "Your `{}` has the size {}. This layer needs {} there.".format(place.name, *sizes)
