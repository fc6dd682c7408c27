"""What people get wrong about `scaled_dot_product_attention`."""

import numpy as np

import mha_ref

from ..exercises import attention_scores, scaled_dot_product_attention


@scaled_dot_product_attention.misconception
def takes_the_softmax_after_mixing(query, key, value):
    """The values were mixed with raw scores, and softmax came last: each row of your output sums to 1.
    But your output should hold a mean of values, not shares.
    Read the formula from the inside: which product is inside the brackets of softmax, and which outside?"""
    return mha_ref.softmax(attention_scores(query, key) @ value)


@scaled_dot_product_attention.misconception
def looks_across_the_batch(query, key, value):
    """With a batch, your queries look at the keys of all items, and take from the values of all.
    The axes in front were folded into the tokens, so that several sentences became a long one.
    The items of a batch are separate problems. Which reshape joins them?"""
    flat = (x.reshape(-1, x.shape[-1]) for x in (query, key, value))
    return scaled_dot_product_attention(*flat).reshape(*query.shape[:-1], value.shape[-1])


@scaled_dot_product_attention.misconception
def makes_room_like_the_query(query, key, value):
    """The array that you fill has the shape of the query. Its rows are right, its columns are not:
    what you put in is made of values, and has as many columns as they have.
    Values may be longer or shorter than queries. From which array does the last length come?"""
    room = np.zeros_like(query)
    room[...] = scaled_dot_product_attention(query, key, value)
    return room


@scaled_dot_product_attention.misconception(power=(0, 0.25, 0.5))
def shares_out_before_comparing(query, key, value, *, power):
    """Queries and keys went through softmax each by themselves, and were multiplied after that.
    That is a cheaper kind of attention, with other results: here a query is compared with the keys first, and its
    scores are what softmax shares out.
    Which of your products come before softmax, and which after?"""
    root = query.shape[-1] ** power
    summary = mha_ref.softmax(key / root, -2).mT @ value
    return mha_ref.softmax(query / root) @ summary
