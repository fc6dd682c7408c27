"""Scores that lie far apart: the same distance in every exercise with a mask.

Many people write a large negative number where minus infinity is meant: they put it in for a blocked score, or add it.
It has to lie below every score. Some scores lie FAR below zero here, and some hidden ones FAR above the others, so a
number of -1e5 or nearer to zero fails, and one of -1e6 or lower does not: -1e9, the usual one, is right everywhere.
"""

import numpy as np

from autograder.cases import double, edge

FAR = 3e5


def far_apart(inputs, asking="x", asked="x"):
    """Two cases of projected queries and keys: all scores far below zero, and a hidden score far above the others."""
    for tag, mask, far in _both_ways(inputs[asking].shape[-2], inputs[asked].shape[-2]):
        shifted = double(inputs)
        size = shifted["w_query"].shape[-1] // inputs.get("heads", 1)
        _shift(shifted[asked], shifted["w_query"], shifted["w_key"], size, *far)
        shifted[asking][..., 1] = 1
        shifted["w_query"][..., ::size] = 0
        shifted["w_query"][..., 1, ::size] = 1
        yield edge(tag, **shifted, mask=mask)


def far_apart_in_memory(inputs, asked="memory", part="cross", hidden_by="memory_mask"):
    """The same two cases for an attention of a layer of parts, whose queries come out of a normalisation.

    Where `x` is asked, its keys do so, too: then its features but the first have mean 0 and variance 1.
    """
    for tag, mask, far in _both_ways(inputs["x"].shape[-2], inputs[asked].shape[-2]):
        shifted = double(inputs)
        size = shifted["x"].shape[-1] // inputs["heads"]
        _shift(shifted[asked], *shifted[f"{part}_weights"][:2], size, *far)
        shifted[f"{part}_biases"][:2] = 0
        shifted[f"{part}_biases"][0, ::size] = 1
        yield edge(tag, **shifted | {hidden_by: mask})


def _both_ways(queries, keys):
    """The tag, the mask, and by how much which tokens' scores are shifted."""
    one_hidden = (np.arange(queries)[:, None] + np.arange(keys)) % keys != 1
    one_hidden[1] = True  # with nothing hidden no fill is needed, and a maximum of less than 0 still is
    last_hidden = np.broadcast_to(np.arange(keys) < keys - 1, (queries, keys)).copy()
    yield "low", one_hidden, (-FAR, slice(None))
    yield "hidden_large", last_hidden, (FAR, slice(-1, None))


def _shift(sequence, w_query, w_key, size, amount, tokens):
    """Make scores larger by the amount for these tokens of every other item, where the query's first columns hold 1.

    The first key column of each head holds the amount for these tokens, and 0 for all others. Scores that are all far
    below zero are equal, so that single precision has the digits for them, too. Weights without a say are nearly 0 and
    not 0, since a layer may divide a row of weights by its length.
    """
    sequence[..., 0] = 0
    sequence[::2, tokens, 0] = 1
    w_query[..., :: 1 if amount < 0 else size] *= 1e-12
    w_key[..., ::size] = 0
    w_key[..., 0, ::size] = amount * size**0.5
