"""What people get wrong about `masked_weights`, and what helps them."""

import math

import numpy as np

import mha_ref

from ..exercises import attention_scores, masked_weights


@masked_weights.misconception
def forgets_the_softmax(query, key, mask=None):
    """Your weights are the scores themselves: some are negative, and the rows do not sum to 1.
    A score says how well a key fits; a weight is a share of one whole.
    Which function of lesson 01 turns the first into the second?"""
    return _hidden_as_zero(attention_scores(query, key), mask)


@masked_weights.misconception
def scales_after_softmax(query, key, mask=None):
    """Softmax got plain dot products, and the division by √features came after it.
    Then the shares of a query sum to less than 1, and what is mixed with them comes out too small.
    Softmax itself needs scores of moderate size. Where does the division belong?"""
    features = query.shape[-1]
    return masked_weights(query * math.sqrt(features), key, mask) / math.sqrt(features)


@masked_weights.misconception(axis=(-2, 0, 1))
def shares_out_over_the_queries(query, key, mask=None, *, axis):
    """Your softmax runs along axis {axis} of the scores.
    Scores come as (..., queries, keys), and each query shares out one whole over its keys.
    On which axis do the keys lie, counted from the end, whatever stands in front?"""
    scores = attention_scores(query, key)
    hidden = scores if mask is None else np.where(mask, scores, -np.inf)
    return np.nan_to_num(mha_ref.softmax(hidden, axis))


@masked_weights.misconception
def scales_before_and_after_softmax(query, key, mask=None):
    """Your scores are scaled, and after softmax something is divided by √features once more.
    Softmax has made shares of one whole; divided again, they sum to less than 1, and their mixture is too small.
    Which of the two divisions can go?"""
    return masked_weights(query, key, mask) / math.sqrt(query.shape[-1])


@masked_weights.misconception
def turns_the_weights_on_their_side(query, key, mask=None):
    """In your weights each column belongs to a query and sums to 1, where a row should.
    Scores come as (queries, keys), and softmax leaves them in that order, with one row of shares for each query.
    Which line changes the order of the axes after softmax, or names them the other way round?"""
    return masked_weights(query, key, mask).mT


@masked_weights.misconception
def takes_the_softmax_of_the_queries(query, key, mask=None):
    """You took softmax of the query's features, before query and key were compared.
    What has to be shared out is a query's attention over the keys, so softmax comes after the comparison.
    Check where the brackets of softmax open and close."""
    return _hidden_as_zero(attention_scores(mha_ref.softmax(query), key), mask)


@masked_weights.misconception
def is_causal_without_a_mask(query, key, mask=None):
    """Where no mask is given, no query looks at a key with a number above its own: later tokens are hidden, though
    nobody asked for it.
    Without a mask every query may look at every key.
    Is there a triangle in your code that steps in?"""
    return masked_weights(query, key, np.tri(query.shape[-2], key.shape[-2], dtype=bool) if mask is None else mask)


@masked_weights.misconception(on=("spread", "large", "hidden_large"))
def empties_rows_far_below_all_others(query, key, mask=None):
    """A row whose scores lie far below the scores of other rows comes out as zeros.
    One number was subtracted from all rows, the largest score of all. So every exponential of a low row becomes 0.
    What would each row subtract if it were alone?"""
    scores = mha_ref.attention_scores(query, key)
    weights = np.exp(scores - scores.max()) * (True if mask is None else mask)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


@masked_weights.misconception(which=("first", "last"))
def gives_all_queries_the_weights_of_one(query, key, mask=None, *, which):
    """All rows of your weights are alike: every query got those of the {which} one.
    Each query compares itself with the keys and has a row of its own.
    Is a row made anew for each query, and does each index move on with the loop?"""
    place = np.s_[..., :1, :] if which == "first" else np.s_[..., -1:, :]
    weights = masked_weights(query, key, mask)
    return 0 * weights + weights[place]


def _hidden_as_zero(scores, mask):
    """Raw scores in the place of weights: what the mask hides counts nothing."""
    return scores if mask is None else np.where(mask, scores, 0.0)


masked_weights.hints_for(
    "forgets_the_softmax",
    "takes_the_softmax_of_the_queries",
    hints=(
        "Two questions follow each other. How well does each key fit? The answer is a row of scores. "
        "How does the query share itself out among them? The answer is a row of weights. "
        "Softmax leads from the first answer to the second. "
        "So it needs the finished scores of a query, over all its keys.",
        "Add up each row of what you use as weights. Without a mask every sum should be 1. "
        "Then look for softmax between the comparison of query and key and the mixing of the values. "
        "If it is there, what stands inside its brackets? If it is not there, this is where it belongs.",
        "Finish the scores first: query and key compared, scaled and, if there is a mask, masked. "
        "Give these scores to softmax, along the axis of the keys, which is the last one. "
        "What comes out are the weights. The query itself goes into the comparison as it is.",
    ),
)

