"""Faults of dropout: what falls, how much of it, and when."""

import torch

from .running import made
from .throws import (
    KEYS,
    NEAR,
    PARTS,
    P,
    hidden_layer_varies_in_training,
    result_in_training,
    share_of_silent_heads,
    varies_in_training,
    weights_in_training,
)
from .work import close


def drops_though_nobody_asked(work):
    """Your results are right in evaluation mode, but in train mode they differ, though nobody asked for that.
    Something is dropped or added at random in training. Dropout does so: it sets random numbers to 0. Where a layer has
    an argument `dropout`, that says how much; without it, or at 0, nothing may be random.
    """
    layer = work.once(_unlike_evaluation)
    return layer is not None and _varies(work, layer)


def computes_otherwise_in_training(work):
    """Your results are right in evaluation mode, but in train mode they are others, the same in every call, though
    nobody asked for dropout. Without it both modes compute the same. What depends on the mode in your `forward`?
    """
    return work.once(_unlike_evaluation) is not None


def _unlike_evaluation(work):
    """A layer in train mode, without dropout, whose results are others than in evaluation; None if they are not."""
    layer = work.in_training()
    return None if all(close(work.run(layer), work.still) for _ in range(3)) else layer


def _varies(work, layer):
    """Whether the same inputs give different results."""
    first = work.run(layer)
    return not all(close(work.run(layer), first) for _ in range(20))


def starts_in_evaluation_mode(work):
    """Your results are right, but a new layer, or a part of it, is not in train mode, where every module of PyTorch
    starts. So its dropout would do nothing until somebody calls `train()`. Leave the mode to those who use the layer.
    """
    with torch.random.fork_rng(devices=[]):
        layer = made(work.layer_class, work.exercise, work.exercise.arguments(work.inputs))
    return not all(part.training for part in layer.modules())


def drops_in_evaluation(work):
    """Your results are right without dropout, but with `dropout=0.3` your layer drops after `layer.eval()`.
    Dropout makes training harder on purpose; a trained layer uses all it has. An `nn.Dropout` that is an attribute of
    `self` knows which mode it is in; one made in `forward` always drops, and so does `F.dropout` unless it is told.
    """
    layer = work.once(_unlike_no_dropout)
    return layer is not None and _varies(work, layer)


def computes_otherwise_in_evaluation(work):
    """Your results are right without dropout, but with `dropout=0.3` they are others after `layer.eval()`, the same in
    every call. In evaluation nothing is set to 0, and nothing is scaled: `nn.Dropout` makes up for what it drops in
    training. What in your `forward` depends on `dropout`, whatever the mode?
    """
    return work.once(_unlike_no_dropout) is not None


def _unlike_no_dropout(work):
    """A layer after `eval()` whose results are others than without dropout; None if they are not."""
    layer = work.in_training(dropout=P)
    layer.eval()
    return None if close(work.run(layer), work.still) else layer


def never_drops(work):
    """Your results are right without dropout, but with `dropout=0.3` in train mode nothing is dropped: the result is
    the same as in evaluation. Is the number given to an `nn.Dropout`, and is that applied in `forward`?
    """
    return _is_still(work, work.in_training(dropout=P))


def stops_dropping_after_a_call(work):
    """Your results are right without dropout, and in train mode a new layer drops. But after a call it drops nothing
    more, though `eval()` was not called. Train mode lasts until somebody ends it. What does `forward` change?
    """
    layer = work.in_training(dropout=P)
    work.run(layer)
    return _is_still(work, layer)


def stops_dropping_after_evaluation(work):
    """Your results are right without dropout, and in train mode a new layer drops. But after `eval()` it never drops
    again, not even after `train()`. Training and evaluation take turns. What does your layer change for good?
    """
    layer = work.in_training(dropout=P)
    layer.eval()
    layer.train()
    return _is_still(work, layer)


def _is_still(work, layer):
    """Whether nothing falls any more."""
    return all(close(work.run(layer), work.still) for _ in range(20))


def throws_the_dice_once(work):
    """Your results are right without dropout, but in train mode two calls drop the same weights. Dropout throws anew in
    every call. Is there a fixed seed, or a pattern that is made once and kept?
    """
    layer = work.in_training(dropout=P)
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
    layer, wanted = work.in_training(dropout=P), work.run(work.build(), return_weights=True)[1]
    return not all(close(work.run(layer, return_weights=True)[1], wanted) for _ in range(5))


def drops_only_without_returned_weights(work):
    """Your results are right without dropout, and in train mode weights are dropped, but not with
    `return_weights=True`: then the output is the one without dropout. Who looks at the weights should see the layer
    as it works. The weights that go out are those before dropout; which ones mix the values on that way?
    """
    layer, still = work.in_training(dropout=P), work.run(work.build())
    return all(close(work.run(layer, return_weights=True)[0], still) for _ in range(20))


