"""What people get wrong about `scaled_dot_product_attention`, and what helps them."""

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


scaled_dot_product_attention.hints_for(
    "shares_out_before_comparing",
    hints=(
        "Softmax does not care for the order of brackets, but it does care for what stands inside them. "
        "The share of a key depends on how well it fits this one query, and on how well all others fit it. "
        "Nobody knows that before query and key have met. "
        "Some models leave this out to save time; they compute something else.",
        "Take 2 queries, 3 keys and 5 features, and print the shape of what goes into softmax. "
        "It should be (2, 3), a score for each pair. "
        "If an array with 5 columns goes in, features share out one whole, and no query has chosen a key yet.",
        "Take three steps, in this order. The query times the turned key, divided by the root of the features, gives "
        "the scores. One softmax, along the last axis, makes weights of them. "
        "The weights times the values give the output. No other softmax is left.",
    ),
)

scaled_dot_product_attention.hints_for(
    "looks_across_the_batch",
    hints=(
        "A batch is a pile of sentences that have nothing to do with each other. "
        "They are computed together to save time, and the result of one must be what it would be alone. "
        "So a query may look at the keys of its own item, and at no others.",
        "Take a batch of two different items, and change a key of the second one. "
        "The first item's output should stay as it is. Then print the shape of your scores. "
        "They should be (batch, queries, keys), and each row should be as long as one item has keys.",
        "Leave the axes in front where they are, without any reshape. "
        "The matrix product works on the last two axes, once for each item, in front of softmax and after it. "
        "Turn the key by exchanging its last two axes, and count all axes from the end.",
    ),
)

scaled_dot_product_attention.hints_for(
    "makes_room_like_the_query",
    hints=(
        "An output row answers a query, but it is made of values. "
        "So there are as many rows as queries, and as many columns as a value has features. "
        "Queries and keys share their number of features because they are compared. The values take no part in that, "
        "and may have another one.",
        "Find the line that makes the empty array, with `zeros`, `empty` or a name that ends in `_like`. "
        "Take 2 queries of 5 features, and values of 4 features, and print its shape: it should be (2, 4). "
        "A 5 in it belongs to the features of the query, and these are gone once scores are made.",
        "Build the shape from both arrays: all lengths of the query but the last one, and then the last length of the "
        "value. Or make no room at all: the product of the weights with the values brings an array of the right shape, "
        "with any number of axes in front.",
    ),
)

scaled_dot_product_attention.hints_for(
    "takes_the_softmax_after_mixing",
    hints=(
        "The order has its reason. "
        "Softmax decides how much of each key a query takes, so it has to speak before the values are touched. "
        "Once values are mixed with raw scores, nobody can tell any more what came from which key. "
        "A softmax over features then shares out a whole that nobody asked for.",
        "Look at the product with the values, and print what stands on its left. "
        "If its rows do not sum to 1, these are scores, and softmax has not been there yet. "
        "Then look at the input of your softmax. It should be queries × keys, and yours is queries × value features.",
        "First make the weights: softmax of the scaled scores, over the keys. "
        "Then mix the values with these weights, as in lesson 00, and return what the mixing gives. "
        "No other step follows: a mean of values may be negative or large, and its rows need not sum to anything.",
    ),
)
