"""What people get wrong about `returned_weights`."""

import numpy as np

from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.exercises import attention_scores

from ..exercises import returned_weights, split_heads


@mistake(on="weights", blocked=(None, -np.inf, -1e9))
def returns_scores_in_place_of_weights(query, key, heads, mask=None, *, blocked):
    """With `return_weights=True` you return the scores, as they are before softmax.
    Weights are shares: none is negative, and each row sums to 1.
    Which variable holds what softmax gave you, before dropout?"""
    scores = attention_scores(split_heads(query, heads), split_heads(key, heads))
    return scores if mask is None or blocked is None else np.where(mask, scores, blocked)


@mistake(on="weights")
def returns_weights_without_the_mask(query, key, heads, mask=None):
    """With `return_weights=True` your weights ignore the mask, while your output obeys it.
    A map should show what was used: there, a blocked key has a weight of zero.
    Do you compute the weights a second time for the caller?"""
    return returned_weights(query, key, heads)


@mistake(on="weights", nothing=("even", "NaN"))
def returns_shares_where_nothing_may_be_seen(query, key, heads, mask=None, *, nothing):
    """Your output is right, but for a query with no allowed key the returned weights are not zeros: they are equal
    shares, or NaN.
    The map should show what was used, and nothing was.
    Return the weights that mixed your values, before dropout, and do not compute them again."""
    weights = returned_weights(query, key, heads, mask)
    alive = True if mask is None else mask.any(axis=-1, keepdims=True)
    return np.where(alive, weights, 1 / weights.shape[-1] if nothing == "even" else np.nan)