def drops_elsewhere_than_on_results(work):
    """Your results are right without dropout, but in train mode what is added to `x` could not come from dropout on a
    part's result. It falls on what a part has found, before that is added, and on nothing else: `x` itself goes
    through untouched, and what is kept grows by 1 / (1 - p).
    """
    return not all(_is_dropout_of_ones(work.once(result_in_training, part)) for part in PARTS)


def drops_what_a_part_reads(work):
    """Your results are right without dropout, but in train mode dropout falls on what a part reads: the normalised
    copy, or the memory. So the part works with holes. In the formula of the frame three things are done, from the
    inside to the outside: norm, part, dropout. Which of your lines does dropout too early?
    """
    return any(work.once(varies_in_training, part) for part in PARTS)


def drops_in_the_hidden_layer(work):
    """Your results are right without dropout, but in train mode dropout falls inside the feed-forward part, between its
    two `nn.Linear`. Some layers drop there, too, that of torch among them. Here a part works undisturbed, and dropout
    falls on what comes out of it. Look at the list of modules in your feed-forward part.
    """
    return work.once(hidden_layer_varies_in_training)


def drops_no_results(work):
    """Your results are right without dropout, and in train mode something is dropped, but nothing of what the three
    parts have found: it is added to `x` as it is. The attentions drop weights inside; the formula of the frame has a
    dropout of its own, around each part. Where does it stand in your `forward`?
    """
    return not any(_shares_of_results(work))


def forgets_dropout_of_a_part(work):
    """Your results are right without dropout, and in train mode it falls on what some of the three parts have found,
    but not on all: self-attention, cross-attention, and the feed-forward part. Compare your three sums. In which of
    them is the part's result added as it is?
    """
    return not all(_shares_of_results(work))


def drops_another_share_of_results(work):
    """Your results are right without dropout, and in train mode it falls on the results of all three parts. But with
    `dropout=0.3` it is not three numbers of ten that are dropped of each. Is another number written into the code, or
    does dropout fall twice on the same result?
    """
    return any(abs(share - P) > NEAR for share in _shares_of_results(work))


def drops_no_weights(work):
    """Your results are right without dropout, and in train mode results of the parts are dropped, but no attention
    weights. `MultiHeadAttention` drops them by itself, once it is told how much. What do your two attentions know of
    `dropout`?
    """
    return all(share < 0.1 for share in _shares_of_weights(work))


def forgets_dropout_of_an_attention(work):
    """Your results are right without dropout, but in train mode it falls on the weights of one attention and not on
    those of the other. `MultiHeadAttention` does that by itself, once it is told how much. Are both told?
    """
    return any(share < 0.1 for share in _shares_of_weights(work))


def drops_another_share_of_weights(work):
    """Your results are right without dropout, and in train mode both attentions drop weights. But with `dropout=0.3`
    it is not three weights of ten in each. Which number reaches them?
    """
    return any(abs(share - P) > 2 * NEAR for share in _shares_of_weights(work))


UNASKED = (drops_though_nobody_asked, computes_otherwise_in_training, starts_in_evaluation_mode)
ANYWHERE = (
    drops_in_evaluation,
    computes_otherwise_in_evaluation,
    never_drops,
    stops_dropping_after_a_call,
    stops_dropping_after_evaluation,
    throws_the_dice_once,
)
ON_WEIGHTS = (
    drops_something_else_than_weights,
    renormalises_after_dropout,
    does_not_make_up_for_what_it_drops,
    drops_what_it_should_keep,
    drops_another_share,
    drops_in_rows,
    returns_weights_after_dropout,
    drops_only_without_returned_weights,
)

ON_PARTS = (
    drops_elsewhere_than_on_results,
    drops_what_a_part_reads,
    drops_in_the_hidden_layer,
    drops_no_results,
    forgets_dropout_of_a_part,
    drops_another_share_of_results,
    drops_no_weights,
    forgets_dropout_of_an_attention,
    drops_another_share_of_weights,
)


def _is_dropout_of_ones(x):
    """What is kept is all the same, and makes up for what is dropped."""
    kept = x[x != 0]
    if not len(kept):
        return False
    return abs(kept.min() - kept.max()) < 1e-5 and abs(x.mean() - 1) < 2 * NEAR * kept.max()


def _shares_of_results(work):
    return [(work.once(result_in_training, part) == 0).float().mean().item() for part in PARTS]


def _shares_of_weights(work):
    return [work.once(share_of_silent_heads, part) for part in PARTS[:2]]


def _share_of_zeros(work):
    return (work.once(weights_in_training)[0] == 0).float().mean().item()
