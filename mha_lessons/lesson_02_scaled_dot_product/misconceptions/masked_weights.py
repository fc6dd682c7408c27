"""What people get wrong about `masked_weights`."""

import math

import numpy as np

import mha_ref
from autograder.mistakes import mistake

from ..exercises import attention_scores, masked_weights


def forgets_the_softmax(query, key, mask=None):
    """Your weights are the scores themselves: some are negative, and the rows do not sum to 1.
    A score says how well a key fits; a weight is a share of one whole.
    Which function from lesson 01 turns the first into the second?"""
    return _hidden_as_zero(attention_scores(query, key), mask)


def scales_after_softmax(query, key, mask=None):
    """Softmax got plain dot products, and the division by √features came after it.
    Then the shares of a query sum to less than 1, and whatever they mix becomes too small.
    Softmax itself needs scores of moderate size. Where does the division belong?"""
    features = query.shape[-1]
    return masked_weights(query * math.sqrt(features), key, mask) / math.sqrt(features)


@mistake(axis=(-2, 0, 1))
def shares_out_over_the_queries(query, key, mask=None, *, axis):
    """Your softmax runs along axis {axis} of the scores.
    Scores come as (..., queries, keys), and each query shares out one whole over its keys.
    Counted from the end, which axis holds the keys, whatever is in front?"""
    scores = attention_scores(query, key)
    hidden = scores if mask is None else np.where(mask, scores, -np.inf)
    return np.nan_to_num(mha_ref.softmax(hidden, axis))


def shares_out_over_the_whole_table(query, key, mask=None):
    """The weights of all queries together sum to 1, so each query has only a part of the whole.
    The maximum and the sum, or softmax itself, run over queries and keys at the same time.
    Each query shares out one whole of its own: over which axis alone?"""
    scores = attention_scores(query, key)
    hidden = scores if mask is None else np.where(mask, scores, -np.inf)
    flat = mha_ref.softmax(hidden.reshape(*hidden.shape[:-2], -1))
    return np.nan_to_num(flat).reshape(hidden.shape)


def scales_before_and_after_softmax(query, key, mask=None):
    """Your scores are scaled, and after softmax something is divided by √features again.
    Softmax has already made shares of one whole; divided again, they sum to less than 1, and their mixture is too
    small.
    Which of the two divisions can go?"""
    return masked_weights(query, key, mask) / math.sqrt(query.shape[-1])


def turns_the_weights_on_their_side(query, key, mask=None):
    """In your weights each column belongs to a query and sums to 1, but it should be each row.
    Scores come as (queries, keys), and softmax leaves them in that order, with one row of shares for each query.
    Which line changes the order of the axes after softmax, or names them the other way round?"""
    return masked_weights(query, key, mask).mT


def takes_the_softmax_of_the_queries(query, key, mask=None):
    """You took softmax of the query's features, before query and key were compared.
    A query shares out its attention over the keys, so softmax comes after the comparison.
    Check where the brackets of softmax open and close."""
    return _hidden_as_zero(attention_scores(mha_ref.softmax(query), key), mask)


def is_causal_without_a_mask(query, key, mask=None):
    """Where no mask is given, no query looks at a key with a number above its own: later tokens are hidden, although
    no one asked for that.
    Without a mask every query may look at every key.
    Does your code make a triangle when there is no mask?"""
    return masked_weights(query, key, np.tri(query.shape[-2], key.shape[-2], dtype=bool) if mask is None else mask)


@mistake(on=("spread", "large", "hidden_large"))
def empties_rows_far_below_all_others(query, key, mask=None):
    """A row whose scores are far below those of other rows becomes all zeros.
    You subtracted one number from all rows, the largest score of all. So every exponential of a low row becomes 0.
    What would each row subtract if it were alone?"""
    scores = mha_ref.attention_scores(query, key)
    weights = np.exp(scores - scores.max()) * (True if mask is None else mask)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


@mistake(which=("first", "last"))
def gives_all_queries_the_weights_of_one(query, key, mask=None, *, which):
    """All rows of your weights are the same: every query got those of the {which} one.
    Each query compares itself with the keys and has a row of its own.
    Does your code make a new row for each query, and does each index move on with the loop?"""
    place = np.s_[..., :1, :] if which == "first" else np.s_[..., -1:, :]
    weights = masked_weights(query, key, mask)
    return 0 * weights + weights[place]


def _hidden_as_zero(scores, mask):
    """Raw scores in the place of weights: what the mask hides counts nothing."""
    return scores if mask is None else np.where(mask, scores, 0.0)
