"""How the judge looks at a layer of one head, and what all layers of attention have in common."""

from functools import partial

from torch import nn

from autograder.judging.layers import state
from autograder.judging.layers.layer import Inspection
from autograder.judging.layers.modes import UNASKED

from .names import projections_of
from .orientation import forget, orientation_of, placed
from .weights import layer_weights, order_is_unclear


def shares_one_projection(layer):
    """Two of your projections are the same matrix: change one, and the other changes, too. Queries, keys and values
    are three different views of a token, and each learns a matrix of its own. Where do you make the projections, and
    how many `nn.Linear` are made there?
    """
    return any(len({projections_of(name) for name in names} - {()}) > 1 for names in _names_of_each(layer))


def shares_one_attention(layer):
    """Your two attentions are the same module under two names: whatever one learns, the other must do, too. One looks
    at its own past, the other at the memory, and each learns weights of its own. Make two of them.
    """
    return any(len(names) > 1 for names in _names_of_each(layer))


def _names_of_each(layer):
    """All names of each parameter."""
    return [weight.names for weight in layer.weights.values()]


def wraps_the_layer_of_torch(layer, exercise):
    """Your class leaves its work to `nn.MultiheadAttention`, the layer that this course teaches you to write. Use
    projections, softmax and the functions that you wrote yourself. Lesson 06 compares the two.
    """
    return layer.has_a(nn.MultiheadAttention)


def wraps_our_layer(layer, exercise):
    """Your class leaves its work to the layer of the same name in `mha_ref`, where the course keeps its own. Write it
    yourself: you may use the parts that earlier lessons taught.
    """
    ours = f"{exercise.course.layers}.{exercise.name}"
    return any(kinds[0] == ours for part, kinds in layer.contents.parts.items() if part)


def _unclear(layer, inputs):
    """Say that projections were told by their order alone; return None if their names are clear."""
    return order_is_unclear(layer, inputs) if orientation_of(layer.of).goes_by_order else None


HOW = dict(
    begin=forget,
    built=(wraps_the_layer_of_torch, wraps_our_layer),
    unplaced=(shares_one_projection, shares_one_attention),
    unclear=_unclear,
    misfits=("always_has_biases", "never_has_biases", "forgets_some_biases"),
)
attention_head = Inspection(
    partial(placed, place=layer_weights), (*state.LEARNED, *state.KEPT, *UNASKED), in_training=UNASKED, **HOW
)
