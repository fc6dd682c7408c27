"""Faults of dropout: what falls, how much of it, and when."""

import torch

from .throws import KEYS, NEAR, PARTS, P, result_in_training, share_of_silent_heads, weights_in_training
from .work import close


def drops_though_nobody_asked(work):
    """Your results are right in evaluation mode, but in train mode they differ, though nobody asked for that.
    Something is dropped or added at random in training. Dropout does so: it sets random numbers to 0. Where a layer has
    an argument `dropout`, that says how much; without it, or at 0, nothing may be random.
    """
    layer, still = work.build().train(), work.run(work.build())
    return not all(close(work.run(layer), still) for _ in range(3))


def starts_in_evaluation_mode(work):
    """Your results are right, but a new layer, or a part of it, is not in train mode, where every module of PyTorch
    starts. So its dropout would do nothing until somebody calls `train()`. Leave the mode to those who use the layer.
    """
    with torch.random.fork_rng(devices=[]):
        layer = work.layer_class(**work.exercise.arguments(work.inputs))
    return not all(part.training for part in layer.modules())


def drops_in_evaluation(work):
    """Your results are right without dropout, but with `dropout=0.3` your layer drops after `layer.eval()`.
    Dropout makes training harder on purpose; a trained layer uses all it has. An `nn.Dropout` that is an attribute of
    `self` knows which mode it is in; one made in `forward` always drops, and so does `F.dropout` unless it is told.
    """
    return not close(work.run(work.build(dropout=P)), work.run(work.build()))


def never_drops(work):
    """Your results are right without dropout, but with `dropout=0.3` in train mode nothing is dropped: the result is
    the same as in evaluation. Is the number given to an `nn.Dropout`, and is that applied in `forward`?
    """
    layer, still = work.build(dropout=P).train(), work.run(work.build())
    return all(close(work.run(layer), still) for _ in range(20))


def throws_the_dice_once(work):
    """Your results are right without dropout, but in train mode two calls drop the same weights. Dropout throws anew in
    every call. Is there a fixed seed, or a pattern that is made once and kept?
    """
    layer = work.build(dropout=P).train()
    first = work.run(layer)
    return all(torch.equal(first, work.run(layer)) for _ in range(20))


def drops_something_else_than_weights(work):
    """Your results are right without dropout, but in train mode your output is none that dropped attention weights
    could give. Dropout falls on the finished weights alone, once, after softmax and before they mix the values: a
    dropped weight takes a key from a query for one call. Where in your `forward` are the finished weights?
    """
    weights, total = work.once(weights_in_training)
    return not close(weights.sum(dim=-1), total) or not (weights == 0).any().item()


def renormalises_after_dropout(work):
    """Your results are right without dropout, but in train mode each row is divided by its sum once more, after
    dropout. What remains grows by 1 / (1 - p), the same for all, so that the mean over many calls is as in evaluation.
    `nn.Dropout` does that for you, and nothing has to be added.
    """
    weights, _ = work.once(weights_in_training)
    sums = weights.sum(dim=-1)
    return close(sums[sums != 0], torch.ones(()))


def does_not_make_up_for_what_it_drops(work):
    """Your results are right without dropout, but in train mode the weights that are kept stay as they are, so the
    output is smaller on average than in evaluation. What remains has to grow to make up for what is dropped, by
    1 / (1 - p). `nn.Dropout` does that for you.
    """
    weights, _ = work.once(weights_in_training)
    return close(weights[weights != 0], torch.tensor(1 / KEYS))


def drops_what_it_should_keep(work):
    """Your results are right without dropout, but with `dropout=0.3` your layer keeps three weights of ten, and drops
    seven. The number is the share that is dropped.
    """
    return abs(_share_of_zeros(work) - (1 - P)) < NEAR


def drops_another_share(work):
    """Your results are right without dropout, but with `dropout=0.3` it is not three weights of ten that are dropped.
    Is another number written into the code, or does dropout fall twice?
    """
    return abs(_share_of_zeros(work) - P) > NEAR


def drops_in_rows(work):
    """Your results are right without dropout, but in train mode weights are dropped together: one throw decides for
    several keys, queries, heads or texts. Each weight is dropped, or kept, by a throw of its own.
    """
    dropped = work.once(weights_in_training)[0] == 0
    return any((dropped == dropped.narrow(axis, 0, 1)).all().item() for axis in range(dropped.ndim))


def returns_weights_after_dropout(work):
    """Your results are right without dropout, but in train mode the weights that you return have holes: some are zero,
    and rows do not sum to 1. Return the weights as softmax made them, before dropout. They are for people to look at.
    """
    layer, wanted = work.build(dropout=P).train(), work.run(work.build(), return_weights=True)[1]
    return not all(close(work.run(layer, return_weights=True)[1], wanted) for _ in range(5))


def drops_elsewhere_than_on_results(work):
    """Your results are right without dropout, but in train mode what is added to `x` is none that dropout of a part's
    result could give. It falls on what a part has found, before that is added, and on nothing else: `x` itself goes
    through untouched, and what is kept grows by 1 / (1 - p).
    """
    return not all(_is_dropout_of_ones(work.once(result_in_training, part)) for part in PARTS)


def forgets_dropout_of_a_part(work):
    """Your results are right without dropout, but in train mode it does not fall on the results of all three parts
    alike: self-attention, cross-attention, and the feed-forward part. With `dropout=0.3`, three of ten numbers are
    dropped of each. Which of the three is left out, or gets another number?
    """
    shares = [(work.once(result_in_training, part) == 0).float().mean().item() for part in PARTS]
    return not _all_or_none(shares, P)


def forgets_dropout_of_an_attention(work):
    """Your results are right without dropout, but in train mode it falls on the weights of one attention and not on
    those of the other. `MultiHeadAttention` does that by itself, once it is told how much. Are both told?
    """
    first, second = (share_of_silent_heads(work, part) for part in PARTS[:2])
    return abs(first - second) > 0.1


ANYWHERE = (drops_in_evaluation, never_drops, throws_the_dice_once)
ON_WEIGHTS = (
    drops_something_else_than_weights,
    renormalises_after_dropout,
    does_not_make_up_for_what_it_drops,
    drops_what_it_should_keep,
    drops_another_share,
    drops_in_rows,
    returns_weights_after_dropout,
)

ON_PARTS = (
    drops_elsewhere_than_on_results,
    forgets_dropout_of_a_part,
    forgets_dropout_of_an_attention,
)


def _is_dropout_of_ones(x):
    """What is kept is all the same, and makes up for what is dropped."""
    kept = x[x != 0]
    if not len(kept):
        return False
    return abs(kept.min() - kept.max()) < 1e-5 and abs(x.mean() - 1) < 2 * NEAR * kept.max()


def _all_or_none(shares, wanted):
    """Dropout on each of them, perhaps twice, or on none at all: then it falls elsewhere."""
    twice = 1 - (1 - wanted) ** 2
    return all(wanted - NEAR < share < twice + NEAR for share in shares) or not any(shares)


def _share_of_zeros(work):
    return (work.once(weights_in_training)[0] == 0).float().mean().item()
