"""What people get wrong about `scaled_dot_product_attention`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake

from ..exercises import attention_scores, scaled_dot_product_attention


def takes_the_softmax_after_mixing(query, key, value):
    """You mixed the values with raw scores and took softmax last: each row of your output sums to 1.
    But your output should hold means of values, not shares.
    Look at the formula: which product is inside the brackets of softmax, and which is outside?"""
    return mha_ref.softmax(attention_scores(query, key) @ value)


def looks_across_the_batch(query, key, value):
    """With a batch, your queries look at the keys of all items, and mix the values of all of them.
    The axes in front were merged into the tokens, so that several sentences became one long sentence.
    The items of a batch are separate problems. Which reshape joins them?"""
    flat = (x.reshape(-1, x.shape[-1]) for x in (query, key, value))
    return scaled_dot_product_attention(*flat).reshape(*query.shape[:-1], value.shape[-1])


def makes_room_like_the_query(query, key, value):
    """The array that you fill has the shape of the query. Its rows are right, but its columns are not:
    you fill it with mixed values, so it needs as many columns as the values have.
    Values may have more features than queries, or fewer. From which array does the last length come?"""
    room = np.zeros_like(query)
    room[...] = scaled_dot_product_attention(query, key, value)
    return room


@mistake(power=(0, 0.25, 0.5))
def shares_out_before_comparing(query, key, value, *, power):
    """You took softmax of the queries and of the keys separately, and multiplied them after that.
    That is a cheaper kind of attention, with different results: here a query is first compared with the keys, and
    softmax then turns its scores into shares.
    Which of your products come before softmax, and which after?"""
    root = query.shape[-1] ** power
    summary = mha_ref.softmax(key / root, -2).mT @ value
    return mha_ref.softmax(query / root) @ summary
