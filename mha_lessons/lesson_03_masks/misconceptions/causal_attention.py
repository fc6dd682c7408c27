"""What people get wrong about `causal_attention`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake

from ..exercises import causal_attention, masked_attention


def forgets_the_causal_mask(query, key, value):
    """Changing a later token changes earlier outputs: every query looks at every key, the future included.
    Either no causal mask reaches your softmax, or it allows everything.
    Follow the mask through your code: where is it made, and where is it used?"""
    return masked_attention(query, key, value)


def hides_the_last_key_only(query, key, value):
    """The last key is hidden from all queries but the last; the rest of the future is visible.
    Each query has a future of its own, and that of the first query is the longest.
    The mask needs a row for each query, with a last allowed key of its own."""
    mask = np.ones((query.shape[-2], key.shape[-2]), bool)
    mask[:-1, -1] = False
    return masked_attention(query, key, value, mask)


def forgets_the_oldest_keys(query, key, value):
    """Where there are more keys than queries, the oldest keys have no influence on your output: only as many keys as
    queries were used.
    The extra keys come first, so they come before every query.
    Keep all keys, and fit the mask to them."""
    queries = query.shape[-2]
    mask = mha_ref.causal_mask(queries, queries)
    return masked_attention(query, key[..., -queries:, :], value[..., -queries:, :], mask)


@mistake(axis=(0, 1))
def takes_the_sizes_from_the_front(query, key, value, *, axis):
    """The sizes of your mask come from axis {axis}, counted from the front.
    That number depends on what comes before: a batch in front moves tokens and features on by one.
    Counted from the end, every axis keeps its number. Which numbers do tokens and features have then?"""
    mask = mha_ref.causal_mask(query.shape[axis], key.shape[axis])
    return masked_attention(query, key, value, mask)


def takes_the_sizes_from_the_features(query, key, value):
    """The sizes of your mask are lengths of the last axis, but that axis holds features.
    A mask has a row for each query and a column for each key.
    Counted from the end, which axis holds the queries and the keys?"""
    mask = mha_ref.causal_mask(query.shape[-1], key.shape[-1])
    return masked_attention(query, key, value, mask)


@mistake(size=("queries", "keys"))
def makes_a_square_mask(query, key, value, *, size):
    """Your mask is a square: both its sizes are the number of {size}.
    Where there are fewer queries than keys, it does not fit the scores.
    A mask has a row for each query and a column for each key. Where do you find each of the two numbers?"""
    tokens = (query if size == "queries" else key).shape[-2]
    return masked_attention(query, key, value, mha_ref.causal_mask(tokens, tokens))


@mistake(seen=("first", "one at its own position"))
def lets_the_first_query_see_one_key(query, key, value, *, seen):
    """With more keys than queries your first query looks at only one key, the {seen}.
    It is first among the queries, but the older keys come before it, and it sees all of them.
    Do you begin with a row that is right only for equal lengths?"""
    out = causal_attention(query, key, value)
    place = 0 if seen == "first" else key.shape[-2] - query.shape[-2]
    return np.concatenate([value[..., place : place + 1, :], out[..., 1:, :]], axis=-2)
