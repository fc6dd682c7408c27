"""How the judge looks at a decoder layer: its norms, and all that layers of attention have in common."""

from functools import partial

from autograder.judging.modules import state
from autograder.judging.modules.at_work import AtWork
from autograder.judging.modules.modes import ANYWHERE, UNASKED
from mha_lessons.lesson_04_single_head.layers.at_work import HOW
from mha_lessons.lesson_04_single_head.layers.orientation import placed
from mha_lessons.lesson_06_batched_multi_head.layers.at_work import accepts_heads_that_do_not_divide

from .decoder import decoder_weights, is_norm, norms_of
from .dropout import ON_PARTS


def shares_one_norm(work):
    """Your results are right for new normalisations, but one `nn.LayerNorm` is under several names in your layer.
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


DROPOUT = (*UNASKED, *ANYWHERE, *ON_PARTS)
decoder_layer = AtWork(
    partial(placed, place=decoder_weights),
    (
        shares_one_norm,
        *state.LEARNED,
        has_too_few_norms,
        has_too_many_norms,
        *state.KEPT,
        accepts_heads_that_do_not_divide,
        *DROPOUT,
    ),
    in_training=DROPOUT,
    **HOW,
)
