"""Faults of dropout in a layer of parts: on which of them it falls, and how much of it."""

from autograder.judging.layers.modes import P
from mha_lessons.lesson_06_batched_multi_head.layers.dropout import NEAR

from .throws import (
    attentions_of,
    hidden_layer_varies_in_training,
    parts_of,
    result_in_training,
    share_of_silent_heads,
    varies_in_training,
)


def drops_elsewhere_than_on_results(tested):
    """Your results are right without dropout, but in train mode what you add to `x` is not the result of dropout on a
    part's output. Apply dropout to what a part has found, before you add it, and to nothing else: `x` goes
    through unchanged, and what is kept is divided by 1 - p.
    """
    return not all(_is_dropout_of_ones(tested.once(result_in_training, part)) for part in parts_of(tested.exercise))


def drops_what_a_part_reads(tested):
    """Your results are right without dropout, but in train mode you apply it to what a part reads: the normalised
    copy, or a second sequence. So the part reads vectors with holes. The formula in the text has, from
    the inside to the outside: norm, part, dropout. Which of your lines applies dropout too early?
    """
    return any(tested.once(varies_in_training, part) for part in parts_of(tested.exercise))


def drops_in_the_hidden_layer(tested):
    """Your results are right without dropout, but in train mode you apply it inside the feed-forward part, between its
    two `nn.Linear`. Some layers do so, including torch's. Here dropout comes only after the part.
    Is it in the list of modules, or in `forward`?
    """
    return tested.once(hidden_layer_varies_in_training)


def drops_no_results(tested):
    """Your results are right without dropout, and in train mode something is dropped, but not what the parts
    have found: you add that as it is. Attention drops weights inside; the formula in the text has a dropout
    around each part. Where is it in your `forward`?
    """
    return not any(_shares_of_results(tested))


def forgets_dropout_of_a_part(tested):
    """Your results are right without dropout, and in train mode you apply it to what some parts have found, but not
    to all. Compare your sums, line by line. Which of them adds the part's result as it is?
    """
    return not all(_shares_of_results(tested))


def drops_a_result_as_a_whole(tested):
    """Your results are right without dropout, but in train mode all numbers that a part has found for a token are
    dropped together, or none of them. That is another method, stochastic depth. Dropout decides number by number. How
    many random numbers do you draw for one result?
    """
    return any(_goes_as_a_whole(tested.once(result_in_training, part)) for part in parts_of(tested.exercise))


def drops_another_share_of_results(tested):
    """Your results are right without dropout, and in train mode you apply it to the results of all parts. But with
    `dropout=0.3` it does not drop three numbers in ten. Is another number written into the code, or
    do you apply dropout twice to the same result?
    """
    return any(abs(share - P) > NEAR for share in _shares_of_results(tested))


def drops_no_weights(tested):
    """Your results are right without dropout, and in train mode results of the parts are dropped, but no attention
    weights. `MultiHeadAttention` drops them by itself if you tell it how much. Which of your lines does that?
    """
    return all(share < 0.1 for share in _shares_of_weights(tested))


def forgets_dropout_of_an_attention(tested):
    """Your results are right without dropout, but in train mode one attention drops weights and the other does
    not. `MultiHeadAttention` drops them by itself if you tell it how much. Do you tell both?
    """
    return any(share < 0.1 for share in _shares_of_weights(tested))


def drops_another_share_of_weights(tested):
    """Your results are right without dropout, and in train mode attention drops weights. But with `dropout=0.3` it is
    not three weights in ten. Which number reaches `MultiHeadAttention`?
    """
    return any(abs(share - P) > 2 * NEAR for share in _shares_of_weights(tested))


def _is_dropout_of_ones(x):
    """What is kept is all the same, and makes up for what is dropped."""
    kept = x[x != 0]
    if not len(kept):
        return False
    return abs(kept.min() - kept.max()) < 1e-5 and abs(x.mean() - 1) < 2 * NEAR * kept.max()


def _goes_as_a_whole(x):
    """Say whether something was dropped, and never a part of a token's numbers alone."""
    dropped = x == 0
    return bool(dropped.any() and (dropped.any(-1) == dropped.all(-1)).all())


def _shares_of_results(tested):
    return [(tested.once(result_in_training, part) == 0).float().mean().item() for part in parts_of(tested.exercise)]


def _shares_of_weights(tested):
    return [tested.once(share_of_silent_heads, part) for part in attentions_of(tested.exercise)]


ON_PARTS = (
    drops_elsewhere_than_on_results,
    drops_what_a_part_reads,
    drops_in_the_hidden_layer,
    drops_no_results,
    forgets_dropout_of_a_part,
    drops_a_result_as_a_whole,
    drops_another_share_of_results,
    drops_no_weights,
    forgets_dropout_of_an_attention,
    drops_another_share_of_weights,
)
