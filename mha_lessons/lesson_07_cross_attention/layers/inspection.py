"""How the judge looks at a layer of parts: its norms, and all that layers of attention have in common."""

from functools import partial

from torch.nn.modules.batchnorm import _BatchNorm

from autograder.judging.layers import state
from autograder.judging.layers.layer import Inspection, and_others
from autograder.judging.layers.modes import ANYWHERE, UNASKED
from mha_lessons.lesson_04_single_head.layers.inspection import HOW
from mha_lessons.lesson_04_single_head.layers.orientation import placed
from mha_lessons.lesson_06_batched_multi_head.layers.inspection import accepts_heads_that_do_not_divide

from .dropout import ON_PARTS
from .parts import is_norm, norms_of, weights_of_parts
from .throws import parts_of


def shares_one_norm(tested):
    """Your results are right for new norms, but your layer has one `nn.LayerNorm` under several names.
    So what one part learns, another must use, too. A list times a number holds the same object again and again.
    How can you make separate norms?
    """
    layer = tested.layer
    norms = [[name for name in weight.names if is_norm(layer, name)] for weight in layer.weights.values()]
    shared = next((names for names in norms if len(names) > 1), None)
    return has_too_few_norms(tested) and shared and f"{and_others(shared)} are one and the same."


def has_too_few_norms(tested):
    """Your results are right for new norms, which have factor 1 and add 0. But an `nn.LayerNorm` learns for
    every feature a factor and a number to add, and your layer has fewer norms than parts. Give each part its
    own norm.
    """
    norms, parts = norms_of(tested.layer).values(), len(parts_of(tested.exercise))
    by_hand = not norms or any(len(learned) > 2 for learned in norms)  # not learned, or all in one place
    few = not by_hand and len(norms) < parts
    return few and f"For {parts} parts there are {and_others([name for learned in norms for name in learned])}."


def has_too_many_norms(tested):
    """Your results are right, but your layer has more norms than parts. Each part has one in front, and nothing else is
    normalised: no second sequence, if there is one, and no sum. Return the last sum as it is.
    """
    return len(norms_of(tested.layer)) > len(parts_of(tested.exercise))


def normalises_over_a_batch(layer, exercise):
    """Your layer has a norm over a batch: for each feature, `nn.BatchNorm` takes a mean over all tokens of all texts,
    and in evaluation mode one that it remembers. Here a token is normalised by its own features alone, whatever else
    is in the batch. Which module of torch does that?
    """
    return layer.has_a(_BatchNorm)


def layer_of_parts(on_parts):
    """How to look at a layer whose parts have norms and dropout; on_parts: the faults that dropout may have there."""
    dropout = (*UNASKED, *ANYWHERE, *on_parts)
    norms = has_too_few_norms, has_too_many_norms
    return Inspection(
        partial(placed, place=weights_of_parts),
        (shares_one_norm, *state.LEARNED, *norms, *state.KEPT, accepts_heads_that_do_not_divide, *dropout),
        in_training=dropout,
        **HOW | dict(built=(*HOW["built"], normalises_over_a_batch)),
    )


decoder_layer = layer_of_parts(ON_PARTS)
