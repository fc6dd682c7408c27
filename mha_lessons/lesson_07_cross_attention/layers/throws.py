"""What dropout throws in a layer of parts, read off its output, where the weights leave nothing else to see."""

import torch

from autograder.judging.layers.layer import built
from autograder.judging.layers.modes import P
from mha_lessons.lesson_06_batched_multi_head.layers.dropout import HEADS, KEYS, QUERIES, TEXTS

MODEL_SIZE, HIDDEN_SIZE = HEADS * KEYS, 5


def attentions_of(exercise):
    """The names of a layer's attentions: its own, and that to another sequence, if it has one."""
    return [name for name in ("self", "cross") if f"{name}_weights" in exercise.parameters]


def parts_of(exercise):
    """The names of a layer's parts."""
    return [*attentions_of(exercise), "feed_forward"]


def _in_training(tested, x, **weights):
    """What a layer adds to x in train mode; all weights are 0 but those that are given."""
    none = {f"{name}_weights": torch.zeros(4, MODEL_SIZE, MODEL_SIZE) for name in attentions_of(tested.exercise)}
    none |= {f"{name}_biases": torch.zeros(4, MODEL_SIZE) for name in attentions_of(tested.exercise)}
    none |= dict(w_widen=torch.zeros(MODEL_SIZE, HIDDEN_SIZE), b_widen=torch.zeros(HIDDEN_SIZE))
    none |= dict(w_narrow=torch.zeros(HIDDEN_SIZE, MODEL_SIZE), b_narrow=torch.zeros(MODEL_SIZE))
    inputs = dict(x=x, memory=torch.ones(len(x), 1, MODEL_SIZE), heads=HEADS) | none | weights
    layer = built(tested.layer_class, tested.exercise, inputs, dropout=P)
    layer.train()
    return layer.compute(tested.exercise, inputs) - x


def result_in_training(tested, part):
    """What comes of a part that finds 1 everywhere."""
    ones = torch.zeros(4, MODEL_SIZE)
    ones[3] = 1
    weights = dict(b_narrow=ones[3]) if part == "feed_forward" else {f"{part}_biases": ones}
    return _in_training(tested, torch.ones(TEXTS * QUERIES, 1, MODEL_SIZE), **weights)


def varies_in_training(tested, part):
    """Whether a part that finds one number everywhere, by what it reads, finds several in train mode.

    A dropped result, weight or hidden feature is 0 here and leaves the others alike; the mean of features that are
    dropped one by one is not.
    """
    x = torch.tensor([1.0, -1.0]).repeat(TEXTS * QUERIES, 1, MODEL_SIZE // 2)  # its normalised copy is the same
    nothing, mean = torch.zeros(MODEL_SIZE, MODEL_SIZE), torch.full((MODEL_SIZE, MODEL_SIZE), 1 / MODEL_SIZE)
    mean_of_x = x[0].mT * mean  # only the positive features count
    if part == "self":
        read = dict(self_weights=torch.stack([nothing, nothing, mean_of_x, torch.eye(MODEL_SIZE)]))
    elif part == "cross":
        memory = torch.tensor([1.0, 0.0])[None, :, None].expand(len(x), 2, MODEL_SIZE)
        read = dict(memory=memory, cross_weights=torch.stack([mean_of_x, mean, mean, torch.eye(MODEL_SIZE)]))
    else:
        first = torch.eye(HIDDEN_SIZE)[:1]
        read = dict(w_widen=mean_of_x[:, :1] @ first, w_narrow=first.mT.expand(HIDDEN_SIZE, MODEL_SIZE))
    return _several(_in_training(tested, x, **read))


def hidden_layer_varies_in_training(tested):
    """Whether the mean of a hidden layer of ones is several numbers."""
    mean = torch.full((HIDDEN_SIZE, MODEL_SIZE), 1 / HIDDEN_SIZE)
    ones = torch.ones(TEXTS * QUERIES, 1, MODEL_SIZE)
    return _several(_in_training(tested, ones, b_widen=torch.ones(HIDDEN_SIZE), w_narrow=mean))


def _several(added):
    kept = added[added != 0]
    return bool(len(kept)) and (kept.max() - kept.min()).item() > 1e-3


def share_of_silent_heads(tested, part):
    """With one key, a head whose weight was dropped finds nothing at all: how many do?"""
    passing = torch.stack([torch.zeros(MODEL_SIZE, MODEL_SIZE)] * 2 + [torch.eye(MODEL_SIZE)] * 2)
    added = _in_training(tested, torch.randn(TEXTS * QUERIES, 1, MODEL_SIZE), **{f"{part}_weights": passing})
    return (added.unflatten(-1, (HEADS, KEYS)) == 0).all(dim=-1).float().mean().item()
