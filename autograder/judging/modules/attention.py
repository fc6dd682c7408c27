"""How the judge looks at layers of attention: where their weights belong, and which faults they may have."""

from functools import partial

from torch import nn

from ..outcome import ACCIDENTS
from . import dropout, state
from .at_work import AtWork
from .decoder import decoder_weights, is_norm, norms_of
from .names import projections_of
from .orientation import forget, orientation_of, placed
from .running import made
from .weights import layer_weights, order_is_unclear


def shares_one_projection(layer):
    """Two of your projections are one and the same matrix: change one, and the other changes too. Queries, keys and
    values are three different views of a token, and each learns a matrix of its own. Where do you make the
    projections, and how many `nn.Linear` are made there?
    """
    return any(len({projections_of(name) for name in names} - {()}) > 1 for names in _names_of_each(layer))


def shares_one_attention(layer):
    """Your two attentions are one and the same module, under two names: what one learns, the other must do, too. The
    one looks at its own past, the other at the memory, and each learns weights of its own. Make two of them.
    """
    return any(len(names) > 1 for names in _names_of_each(layer))


def _names_of_each(layer):
    """All names of each parameter."""
    names = {}
    for name, parameter in layer.named_parameters(remove_duplicate=False):
        names.setdefault(id(parameter), []).append(name)
    return names.values()


def wraps_the_layer_of_torch(layer, exercise):
    """Your class hands its work to `nn.MultiheadAttention`, the layer that this course teaches you to write. Use
    projections, softmax and the functions that you wrote yourself. Lesson 06 compares the two.
    """
    return any(isinstance(part, nn.MultiheadAttention) for part in layer.modules())


def wraps_our_layer(layer, exercise):
    """Your class hands its work to the layer of the same name in `mha_ref`, where the course keeps its own. Write it
    yourself: the parts that earlier lessons taught are yours to use.
    """
    _, *parts = layer.modules()
    return any(
        (type(part).__module__, type(part).__name__) == (exercise.course.layers, exercise.name) for part in parts
    )


def shares_one_norm(work):
    """Your results are right for new normalisations, but one `nn.LayerNorm` stands under several names in your layer.
    So what one part needs to learn, the others must use, too. A list times three holds the same thing three times.
    How do you get three norms that are made one by one?
    """
    layer = work.layer
    names = [name for name, _ in layer.named_parameters(remove_duplicate=False) if is_norm(layer, name)]
    alone = [name for name, _ in layer.named_parameters() if is_norm(layer, name)]
    return len(norms_of(layer)) in (1, 2) and len(names) > len(alone)


def has_too_few_norms(work):
    """Your results are right for new normalisations, which have factor 1 and add 0. But an `nn.LayerNorm` learns for
    every feature a factor and a number to add, and in your layer some of the three parts share one. Give each part a
    norm of its own.
    """
    return len(norms_of(work.layer)) in (1, 2)  # none: made by hand, and not learned


def has_too_many_norms(work):
    """Your results are right, but your layer has more than three norms. Each of the three parts has one in front, and
    nothing else is normalised: the memory comes ready to use, and the last sum is handed on as it is.
    """
    return len(norms_of(work.layer)) > 3


def accepts_heads_that_do_not_divide(work):
    """Your results are right, but your class also accepts a model size of 10 with 3 heads, which cannot be shared out
    evenly. Refuse it in `__init__`, with a ValueError that names both numbers: an error there is easier to
    understand than one of shapes, deep in `forward`.
    """
    arguments = work.exercise.arguments(work.inputs) | dict(model_size=10, heads=3)
    try:
        made(work.layer_class, work.exercise, arguments)
    except ACCIDENTS:
        raise  # which is said as it is
    except Exception:
        return False
    return True


def _unclear(layer, inputs):
    """Say that projections were told by their order alone; return None if their names are clear."""
    return order_is_unclear(layer, inputs) if orientation_of(type(layer)).goes_by_order else None


HOW = dict(
    begin=forget,
    built=(wraps_the_layer_of_torch, wraps_our_layer),
    unplaced=(shares_one_projection, shares_one_attention),
    unclear=_unclear,
)
attention_head = AtWork(partial(placed, place=layer_weights), (*state.LEARNED, *state.KEPT, *dropout.UNASKED), **HOW)
multi_head_attention = AtWork(
    partial(placed, place=layer_weights),
    (
        *state.LEARNED,
        *state.KEPT,
        accepts_heads_that_do_not_divide,
        *dropout.UNASKED,
        *dropout.ANYWHERE,
        *dropout.ON_WEIGHTS,
    ),
    **HOW,
)
decoder_layer = AtWork(
    partial(placed, place=decoder_weights),
    (
        shares_one_norm,
        *state.LEARNED,
        has_too_few_norms,
        has_too_many_norms,
        *state.KEPT,
        accepts_heads_that_do_not_divide,
        *dropout.UNASKED,
        *dropout.ANYWHERE,
        *dropout.ON_PARTS,
    ),
    **HOW,
)
