"""Find faults of train and evaluation mode: what is random where it should not be, or is not where it should."""

import torch

from .layer import LayerUnderTest, close, made

P = 0.3  # the share that dropout is asked to drop
CALLS = 10  # of one layer, after which it still drops as in the first


def drops_without_being_asked(tested: LayerUnderTest):
    """Your results are right in evaluation mode, but in train mode they differ, though the layer has no dropout to do.
    Something is dropped or added at random in training. Dropout does so: it sets random numbers to 0. Where a layer has
    an argument `dropout`, that says how much; without it, or at 0, nothing may be random.
    """
    layer = tested.once(_unlike_evaluation)
    return layer is not None and _varies(tested, layer)


def computes_otherwise_in_training(tested: LayerUnderTest):
    """Your results are right in evaluation mode, but in train mode they are others, the same in every call, though
    there is no dropout to do. Without it both modes compute the same. What depends on the mode in your `forward`?
    """
    return tested.once(_unlike_evaluation) is not None


def _unlike_evaluation(tested):
    """Return a layer in train mode, without dropout, whose results differ from evaluation; None if they do not."""
    layer = tested.in_training()
    return None if all(close(tested.run(layer), tested.still) for _ in range(3)) else layer


def _varies(tested, layer):
    """Say whether the same inputs give different results."""
    first = tested.run(layer)
    return not all(close(tested.run(layer), first) for _ in range(8))


def starts_in_evaluation_mode(tested: LayerUnderTest):
    """Your results are right, but a new layer, or a part of it, is not in train mode, where every module of PyTorch
    starts. So its dropout would do nothing until somebody calls `train()`. Leave the mode to those who use the layer.
    """
    with torch.random.fork_rng(devices=[]):
        layer = made(tested.layer_class, tested.exercise, tested.exercise.arguments(tested.inputs))
    return not all(layer.look("modes_of").values())


def drops_in_evaluation(tested: LayerUnderTest):
    """Your results are right without dropout, but with `dropout=0.3` your layer drops after `layer.eval()`.
    Dropout makes training harder on purpose; a trained layer uses all it has. An `nn.Dropout` that is an attribute of
    `self` knows which mode it is in; one made in `forward` always drops, and so does `F.dropout` unless it is told.
    """
    layer = tested.once(_unlike_no_dropout)
    return layer is not None and _varies(tested, layer)


def computes_otherwise_in_evaluation(tested: LayerUnderTest):
    """Your results are right without dropout, but with `dropout=0.3` they are others after `layer.eval()`, the same in
    every call. In evaluation nothing is set to 0, and nothing is scaled: `nn.Dropout` makes up for what it drops in
    training. What in your `forward` depends on `dropout`, whatever the mode?
    """
    return tested.once(_unlike_no_dropout) is not None


def _unlike_no_dropout(tested):
    """Return a layer after training and `eval()` whose results differ from those without dropout; None if none do."""
    layer = tested.in_training(dropout=P)
    tested.run(layer)
    layer.eval()
    return None if close(tested.run(layer), tested.still) else layer


def never_drops(tested: LayerUnderTest):
    """Your results are right without dropout, but with `dropout=0.3` in train mode nothing is dropped: the result is
    the same as in evaluation. Is the number given to an `nn.Dropout`, and is that applied in `forward`?
    """
    return _is_still(tested, tested.in_training(dropout=P))


def stops_dropping_after_a_call(tested: LayerUnderTest):
    """Your results are right without dropout, and in train mode a new layer drops. But after some calls it no longer
    drops as it did, though `eval()` was not called. Train mode lasts until somebody ends it. What does `forward`
    change?
    """
    layer = tested.in_training(dropout=P)
    first = _with_the_same_dice(tested, layer)
    for _ in range(CALLS):
        tested.run(layer)
    return _drops_no_longer(tested, layer, first)


def stops_dropping_after_evaluation(tested: LayerUnderTest):
    """Your results are right without dropout, and in train mode a new layer drops. But once it was used in evaluation
    mode, it no longer drops as it did, not even after `train()`. Training and evaluation take turns. What does your
    layer change for good?
    """
    layer = tested.in_training(dropout=P)
    first = _with_the_same_dice(tested, layer)
    layer.eval()
    tested.run(layer)
    layer.train()
    return _drops_no_longer(tested, layer, first)


def _drops_no_longer(tested, layer, first):
    """Say whether nothing is dropped any more, or dice that fall as they did at first drop something else.

    Whoever throws dice of another kind than torch's gets others every time; these tell nothing.
    """
    now = [_with_the_same_dice(tested, layer) for _ in range(5)]
    return _is_still(tested, layer) or (all(close(x, now[0]) for x in now) and not close(now[0], first))


def _with_the_same_dice(tested, layer):
    torch.default_generator.manual_seed(1)
    return tested.run(layer)


def _is_still(tested, layer):
    """Say whether nothing is dropped any more."""
    return all(close(tested.run(layer), tested.still) for _ in range(8))


def throws_the_dice_once(tested: LayerUnderTest):
    """Your results are right without dropout, but in train mode two calls drop the same weights. Dropout throws anew in
    every call. Is there a fixed seed, or a pattern that is made once and kept?
    """
    return not _varies(tested, tested.in_training(dropout=P))


UNASKED = (drops_without_being_asked, computes_otherwise_in_training, starts_in_evaluation_mode)
ANYWHERE = (
    drops_in_evaluation,
    computes_otherwise_in_evaluation,
    never_drops,
    stops_dropping_after_a_call,
    stops_dropping_after_evaluation,
    throws_the_dice_once,
)