masked_weights.hints_for(
    "scales_after_softmax",
    "scales_before_and_after_softmax",
    hints=(
        "Dividing means two different things before softmax and after it. Before it, differences between scores "
        "shrink, and the weights become less extreme: that is what the root is for. "
        "After it, there is one whole that has been shared out. Dividing now gives part of it to nobody.",
        "Add up each row of your weights: without a mask every sum should be 1. "
        "With 16 features and a root after softmax you find 1/4. "
        "If the sums are right, look at what happens after the mixing. "
        "Follow each division by a root, also in the functions you call: does it come before softmax or after?",
        "After softmax there is no division, neither of the weights nor of what is mixed with them. "
        "Before softmax there is exactly one: the dot products, by the square root of the number of features. "
        "If the function that makes your scores does it already, no other line has to.",
    ),
)

masked_weights.hints_for(
    "shares_out_over_the_queries",
    "turns_the_weights_on_their_side",
    hints=(
        "Each query has one full jug, and a row of glasses before it, one for each key. "
        "It pours out all that it has, into its own glasses. So a row of weights adds up to one jug. "
        "What one key gets from all queries together can be anything: some keys get a lot, others hardly a drop.",
        "Take 2 queries and 3 keys, first alone, then in a batch. "
        "The weights should end in (2, 3), and their sums along the last axis should all be 1. "
        "If they end in (3, 2), look for a turn after softmax, or for a product with the key on its left. "
        "If the shape is right and the sums are not, look at the axis of softmax.",
        "Softmax runs along the last axis of the scores, where the keys lie: this is the axis -1, whatever stands in "
        "front. Its result keeps the order, queries before keys. "
        "It goes into the product with the values like this, on the left, without being turned.",
    ),
)


masked_weights.hints_for(
    "empties_rows_far_below_all_others",
    hints=(
        "Softmax sees differences within a row alone, so a row may be moved up or down as one likes. "
        "That is done to bring its scores to where exponentials are ordinary numbers. "
        "A number that suits one row can be far too large for another. "
        "Then all the exponentials of that other row become 0, and nothing is left to share out.",
        "Take two queries, one with the scores 1000 and 1001, and one with 0 and 1. "
        "Both rows should come out as 0.27 and 0.73. "
        "Print what you subtract from the second row, and the sum that you divide it by. "
        "If the sum is 0, a guard against division by 0 has hidden the mistake.",
        "A maximum that is given no axis looks at the whole array, with all its rows, heads and texts. "
        "Tell it along which axis the keys lie, and keep that axis with length 1. "
        "Then each row subtracts a number of its own, and the largest exponential of every row is 1.",
    ),
)

masked_weights.hints_for(
    "gives_all_queries_the_weights_of_one",
    hints=(
        "Every query asks a question of its own, so its row of shares is its own, too. "
        "If all rows are alike, one of two things has happened. "
        "An index stayed where it was while the loop went on. "
        "Or one and the same row was filled again and again, and stands in the result many times: a list keeps the row "
        "itself, and no copy of what it held.",
        "Take two queries that like different keys. Print each row of weights as soon as it is made, and print the "
        "whole table after the loop. Were the rows different when they were made? Then look at the line that makes the "
        "empty table: `[[0] * keys] * queries` holds a single row, several times.",
        "Make a new row inside the loop over the queries, or make the table with NumPy's zeros: there each row has a "
        "place of its own. Pick the query by the loop's variable. "
        "Without a loop there is nothing to mix up: one matrix product compares all queries with all keys.",
    ),
)

masked_weights.hints_for(
    "is_causal_without_a_mask",
    hints=(
        "Attention knows nothing of order: every query compares itself with all keys, wherever they stand. "
        "To hide what comes later is a decision of whoever calls. "
        "One who reads a whole sentence wants to look both ways. "
        "So this part must not bring in a rule that nobody gave.",
        "Look for everything that knows of order: `tri`, `tril`, `triu`, a comparison of positions, an "
        "`is_causal=True`, a loop over keys that ends at the number of the query. "
        "Then print the weights of the first query. "
        "Every key should have some.",
        "Take out what makes the triangle: without a mask all scores of a row go into softmax as they are, first key "
        "to last. In lesson 03 a mask may be handed in, and it is then used as it comes. "
        "Whoever must not look ahead will bring a causal one.",
    ),
)
