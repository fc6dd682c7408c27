"""Faults of dropout on attention weights: what falls, and how much of it."""

import torch

from autograder.judging.layers.layer import built, close
from autograder.judging.layers.modes import P

TEXTS, QUERIES, HEADS, KEYS = 64, 8, 3, 4  # 6144 weights: a share of 0.3 comes out within 0.03
NEAR = 0.03


def weights_in_training(tested):
    """The weights after dropout, read off the output: (texts, queries, heads, keys), and their sums.

    All scores are 0, so all weights are equal. The value of key number k is 1 in column k of every head, and in the
    last column; values pass through unchanged. So the output of a head is its row of weights, and their sum.
    """
    size = KEYS + 1
    values = torch.cat([torch.eye(KEYS), torch.ones(KEYS, 1)], dim=1).repeat(1, HEADS)
    weights = {f"w_{name}": torch.eye(HEADS * size) for name in ("query", "key", "value", "output")}
    inputs = dict(query=torch.zeros(TEXTS, QUERIES, HEADS * size), key=torch.zeros(TEXTS, KEYS, HEADS * size))
    inputs |= dict(value=values.expand(TEXTS, KEYS, HEADS * size), heads=HEADS) | weights
    layer = built(tested.layer_class, tested.exercise, inputs, dropout=P)
    layer.train()
    out = layer.compute(tested.exercise, inputs).unflatten(-1, (HEADS, size))
    return out[..., :KEYS], out[..., KEYS]


def drops_something_else_than_weights(tested):
    """Your results are right without dropout, but in train mode your output is not one that dropped attention weights
    could give. Apply dropout only to the finished weights, once, after softmax and before they mix the values: a
    dropped weight takes a key from a query for one call. Where in your `forward` are the finished weights?
    """
    weights, total = tested.once(weights_in_training)
    return not close(weights.sum(dim=-1), total) or not (weights == 0).any().item()


def renormalises_after_dropout(tested):
    """Your results are right without dropout, but in train mode each row is divided by its sum again, after
    dropout. The kept weights are divided by 1 - p, all alike, so that the mean over many calls is as in evaluation.
    `nn.Dropout` does that for you, and you need not add anything.
    """
    weights, _ = tested.once(weights_in_training)
    sums = weights.sum(dim=-1)
    return close(sums[sums != 0], torch.ones(()))


def does_not_make_up_for_what_it_drops(tested):
    """Your results are right without dropout, but in train mode the weights that are kept stay as they are, so the
    output is smaller on average than in evaluation. To make up for what is dropped, multiply the rest by
    1 / (1 - p). `nn.Dropout` does that for you.
    """
    weights, _ = tested.once(weights_in_training)
    return close(weights[weights != 0], torch.tensor(1 / KEYS))


def drops_what_it_should_keep(tested):
    """Your results are right without dropout, but with `dropout=0.3` your layer keeps three weights in ten, and drops
    seven. The number is the share that is dropped.
    """
    return abs(_share_of_zeros(tested) - (1 - P)) < NEAR


def drops_another_share(tested):
    """Your results are right without dropout, but with `dropout=0.3` your layer does not drop three weights in ten.
    Is another number written into the code, or do you apply dropout twice?
    """
    return abs(_share_of_zeros(tested) - P) > NEAR


def drops_in_rows(tested):
    """Your results are right without dropout, but in train mode weights are dropped together: one draw decides for
    several keys, queries, heads or texts. Each weight should be dropped or kept independently.
    """
    dropped = tested.once(weights_in_training)[0] == 0
    return any((dropped == dropped.narrow(axis, 0, 1)).all().item() for axis in range(dropped.ndim))


def returns_weights_after_dropout(tested):
    """Your results are right without dropout, but in train mode the weights that you return have holes: some are zero,
    and rows do not sum to 1. Return the weights from softmax, before dropout. They are for people to look at.
    """
    layer, wanted = tested.in_training(dropout=P), tested.run(tested.build(), return_weights=True)[1]
    return not all(close(tested.run(layer, return_weights=True)[1], wanted) for _ in range(5))


def drops_only_without_returned_weights(tested):
    """Your results are right without dropout, and in train mode weights are dropped, but not with
    `return_weights=True`: then the output is the one without dropout. Asking for weights should not change what
    the layer does. You return the weights before dropout; but which weights mix the values in that case?
    """
    layer, still = tested.in_training(dropout=P), tested.run(tested.build())
    return all(close(tested.run(layer, return_weights=True)[0], still) for _ in range(20))


def _share_of_zeros(tested):
    return (tested.once(weights_in_training)[0] == 0).float().mean().item()


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
