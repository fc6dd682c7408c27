"""What people get wrong about `alibi_bias`."""

import numpy as np

from mha_ref.positions import alibi_slopes, distances

from ..exercises import alibi_bias


def _bias_of(heads, change):
    """What the slopes make of the distances, after a change."""
    return -alibi_slopes(heads)[:, None, None] * change


def favours_what_is_far(heads, queries, keys):
    """Your bias grows with the distance, so the farthest keys gain the most.
    It is meant as a price: the farther away a key is, the more its score loses.
    Which sign must a number have to make a score smaller?"""
    return -alibi_bias(heads, queries, keys)


def counts_from_the_first_key(heads, queries, keys):
    """In your bias the first key has 0 and later keys gain, whichever query looks at them.
    Softmax would give the same weights, since each row is shifted by a single number.
    But the stub asks for 0 at the query's own position: whose position is missing in your code?"""
    return alibi_slopes(heads)[:, None, None] * (np.arange(keys) + np.zeros((queries, 1)))


def counts_from_the_last_key(heads, queries, keys):
    """In your bias every row counts back from the last key, whichever query looks.
    Softmax would give the same weights, since each row is shifted by a single number.
    But the stub asks for 0 at the query's own position: whose position is missing in your code?"""
    return alibi_slopes(heads)[:, None, None] * (np.arange(keys) - (keys - 1) + np.zeros((queries, 1)))


def counts_both_ways_from_the_first_key(heads, queries, keys):
    """In your bias the first query lines up with the first key: with fewer queries than keys, each counts from too far
    to the left.
    The last query should line up with the last key: which position does the first one have then?"""
    return _bias_of(heads, np.abs(distances(queries, keys) - (keys - queries)))


def squares_the_distance(heads, queries, keys):
    """Your bias grows with the square of the distance: it is right one position back, and too large from two on.
    Each position costs the same.
    Is something multiplied by itself, or by the distance twice?"""
    far = distances(queries, keys)
    return _bias_of(heads, far * np.abs(far))


def gives_distances_without_slopes(heads, queries, keys):
    """Your bias is minus the distance, the same for every head.
    The heads should differ: each one multiplies the distances by its own slope.
    Where do your slopes come in?"""
    return np.zeros((heads, 1, 1)) - distances(queries, keys)


def makes_one_map_for_all_heads(heads, queries, keys):
    """Your result is a single map of queries and keys, but each head should have one.
    The bias has three axes: heads, queries, keys.
    With which index do you give the slopes two more axes?"""
    return alibi_bias(heads, queries, keys)[0]


def puts_the_heads_last(heads, queries, keys):
    """Your numbers are right, but the axis of the heads is the last one.
    Scores have the axes heads, queries, keys, and what is added to them needs the same order.
    Where do you put the new axes of the slopes?"""
    return np.moveaxis(alibi_bias(heads, queries, keys), 0, -1)
