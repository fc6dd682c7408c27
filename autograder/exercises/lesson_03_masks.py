"""Lesson 03: who may look at what, and what people believe about it."""

import math
from itertools import product

import numpy as np

import mha_ref
from autograder import inputs
from autograder.activations import ACTIVATIONS
from autograder.exercise import Exercise, Question, Refused, TestWriting
from autograder.exercises.lesson_01_softmax import softmax
from autograder.properties import (
    batch_items_do_not_touch_each_other,
    blocked_keys_have_no_weight,
    blocked_keys_lose_to_every_score,
    each_query_sees_one_key_more,
    earlier_keys_stay_visible,
    every_key_counts,
    keys_with_their_values_may_be_shuffled,
    no_key_is_skipped,
    nothing_forbidden_gets_allowed,
    numbers_in_blocked_keys_change_nothing,
    order_of_masks_does_not_matter,
    outputs_lie_between_the_values,
    rows_allow_as_many_keys_as_lengths_say,
    rows_do_not_touch_each_other,
    rows_with_nothing_allowed_are_zero,
    the_future_has_no_influence,
    the_last_query_sees_every_key,
    the_past_has_influence,
    the_past_may_be_shuffled,
    twice_the_values_twice_the_output,
    weights_are_not_negative,
    weights_sum_to_one,
    what_both_allow_stays_allowed,
)

# do you remember lessons 01 and 02?

remember_the_scores = Question(
    answer=(4, 3, 5),
    points=0,
    wrong={
        (4, 5, 3): "That has a row for each key. Whoever asks has a row, and those are the queries. "
        "Look at lesson 02, *Similarity*.",
        (4, 3, 6): "6 is the number of features, and the dot product sums over them. "
        "What is left of a query and a key is one number. Look at lesson 02, *Similarity*.",
        (4, 5, 6): "That is the shape of the keys. The product is about pairs: how well does this key fit that query? "
        "Look at lesson 02, *Similarity*.",
        (3, 5): "That is one item of the batch, and there are four. `@` does the same for each item in front. "
        "Look at lesson 02, *Write the scores*.",
        (4, 4, 3, 5): "That would pair each item of the batch with each other one. "
        "The queries of an item meet the keys of the same item. Look at lesson 02, *Write the scores*.",
    },
    hints=(
        "Each query meets each key of its own item, and each meeting gives one number. "
        "So for each item there is a table with a row for each query and a column for each key. "
        "How many rows and columns has such a table here?",
        "`.mT` lets the last two axes of the keys change places. "
        "Write down the shape that they have then. "
        "Now put it to the right of the queries' shape, and look at the two lengths in the middle: they must agree. "
        "What stands outside of them?",
        "(4, 3, 6) @ (4, 6, 5): the two inner lengths meet and are gone. "
        "Each number of the result is a sum over the 6 features. "
        "The 4 in front counts the items of the batch, and each is computed alone. "
        "Which three lengths are left?",
    ),
)

remember_a_new_value = Question(
    answer="c",
    points=0,
    wrong={
        "a": "Scores compare queries with keys, and these are as they were. The value is what is taken home. "
        "Look at lesson 02, *Three roles*.",
        "b": "The weights stay, that is true. But what they mix are the values, and one of them is new. "
        "Look at lesson 02, *Mix the values*.",
    },
    hints=(
        "Three roles: what I look for, what I offer, what I carry. "
        "Which of the three has changed? "
        "The first two decide who looks at whom, and how much. "
        "The third is what is handed over when that has been decided. "
        "What can the change still reach?",
        "Go through the formula from the inside: scores, weights, mean. "
        "Where does V come in? "
        "What is computed before that place cannot know of the change. "
        "What is computed there, or after it, can. "
        "Now read the three answers once more.",
        "V comes in at the end: the finished weights meet it there. "
        "Scores are made of queries and keys alone, and weights are made of scores. "
        "In which of the three answers do scores and weights stay as they were, while something else moves?",
    ),
)

remember_the_lost_axis = Question(
    answer="a",
    points=0,
    wrong={
        "b": "That was the plan. But the three sums have the shape (3,), and from the right their 3 meets 4 columns. "
        "Look at lesson 01, *Rows, axes and keepdims*.",
        "c": "That would take four sums, one for each column. `axis=-1` walks along the rows, and makes three. "
        "Look at lesson 01, *Rows, axes and keepdims*.",
    },
    hints=(
        "First the shape of the sums: the axis that a sum walks along is gone afterwards. "
        "Each row of `powers` has four numbers, and its sum is one number. "
        "How many sums are there? "
        "Is there still an axis that says to which row each belongs?",
        "NumPy lines up two shapes from the right: (3, 4) and (3,). "
        "Which lengths meet? "
        "Write them below each other, with the right ends aligned, and look at the last column. "
        "In lesson 01 you kept an axis of length 1 with `keepdims`. "
        "Is it in this line?",
        "Two lengths fit if they are equal, or if one of them is 1. "
        "Do a 4 and a 3 fit? "
        "With as many rows as columns the line would run, and divide each column by another row's sum. "
        "Here the table has 3 rows and 4 columns.",
    ),
)

masked_softmax = Exercise(
    mha_ref.masked_softmax,
    inputs.scores_mask,
    points=3,
    hints=(
        "Softmax has two parts: exponentials, and their sum. "
        "A blocked key must be missing from both, as if it had never been in the row. "
        "There is a score whose exponential is exactly 0, and it does this for you. "
        "Put it in place before softmax starts, not afterwards.",
        "Work in this order: replace the blocked scores, take the row's maximum, then exp, then the sum. "
        "Look at a row where nothing is allowed: what is its maximum, and what does a number minus itself give there? "
        "Such a row needs a decision of its own before exp, or before the division.",
        "`np.where(condition, a, b)` chooses number by number and broadcasts all three. "
        "The first line chooses between the score and minus infinity. "
        "For rows without a single True, exchange the maximum of minus infinity for 0: then all exponentials are 0. "
        "Last, keep a sum of 0 from dividing.",
    ),
    properties=(
        rows_with_nothing_allowed_are_zero,
        blocked_keys_have_no_weight,
        numbers_in_blocked_keys_change_nothing,
        weights_are_not_negative,
        weights_sum_to_one,
        rows_do_not_touch_each_other,
        batch_items_do_not_touch_each_other,
    ),
    remarks=(blocked_keys_lose_to_every_score,),
)
padding_mask = Exercise(
    mha_ref.padding_mask,
    inputs.lengths_keys,
    points=2,
    hints=(
        "A key is real if its position is smaller than the sentence's length, and positions count from 0. "
        "So the whole mask is one comparison: every position against every length. "
        "Broadcasting makes the table, as soon as positions and lengths lie along different axes.",
        "Positions lie along the last axis: there are `keys` of them, whatever the lengths are. "
        "Lengths lie along the first axis of four. "
        "Two axes of length 1 stand between them, for heads and for queries. "
        "Before all that, look at the lengths: is there one that cannot be right?",
        "`np.arange` gives the positions. "
        "`lengths[:, None]` adds an axis of length 1 at the end of lengths; you need three of these. "
        "Compare the two with the sign that leaves the position equal to the length out. "
        "Where one is above `keys`, raise an error, a ValueError say, with that length in its message.",
    ),
    properties=(rows_allow_as_many_keys_as_lengths_say,),
)
masked_attention = Exercise(
    mha_ref.masked_attention,
    inputs.query_key_value_mask,
    points=2,
    hints=(
        "Masked attention is the attention of lesson 02 with one step exchanged. "
        "Scores as before; weights from the masked softmax in place of the plain one; the weighted mean as before. "
        "The mask touches neither keys nor values: it decides who gets a share.",
        "You have all the parts: `attention_scores`, your own `masked_softmax`, and `weighted_mean`. "
        "The new question is what to do when there is no mask. "
        "No mask means that every key is allowed, so the result is the plain attention of lesson 02.",
        "One way: if `mask` is None, use `softmax`, else `masked_softmax`, and mix the values with either. "
        "Another way: exchange None for a mask that is True everywhere, in the shape of the scores. "
        "Ask with `is None`, because `not mask` fails for an array.",
    ),
    properties=(
        rows_with_nothing_allowed_are_zero,
        numbers_in_blocked_keys_change_nothing,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        every_key_counts,
        keys_with_their_values_may_be_shuffled,
    ),
)
causal_mask = Exercise(
    mha_ref.causal_mask,
    inputs.sizes,
    points=2,
    hints=(
        "Give every query a place among the keys. "
        "The last query stands at the last key, the one before it at the last key but one, and so on back. "
        "A query may look at every key up to its own place, with its own place included.",
        "With 3 queries and 5 keys, the queries stand at the places 2, 3 and 4. "
        "By how much is each query's row number too small? "
        "Once each row knows its place, the mask is one comparison of places with key positions, rows against columns.",
        "Row i stands at place i plus the difference of the two sizes. "
        "Write the places as a column, shape (queries, 1), and the key positions as a row, shape (keys,). "
        "Compare them so that a key's position may equal the query's place but not exceed it. "
        "A comparison gives booleans by itself.",
    ),
    properties=(
        no_key_is_skipped,
        the_last_query_sees_every_key,
        earlier_keys_stay_visible,
        each_query_sees_one_key_more,
    ),
)
combine_masks = Exercise(
    mha_ref.combine_masks,
    inputs.two_masks,
    points=1,
    hints=(
        "Each mask is a list of permissions. "
        "A key may be looked at only if nobody forbids it, so both masks must say True. "
        "A mask of None says nothing at all: it forbids no key, and the other mask decides alone.",
        "Deal with None first; what is left then are two arrays. "
        "If one is None, the answer is the other one, and this covers two Nones as well. "
        'For two arrays you need "and", element by element; Python\'s word `and` looks at whole arrays and fails.',
        "Ask `first is None`, then `second is None`, and return the other one in each case. "
        'Two boolean arrays meet with the operator for element-wise "and". '
        "It broadcasts and keeps the result boolean. "
        "No loop, no sum, no conversion to numbers is needed.",
    ),
    properties=(nothing_forbidden_gets_allowed, what_both_allow_stays_allowed, order_of_masks_does_not_matter),
)
causal_attention = Exercise(
    mha_ref.causal_attention,
    inputs.causal,
    points=2,
    hints=(
        "Causal attention is masked attention with one particular mask. "
        "You have written both halves of it already; this exercise puts them together. "
        "What is left to find out is how large the mask must be, from the arrays that come in.",
        "The mask has one row for each query and one column for each key. "
        "How many there are stands in the shapes of `query` and `key`, on the axis before the features. "
        "Count that axis from the end: in front of it there may be a batch.",
        "Read the second size from the end of `query.shape` and of `key.shape`, and give both to `causal_mask`. "
        "Then hand query, key, value and the mask that comes back to `masked_attention`. "
        "The mask has two axes and broadcasts over whatever stands in front.",
    ),
    properties=(
        the_future_has_no_influence,
        the_past_has_influence,
        the_past_may_be_shuffled,
        batch_items_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        outputs_lie_between_the_values,
    ),
)
test_causal_attention = TestWriting(
    causal_attention,
    catches=(
        "forgets_the_causal_mask",
        "sees_one_token_ahead",
        "zeroes_after_softmax",
        "hides_the_last_key_only",
        "does_not_see_itself",
        "starts_at_the_top_left",
    ),
    points=3,
    hints=(
        "A leak is an influence that should not be there. "
        "Run once, change one token, run again, and compare the two outputs row by row. "
        "Rows before the token must be equal. "
        "Rows from the token on must differ, or the version hides too much.",
        "One changed token is not enough: go through all of them in a loop. "
        "Change its key and its value, since some leaks go through the key alone. "
        "And take more keys than queries, or two different rules look the same to your test.",
        "With 3 queries and 5 keys, query i stands at place i + 2. "
        "So the first query to see key j is query j - 2, or query 0 where that is below 0. "
        "Assert `np.allclose` for the rows before that one. "
        "For each row from it on, assert that some number differs by more than rounding.",
    ),
)


# masked_softmax


@masked_softmax.misconception
def turns_the_mask_round(scores, mask, *, dead="zeros"):
    """All the weight went to the keys that the mask blocks, and none to the allowed ones.
    In this course True means "may look"; in some libraries it means "blocked", so the two are easily mixed up.
    Which of the two does your line hide?"""
    if dead == "zeros":
        return masked_softmax(scores, ~mask)
    return softmax(np.where(mask, -1e9, scores) if dead == "evenly" else scores - 1e9 * mask)


@masked_softmax.misconception
def zeroes_after_softmax(scores, mask):
    """Blocked keys carry nothing over, yet the weights that remain in a row sum to less than 1.
    Softmax ran first, so the blocked keys were still counted in its sum.
    Take them out before softmax shares the whole among the keys."""
    return softmax(scores) * mask


@masked_softmax.misconception
def fills_with_zero(scores, mask):
    """Blocked keys still get weight: their scores became 0, or very nearly 0.
    The exponential of 0 is 1, and that is far from nothing.
    Which score has an exponential of exactly 0?"""
    return softmax(np.where(mask, scores, 0))


@masked_softmax.misconception
def ignores_the_mask(scores, mask):
    """Blocked keys keep their full weight: wherever a query may look at something, your result is as without a mask.
    `np.where` leaves its input as it was and returns a new array, and so do most functions.
    Does softmax receive the masked scores, or the old ones?"""
    return softmax(scores)


@masked_softmax.misconception
def adds_the_mask_as_numbers(scores, mask):
    """Blocked keys still take part, with a little less weight.
    In arithmetic True is 1 and False is 0, so the mask makes a difference of 1 between two scores; blocking takes an
    infinite one.
    Let the mask choose between two values instead of adding to them."""
    return softmax(scores + mask)


@masked_softmax.misconception
def subtracts_the_mask_as_numbers(scores, mask):
    """Allowed keys lost weight, and blocked keys won it: every allowed score went down by 1.
    In arithmetic True is 1 and False is 0.
    Let the mask choose between two values instead of subtracting it."""
    return softmax(scores - mask)


@masked_softmax.misconception(constant=(-1, -10))
def fills_with_a_modest_number(scores, mask, *, constant):
    """Blocked keys still get some weight: their scores became {constant:g}.
    That is a score like any other, and the exponential of it is small but not 0.
    How far down must a score go so that its exponential is exactly 0?"""
    return softmax(np.where(mask, scores, constant))


@masked_softmax.misconception
def makes_nan_of_infinity(scores, mask, *, zero=1):
    """Rows of your result are NaN, though each has allowed keys: an infinity met a 0 or another infinity.
    It may be `0 * inf`, a mask of 0 and 1 times an infinity.
    Or `inf - inf`: a blocked score became plus infinity, or the row's minimum or mean was subtracted.
    Which line makes the first NaN?"""
    return softmax(np.where(mask, scores * zero, np.inf))


@masked_softmax.misconception
def fills_with_a_large_positive_number(scores, mask):
    """All the weight goes to blocked keys, in equal shares: their scores became a very large positive number.
    The smaller a score, the smaller its weight, and a blocked key needs the smallest there is.
    Look at the sign of what you put in."""
    return softmax(np.where(mask, scores, 1e9))


@masked_softmax.misconception(constant=(-np.inf, -1e9))
def fills_after_softmax(scores, mask, *, constant):
    """In place of a blocked key's weight stands {constant:g}.
    That number belongs among the scores: softmax turns it into a weight of 0, and lets the allowed keys share the
    whole.
    Which comes first in your code, the mask or softmax?"""
    return np.where(mask, softmax(scores), constant)


@masked_softmax.misconception(constant=(-np.inf, -1e9, 0))
def forgets_the_softmax_of_masked_scores(scores, mask, *, constant):
    """Your weights are still scores: the allowed ones as they were, {constant:g} for the blocked ones.
    Weights are shares of one whole: none is negative, and a row sums to 1.
    Which function turns scores into shares?"""
    return np.where(mask, scores, constant)


@masked_softmax.misconception
def runs_softmax_again_after_zeroing(scores, mask):
    """Blocked keys have weight again, and all weights of a row lie close together: softmax ran twice.
    A weight of 0 went into the second softmax as a score, and the exponential of 0 is 1.
    Block the keys before the first softmax; then one is enough."""
    return softmax(softmax(scores) * mask)


@masked_softmax.misconception(constant=(0, -1, -10))
def multiplies_by_the_mask_before_and_after(scores, mask, *, constant):
    """Blocked keys end with weight 0, but the rows sum to less than 1.
    A blocked score became {constant:g}, and the exponential of that is not 0: it was counted in the sum, and taken out
    too late.
    Give it a score that exp turns into 0; then nothing is left to repair afterwards."""
    return softmax(np.where(mask, scores, constant)) * mask


@masked_softmax.misconception(axis=(-2, 0, 1))
def shares_masked_scores_over_the_queries(scores, mask, *, axis):
    """Your softmax runs along axis {axis} of the scores.
    They come as (..., queries, keys), and each query shares out one whole over the keys that it may look at.
    On which axis do the keys lie, counted from the end, whatever stands in front?"""
    return np.nan_to_num(softmax(np.where(mask, scores, -np.inf), axis))


@masked_softmax.misconception
def shares_evenly_among_the_allowed(scores, mask):
    """In each row all allowed keys get the same weight: the scores have no influence on your result.
    The mask says who takes part; the scores still say how much each one gets.
    Where do the scores enter your code?"""
    allowed = np.broadcast_to(mask, scores.shape) * 1.0
    return allowed / allowed.sum(axis=-1, keepdims=True)


@masked_softmax.misconception
def collects_the_allowed_scores(scores, mask):
    """The rows are gone: an index like `scores[mask]` collects all allowed scores in one long line, whatever row they
    come from.
    Each query shares a whole of its own, so the shape has to stay.
    Which function replaces some numbers and leaves the others in their places?"""
    return softmax(scores[mask])


@masked_softmax.misconception
def applies_the_mask_to_queries(scores, mask):
    """Rows and columns of the mask have changed places, so it acts on queries where it should act on keys.
    Row i of a mask says what query i may look at, key by key.
    Use the mask as it comes in; its last axis lies along the keys already."""
    return masked_softmax(scores, mask.mT)


@masked_softmax.misconception
def loses_the_axis_of_the_answer(scores, mask):
    """Your code stops wherever a table has another number of keys than of queries: an axis was lost on the way.
    `any` along the last axis takes this axis away. Of a mask (2, 3) it leaves (2,), and from the right this 2 meets the
    3 keys.
    An answer for each row has to stand beside its row: what kept an axis, with length 1, in lesson 01?"""
    return np.where(mask.any(axis=-1), masked_softmax(scores, mask), 0)


@masked_softmax.misconception
def drops_whole_rows(scores, mask):
    """One blocked key empties its whole row.
    A query loses the blocked keys only, and the allowed ones share the whole among them.
    A row stays empty only if not a single key is allowed: is that `any` or `all`?"""
    return masked_softmax(scores, mask) * mask.all(axis=-1, keepdims=True)


@masked_softmax.misconception
def uses_one_row_of_the_mask_for_all(scores, mask):
    """Every query is treated as if it had the first query's row of the mask.
    Each query may have permissions of its own.
    Use the whole mask, or inside a loop the row that belongs to the query."""
    return masked_softmax(scores, mask[..., :1, :])


@masked_softmax.misconception(on="dead_row")
def leaves_dead_rows_nan(scores, mask):
    """A query that may look at nothing gives NaN.
    Where all its scores are -inf, so is the largest, and `-inf - -inf` is NaN.
    Where all its weights are zero, so is their sum, and `0 / 0` is NaN.
    It should get weights of zero: which of the two happens in your code, and what can you exchange just before it?
    (Afterwards `== np.nan` finds nothing: NaN is not even equal to itself.)"""
    return softmax(np.where(mask, scores, -np.inf))


@masked_softmax.misconception(on="dead_row")
def spreads_dead_rows_evenly(scores, mask):
    """A query that may look at nothing looks at all keys alike.
    One and the same number in place of every score leads there, since softmax sees differences only.
    Nothing to look at should mean weights of zero; such rows need a step of their own."""
    return softmax(np.where(mask, scores, -1e9))


@masked_softmax.misconception(on="dead_row")
def unmasks_dead_rows(scores, mask):
    """A query that may look at nothing gets the weights it would have without a mask.
    Either one number was added to every score of the row, which cancels in softmax; or a mask without any True is
    taken for no mask.
    Nothing to look at should mean weights of zero; such rows need a step of their own."""
    alive = mask.any(axis=-1, keepdims=True)
    return softmax(np.where(mask | ~alive, scores, -np.inf))


@masked_softmax.misconception(on="dead_row", last=(2, None), fill=(-np.inf, -1e9))
def looks_for_dead_rows_from_the_front(scores, mask, *, last, fill):
    """A query that may look at nothing gets zeros without a batch, but not always with one.
    Your code looks for such rows from the front of the mask: with `axis=1`, or a loop over the first axis.
    With a batch, axis 0 is the sentences, and axis 1 is not the keys.
    Each row needs an answer of its own: on which axis do its keys lie, counted from the end?"""
    mask = np.broadcast_to(mask, scores.shape)
    alive = mask.any(axis=tuple(range(mask.ndim))[1:last], keepdims=True)
    return np.where(alive, softmax(np.where(mask, scores, fill)), 0)


@masked_softmax.misconception(on="dead_row", fill=(-np.inf, -1e9))
def looks_for_dead_columns(scores, mask, *, fill):
    """A query that may look at nothing does not get zeros: your code asks each column of the mask, and not each row.
    A column says which queries may look at one key; a row says which keys one query may look at.
    Along which axis does a row run?"""
    return np.where(mask.any(axis=-2, keepdims=True), softmax(np.where(mask, scores, fill)), 0)


@masked_softmax.misconception(on="one_key")
def empties_a_row_with_one_key(scores, mask):
    """A query that may look at one key alone gets nothing: its whole row is zero.
    With one key there is no choice, so this key gets the whole: its exponential is the whole sum.
    What does your code compare, with the sum or with the number of allowed keys, to find rows that may look at
    nothing?"""
    return masked_softmax(scores, mask & (mask.sum(axis=-1, keepdims=True) != 1))


@masked_softmax.misconception(on="hidden_large", vanished=(np.nan, 0.0))
def takes_the_maximum_of_blocked_scores(scores, mask, *, vanished):
    """Where a blocked key has by far the largest score, the weights of the allowed keys come out as {vanished:g}.
    Either that score was the maximum of its row, and the exponentials of the allowed ones were rounded to 0; or its own
    exponential became infinite, and infinity times 0 is NaN.
    Is the blocked score still there when your code takes the maximum, or when it takes `exp`?"""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return np.where(total > 0, weights / total, np.where(mask.any(axis=-1, keepdims=True), vanished, 0))


@masked_softmax.misconception(on=("large", "low"), vanished=(np.nan, 0.0))
def takes_exponentials_of_unshifted_scores(scores, mask, *, vanished):
    """With scores in the thousands, above zero or below, rows come out as {vanished:g}.
    The exponential of 1000 is more than a float can hold, and that of -1000 is rounded to 0; no division brings them
    back.
    Subtract the largest allowed score of the row first, as softmax does."""
    weights = np.exp(scores) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return np.where(total > 0, weights / total, vanished)


@masked_softmax.misconception(on="hidden_large")
def lowers_blocked_scores_too_little(scores, mask):
    """Where a blocked key has by far the largest score, it still gets the weight.
    Your code lowers a blocked score by a fixed amount, and that amount is too small: a score of 300,000 stays large.
    -1e9 is low enough to be added, -10000 is not. What would work whatever the score was?"""
    return np.where(mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, scores - 1e4)), 0)


@masked_softmax.misconception(on="low")
def fills_with_a_number_that_scores_reach(scores, mask):
    """Where all scores lie far below zero, the blocked keys take the weight.
    The number that you put in for them is then larger than the real scores.
    -1e9 lies far enough down, -10000 does not. What lies below every number?"""
    return np.where(mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, -1e4)), 0)


@masked_softmax.misconception(on="low")
def gives_the_row_to_the_fill(scores, mask):
    """Where all scores lie far below zero, your rows come out as zeros.
    The number that you put in for blocked keys is then larger than every real score: it is the maximum of the row, and
    the exponentials of the real scores are rounded to 0 beside it.
    -1e9 lies far enough down, -10000 does not. What lies below every number?"""
    return softmax(np.where(mask, scores, -1e4)) * mask


# What else they make of rows where all keys are allowed; down here, so that each stands once among the frequent ones.
masked_softmax.misconception(turns_the_mask_round, dead=("evenly", "unmasked"))
masked_softmax.misconception(makes_nan_of_infinity, zero=(np.nan,))


@masked_softmax.misconception(axis=(-2, 0, 1))
def sums_masked_weights_over_the_queries(scores, mask, *, axis):
    """Your maximum runs along the keys, and your sum along axis {axis}, where no keys lie.
    Each query shares out a whole of its own, made of the exponentials of its own row.
    Were axes swapped on the way? Then each of them has another number after that line."""
    weights = _exponentials(scores, mask)
    return np.nan_to_num(weights / weights.sum(axis=axis, keepdims=True))


@masked_softmax.misconception
def stretches_the_mask_in_memory_order(scores, mask):
    """A mask as large as the scores works in your code; a smaller one can end up in wrong places.
    `np.resize` fills an array with the same numbers again and again, line after line, whatever axis they belong to.
    An axis of length 1 has to be stretched where it lies. Which functions of NumPy do that, even by themselves?"""
    return masked_softmax(scores, np.resize(mask, scores.shape))


@masked_softmax.misconception
def moves_the_weights_to_the_front(scores, mask):
    """Your weights are right, but they stand in wrong columns: those of the allowed keys have moved to the front.
    Where blocked keys were left out, the others got new numbers, counted from 0.
    A weight belongs to its own key. How does it find the way back to that column?"""
    places = np.argsort(~np.broadcast_to(mask, scores.shape), axis=-1, kind="stable")
    return np.take_along_axis(masked_softmax(scores, mask), places, axis=-1)


@masked_softmax.misconception
def gives_rows_the_answers_of_columns(scores, mask):
    """You asked each column of the mask whether it holds a True, and gave the answers to the rows.
    So a query is emptied because nobody may look at the key with its number; a query that may look at nothing is not.
    Along which axis lie the permissions of one query?"""
    alive = np.broadcast_to(mask, scores.shape).any(axis=-2)[..., None]
    return np.where(alive, softmax(np.where(mask, scores, -1e30)), 0)


@masked_softmax.misconception(below=(0, 1, 5))
def fills_with_the_smallest_score(scores, mask, *, below):
    """Blocked keys still get weight: each was given the smallest score of its row, or one that is {below} below it.
    Softmax sees differences alone, and a small difference makes a small weight, not none.
    How far below all others must a score lie so that its exponential is exactly 0?"""
    return softmax(np.where(mask, scores, scores.min(axis=-1, keepdims=True) - below))


@masked_softmax.misconception(constant=(1e9, -1e9))
def multiplies_blocked_scores_by_a_large_number(scores, mask, *, constant):
    """Blocked scores were multiplied by {constant:g}, and so went down or up, as their sign would have it.
    Those that went up take the whole row.
    A blocked key has to lose whatever its score was: should anything be left of that score?"""
    weights = softmax(np.where(mask, scores, scores * constant))
    return np.where(mask.any(axis=-1, keepdims=True), weights, 0)


@masked_softmax.misconception
def stops_at_the_first_blocked_key(scores, mask):
    """Keys that come after a blocked one count as blocked, too, even if the mask allows them.
    A mask may have gaps: an answer for one key says nothing about the next.
    Does your loop end where it should pass over one key?"""
    return masked_softmax(scores, np.logical_and.accumulate(np.broadcast_to(mask, scores.shape), axis=-1))


@masked_softmax.misconception
def takes_as_many_keys_from_the_front(scores, mask):
    """As many keys take part in your rows as the mask allows, but not the same ones: always the first.
    The number of True says how many, and their places say which. A mask may have gaps.
    Where do the places get lost in your code?"""
    allowed = np.broadcast_to(mask, scores.shape).sum(axis=-1, keepdims=True)
    return masked_softmax(scores, np.arange(scores.shape[-1]) < allowed)


@masked_softmax.misconception
def counts_the_keys_like_the_queries(scores, mask):
    """Of each row only the first keys take part, as many as there are queries.
    Scores are a square only where a sentence looks at itself.
    Rows are queries, columns are keys: what sets the end of your loop, or of your slice, over the columns?"""
    return masked_softmax(scores, mask & (np.arange(scores.shape[-1]) < scores.shape[-2]))


@masked_softmax.misconception(joined=("all", "any"))
def joins_the_rows_of_the_mask(scores, mask, *, joined):
    """Your mask has become one row for all queries: a key counts as allowed where `{joined}` of the rows allow it.
    Each query has permissions of its own.
    Is there an `all` or `any`, a product or a maximum, that runs down the columns of the mask?"""
    rows = np.broadcast_to(mask, scores.shape)
    return masked_softmax(scores, getattr(rows, joined)(axis=-2, keepdims=True))


@masked_softmax.misconception
def uses_the_mask_of_the_first_item(scores, mask):
    """Every item of the batch is treated with the first item's mask.
    Sentences of different lengths need masks of their own.
    Pass on the whole mask; broadcasting gives each item its part."""
    return masked_softmax(scores, mask if mask.ndim < 3 else mask[:1])


@masked_softmax.misconception
def divides_by_the_number_of_allowed_keys(scores, mask):
    """Your exponentials were divided by how many keys are allowed.
    How large a share is depends on the whole, and the whole is the sum of the row's exponentials.
    What did you count where you should add up?"""
    allowed = np.broadcast_to(mask, scores.shape).sum(axis=-1, keepdims=True)
    return _exponentials(scores, mask) / np.maximum(allowed, 1)


def _exponentials(scores, mask):
    """Of the allowed scores, with the row's maximum subtracted; 0 for blocked ones."""
    hidden = np.where(mask | ~mask.any(axis=-1, keepdims=True), scores, -np.inf)
    return np.exp(hidden - hidden.max(axis=-1, keepdims=True)) * mask


@masked_softmax.misconception
def forgets_to_rescale_the_masked_sum(scores, mask):
    """You go through the keys with a running maximum, and that is fine. But when a larger score comes, the sum so far
    was made with the old maximum, and yours stays as it was.
    By which factor do the old exponentials become those with the new maximum?"""
    running = np.maximum.accumulate(np.where(mask, scores, -np.inf), axis=-1)
    total = np.where(mask, np.exp(scores - running), 0).sum(axis=-1, keepdims=True)
    return _exponentials(scores, mask) / np.where(total == 0, 1, total)


@masked_softmax.misconception(on="zero", empty=(0.0, np.nan))
def takes_a_score_of_zero_for_blocked(scores, mask, *, empty):
    """An allowed key whose score is exactly 0 counts as blocked in your code.
    A product with the mask (or `tril`) writes 0 where a key is blocked, and afterwards nobody can tell such a 0 from a
    real one. Only the mask knows who is blocked.
    Where does your code compare scores with 0?"""
    allowed = mask & (scores != 0)
    return np.where(allowed.any(axis=-1, keepdims=True), masked_softmax(scores, allowed), empty)


@masked_softmax.misconception(on=("spread", "large", "low"))
def empties_rows_far_below_the_largest(scores, mask):
    """A row whose scores lie far below those of another row comes out as zeros.
    You subtracted one number from all rows, the largest of all scores, and so the exponentials of a low row are rounded
    to 0.
    What would each row subtract if it were alone?"""
    weights = np.exp(scores - scores[np.broadcast_to(mask, scores.shape)].max()) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


@masked_softmax.misconception(on="low")
def starts_the_maximum_of_the_allowed_at_zero(scores, mask):
    """A row whose allowed scores all lie far below zero comes out as zeros. The search for its maximum began at 0, or
    ended there, so 0 was subtracted, and every exponential of the row was rounded to 0.
    Which number is below all scores, so that a search for the largest can begin there?"""
    allowed = np.where(mask, scores, -np.inf)
    powers = np.exp(allowed - np.maximum(allowed.max(axis=-1, keepdims=True), 0))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@masked_softmax.misconception(place=(0, -1))
def empties_rows_by_one_of_their_keys(scores, mask, *, place):
    """A row comes out as zeros wherever the key at place {place} is blocked, though other keys of the row are allowed.
    A query may look at nothing only if all its keys are blocked, and one key says nothing of the others.
    What does your code look at to find such rows?"""
    return masked_softmax(scores, mask) * mask[..., [place]]


ONE_PASS = (
    "One pass over the keys is possible, and large models do it that way. "
    "At each moment there is a maximum so far, a sum of exponentials so far, and a sum of weighted values so far. "
    "Both sums hold exponentials from which *one* maximum was subtracted. "
    "If the maximum changes, both are out of date, and have to be brought up to date by the same factor.",
    "Take one query and two keys with the scores 0 and 5, and go through your loop by hand. "
    "After the first key the maximum is 0. "
    "Then it becomes 5: what should the first exponential be now, and what is it in your sum, and in your output? "
    "Turn the two keys round: the result should be the same.",
    "In each round, first find the new maximum, and then the factor: exp of the old maximum minus the new one. "
    "Multiply the sum so far *and* the output so far by it, and only then add what the new key brings. "
    "Or make two passes: the first finds the maximum, the second sums up.",
)

masked_softmax.hints_for("forgets_to_rescale_the_masked_sum", hints=ONE_PASS)

masked_softmax.hints_for(
    "turns_the_mask_round",
    hints=(
        "A mask answers one question for each query and key: may this one look at that one? "
        "True is a yes. "
        "So read a mask as a list of permissions, and not as a list of what to remove. "
        "Lines that overwrite places ask the opposite question: where shall I write? "
        "They write where their condition is True, so what they need is a list of the places to hide.",
        "Follow the mask from where it comes in to where the scores change. "
        "Count what turns it round on the way: a `~`, a `not`, a `1 -`, a comparison with 0 or False. "
        "Then take one row of scores and a mask with a single True, and print the row after masking. "
        "One score should be left as it was. "
        "Is it the one at the True?",
        "The line that blocks has two cases. "
        "Where the mask is True, the score stays; where it is False, minus infinity comes in its place. "
        "With `where`, the case for True is named first. "
        "With `masked_fill`, or with the mask in square brackets, marked places are overwritten, so mark the "
        "blocked ones. "
        "If another function blocks for you, read in its help what True means there.",
    ),
)

masked_softmax.hints_for(
    "adds_the_mask_as_numbers",
    "subtracts_the_mask_as_numbers",
    "lowers_blocked_scores_too_little",
    "multiplies_blocked_scores_by_a_large_number",
    hints=(
        "Softmax turns the difference of two scores into a ratio of two weights. "
        "A difference of 1 is a factor of about 2.7. "
        "A difference of 1000 is a huge factor, but a blocked score can be so large that it wins all the same. "
        "So a score that was moved still takes part. "
        "To be out, a key needs a score in which nothing is left of the old one.",
        "Find the line where mask and scores meet, and look for a plus, a minus or a product. "
        "Give it one row of two equal scores, one of them blocked, and print the row afterwards. "
        "Then make the blocked score larger by a million, and print again. "
        "Does the number at the blocked place still follow what came in?",
        "Do not calculate with the mask; let it choose. "
        "At each place it decides between two things: the score as it is, or minus infinity. "
        "`where` makes this choice for whole arrays, and so does `masked_fill` in torch. "
        "A sum is right only if you add minus infinity to blocked scores and 0 to all others. "
        "That array, too, must be chosen: a product of 0 and infinity is NaN.",
    ),
)

masked_softmax.hints_for(
    "fills_with_zero",
    "fills_with_a_modest_number",
    "fills_with_a_large_positive_number",
    "multiplies_by_the_mask_before_and_after",
    "fills_with_a_number_that_scores_reach",
    "gives_the_row_to_the_fill",
    "fills_with_the_smallest_score",
    hints=(
        "For softmax no score is small or large by itself; what counts is how far it lies from the others in its "
        "row. "
        "So any ordinary number that you give to a blocked key competes with the real scores. "
        "In some rows it takes a share, and in some it even takes everything. "
        "A blocked key needs a score that loses against every real one, in every row.",
        "Print one row of scores after masking, and the exponentials of these scores. "
        "At the blocked places they should be exactly 0, not almost 0. "
        "Then do it with another row, in which all allowed scores lie very far below zero. "
        "Which number is now the largest of the row, and does it belong to an allowed key?",
        "The line that blocks should put in something that lies far below every real score. "
        "Minus infinity always does, and in float32 and float64 -1e9 does, too; -10000 does not. "
        "Its exponential is then exactly 0, whatever the other scores are. "
        "So the sum never sees a blocked key, and no repair is needed after softmax. "
        "Check the sign, too. "
        "A row with nothing allowed then needs a line of its own, since even its maximum is minus infinity.",
    ),
)

masked_softmax.hints_for(
    "zeroes_after_softmax",
    "fills_after_softmax",
    "runs_softmax_again_after_zeroing",
    hints=(
        "Softmax cuts one whole into shares, for everybody who is in the row. "
        "After the cut it is too late. "
        "If you take a share away or write something else in its place, the other shares do not grow. "
        "A second softmax does not help either: it takes shares for scores. "
        "It is like a cake that was cut for four when only two are allowed to eat.",
        "Two things stand in your code in some order: softmax (or exp, sum and division), and the line that uses "
        "the mask. "
        "Which one comes first? "
        "Print the weights straight after softmax, and for each row add up those of the allowed keys alone. "
        "They should have the whole by then. "
        "How much do they have in yours?",
        "The line with the mask moves up, to the front of softmax. "
        "There it takes scores and gives back scores of the same shape, with minus infinity where the mask is "
        "False. "
        "Softmax reads these, and it runs once. "
        "Blocked weights then are 0 by themselves, and the allowed ones sum to 1. "
        "Only a row with nothing allowed needs one more look.",
    ),
)

masked_softmax.hints_for(
    "takes_the_maximum_of_blocked_scores",
    "takes_exponentials_of_unshifted_scores",
    "empties_rows_far_below_the_largest",
    "starts_the_maximum_of_the_allowed_at_zero",
    hints=(
        "Exponentials work in a narrow window. "
        "For scores beyond 700 or so they are too large for a float, and below -700 or so they are rounded to 0; in "
        "float32 the window ends near 100. "
        "So each row must be moved into the window first. "
        "Softmax does this by subtracting the largest score. "
        "It only helps if this largest score belongs to a key that takes part.",
        "Look for the number that is subtracted from the scores before exp, in your code or in the softmax that you "
        "call. "
        "Is there one at all? "
        "Print it for a row in which a blocked score is by far the largest, beside the largest *allowed* score: the "
        "two should be equal. "
        "Then print the sum that you divide by. "
        "If it is 0 or infinity, the row was outside the window.",
        "Three things happen along the last axis, in this order. "
        "First every blocked score is replaced by minus infinity, so that it cannot be the largest. "
        "Then the maximum of the row is subtracted, and this is now an allowed score. "
        "Then come exp and the division by the sum. "
        "A softmax that you call does the second and the third by itself, if it gets the replaced scores.",
    ),
)

masked_softmax.hints_for(
    "ignores_the_mask",
    hints=(
        "A mask works at one moment only: when the scores are made that softmax reads. "
        "A mask that nobody reads, or a masked array that nobody uses, changes nothing, and no error tells you. "
        "So do not ask whether your code masks somewhere. "
        "Ask whether there is an unbroken line: from the mask to the new scores, and from these to softmax.",
        "Run your code twice, with a mask that allows everything and with one that blocks a key. "
        "Print what goes into softmax both times. "
        "The two should differ. "
        "If they are equal, go backwards, line by line. "
        "Does every call that needs the mask get it? "
        "Has each result a name, and does the next line read that name, or an older one?",
        "What the line that blocks gives back needs a name, a new one or the old one again, and softmax must read "
        "that name. "
        "This holds for `where` as well as for `masked_fill`: both give back something new. "
        "If another function applies the mask for you, then the mask has to stand in its call, and the result of "
        "this call is what you go on with.",
    ),
)

masked_softmax.hints_for(
    "makes_nan_of_infinity",
    hints=(
        "Infinity is no ordinary number. "
        "A finite number added to it changes nothing, and exp of minus infinity is exactly 0: that is safe. "
        "But `0 * inf`, `inf - inf` and `inf / inf` have no answer, and NaN says so. "
        "One NaN is enough to spoil a row, because a sum or a maximum with NaN in it is NaN as well.",
        "Take very small scores, two queries and three keys with one of them blocked, and print after each line. "
        "Stop at the first NaN. "
        "Which two numbers made it? "
        "Look at the line before: was something multiplied by infinity, or was an infinity subtracted? "
        "What is subtracted from a row should be its maximum, and this should be a finite number.",
        "Let the mask choose the blocked value instead of calculating it: `where` picks the score or minus "
        "infinity, and nothing is multiplied. "
        "Check the sign, since plus infinity would become the maximum of its row. "
        "With minus infinity the maximum is an allowed score, so it is finite. "
        "Subtract this maximum, and a blocked place stays minus infinity; exp then makes it 0.",
    ),
)

masked_softmax.hints_for(
    "forgets_the_softmax_of_masked_scores",
    hints=(
        "A masked softmax has two parts, and the mask is only the first. "
        "It prepares the scores, so that blocked keys will count for nothing. "
        "But nothing has been shared out yet. "
        "The second part makes every number of the row positive or 0, and divides by the sum of the row. "
        "Only after that the numbers say how much each key gets.",
        "Look at what your code gives back, or mixes values with: is it the masked scores themselves? "
        "Print the sum of each row. "
        "Shares sum to 1; scores sum to anything. "
        "If there is a softmax in your code, see what becomes of its result. "
        "Has it a name, and is it this name that you go on with?",
        "Between the line that blocks and the result stands one more line: softmax along the last axis, over the "
        "keys. "
        "It reads the masked scores. "
        "In the blocked places these should be minus infinity, because softmax gives a share even to a 0. "
        "You may call the softmax that you know, or write its parts: subtract the maximum, take exp, divide by the "
        "sum.",
    ),
)

masked_softmax.hints_for(
    "shares_masked_scores_over_the_queries",
    "sums_masked_weights_over_the_queries",
    hints=(
        "Who shares something out here, and among whom? "
        "A query does, among the keys that it may look at. "
        "So each maximum and each sum belongs to one query and runs over its keys. "
        "Along another axis it is the queries that compete for one key. "
        "Then one query ends up with more than a whole, and another one with less.",
        "Take a batch of scores in which all lengths differ, and a mask that allows everything. "
        "Sum your weights along each axis in turn. "
        "Along which one are all sums 1? "
        "It should be the axis of the keys. "
        "Then look at every `axis` (in torch `dim`) of this part: in the maximum, in the sum, in a call of softmax. "
        "Do they all name the same axis, and which one is it?",
        "Keys lie on the last axis, whatever stands in front: queries, heads, a batch. "
        "Count from the end, and the number stays right when an axis is added in front. "
        "Maximum and sum both run along this axis. "
        "Both must keep it with length 1 (`keepdims`, in torch `keepdim`), so that they line up with their rows "
        "again.",
    ),
)

masked_softmax.hints_for(
    "shares_evenly_among_the_allowed",
    hints=(
        "Two things decide about a weight, and each has its own job. "
        "The mask is a yes or a no. "
        "The score says how much, and differs from key to key. "
        "If all allowed keys get the same, then the mask has done both jobs. "
        "No query can prefer a key, and attention is a plain average of what may be seen.",
        "Find the last place where your code reads the scores. "
        "Is softmax applied to the mask, or to something made from the mask alone? "
        "Is a mask divided by its own sum, or are the values averaged without any scores? "
        "Try two queries with different scores and the same mask. "
        "Equal weights mean that the scores were lost on the way.",
        "What goes into softmax must hold the real scores in the allowed places, and minus infinity in the blocked "
        "ones. "
        "So the line that blocks needs both arrays: the mask decides, and the score is what it decides about. "
        "If you fill a new array step by step, start from the scores, and not from zeros or ones.",
    ),
)

masked_softmax.hints_for(
    "collects_the_allowed_scores",
    "moves_the_weights_to_the_front",
    hints=(
        "One query may look at two keys, another one at five. "
        "Rows of different lengths do not fit into one array, so when you pick out the allowed scores, they come in "
        "a single line. "
        "Masking does not take keys away. "
        "Each key stays in its column and gets a weight of 0. "
        "The shape stays, and weights and values still belong together.",
        "Look for the mask in square brackets, on the right side of an equals sign. "
        "Print the shape before this line and after it. "
        "How many numbers are left, and can you still tell which of them belong to the first query? "
        "In a loop, picking from one row is fine. "
        "But the weights must go back to their own columns afterwards.",
        "Keep an array in the shape of the scores from the first line to the last. "
        "At the blocked places the scores are exchanged for minus infinity, and the others stay. "
        "That is a choice between two values at every place, made by the mask. "
        "Softmax along the last axis then treats each row by itself, as it does with any scores.",
    ),
)

masked_softmax.hints_for(
    "applies_the_mask_to_queries",
    "uses_one_row_of_the_mask_for_all",
    "stretches_the_mask_in_memory_order",
    "joins_the_rows_of_the_mask",
    hints=(
        "A mask is a table with the layout of the scores. "
        "Its entry in row i and column j is about query i and key j, and about nobody else. "
        "So it needs no turning round and no picking of rows before it meets the scores. "
        "If it has one row for all queries, broadcasting repeats this row by itself.",
        "Print the mask as it comes in, and then what your line really uses. "
        "Look for a transpose such as `.T` or `.mT`, for an index like `0` or `:1`, and for a loop that does not "
        "use its counter on the mask. "
        "Then take as many queries as keys, and a mask with one single False, in row 1 and column 0. "
        "Which weights of your result become 0?",
        "The line that blocks gets the whole mask, in the layout in which it came. "
        "Shapes are lined up from the right: keys with keys, queries with queries, and an axis of length 1 is "
        "stretched. "
        "In a loop over queries, broadcast the mask to the shape of the scores first. "
        "Then row i of the scores goes with row i of the mask.",
    ),
)

masked_softmax.hints_for(
    "drops_whole_rows",
    "empties_rows_by_one_of_their_keys",
    hints=(
        "There are two kinds of rows, and they need different things. "
        "In most rows some keys are blocked, and the allowed ones share the whole. "
        "In a dead row no key is allowed, and this kind alone gets zeros. "
        "To tell them apart, one has to look at the whole row: is there a True anywhere? "
        "A single False says nothing about that.",
        "Find the line that decides which rows become zero, and print what it decides. "
        "Try one row with some True and some False, and one row with False only. "
        "The first should be left alone, the second should be emptied. "
        'If there is a `~`, read it aloud: "not all are True" is another question than "none is True".',
        "Along the last axis of the mask, ask whether at least one place is True. "
        "Keep this axis with length 1, so that there is one answer for each row. "
        "Where the answer is no, the weights are zero. "
        "Everywhere else they are what softmax gave. "
        "In these rows a blocked key loses its own weight, and nothing more happens.",
    ),
)

masked_softmax.hints_for(
    "loses_the_axis_of_the_answer",
    "looks_for_dead_rows_from_the_front",
    "looks_for_dead_columns",
    "gives_rows_the_answers_of_columns",
    hints=(
        "Each query has a row, and for each row there is one question: is at least one of its keys allowed? "
        "So there are as many answers as rows, in every sentence of a batch. "
        "An answer decides about its own row and about no other. "
        "For this it must stand beside its row when the two meet. "
        "A dead row in one sentence, for example, says nothing about the rows of the others.",
        "Take scores of the shape (2, 3, 4) and a mask of the same shape, with one dead row. "
        "How many rows are there, and how many answers does your code give? "
        "Print the shape of the answers, and write it below (2, 3, 4) with the right ends aligned. "
        "Does each answer meet the four places of one row?",
        "The keys lie on the last axis of a mask. "
        "Count it from the end, since a batch in front moves the count from the front. "
        "For (2, 3, 4) the answers then should have the shape (2, 3, 1). "
        "The option that you know from maximum and sum leaves this 1 standing.",
    ),
)

masked_softmax.hints_for(
    "leaves_dead_rows_nan",
    "spreads_dead_rows_evenly",
    "unmasks_dead_rows",
    hints=(
        "Softmax has no way to say *nobody*. "
        "Whatever it reads, it shares out one whole, or it breaks. "
        "If all scores of a row are equal, it gives equal shares; if all are lower by the same amount, it gives the "
        "old shares; if all are minus infinity, it gives NaN. "
        "And zeros that are divided by their sum give NaN as well. "
        "So another line has to say that there is nothing to give.",
        "Take a mask with one dead row and one ordinary row. "
        "For the dead row print what your code makes of it: the scores after masking, then the exponentials and "
        "their sum if you write these yourself, then the weights. "
        "At which step does it lose its way to zero? "
        "And is there a line that asks whether a row has any True?",
        "There are two places for the line that is missing. "
        "At the end: ask with `any` which rows of the mask have a True, and choose 0 for all others. "
        "(Choose, since 0 times NaN is NaN.) "
        "Or earlier: give a dead row a finite number to subtract in place of its maximum, so that its exponentials "
        "are 0, and keep their sum of 0 from dividing. "
        "The earlier one makes no NaN on the way, which is safer in torch.",
    ),
)

masked_softmax.hints_for(
    "empties_a_row_with_one_key",
    hints=(
        "The first word of a text may look at itself and at nothing else. "
        "It has no choice, and so no doubt: its own weight is 1. "
        "That is the smallest row that is alive. "
        "Only a row with no key at all is dead, and between no key and one key lies the border that your code has to "
        "find.",
        "Take one row of three scores, and a mask with a single True. "
        "Once the maximum is subtracted, print the exponentials and their sum: the one key has e to the power of 0, "
        "and the others have 0. "
        "What does the line that looks for dead rows say about this sum, or about this number of keys?",
        "Once the maximum of the allowed scores is subtracted, the sum of a row that is alive is at least 1, and 1 "
        "itself belongs to the living. The sum of a dead row is 0. "
        "So compare with the smaller of the two. "
        "Or ask the mask, which is clearer: does this row have any True?",
    ),
)

masked_softmax.hints_for(
    "stops_at_the_first_blocked_key",
    "takes_as_many_keys_from_the_front",
    "counts_the_keys_like_the_queries",
    hints=(
        "A mask has one answer for each pair of query and key, and each answer stands for itself. "
        "An allowed key may follow a blocked one, and there may be more keys than queries, or fewer. "
        "So every column of every row has to be visited, and asked. "
        "A count, a slice or a `break` takes it for granted that the allowed keys stand together in front.",
        "Take two queries, five keys, and the row True, False, True, False, True. "
        "Print which columns have a weight in your result. "
        "They should be 0, 2 and 4. "
        "If the last ones are missing, look at what ends your loop or your slice. "
        "If the weights stand in the first three, look for a `sum` of the mask.",
        "A loop over the keys runs to the last axis of the scores, and where the mask says False it goes on with the "
        "next key. "
        "Or there is no loop: the mask chooses, place by place, between the score and minus infinity. "
        "It needs no count and no order for that, and no number of queries.",
    ),
)

masked_softmax.hints_for(
    "takes_a_score_of_zero_for_blocked",
    hints=(
        "0 is a score like any other: the query and the key have nothing to do with each other, and that is all. "
        "Such a key takes part, and often does better than keys with a score below 0. "
        "So a 0 cannot be the sign for *blocked*. "
        "Whether a key is blocked stands in the mask, and nowhere else.",
        "Look for a comparison with 0, or for an `if` that asks a score, since 0 counts as no there. "
        "Then try one row with the scores 0, 1 and 2 and a mask that allows everything. "
        "The first weight should be about 0.09. "
        "What is it in yours? "
        "Padding that was made of zeros has such scores, so it happens in earnest.",
        "Ask the mask. "
        "The line that blocks takes minus infinity where the *mask* is False, and the score where it is True. "
        "The scores themselves are not multiplied before, and nothing is compared with 0. "
        "With `tril` it is the same: make a triangle of True and False, and let that choose.",
    ),
)

masked_softmax.hints_for(
    "uses_the_mask_of_the_first_item",
    hints=(
        "Each sentence of a batch has its own words and its own padding, so each has its own part of the mask. "
        "The axis in front keeps these parts apart: part i meets the scores of sentence i, with no help from you. "
        "If one part is picked out, broadcasting stretches it over all the others, without a word.",
        "Print the shape of the mask as it comes in, and again where it meets the scores. "
        "Has the first axis gone, or has it become 1? "
        "Look for a `[0]` or a `[:1]`, and for a loop over the batch that does not use its counter on the mask. "
        "Try a batch of two with very different masks.",
        "Pass the mask on with all its axes. "
        "If one of them is in the way, the one for heads say, drop this one by its place, and keep the batch. "
        "In a loop over the batch, part i of the mask goes with item i of the rest. "
        "But look first whether the mask has a batch: one with two axes is for everybody.",
    ),
)

masked_softmax.hints_for(
    "divides_by_the_number_of_allowed_keys",
    hints=(
        "A share is a part of a whole. "
        "The parts are the exponentials of a row, so the whole is what they add up to. "
        "How many there are is another number: it would do if all of them were equal to 1. "
        "A mean is a sum that was divided already; weights are what one divides *into* a mean.",
        "Print the sum of each row of your weights: it should be 1 wherever a key is allowed. "
        "Then look at the line that divides. "
        "What stands below the line: exponentials that were added up, or True that were counted? "
        "Try a row with the scores 0 and 0, and one with 0 and 10.",
        "Blocked keys have an exponential of 0 already, so they add nothing to a sum over the whole row. "
        "The line that divides takes the exponentials, and below them their sum along the last axis, with that axis "
        "kept. "
        "A row with a sum of 0 has nothing allowed, and is to be left at 0.",
    ),
)


# padding_mask


@padding_mask.misconception
def true_marks_padding(lengths, keys):
    """In your mask True marks the padding.
    Here True means "may look", so it belongs to the real tokens.
    Which positions does your comparison pick: those before the length, or those from it on?"""
    return ~padding_mask(lengths, keys)


@padding_mask.misconception
def allows_one_too_many(lengths, keys):
    """The position that equals the length counts as real in your code: one key too many for every sentence.
    Positions count from 0, so a sentence of two tokens fills the positions 0 and 1.
    Which comparison leaves the position 2 out?"""
    return padding_mask(lengths + 1, keys + 1)[..., :keys]


@padding_mask.misconception
def allows_one_too_few(lengths, keys):
    """The last token of every sentence counts as padding in your code: one key too few.
    Positions count from 0, so a sentence of two tokens fills the positions 0 and 1.
    Compare with the length itself, without taking 1 away."""
    return padding_mask(lengths - 1, keys)


@padding_mask.misconception
def has_no_axes_for_heads_and_queries(lengths, keys):
    """Your mask has the two axes (batch, keys).
    Against scores (batch, heads, queries, keys), broadcasting would lay its batch along the queries, silently if both
    have the same length.
    Put two axes of length 1 between the two."""
    return padding_mask(lengths, keys)[:, 0, 0]


@padding_mask.misconception
def has_no_axis_for_heads(lengths, keys):
    """Your mask has the three axes (batch, 1, keys).
    Against scores (batch, heads, queries, keys), broadcasting would lay its batch along the heads.
    The exercise asks for four axes; which one is missing?"""
    return padding_mask(lengths, keys)[:, 0]


@padding_mask.misconception
def puts_the_new_axes_in_front(lengths, keys):
    """Your two axes of length 1 stand in front: (1, 1, batch, keys).
    Then the batch lies where scores have their queries, and sentence i's padding is applied to query i of every
    sentence.
    The batch comes first; the new axes go between batch and keys."""
    return padding_mask(lengths, keys)[:, 0, 0][None, None]


@padding_mask.misconception
def puts_the_new_axes_last(lengths, keys):
    """Your two axes of length 1 stand at the end: (batch, keys, 1, 1).
    Then the positions lie where scores have their heads.
    Positions belong on the last axis; the new axes go between batch and keys."""
    return padding_mask(lengths, keys)[:, 0, 0][:, :, None, None]


@padding_mask.misconception
def masks_queries_instead_of_keys(lengths, keys):
    """Your mask has the shape (batch, 1, keys, 1): it blocks rows, that is queries.
    A padded query may ask what it likes, since nobody reads its answer; a padded key must not be looked at.
    Positions belong on the last axis."""
    return padding_mask(lengths, keys).mT


@padding_mask.misconception
def masks_queries_and_keys(lengths, keys):
    """Your mask has the shape (batch, 1, keys, keys): it blocks padded queries beside padded keys.
    That leaves rows with nothing allowed, and it takes for granted that there are as many queries as keys.
    Block padded keys alone, and leave the query axis at length 1."""
    return padding_mask(lengths, keys) & padding_mask(lengths, keys).mT


@padding_mask.misconception
def repeats_the_mask_for_every_query(lengths, keys):
    """Your mask has a row for each of `keys` queries, and all these rows are equal.
    Broadcasting repeats an axis of length 1 by itself, for any number of queries.
    Keep the query axis at length 1."""
    return np.repeat(padding_mask(lengths, keys), keys, axis=-2)


@padding_mask.misconception
def puts_the_batch_last(lengths, keys):
    """Your axes stand in the opposite order: (keys, 1, 1, batch).
    A comparison puts the rows where the column of numbers was.
    Which of the two, lengths or positions, has to lie along the last axis?"""
    return padding_mask(lengths, keys).T


@padding_mask.misconception(front=("", "1, 1, "))
def puts_positions_in_rows(lengths, keys, *, front):
    """Your mask has the shape ({front}keys, batch): positions run down, sentences run across.
    The last axis of scores is the keys, so the last axis of a mask must hold the positions.
    Which of your two arrays gets new axes at its end: positions or lengths?"""
    return padding_mask(lengths, keys)[:, 0, 0].T[(None,) * front.count("1")]


@padding_mask.misconception(front=(0, 3))
def compares_lengths_with_positions_in_pairs(lengths, keys, *, front):
    """Lengths and positions lie along the same axis in your comparison: the first length meets position 0 only, the
    second one position 1, and so on. Where they are not equally many, NumPy stops.
    Every length should meet every position.
    Which of the two needs new axes of length 1, so that they make a table?"""
    return (np.arange(keys) < lengths)[(None,) * front]


@padding_mask.misconception
def pads_on_the_left(lengths, keys):
    """The allowed keys stand at the end of each row.
    In this course sentences begin at position 0, and padding follows them.
    Which positions are smaller than the length?"""
    return padding_mask(lengths, keys)[..., ::-1]


@padding_mask.misconception
def uses_the_longest_length(lengths, keys):
    """Your code uses the longest length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths.max(), keys)


@padding_mask.misconception
def uses_the_first_length(lengths, keys):
    """Your code uses the first length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths[0], keys)


@padding_mask.misconception
def stops_at_the_longest_length(lengths, keys):
    """Your mask has as many columns as the longest sentence has tokens.
    The scores have a column for each of `keys` positions, though the last of them may be padding in every sentence.
    How many positions should you count?"""
    return padding_mask(lengths, lengths.max())


@padding_mask.misconception
def marks_one_position_only(lengths, keys):
    """In each row at most one position is allowed: the one that equals the length.
    All positions before the length are real tokens.
    Which comparison picks them all?"""
    return (np.arange(keys) == lengths[:, None])[:, None, None]


@padding_mask.misconception(number=(1, 1.0))
def padding_as_numbers(lengths, keys, *, number):
    """Your mask holds the numbers 1 and 0, not True and False.
    A mask of this course is boolean: numbers would be added, multiplied, and turned round by `~` in unexpected ways.
    A comparison gives True and False by itself."""
    return padding_mask(lengths, keys) * number


@padding_mask.misconception(fill=(-np.inf, -1e9))
def padding_as_numbers_to_add(lengths, keys, *, fill):
    """Your mask holds 0 and {fill:g}, to be added to scores.
    Some libraries want that; here a mask is boolean, and True means "may look".
    What to put in a blocked place is decided later, by the masked softmax."""
    return np.where(padding_mask(lengths, keys), 0.0, fill)


@padding_mask.misconception
def refuses_a_full_length(lengths, keys):
    """Your code refuses a sentence that fills every position, without any padding.
    A length equal to `keys` fits exactly, and the longest sentence of a batch usually has it.
    From which length on is there really no room?"""
    if (lengths >= keys).any():
        raise Refused("too long")
    return padding_mask(lengths, keys)


@padding_mask.misconception
def uses_the_shortest_length(lengths, keys):
    """Your code uses the shortest length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths.min(), keys)


@padding_mask.misconception
def uses_the_last_length(lengths, keys):
    """Your code uses the last length for all sentences.
    Each sentence has a length of its own, and its row must be written before the loop goes on to the next.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths[-1], keys)


@padding_mask.misconception
def empties_a_full_sentence(lengths, keys):
    """A sentence that fills every position gets a row without any True.
    It has 0 places of padding, and 0 is special: a slice from `-0` on is the whole row, and the rest of a division by
    `keys` is 0.
    Which border is safe, the one that you count from the front or the one from the back?"""
    return padding_mask(lengths * (lengths != keys), keys)


@padding_mask.misconception
def puts_the_batch_on_the_axis_of_heads(lengths, keys):
    """Your mask has the shape (1, batch, 1, keys): the sentences lie where scores have their heads.
    Then head 1 hides the padding of sentence 1, in every sentence.
    The batch comes first; both axes of length 1 go between batch and keys."""
    return padding_mask(lengths, keys)[None, :, 0]


@padding_mask.misconception
def reshapes_a_table_of_positions(lengths, keys):
    """Your table had positions as rows and sentences as columns, and then it was reshaped.
    `reshape` keeps the numbers in their order and cuts them anew, so that a row holds pieces of several sentences.
    Give the sentences the rows from the start: which of the two, lengths or positions, gets new axes at its end?"""
    return padding_mask(lengths, keys)[:, 0, 0].T.reshape(len(lengths), 1, 1, keys)


@padding_mask.misconception(on="empty")
def fills_an_empty_sentence(lengths, keys):
    """A sentence of length 0 gets a row of True.
    For Python 0 counts as no, so `length or keys` is `keys`; a slice from `-0` on is the whole row; an index of 0 - 1
    is the last place.
    A length of 0 is a length. Which line takes it for none?"""
    return padding_mask(lengths + keys * (lengths == 0), keys)


@padding_mask.misconception(on="empty")
def refuses_an_empty_sentence(lengths, keys):
    """Your code refuses a length of 0.
    An empty sentence is rare but allowed: its row has no True at all, and the masked softmax gives it weights of zero.
    Below which length is there really something wrong?"""
    if (lengths < 1).any():
        raise Refused("empty")
    return padding_mask(lengths, keys)


@padding_mask.misconception(on="too_long")
def accepts_lengths_that_do_not_fit(lengths, keys):
    """A length above `keys` went through as if it were `keys`.
    It means that tokens were lost somewhere before, and a mask that hides this makes the mistake hard to find.
    Look at the lengths first, and refuse one that does not fit with an error, a ValueError say."""
    return padding_mask(np.minimum(lengths, keys), keys)


@padding_mask.misconception(kept=("shortest", "longest"))
def remembers_the_lengths_before(lengths, keys, *, kept):
    """Each of your rows is made for the {kept} of all lengths so far: what the sentences before it have left stays.
    The sentences of a batch know nothing of each other, and each length counts for its own row alone.
    Is one row, or one table, changed step by step for the whole batch?"""
    so_far = (np.minimum if kept == "shortest" else np.maximum).accumulate(lengths)
    return padding_mask(so_far, keys)


@padding_mask.misconception(on="long", kind=("int8", "uint8"), narrow=("lengths", "positions", "both"))
def counts_in_one_byte(lengths, keys, *, kind, narrow):
    """In long sentences your rows are wrong: somewhere whole numbers are kept in one byte, as `{kind}`.
    Such a number ends at 127 or 255, and what is larger begins again at the other end, without a word.
    Sentences are longer than that. Which line chooses the type?"""
    mask, positions = padding_mask(lengths, keys), np.arange(keys)
    lengths = lengths if narrow == "positions" else lengths.astype(kind)
    positions = positions if narrow == "lengths" else positions.astype(kind)
    return np.broadcast_to(positions < lengths[:, None, None, None], mask.shape)


padding_mask.hints_for(
    "remembers_the_lengths_before",
    hints=(
        "A row of this mask answers one question about one sentence: where are its real words? "
        "Whichever sentences stand before it in the batch, the answer is the same. "
        "So the rows could be made in any order, or all at once. "
        "If the order matters, something is carried over from one row to the next.",
        "Take the lengths 3, 1, 2, and then the same in another order: 2, 3, 1. "
        "The row for a length of 2 should be the same both times. Print the row, or the table, at the start of each "
        "round of your loop, before it is changed. Does it still hold what the round before has written?",
        "Begin each round with a fresh row or table, made inside the loop, and write into that one alone. "
        "Or compare all positions with all lengths at once: lengths with new axes at their end, positions along the "
        "last axis. Then there is nothing that could be carried over.",
    ),
)

NARROW_NUMBERS = (
    "A type says how many bits a number may use. With 8 bits there are 256 different numbers: from -128 to 127, or "
    "from 0 to 255. One more than the largest is the smallest, as on the counter of an old car. "
    "NumPy does not complain, since whoever asks for a narrow type is taken at their word.",
    "Make a mask for a size of 300, and count the True in each row. "
    "Then print the smallest and the largest of the numbers that you compare, and their `dtype`. "
    "No position and no length is negative, and the largest position is 299. Which of the arrays disagrees?",
    "Leave the type out where you make or convert whole numbers: NumPy takes 64 bits by itself, and that is enough for "
    "every sentence. The mask alone should be small, and it is: a boolean takes one byte, whatever was compared.",
)

padding_mask.hints_for("counts_in_one_byte", hints=NARROW_NUMBERS)

padding_mask.hints_for(
    "true_marks_padding",
    "allows_one_too_many",
    "allows_one_too_few",
    "marks_one_position_only",
    "pads_on_the_left",
    hints=(
        "The real tokens stand in front, and their positions begin with 0. "
        "So a length is two things at once. "
        "It counts the real tokens, and it is the number of the first position that is *not* real. "
        "Everything before this border is True, everything from it on is False. "
        "One comparison can say this. "
        "Its direction matters, and so does its edge.",
        "Write a row by hand, for a sentence of two tokens in five places, and print yours below it. "
        "Look at three places: position 0, the last position before the length, and the position that equals the "
        "length. "
        "If only the border is wrong, it is the edge of your comparison. "
        "If more is wrong, look at its direction, at whether it asks for *equal*, and at anything that turns the "
        "row round, a `~` for example.",
        "There is a position for each key, counted from 0; `arange` makes them. "
        "The comparison must be True for every position that is smaller than the length, and False for the one that "
        "is equal. "
        "A slice or a loop says the same if it begins at 0 and stops before the length. "
        "No `~`, no turning round, and no plus or minus 1 is needed.",
    ),
)

padding_mask.hints_for(
    "has_no_axes_for_heads_and_queries",
    "has_no_axis_for_heads",
    "puts_the_new_axes_in_front",
    "puts_the_new_axes_last",
    "masks_queries_instead_of_keys",
    "puts_the_batch_last",
    "puts_positions_in_rows",
    "puts_the_batch_on_the_axis_of_heads",
    "reshapes_a_table_of_positions",
    hints=(
        "The mask will meet scores with four axes: (batch, heads, queries, keys). "
        "What an axis of the mask means is decided by its place alone, counted from the right. "
        "Lengths belong to sentences, so to the batch. "
        "Positions belong to keys. "
        "For heads and queries the mask makes no difference, but their places must be held, each by an axis of "
        "length 1.",
        "Write (batch, heads, queries, keys) on paper, and the shape of your result below it, with the right ends "
        "aligned. "
        "Name each length: sentences, positions, or a 1? "
        "Then print the shapes of the two arrays that you compare. "
        "Which one brings the sentences, which one brings the positions, and on which axis from the right do they "
        "arrive?",
        "The result is (batch, 1, 1, keys). "
        "Positions need nothing: a single axis lies last by itself. "
        "Lengths need three more axes of length 1 behind their own, by an index with `None` or by a reshape, and "
        "broadcasting makes the table. "
        "If you have a table (batch, keys) already, its two new axes go between the two that it has.",
    ),
)

padding_mask.hints_for(
    "masks_queries_and_keys",
    "repeats_the_mask_for_every_query",
    hints=(
        "Padding is a fact about keys. "
        "Whoever asks, the same places of the sentence mean nothing, so one row says all there is to say. "
        "And how many ask is not known here: in a translator the queries come from another sentence, of another "
        "length. "
        "An axis of length 1 fits any number of queries. "
        "An axis with a fixed length fits one number only.",
        "Look at the second axis from the right of your result. "
        "Where does its length come from? "
        "It can be a repeat or a tile, an array of ones, an outer product, or an `&` with a copy that was turned on "
        "its side. "
        "Print all rows of one sentence below each other. "
        "Which of them say something that the first row does not say?",
        "Stop one step earlier. "
        "The comparison of positions with lengths is all that is needed, once it has axes of length 1 for heads and "
        "queries. "
        "Do not stretch it, and do not join it with its transpose. "
        "Broadcasting stretches it later, when the mask meets the scores. "
        "The rows of padded queries need no care, since nobody reads their answers.",
    ),
)

padding_mask.hints_for(
    "compares_lengths_with_positions_in_pairs",
    "uses_the_longest_length",
    "uses_the_first_length",
    "uses_the_shortest_length",
    "uses_the_last_length",
    hints=(
        "What we want is a table: every sentence against every position, and for each pair a True or a False. "
        "Each row of it belongs to one sentence and uses one length, its own. "
        "For such a table, lengths and positions must lie on two different axes. "
        "On the same axis they meet in pairs. "
        "And if there is a single length, all rows come out equal.",
        "Print the shapes of the two things that you compare. "
        "Does one of them have an axis for sentences, and the other one, at another place, an axis for positions? "
        "A shape of `()` is a single number: it comes from a `max`, from an index, or from a loop variable. "
        "Two shapes with one axis each lie on the same axis.",
        "The lengths need new axes of length 1 at their end, by an index with `None` or by a reshape. "
        "With three of them the batch comes first, and heads, queries and keys have their places. "
        "The positions stay as they are. "
        "Then one comparison makes the whole table, and there is no `max` and no index on the lengths.",
    ),
)

padding_mask.hints_for(
    "stops_at_the_longest_length",
    hints=(
        "The mask has to fit scores that are there already, and these have a column for each key. "
        "It is not the mask that decides how many columns there are. "
        "Often the longest sentence fills them all, so the mistake does not show. "
        "But a batch can be padded to a fixed width, and then the last columns mean nothing in any sentence.",
        "What sets the number of positions in your code? "
        "Look at the argument of `arange`, at the end of a loop, at the sizes of an array that you fill. "
        "Does it come from the lengths, by a `max` for example? "
        "Try short lengths with a large number of keys, and look at the last axis of the result.",
        "Positions run from 0 up to the number of keys, without that number itself. "
        "The lengths have no say in how many positions there are; they come in when the two are compared. "
        "Positions beyond the longest sentence then are False in every row, and that is right: nothing real stands "
        "there.",
    ),
)

padding_mask.hints_for(
    "padding_as_numbers",
    "padding_as_numbers_to_add",
    hints=(
        "True and False say what a mask means. "
        "Numbers leave it open: is a 1 allowed or blocked, and is it added or multiplied? "
        "Code that expects booleans often takes numbers without a word, and does something else. "
        "The `~` of the integer 1 is -2, and zeros and ones in square brackets pick rows. "
        "So a mask stays boolean until it meets the scores.",
        "Print the `dtype` of your result: it should be bool. "
        "Then look for the line where numbers come in. "
        "Is it an array of zeros or ones that gets filled? "
        "A product, an `astype`, a choice between two numbers? "
        "Very likely the True and False that we need were there one step before.",
        "Give back what the comparison gives, with no product, no conversion and no choice behind it. "
        "If you fill an array in a loop, make it boolean from the start, with `dtype=bool`, and write True into it. "
        "What a False does to a score is said later, in the part that uses the mask.",
    ),
)

padding_mask.hints_for(
    "refuses_a_full_length",
    "refuses_an_empty_sentence",
    "accepts_lengths_that_do_not_fit",
    hints=(
        "A length is in order if so many tokens have room among the keys: none, some, or all of them. "
        "Both ends belong to what is allowed. "
        "Above the upper end a token would have no place, so something went wrong before. "
        "An error that says so at once costs a minute. "
        "A mask that hides it can cost an afternoon.",
        "Try three lengths with the same number of keys: 0, as many as there are keys, and one more. "
        "The first two should give a mask, the third should give an error. "
        "What does your code do with each? "
        "If there is a check, see whether it comes before the return, and whether it looks at every length of the "
        "batch.",
        "Before the mask is made, ask whether any of the lengths is above the number of keys, and raise a "
        "ValueError with a clear text if so. "
        "Choose the sign that lets an equal length pass. "
        "About a length of 0 nothing has to be said: no position is smaller than 0, so its row is False by itself.",
    ),
)

padding_mask.hints_for(
    "empties_a_full_sentence",
    "fills_an_empty_sentence",
    hints=(
        "A sentence may have no real token, or nothing but real tokens. "
        "Both are ordinary lengths, and the rule is the same: as many True as the length says, from the front. "
        "Code that treats most lengths well can still trip at these two, because a 0 occurs in them, as a length or as "
        "a number of padded places.",
        "Print your row for the lengths 0, 1, 2 and 3, with 3 keys. "
        "There should be 0, 1, 2 and 3 True in them. "
        "Which one is not? "
        "Look in your code for a slice with a minus in it, for `or`, for an `if` that asks a number, and for `%`. "
        "What does each of them make of 0?",
        "Count from the front. "
        "A slice that ends at the length is empty for 0, and whole where the length is `keys`; so is a comparison of "
        "positions with the length. "
        "Neither needs the number of padded places, and neither asks whether a length is there at all.",
    ),
)


# masked_attention


@masked_attention.misconception
def mixes_the_keys(query, key, value, mask=None):
    """Your output is a mean of the keys.
    A key is what a token offers for comparison; what it hands over is its value.
    Which of the two do your weights mix?"""
    return masked_attention(query, key, key, mask)


@masked_attention.misconception
def swaps_key_and_value(query, key, value, mask=None):
    """Key and value have changed places: queries were compared with values, and keys were mixed.
    A key is for comparing, a value is for handing over.
    Check the order of your arguments, and of the parameters they go to."""
    return masked_attention(query, value, key, mask)


@masked_attention.misconception
def compares_with_the_values(query, key, value, mask=None):
    """The keys have no influence on your output: the queries were compared with the values.
    Scores come from query and key; the value enters at the end, when the weights are known.
    Which array stands in your scores?"""
    return masked_attention(query, value, value, mask)


@masked_attention.misconception
def mixes_the_queries(query, key, value, mask=None):
    """Your output is a mean of the queries.
    A query is what a token looks for; what is handed over is the value of the tokens it finds.
    Which array do your weights mix?"""
    return masked_attention(query, key, query, mask)


@masked_attention.misconception
def takes_arguments_as_value_key_query(query, key, value, mask=None):
    """Query and value have changed places, as if the order were value, key, query.
    Some code elsewhere uses that order; here it is query, key, value.
    Compare the order of your parameters with the stub's."""
    return masked_attention(value, key, query, mask)


@masked_attention.misconception
def masks_the_output(query, key, value, mask=None):
    """The mask was multiplied into the output, when the values were mixed already.
    The output has an axis for features where the mask has its keys, so this cannot take single keys out.
    A mask acts on scores, before softmax."""
    return masked_attention(query, key, value) if mask is None else masked_attention(query, key, value) * mask


@masked_attention.misconception
def adds_the_query_back(query, key, value, mask=None):
    """The query was added to your output.
    A sum of this kind (a residual connection) stands outside attention, and a later lesson uses it there.
    Here the output is the weighted mean of the values and nothing else."""
    return masked_attention(query, key, value, mask) + query


@masked_attention.misconception
def adds_the_value_back(query, key, value, mask=None):
    """The value was added to your output.
    Each token's own value is in the weighted mean already, with the weight that its score earned.
    The output is this mean and nothing else."""
    return masked_attention(query, key, value, mask) + value


@masked_attention.misconception(decimals=(1, 2, 3, 4))
def rounds_the_output(query, key, value, mask=None, *, decimals):
    """Your output is rounded, and what is cut off is lost to all that follows. Decimals that are left: {decimals}.
    Rounding is for numbers that people read, and other code goes on with these.
    Is there a `round` in your last line?"""
    return np.round(masked_attention(query, key, value, mask), decimals)


@masked_attention.misconception
def scales_by_the_value_size(query, key, value, mask=None):
    """The scores were divided by the root of the value's size.
    What a dot product of query and key sums over is their features, and values may be longer or shorter than that.
    From which array do you take the size?"""
    return masked_attention(query * np.sqrt(query.shape[-1] / value.shape[-1]), key, value, mask)


@masked_attention.misconception
def needs_a_mask(query, key, value, mask=None):
    """Without a mask your code stops with an error.
    A mask of None forbids nothing: every query may look at every key.
    Ask `mask is None` before you use it."""
    if mask is None:
        raise TypeError
    return masked_attention(query, key, value, mask)


@masked_attention.misconception(empty=(0.0, np.nan))
def reads_no_mask_as_nothing_allowed(query, key, value, mask=None, *, empty):
    """Where no mask is given, every number of your output is {empty:g}.
    Was nothing summed up, or did `mask=None` block every key? For `np.where`, None counts as False.
    Without a mask every key is allowed, so ask `mask is None` before you use it."""
    if mask is None:
        return masked_attention(query, key, value) * 0 + empty
    return masked_attention(query, key, value, mask)


@masked_attention.misconception
def counts_tokens_from_the_front(query, key, value, mask=None):
    """Where no mask is given, your code makes one, and with a batch in front it has the wrong size.
    The first length of a shape is the number of tokens only without a batch.
    Which two axes hold the numbers of queries and keys, counted from the end?"""
    everything = np.ones((query.shape[0], key.shape[0]), dtype=bool)
    return masked_attention(query, key, value, everything if mask is None else mask)


@masked_attention.misconception(counted=("queries", "keys"))
def makes_a_square_mask_of_none(query, key, value, mask=None, *, counted):
    """Where no mask is given, your code makes one, and it is a square: both its lengths are the number of {counted}.
    There can be more keys than queries, or fewer.
    A mask has a row for each query and a column for each key; from which two arrays do you read the sizes?"""
    tokens = {"queries": query, "keys": key}[counted].shape[-2]
    return masked_attention(query, key, value, np.ones((tokens, tokens), dtype=bool) if mask is None else mask)


@masked_attention.misconception
def is_always_causal(query, key, value, mask=None):
    """Later tokens are hidden, though nobody asked for it.
    Attention is causal only where a causal mask is given.
    Hide what the mask hides, and nothing else; is there a triangle left in your code?"""
    causal = mha_ref.causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, value, causal if mask is None else mask & causal)


@masked_attention.misconception
def uses_masks_of_two_axes_only(query, key, value, mask=None):
    """A mask with more than two axes has no influence on your output.
    Such a mask has an answer for each sentence of a batch, as a padding mask does.
    Is there an `if` that lets only some shapes through? Broadcasting takes them all."""
    return masked_attention(query, key, value, mask if mask is None or mask.ndim < 3 else None)


@masked_attention.misconception
def averages_over_the_allowed_keys(query, key, value, mask=None):
    """Your output is the right one, divided once more by the number of keys that take part.
    The weights of a row sum to 1, so their sum of values is a mean already.
    Where does your code count keys, or take a `mean`?"""
    scores = mha_ref.attention_scores(query, key)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape).sum(axis=-1, keepdims=True)
    return masked_attention(query, key, value, mask) / np.maximum(allowed, 1)


@masked_attention.misconception
def hands_the_masks_out_in_turn(query, key, value, mask=None):
    """Where two axes stand in front, such as texts and heads, and the mask lacks one, masks go to wrong places.
    The axes in front were made one, and the masks were dealt out in turn.
    But a text comes with all its heads, and then the next one. Broadcasting knows that, as long as no axis is lost."""
    if mask is None or mask.ndim < 3:
        return masked_attention(query, key, value, mask)
    flat, front = mask.reshape(-1, *mask.shape[-2:]), query.shape[:-2]
    in_turn = flat[np.arange(math.prod(front)) % len(flat)].reshape(*front, *mask.shape[-2:])
    return masked_attention(query, key, value, in_turn)


@masked_attention.misconception(forgotten=("output", "sum", "sum and output"))
def forgets_to_rescale_what_was_summed_up(query, key, value, mask=None, *, forgotten):
    """You go through the keys with a running maximum, and that is fine. But when a larger score comes, all that was
    summed up so far was made with the old maximum. The {forgotten} of yours stayed as it was.
    By which factor do the old exponentials become those with the new maximum?"""
    scores = mha_ref.attention_scores(query, key)
    hidden = np.where(True if mask is None else mask, scores, -np.inf)
    running = np.maximum.accumulate(hidden, axis=-1)
    stale, fresh = (np.exp(hidden - np.where(np.isinf(top), 0, top)) for top in (running, running[..., -1:]))
    total = (stale if "sum" in forgotten else fresh).sum(axis=-1, keepdims=True)
    return (stale if "output" in forgotten else fresh) / np.where(total == 0, 1, total) @ value


@masked_attention.misconception(by=("ReLU", "GELU", "tanh"))
def bends_the_mean_of_the_values(query, key, value, mask=None, *, by):
    """Your output went through {by}: it is no longer a mean of the values.
    What attention hands on is mixed and not bent; activations stand in other parts of a model.
    What is done to the product of weights and values?"""
    return ACTIVATIONS[by](masked_attention(query, key, value, mask))


masked_attention.hints_for(
    "mixes_the_keys",
    "swaps_key_and_value",
    "compares_with_the_values",
    "mixes_the_queries",
    "takes_arguments_as_value_key_query",
    hints=(
        "Attention has two products, and each of the three arrays has its place in one of them. "
        "In the first, queries meet keys: who fits whom? "
        "Scores come out, and softmax makes shares of them. "
        "In the second, the shares meet the values: what is handed over? "
        "After the first product, query and key have done their work, and are not needed again.",
        "Read your two products aloud, with the names in them. "
        "In the first: what meets the query? "
        "In the second: what meets the shares? "
        "If you call functions, compare the order in which you hand the arrays over with the order in which they "
        "are taken. "
        "Give each array another number of features where you can; then many mix-ups show in a shape.",
        "Query, key, value: keep this order in what you take and in what you pass on. "
        "The scores are a product of the query with the key, whose last two axes are swapped. "
        "Softmax of the scaled scores gives the shares. "
        "The output is the product of the shares with the value, shares on the left. "
        "Compare your names with this, line by line.",
    ),
)

masked_attention.hints_for(
    "masks_the_output",
    hints=(
        "In the output, the values have been mixed already: each query has one row of features, and no columns for "
        "keys any more. "
        "A blocked key is in all of these numbers, as milk is in coffee, and cannot be taken out. "
        "So a mask has to act while there is still one number for each pair of query and key.",
        "Find the line that uses the mask, and print the shape of what it is applied to. "
        "Does the last axis count keys, or features of the values? "
        "If both numbers happen to be equal, no error tells you. "
        "Try values with another number of features, and see whether the line still runs.",
        "The mask leaves the last line and goes into the step from scores to weights. "
        "There the masked softmax takes the scores, of shape (..., queries, keys), together with the mask, and "
        "gives blocked keys a weight of 0. "
        "These weights meet the values as before. "
        "What comes out is returned as it is.",
    ),
)

masked_attention.hints_for(
    "adds_the_query_back",
    "adds_the_value_back",
    "rounds_the_output",
    "averages_over_the_allowed_keys",
    hints=(
        "This part ends with a weighted mean of the values, and other code relies on it. "
        "A mean never lies outside of what it mixes: feature by feature it stays between the smallest value and the "
        "largest. "
        "And it has all the digits that the computer can give. "
        "Whatever is added or cut off afterwards takes these properties away.",
        "Look at what happens to the weighted mean between its product and the `return`. "
        "Is there a plus, a `+=`, a `round`, a conversion? "
        "A good test is a single key. "
        "It gets a weight of 1, so the mean must be its value, in every digit. "
        "What is more in yours, or less?",
        "The product of weights and values is the result, and it is returned as it is. "
        "If you want to see fewer digits, round what you print, or set the print options. "
        "If something is to be added to the result, this is the work of whoever calls, with a line outside of this "
        "part.",
    ),
)

masked_attention.hints_for(
    "scales_by_the_value_size",
    hints=(
        "A sum of more terms spreads more widely, and the root is there to undo this. "
        "So it must count the terms of the sum: one for each feature that query and key have in common. "
        "The value has no part in a score. "
        "Its size may be anything, and when it changes, the scores must not.",
        "Find the number under the root, and follow it back to a shape. "
        "Then try it: keep query and key, and give the values twice as many features. "
        "Print the weights before and after. "
        "They should be the same numbers; if they move, the size of the value has found its way into the scores.",
        "The scores are divided by the square root of the last size of the query. "
        "(The key has the same one.) "
        "It is best read in the line where the scores are made, where no value is in sight. "
        "If `attention_scores` makes them, it divides as well, and there is no size for you to name.",
    ),
)

masked_attention.hints_for(
    "needs_a_mask",
    "reads_no_mask_as_nothing_allowed",
    hints=(
        "None is not a mask that blocks everything. "
        "It says that there is no mask, so nobody forbids anything, and what remains is plain attention. "
        "But None has no shape and no `~`, and where a yes or no is wanted it counts as no. "
        "So it has to be dealt with before a line treats it as an array.",
        "Call your code without a mask, and look at the first line that meets it. "
        "What does this line make of None: an error, a False, a NaN? "
        "If there is an `if`, read it aloud for None and for an array. "
        "Which way does each of them go? "
        "If no mask occurs in your code at all, look for an output that is made of zeros and never filled.",
        "One question decides: is the mask None? "
        "If so, the weights come from the plain softmax of the scores; if not, from the masked one. "
        "Another way is to make a mask that is True at every place, at the very beginning, and to go on as usual. "
        "Ask with `is`, since a whole array is neither true nor false.",
    ),
)

masked_attention.hints_for(
    "counts_tokens_from_the_front",
    "makes_a_square_mask_of_none",
    hints=(
        "A mask that allows everything is as good as none, if it fits the scores. "
        "Scores have a row for each query and a column for each key, and a batch may stand in front. "
        "So its two sizes come from two arrays, and from the end of their shapes.",
        "Call your code without a mask, on queries (2, 3, 6) and keys (2, 5, 6). "
        "Print the shape of the mask that it makes. "
        "The scores have the shape (2, 3, 5): do the last two numbers agree? "
        "If not, which shape does each number come from, and which place in it?",
        "The features stand last in a shape, and the tokens right before them. "
        "Read the rows from the query and the columns from the key, both at this place. "
        "Or make the scores first: their own shape is what is wanted. "
        "Or make no mask at all, and use the plain softmax where there is none.",
    ),
)

masked_attention.hints_for(
    "is_always_causal",
    hints=(
        "Attention knows nothing of order: every query compares itself with all keys, wherever they stand. "
        "To hide what comes later is a decision of whoever calls, and a causal mask says so. "
        "One who reads a whole sentence wants to look both ways. "
        "So this part must not bring in a rule that nobody gave.",
        "Look for everything that knows of order: `tri`, `tril`, `triu`, a comparison of positions, an "
        "`is_causal=True`, a loop over keys that ends at the number of the query. "
        "Then let nothing be hidden, and print the weights of the first query. "
        "Every key should have some.",
        "Take out what makes the triangle. "
        "A mask that comes in is used as it is, and without one every key is allowed. "
        "Whoever must not look ahead will bring a causal mask, and your code treats it like any other. "
        "If there is a loop over keys, it runs over all of them.",
    ),
)

masked_attention.hints_for(
    "uses_masks_of_two_axes_only",
    hints=(
        "A mask may come with two axes, for everybody alike, or with more, where each sentence has permissions of its "
        "own. "
        "A padding mask is of the second kind: it has a batch in front. "
        "In both cases its last axis is the keys, and broadcasting lines it up with the scores from the right. "
        "So the number of axes is no reason to treat it differently.",
        "Call your code with a padding mask, of shape (batch, 1, keys), and hide the last key of the first sentence. "
        "Then change this key's value. "
        "The output must stay as it was. "
        "If it moves, look for an `if` that asks the mask for its shape, its `ndim` or its length, and see which way "
        "this mask goes.",
        "One question about the mask is needed: is it None? "
        "If it is not, it goes as it is to the masked softmax, together with the scores. "
        "Whatever stands in front of its last two axes, or is missing there, is stretched without your help.",
    ),
)

masked_attention.hints_for(
    "hands_the_masks_out_in_turn",
    hints=(
        "An axis of length 1 in a mask means: the same for all. "
        "A mask (texts, 1, 1, keys) has one row for each text, and all heads of that text share it. "
        "Broadcasting stretches such an axis where it stands. "
        "If texts and heads are folded into one axis, it has to be stretched before, or others get the masks.",
        "Take 2 texts, 3 heads and a mask for each text: call the masks A and B. "
        "In memory the folded axis goes through all heads of a text first, so the masks must come as A A A B B B. "
        "Print the order in which yours come. "
        "`tile` and a remainder give A B A B A B.",
        "The safest way folds nothing: queries, keys, values and mask keep their axes, and `@` works on the last two. "
        "If you do fold, stretch the mask to the full shape of the scores first, with all axes in front. "
        "Then fold both in the same way.",
    ),
)

masked_attention.hints_for("forgets_to_rescale_what_was_summed_up", hints=ONE_PASS)

masked_attention.hints_for(
    "bends_the_mean_of_the_values",
    hints=(
        "A weighted mean lies among the numbers that it is made of. "
        "Values of 2 and 4 give something between 2 and 4, and values of -2 and -4 something below zero. "
        "A function after it moves the result somewhere else, and a negative value can no longer say what it says. "
        "Whatever bends numbers stands elsewhere in a model, in the feed-forward part for example.",
        "Give all keys the same value, once a row of 3, once a row of -3. "
        "Whatever the weights are, these rows should come out as they went in. "
        "Which of your two results differs? "
        "Then read backwards from `return` to the product of weights and values, and note each function on the way.",
        "The last step is the product of the weights with the values. "
        "Return what this product gives, without `relu`, `tanh` or another function around it. "
        "If it is made in a loop, look at what is done to each sum before it is stored.",
    ),
)


# causal_mask


@causal_mask.misconception
def true_means_blocked(queries, keys):
    """Allowed and blocked have changed places.
    Here True means "may look": the past and the token itself are True, the future is False.
    If your triangle marks what to hide, turn it round; if it does not, look at the line that uses it."""
    return ~causal_mask(queries, keys)


@causal_mask.misconception
def starts_at_the_top_left(queries, keys):
    """In your code the first query stands at the first key.
    With as many queries as keys nobody notices; with fewer, the last query misses the newest keys.
    The last query should stand at the last key: by how many places must the diagonal move?"""
    return np.tri(queries, keys, dtype=bool)


@causal_mask.misconception
def does_not_see_itself(queries, keys):
    """No query sees the key at its own place.
    A token may look at itself: it is not in its own future, and the very first token has nobody else.
    Is your comparison strict where it should let equal places through?"""
    return np.tri(queries, keys, keys - queries - 1, dtype=bool)


@causal_mask.misconception
def sees_one_token_ahead(queries, keys):
    """Your diagonal lies one place too far to the right.
    It lets each query see the token right after it, which is the one that a model should predict.
    Check its offset, and whether you count from 0 or from 1."""
    return np.tri(queries, keys, keys - queries + 1, dtype=bool)


@causal_mask.misconception
def sees_one_token_ahead_from_the_top_left(queries, keys):
    """Each query sees the key that comes right after its own number, as if the diagonal began one place too far to the
    right.
    And your first query stands at the first key, though the last query should stand at the last key.
    Write down the place of each query first, then compare."""
    return np.tri(queries, keys, 1, dtype=bool)


@causal_mask.misconception
def shifts_the_diagonal_the_wrong_way(queries, keys):
    """With more keys than queries your triangle moves to the left, and the first queries see nothing.
    The last query stands at the last key, so the extra keys lie in everybody's past.
    Try 1 query and 3 keys on paper: which sign must the shift have?"""
    return np.tri(queries, keys, queries - keys, dtype=bool)


@causal_mask.misconception
def looks_into_the_future(queries, keys):
    """Queries see themselves and the future, and the past is hidden: this is the upper triangle.
    Rows are queries and columns are keys, so the past lies to the left of the diagonal.
    Which way round do you compare the two positions?"""
    return np.arange(keys) >= np.arange(queries)[:, None] + (keys - queries)


@causal_mask.misconception
def looks_into_the_future_from_the_top_left(queries, keys):
    """Queries see themselves and what comes after them: this is the upper triangle, begun at the first key.
    Rows are queries and columns are keys, so the past lies to the left of the diagonal.
    Take the other triangle, then let the last query stand at the last key."""
    return np.triu(np.ones((queries, keys), bool))


@causal_mask.misconception
def blocked_above_the_diagonal_from_the_top_left(queries, keys):
    """True stands where one must not look: above the diagonal.
    Here True means "may look".
    And your diagonal begins at the first key; the last query should stand at the last key, which matters when keys are
    more than queries."""
    return np.triu(np.ones((queries, keys), bool), k=1)


@causal_mask.misconception
def sees_only_the_past_from_the_top_left(queries, keys):
    """No query sees the key with its own number, and your first query stands at the first key.
    A token may look at itself, and the last query should stand at the last key.
    Write down the place of each query first, then compare."""
    return np.tri(queries, keys, -1, dtype=bool)


@causal_mask.misconception
def sees_only_itself(queries, keys):
    """Each query sees one single key, the one at its own place.
    Everything before that place is past, and the past may be looked at.
    Which comparison picks a place and all places before it?"""
    return np.arange(keys) == np.arange(queries)[:, None] + (keys - queries)


@causal_mask.misconception
def sees_only_itself_from_the_top_left(queries, keys):
    """Each query sees one single key, the one with its own number.
    Everything before a query's place is past, and the past may be looked at; and the last query should stand at the
    last key.
    Which comparison picks a place and all places before it?"""
    return np.eye(queries, keys, dtype=bool)


@causal_mask.misconception
def allows_everything(queries, keys):
    """Every query may look at every key, the future included.
    A causal mask hides the keys after the query's own place.
    Where does your code compare a key's position with a query's?"""
    return np.ones((queries, keys), bool)


@causal_mask.misconception
def swaps_rows_and_columns(queries, keys):
    """Your mask has a row for each key and a column for each query, as if the two sizes had changed places.
    Scores have queries as rows and keys as columns, and a mask has their shape.
    Check the order of the sizes."""
    return causal_mask(keys, queries)


@causal_mask.misconception
def hands_the_sizes_over_in_exchanged_order(queries, keys):
    """Your mask has a row for each key and a column for each query: its two sizes have changed places.
    Scores have queries as rows and keys as columns, and a mask has their shape.
    Begin with these sizes, rows first, and leave the shift as it is: its sign is right."""
    return np.tri(keys, queries, keys - queries, dtype=bool)


@causal_mask.misconception
def transposes_the_causal_mask(queries, keys):
    """Rows and columns of the mask have changed places, so the triangle lies on the other side of the diagonal.
    Row i says what query i may look at, key by key.
    Which of the two positions did you write as a column, and is there a transpose too many?"""
    return causal_mask(queries, keys).T


@causal_mask.misconception
def turns_a_table_of_exchanged_sizes(queries, keys):
    """Your mask has the right shape, but the first query sees every key, the future included.
    Rows and columns have changed places where they were compared: by a transpose, or because two names changed theirs.
    Rows are queries. Which of your two counters or arrays belongs to the rows, and which one must not be larger?"""
    return np.tri(keys, queries, keys - queries, dtype=bool).T


@causal_mask.misconception
def is_square_of_queries(queries, keys):
    """Your mask has as many columns as rows: both sizes come from the number of queries.
    There can be more keys than queries, when earlier tokens are kept.
    The columns are keys; how many are there?"""
    return causal_mask(queries, queries)


@causal_mask.misconception
def is_square_of_keys(queries, keys):
    """Your mask has as many rows as columns: both sizes come from the number of keys.
    There can be fewer queries than keys, when earlier tokens are kept.
    The rows are queries; how many are there?"""
    return causal_mask(keys, keys)


@causal_mask.misconception(number=(1.0, 1))
def holds_ones_and_zeros(queries, keys, *, number):
    """Your mask holds the numbers 1 and 0, not True and False.
    A mask of this course is boolean: `~`, `&` and indexing mean other things for numbers.
    A comparison gives True and False by itself; makers of arrays take a dtype."""
    return causal_mask(queries, keys) * number


@causal_mask.misconception(fill=(-np.inf, -1e9))
def holds_numbers_to_add(queries, keys, *, fill):
    """Your mask holds 0 and {fill:g}, to be added to scores.
    Some libraries want that; here a mask is boolean, and True means "may look".
    What to put in a blocked place is decided later, by the masked softmax."""
    return np.where(causal_mask(queries, keys), 0.0, fill)


@causal_mask.misconception
def has_axes_for_batch_and_heads(queries, keys):
    """Your mask has the shape (1, 1, queries, keys).
    Broadcasting adds axes in front by itself, so the two in front are not needed.
    This exercise asks for two axes."""
    return causal_mask(queries, keys)[None, None]


@causal_mask.misconception
def has_an_axis_for_the_batch(queries, keys):
    """Your mask has the shape (1, queries, keys).
    Broadcasting adds axes in front by itself, so the one in front is not needed.
    This exercise asks for two axes."""
    return causal_mask(queries, keys)[None]


@causal_mask.misconception
def hides_the_oldest_keys(queries, keys):
    """Where there are more keys than queries, the oldest keys are hidden from every query.
    They come before all queries, so they lie in everybody's past.
    Which part of your rows did you leave at False, and how many keys does the first query have before it?"""
    return causal_mask(queries, keys) & (np.arange(keys) >= keys - queries)


@causal_mask.misconception
def puts_the_oldest_keys_last(queries, keys):
    """Where there are more keys than queries, your triangle stands in front, and every query sees the keys behind it.
    But the last query stands at the last key, so the triangle belongs at the end.
    The extra keys are the oldest. On which side of the triangle do they lie?"""
    return np.tri(queries, keys, dtype=bool) | (np.arange(keys) >= queries)


@causal_mask.misconception(turned=("rows", "columns"))
def turns_the_order_round(queries, keys, *, turned):
    """Your triangle is right, but its {turned} stand in the opposite order.
    Row 0 belongs to the first query, which sees least; column 0 belongs to the first key, which all may see.
    Is something turned round, by `[::-1]`, by a flip, or by a count from the back?"""
    mask = causal_mask(queries, keys)
    return mask[::-1] if turned == "rows" else mask[:, ::-1]


@causal_mask.misconception(which=("first", "last"))
def leaves_a_row_empty(queries, keys, *, which):
    """The row of the {which} query is empty: it was never filled.
    Every query that stands at a key sees that key at least, and the last one sees them all.
    With which number does your loop over the queries begin, and with which does it end?"""
    mask = causal_mask(queries, keys)
    mask[0 if which == "first" else -1] = False
    return mask


@causal_mask.misconception(on="more_queries")
def never_shifts_to_the_left(queries, keys):
    """With more queries than keys, your first query stands at the first key, and the last queries stand beyond the
    keys.
    The last query stands at the last key here too, so the first ones come before every key and see nothing.
    Is there something in your code that keeps the shift from going below 0?"""
    return np.tri(queries, keys, max(0, keys - queries), dtype=bool)


@causal_mask.misconception(on="more_queries")
def shifts_to_the_right_only(queries, keys):
    """With more queries than keys, your diagonal moves to the right, as if there were more keys than queries.
    The last query stands at the last key here too, so the first ones come before every key and see nothing.
    Does your shift keep its sign when it is below 0?"""
    return np.tri(queries, keys, abs(keys - queries), dtype=bool)


@causal_mask.misconception(on="more_queries")
def ends_a_slice_below_zero(queries, keys):
    """With more queries than keys, some of your first rows hold True, though these queries come before all keys.
    Their place is below 0, and so is the end of a slice that stops there. A negative end counts from the back.
    Which end lets a slice hold nothing at all, and how do you keep yours from falling below it?"""
    mask = np.zeros((queries, keys), dtype=bool)
    for query in range(queries):
        mask[query, : keys - queries + query + 1] = True
    return mask


@causal_mask.misconception(on="more_queries")
def stops_with_more_queries_than_keys(queries, keys):
    """Where there are more queries than keys, your code stops with an error.
    Such a mask exists: the first queries come before all keys, and their rows hold no True.
    If you build rows from numbers of True and False, look at those numbers for the first row. Can one be below 0?"""
    if queries > keys:
        raise ValueError
    return causal_mask(queries, keys)


@causal_mask.misconception(on="more_queries")
def shows_the_first_key_to_everybody(queries, keys):
    """With more queries than keys, your first queries see the first key, though they stand before it.
    Their place is below 0, and that is no mistake: there is nothing in their past, so their rows are empty.
    Does something keep the places from going below 0?"""
    return causal_mask(queries, keys) | (np.arange(keys) == 0)


@causal_mask.misconception(on="more_queries")
def shows_everything_to_early_queries(queries, keys):
    """With more queries than keys, your first queries see all keys, though they stand before them.
    A row without any True is right there, and attention gives such a query zeros.
    Does your code fill rows that are empty?"""
    mask = causal_mask(queries, keys)
    return mask | ~mask.any(axis=-1, keepdims=True)


@causal_mask.misconception(on="long", kind=("int8", "uint8"), narrow=("queries", "keys", "both"))
def keeps_places_in_one_byte(queries, keys, *, kind, narrow):
    """With many keys your rows are wrong: somewhere places are kept in one byte, as `{kind}`.
    Such a number ends at 127 or 255, and what is larger begins again at the other end, without a word.
    Sentences are longer than that. Which line chooses the type?"""
    rows, columns = np.arange(queries) + keys - queries, np.arange(keys)
    rows = rows if narrow == "keys" else rows.astype(kind)
    columns = columns if narrow == "queries" else columns.astype(kind)
    return columns <= rows[:, None]


causal_mask.hints_for("keeps_places_in_one_byte", hints=NARROW_NUMBERS)

causal_mask.hints_for(
    "true_means_blocked",
    "looks_into_the_future",
    "sees_only_itself",
    "allows_everything",
    "turns_the_order_round",
    "leaves_a_row_empty",
    hints=(
        "Read a causal mask row by row. "
        "A row belongs to one query. "
        "It is True from the first key up to the query's own place, and False from there to the end. "
        "From row to row, the True part grows by one, and in the last row it fills everything. "
        "There are no gaps, and no True comes after a False.",
        "Print the mask for four queries and four keys, and read two rows. "
        "The first should have a single True, at its left end. "
        "The last should have no False. "
        "Is one of them wrong in yours, or are both, and how: turned round, mirrored, too full, too empty? "
        "Then look at the sign of your comparison, and for a `~` on the way.",
        "Two things are compared: the place of each query, as a column, and the position of each key, as a row. "
        "It must come out True where the key's position is smaller than the query's place or equal to it, and "
        "nowhere else. "
        "With `tri`, `tril` or `triu`, ask two things: on which side of the diagonal are the ones, and do they mean "
        '"may look" or "hide"?',
    ),
)

causal_mask.hints_for(
    "does_not_see_itself",
    "sees_one_token_ahead",
    hints=(
        "All depends on the query's own place. "
        "The output there is used to guess the *next* token. "
        "So the token itself may be known: it is the last thing that has happened. "
        "The token after it is what has to be guessed. "
        "The border lies between these two. "
        "One place further left, and the query is half blind; one place further right, and it cheats.",
        "Print the mask for one query and one key: it should be True. "
        "Then for two queries and two keys: three of the four should be True. "
        "Now you know on which side of its place your border lies. "
        "Look for the reason: `<` in place of `<=`, an offset of 1 or -1, a range that ends too early or too late, "
        "a count from 1.",
        'In a comparison, "equal" has to come out True, and "larger by one" has to come out False. '
        "With `tri` or `tril` the offset is the difference of the two sizes, with nothing added and nothing taken "
        "away. "
        "With `triu`, which is used to mark what to hide, the marked part begins one place to the right of that.",
    ),
)

causal_mask.hints_for(
    "starts_at_the_top_left",
    "shifts_the_diagonal_the_wrong_way",
    "never_shifts_to_the_left",
    "shifts_to_the_right_only",
    "ends_a_slice_below_zero",
    "hides_the_oldest_keys",
    "puts_the_oldest_keys_last",
    "stops_with_more_queries_than_keys",
    "shows_the_first_key_to_everybody",
    "shows_everything_to_early_queries",
    hints=(
        "Queries and keys are two pieces of the same text, and both end at the same token, the newest one. "
        "So lay them on each other with their right ends together. "
        "If there are more keys, the first of them lie before all queries, and everybody sees them. "
        "If there are more queries, the first of them lie before all keys, and see nothing. "
        "It is one rule.",
        "Draw both as rows of boxes, with the right ends aligned: two queries below five keys, then five queries "
        "below two keys. "
        "Under each query write the number of the key above it, and count on into the negative where no key is "
        "left. "
        "Which number has query 0 in each drawing, and which does your code give it?",
        "The place of a query is its own number plus a shift. "
        "The shift says how many more keys than queries there are, and it keeps its sign: it is below 0 if there "
        "are more queries. "
        "No `abs`, no `max` with 0. "
        "As the offset of `tri` or `tril`, the same number moves the diagonal to the right, or to the left if it is "
        "negative.",
    ),
)

causal_mask.hints_for(
    "swaps_rows_and_columns",
    "hands_the_sizes_over_in_exchanged_order",
    "turns_a_table_of_exchanged_sizes",
    "transposes_the_causal_mask",
    "is_square_of_queries",
    "is_square_of_keys",
    hints=(
        "The mask is laid over the scores, so it has their shape: a row for each query, a column for each key. "
        "These are two numbers, and their order matters. "
        "When they happen to be equal, much of this cannot be seen. "
        "So think of them as different from the start: one new word that asks, and many old ones that are asked.",
        "Make the mask for 2 queries and 5 keys. "
        "Its shape should be (2, 5), and its first row should have four True. "
        "If the shape is (5, 2), look for sizes in the wrong order, for a transpose, or for a new axis on the wrong "
        "side of the comparison. "
        "If it is a square, one of the two numbers is never used.",
        "Queries run down, keys run across. "
        "So the places of the queries are the column: they get the new axis of length 1 at their end. "
        "The positions of the keys are the row. "
        "A function that makes an array, such as `tri` or `ones`, takes the number of rows first and that of "
        "columns second. "
        "After that no transpose is needed.",
    ),
)

causal_mask.hints_for(
    "sees_one_token_ahead_from_the_top_left",
    "looks_into_the_future_from_the_top_left",
    "blocked_above_the_diagonal_from_the_top_left",
    "sees_only_the_past_from_the_top_left",
    "sees_only_itself_from_the_top_left",
    hints=(
        "Two questions hide in one line here. "
        "The first: where does each query stand? "
        "The last one stands at the last key, and the others follow backwards. "
        "The second: what may be seen from a place? "
        "This place itself and all places before it, marked by True. "
        "Answer them one after the other, and you can check each answer alone.",
        "Begin with four queries and four keys, where the first question does not matter yet. "
        "The mask should be True on the diagonal and below it, and False above. "
        "Repair this first. "
        "Then take 2 queries and 5 keys. "
        "The last row should be True everywhere, and the row before it everywhere but at its right end.",
        "First the places: a query's number plus the difference, keys minus queries, written as a column. "
        "Then the comparison: True where the position of a key is not larger than the place. "
        'With `tri` or `tril` one line does both, if its offset is that same difference and its ones mean "may '
        'look".',
    ),
)

causal_mask.hints_for(
    "holds_ones_and_zeros",
    "holds_numbers_to_add",
    hints=(
        "There are several languages for masks: True and False, 1 and 0, 0 and minus infinity. "
        "Each of them works as long as nobody mixes them. "
        "Added to scores, 1 and 0 block nothing. "
        "Read as booleans, 0 and minus infinity say the opposite of what was meant. "
        "Here all masks speak one language, and it is boolean.",
        "Print the `dtype` of what you give back: it should be bool. "
        "Then go to the line that makes the array. "
        "`ones`, `zeros`, `full` and `tri` make numbers unless you tell them otherwise, and `tril` and `triu` keep "
        "what they get. "
        "Or was there a comparison, with True and False, before a product or a `where` made numbers of it?",
        "One way is to compare places with positions, and to give back what the comparison gives. "
        "Another way is to begin with booleans: makers of arrays take `dtype=bool`, and `tril` and `triu` leave it "
        "so. "
        "Minus infinity is not needed here. "
        "It comes in where the mask meets the scores.",
    ),
)

causal_mask.hints_for(
    "has_axes_for_batch_and_heads",
    "has_an_axis_for_the_batch",
    hints=(
        "This mask says the same for every sentence and every head, so it needs no axes for them. "
        "Shapes are lined up from the right, and missing axes in front count as 1. "
        "Two axes therefore fit scores of two, three or four axes. "
        "With axes too many, a result can get an axis that nobody asked for.",
        "Print the shape of your mask: there should be two numbers in it. "
        "Look for a `None` too many in square brackets, for a reshape, or for an `unsqueeze`. "
        "If you compare two arrays, print their shapes, too, since either can bring the axis in. "
        "(A padding mask does need such axes, because sentences differ from each other.)",
        "Give back the bare table: rows for queries, columns for keys, and nothing in front. "
        "In a comparison, the places of the queries get one new axis of length 1, at their end; the positions of "
        "the keys get none. "
        "What `tri` or `tril` makes from two sizes has two axes already. "
        "Broadcasting adds the others when they are needed.",
    ),
)


# combine_masks


@combine_masks.misconception
def allows_where_either_allows(first, second):
    """A key is allowed in your result as soon as one of the masks allows it.
    Then each mask lifts what the other one forbids; for booleans `+` does this as well as `|`.
    Both have to agree: which operator is true only if both sides are?"""
    return first | second


@combine_masks.misconception
def keeps_the_first_only(first, second):
    """Your result is the first mask; the second one is lost where both are given.
    A key may be looked at only if both masks allow it.
    Does your code return before it has seen both?"""
    return second if first is None else first


@combine_masks.misconception
def keeps_the_second_only(first, second):
    """Your result is the second mask; the first one is lost where both are given.
    A key may be looked at only if both masks allow it.
    Does a later line of yours overwrite what the first mask said?"""
    return first if second is None else second


@combine_masks.misconception(on="closed")
def takes_a_closed_mask_for_none(first, second):
    """A mask that allows nothing at all counts as no mask in your code, and so it forbids nothing.
    Your question asks whether there is a True in it. That there is a mask is another thing than what it says.
    Which comparison is true for None, and for nothing else?"""
    if first is None or not first.any():
        return second
    return first if second is None or not second.any() else first & second


@combine_masks.misconception(on="open")
def takes_an_open_mask_for_none(first, second):
    """A mask that allows everything counts as no mask in your code, and your result has the shape of the other one.
    Such a mask forbids nothing, and still it may have axes that the other lacks, one for the batch perhaps.
    What does joining two masks do to their shapes, and which comparison is true for None alone?"""
    if first is None or second is None or not (first.all() or second.all()):
        return combine_masks(first, second)
    return second if first.all() else first


@combine_masks.misconception
def combines_the_other_way_round(first, second):
    """Your result is True exactly where something is forbidden.
    The keys are the right ones, but here True means "may look", before and after combining.
    Is there a `~` too many, or one too few?"""
    return ~combine_masks(first, second)


@combine_masks.misconception
def allows_where_they_differ(first, second):
    """A key is allowed in your result where one mask allows it and the other forbids it.
    That is "either, but not both"; for booleans `^` and `!=` do this.
    Both masks have to allow a key."""
    return first ^ second


@combine_masks.misconception
def allows_where_they_agree(first, second):
    """A key is allowed in your result where the masks say the same, so also where both forbid it.
    Agreeing is not enough, since two can agree on no.
    Both masks have to say True."""
    return first == second


@combine_masks.misconception
def marks_what_both_block(first, second):
    """Your result is True where both masks forbid a key.
    That is what one does with masks whose True means "blocked", and even there it blocks too little.
    Here True means "may look", and both masks have to allow a key."""
    return ~first & ~second


@combine_masks.misconception
def allows_the_first_without_the_second(first, second):
    """A key is allowed in your result where the first mask allows it and the second forbids it.
    The second mask was read as if its True meant "blocked".
    In both masks True means "may look"; is there a `~` too many?"""
    return first & ~second


@combine_masks.misconception(number=(1, 1.0))
def multiplies_masks_as_numbers(first, second, *, number):
    """Your result holds the numbers 1 and 0, not True and False.
    A mask goes in boolean and should come out boolean.
    Which operator joins two boolean arrays without turning them into numbers?"""
    return combine_masks(first, second) if first is None or second is None else (first & second) * number


@combine_masks.misconception(number=(1, 1.0))
def adds_masks_as_numbers(first, second, *, number):
    """Your result counts, place by place, how many of the masks allow a key: 0, 1 or 2.
    A mask should be boolean: is this key allowed by both, yes or no?
    Which operator asks that for every element?"""
    return first * number + second * number


@combine_masks.misconception
def stacks_the_two_masks(first, second):
    """Two masks of equal shapes come out right; where they differ, your code can stop.
    A mask for padding and one for the future have different shapes, and the result may be larger than either.
    Stacking, an index and `&=` stretch nothing; an operator *between* two arrays, whose result is new, does."""
    return combine_masks(first, second) if first is None or second is None else np.all([first, second], axis=0)


@combine_masks.misconception
def asks_both_masks_for_one_answer(first, second):
    """Your result is one single True or False for everything: `np.all` without an axis looks at all numbers together.
    A mask has an answer for each query and key.
    An operator between two arrays works place by place, and broadcasts. Which one asks for True on both sides?"""
    return combine_masks(first, second) if first is None or second is None else np.all([first, second])


@combine_masks.misconception
def drops_axes_of_length_one(first, second):
    """Your result has lost its axes of length 1.
    Such an axis holds a place: without it, the axes before it move to the right, and meet others when the mask is used.
    Keep the shape that broadcasting gives. Is there a `squeeze`, or a reshape?"""
    return combine_masks(first, second) if first is None or second is None else (first & second).squeeze()


@combine_masks.misconception(on="none")
def forgets_that_a_mask_may_be_none(first, second):
    """With a None in place of a mask your code fails.
    None means that there is no such mask, so it forbids nothing and the other one decides.
    Deal with None before you combine."""
    return first & second


@combine_masks.misconception(on="none")
def one_none_makes_it_none(first, second):
    """Of a mask and a None you return None, in one order or in both, and what the mask forbids is lost.
    None forbids nothing, but the other mask still counts.
    What should come out when only one of the two is None?"""
    return None if first is None or second is None else first & second


@combine_masks.misconception(on="none")
def none_forbids_everything(first, second):
    """Where one mask is None nothing at all is allowed in your result.
    None means that there is no such mask: it forbids nothing, and the other mask decides alone.
    Did None turn into False on its way?"""
    if first is None or second is None:
        return None if first is second else np.zeros_like(second if first is None else first)
    return first & second


@combine_masks.misconception(on="none")
def none_allows_everything_alone(first, second):
    """Where one mask is None everything is allowed in your result, also what the other mask forbids.
    None forbids nothing, but the other mask still counts.
    What should come out when only one of the two is None?"""
    if first is None or second is None:
        return None if first is second else np.ones_like(second if first is None else first)
    return first & second


@combine_masks.misconception(on="none")
def handles_only_the_second_none(first, second):
    """With a None in first place your code fails; in second place it expects one.
    Callers may leave out either mask, or both.
    Ask the same question about the first."""
    return first if second is None else first & second


@combine_masks.misconception(on="none")
def handles_only_the_first_none(first, second):
    """With a None in second place your code fails; in first place it expects one.
    Callers may leave out either mask, or both.
    Ask the same question about the second."""
    return second if first is None else first & second


@combine_masks.misconception(on="none")
def fails_on_two_nones(first, second):
    """With one None your code runs; with two of them it fails.
    If nobody brings a mask, there is none: the result is None.
    Which line still expects an array then?"""
    if first is None and second is None:
        raise TypeError
    return combine_masks(first, second)


@combine_masks.misconception(on="none")
def makes_a_mask_of_two_nones(first, second):
    """From two Nones your code makes a mask.
    If nobody brings a mask, there is none, and later code can skip the step: the result is None.
    What should your first question be?"""
    return np.True_ if first is None and second is None else combine_masks(first, second)


combine_masks.hints_for(
    "allows_where_either_allows",
    "allows_where_they_differ",
    "allows_where_they_agree",
    hints=(
        "Think of two doors on the way to a key. "
        "Each mask guards one of them, and True means that this door is open. "
        "You come through if both are open. "
        "One open door is not enough, and two closed ones are worse. "
        "Of the four ways in which two doors can stand, a single one lets you in.",
        "For a place there are four cases: both masks say True, only the first does, only the second does, or none "
        "does. "
        "Put the four into two small arrays, run your line on these, and write the result beside the cases. "
        "It should be True in the first case, and False in the other three. "
        "The case that is wrong shows what your operator really asks.",
        "Each operator between boolean arrays asks a question at every place. "
        "`|` and `+` ask for at least one True, `^` and `!=` ask for exactly one, `==` asks for two equal answers. "
        "The one you need asks for True on both sides. "
        "It is a single sign, and it stands for the word *and*.",
    ),
)

combine_masks.hints_for(
    "combines_the_other_way_round",
    "marks_what_both_block",
    "allows_the_first_without_the_second",
    hints=(
        "All masks here speak one language: the first, the second and the result. "
        'True means "may look" in each of them. '
        "So nothing has to be translated, neither on the way in nor on the way out. "
        'Where True means "blocked", masks are joined by another rule. '
        "Half a translation between the two gives a result like yours.",
        "Count what turns a mask round in this part: `~`, `not`, `1 -`, a comparison with False. "
        "Then put the four pairs of True and False into two small arrays, and run your code. "
        "True with True should give True, and the other three should give False. "
        "Which are wrong in yours, and which of the signs you counted did it?",
        "Join the two masks as they come in, with an *and* at every place, and give back what comes out. "
        "Nothing is turned round before this, and nothing after it. "
        "If a mask in another language has to be joined, let it be translated before it comes here.",
    ),
)

combine_masks.hints_for(
    "takes_a_closed_mask_for_none",
    hints=(
        "There are two questions about a mask. "
        "The first is whether somebody gave one: the answer no is written None. "
        "The second is what a mask says, place by place. "
        "A mask full of False was given, and it says the strictest thing there is. "
        "To leave it out turns the strictest mask into the most generous one.",
        "Give your function a mask of 2 rows and 3 keys that is False everywhere, and any other mask beside it. "
        "No key is allowed by both, so the result holds no True. "
        "Print what your condition says about the first mask. "
        "Does it ask for None, or for a True?",
        "In Python, `if not x` and `x.any()` ask about the contents. "
        "A test for identity asks whether this is the one object called None, and does not look inside. "
        "Write it once for each of the two masks. "
        "All other masks, however empty, go on to the line that joins.",
    ),
)

combine_masks.hints_for(
    "takes_an_open_mask_for_none",
    hints=(
        "There are two questions about a mask. "
        "The first is whether somebody gave one: the answer no is written None. "
        "The second is what a mask says, place by place. "
        "A mask full of True forbids nothing, but it has a shape, and the shape of the result is made of both. "
        "Whoever uses the result counts on this shape, whatever stands in it.",
        "Combine a padding mask of shape (2, 1, 1, 4) that is True everywhere with a mask of shape (4, 4). "
        "Together they should be (2, 1, 4, 4). "
        "Change a single entry of the first one to False, and look at the shape again. "
        "Which line of your code tells the two apart, and should it?",
        "Leave a mask out for one reason only: that it is None. "
        "All other masks go into the same line, which joins them place by place. "
        "A mask full of True changes no answer there, and stretches the other one to the common shape. "
        "So the shortcut can go; it saves next to nothing.",
    ),
)

combine_masks.hints_for(
    "keeps_the_first_only",
    "keeps_the_second_only",
    hints=(
        "Each mask knows something that the other one does not. "
        "A padding mask knows where sentences end; a causal mask knows what comes later. "
        "Whoever keeps only one of them makes visible again what the other one hides. "
        "To give back a single mask is right in one situation only: when the other one is not there.",
        "Follow two arrays through your code, with no None among them. "
        "Which line is the first to return something, or to set the result? "
        "What has it asked before? "
        "If it asks whether a mask is there, and then returns this mask, it never sees the other one. "
        "Is there a line in which both names stand, and do two arrays reach it?",
        "Give back one mask alone only if you know that the *other* one is None. "
        "Ask this for both sides. "
        "After that, both are arrays, and the last line joins them: an *and* at every place. "
        "Both names have to stand in this line, and no later line may replace its result.",
    ),
)

combine_masks.hints_for(
    "multiplies_masks_as_numbers",
    "adds_masks_as_numbers",
    hints=(
        "With booleans one asks, with numbers one counts. "
        "A product of ones and zeros looks like an *and*, and a sum of them is a count of votes. "
        "But whoever uses the mask next expects True and False. "
        "A `~` or an index means something else for numbers, and no error says so. "
        "What kind of numbers an array holds is part of its meaning.",
        "Print the `dtype` of the two masks and of your result. "
        "Bool goes in; at which line does it become int or float? "
        "Look for `astype`, for `int` or `float`, for a product or sum with a number, for a function that counts. "
        "Then look at a place that both masks allow. "
        "What do you find there?",
        "Join the two boolean arrays with the operator that asks for True on both sides, place by place. "
        "It takes booleans, gives booleans, and broadcasts. "
        "So nothing is converted before it, and nothing is compared or converted after it. "
        "No number occurs in this line at all.",
    ),
)

combine_masks.hints_for(
    "stacks_the_two_masks",
    "asks_both_masks_for_one_answer",
    hints=(
        "A function that takes both masks in a list wants equal shapes, or it gives one answer for everything. "
        "A line that writes into one of the masks cannot make it larger. "
        "An operator *between* two arrays is different. "
        "It lines up their shapes from the right, stretches axes of length 1, and gives an answer for each place of "
        "the common shape.",
        "Try a mask of shape (2, 1, 1, 4) with one of shape (4, 4). "
        "Together they should be (2, 1, 4, 4). "
        "What does your code give, or where does it stop? "
        "Look for square brackets around both masks, for `all`, `stack` or `reduce`, and for a line that writes "
        "into a mask.",
        "Put one sign between the two arrays: the one that asks, at every place, for True on both sides. "
        "It makes a new array in their common shape, and leaves both as they are. "
        "No list, no `all` and no loop is needed, and no axis has to be added by hand.",
    ),
)

combine_masks.hints_for(
    "drops_axes_of_length_one",
    hints=(
        "What an axis means is decided by its place, counted from the right. "
        "An axis of length 1 says: it is the same for all of you here, for all heads perhaps. "
        "It holds a place open, and that is its whole work. "
        "Take it away, and the batch in front of it slides to the place of the heads.",
        "Combine a padding mask of shape (4, 1, 1, 3) with a causal one of shape (5, 3). "
        "Together they should be (4, 1, 5, 3). "
        "What is yours, and which line takes the 1 away? "
        "Then write both shapes below scores of shape (4, 2, 5, 3), with the right ends aligned.",
        "The operator between two boolean arrays gives the common shape by itself, with every axis of length 1 that "
        "both have. "
        "Give back what it makes, without `squeeze`, without a reshape and without an index behind it. "
        "Then print its shape once more.",
    ),
)

combine_masks.hints_for(
    "forgets_that_a_mask_may_be_none",
    "one_none_makes_it_none",
    "none_forbids_everything",
    "none_allows_everything_alone",
    "handles_only_the_second_none",
    "handles_only_the_first_none",
    "fails_on_two_nones",
    "makes_a_mask_of_two_nones",
    hints=(
        "None says that nobody has brought a mask on this side, so nothing is forbidden there. "
        "It is like adding 0: the other side comes out unchanged. "
        "This holds for whatever stands on the other side, a mask or another None. "
        "So there is one rule, and it is used twice, once for each side.",
        "There are four calls to try: two arrays, None in the first place, None in the second, and two Nones. "
        "Beside each write what it should give: both joined, the other mask, the other mask, None. "
        "Run all four, and take the first that is wrong. "
        "Go through it line by line: which question does it meet, and what does the answer lead to?",
        "Two questions stand at the top, one for each mask: is it None? "
        "If so, the other mask is given back, whatever that is. "
        "What comes below these two can count on two arrays, and joins them. "
        "Ask with `is`: `==` and `not` look at each number of an array, and give no single answer.",
    ),
)


# causal_attention


@causal_attention.misconception
def forgets_the_causal_mask(query, key, value):
    """Changing a later token changes earlier outputs: every query looks at every key, the future included.
    Either no causal mask reaches your softmax, or it allows everything.
    Follow the mask through your code: where is it made, and who uses it?"""
    return masked_attention(query, key, value)


@causal_attention.misconception
def hides_the_last_key_only(query, key, value):
    """The last key is hidden from all queries but the last; the rest of the future is visible.
    Each query has a future of its own, and for the first query it is nearly everything.
    A row for each query, with its own last allowed key, is what the mask needs."""
    mask = np.ones((query.shape[-2], key.shape[-2]), bool)
    mask[:-1, -1] = False
    return masked_attention(query, key, value, mask)


@causal_attention.misconception
def forgets_the_oldest_keys(query, key, value):
    """Where there are more keys than queries, the oldest keys have no influence on your output: only as many keys as
    queries were used.
    The extra keys come first, so they lie in the past of every query.
    Keep all keys, and fit the mask to them."""
    queries = query.shape[-2]
    mask = mha_ref.causal_mask(queries, queries)
    return masked_attention(query, key[..., -queries:, :], value[..., -queries:, :], mask)


@causal_attention.misconception(axis=(0, 1))
def takes_the_sizes_from_the_front(query, key, value, *, axis):
    """The sizes of your mask come from axis {axis}, counted from the front.
    Which axis that is depends on what stands before it: a batch in front moves tokens and features one place on.
    Counted from the end, every axis keeps its number. Which numbers have tokens and features there?"""
    mask = mha_ref.causal_mask(query.shape[axis], key.shape[axis])
    return masked_attention(query, key, value, mask)


@causal_attention.misconception
def takes_the_sizes_from_the_features(query, key, value):
    """The sizes of your mask are lengths of the last axis, and that axis holds features.
    A mask has a row for each query and a column for each key.
    On which axis do queries and keys lie, counted from the end?"""
    mask = mha_ref.causal_mask(query.shape[-1], key.shape[-1])
    return masked_attention(query, key, value, mask)


@causal_attention.misconception(size=("queries", "keys"))
def makes_a_square_mask(query, key, value, *, size):
    """Your mask is a square: both its sizes are the number of {size}.
    Where there are fewer queries than keys, it does not fit the scores.
    A mask has a row for each query and a column for each key. Where do you find each of the two numbers?"""
    tokens = (query if size == "queries" else key).shape[-2]
    return masked_attention(query, key, value, mha_ref.causal_mask(tokens, tokens))


@causal_attention.misconception(seen=("first", "one at its own place"))
def lets_the_first_query_see_one_key(query, key, value, *, seen):
    """With more keys than queries your first query looks at one key alone, the {seen}.
    It is first among the queries, but the older keys lie before it, and it sees all of them.
    Do you begin with a row that is right for equal lengths only?"""
    out = causal_attention(query, key, value)
    place = 0 if seen == "first" else key.shape[-2] - query.shape[-2]
    return np.concatenate([value[..., place : place + 1, :], out[..., 1:, :]], axis=-2)


causal_attention.hints_for(
    "lets_the_first_query_see_one_key",
    hints=(
        "Somebody who writes the next words of a text does not begin with an empty page. "
        "The text so far is there as keys and values, and the queries are its last tokens. "
        "So the first query is first among those who ask, and may still have many tokens before it. "
        "It sees all of these, and itself.",
        "Take 2 queries and 5 keys. The last query sees 5 keys, so the first one sees 4. "
        "Print how many keys your code gives it. "
        "Then look for a start that is made by hand: a base case, an `if` for the first query, a result that begins "
        "with one value.",
        "Treat the first query as all the others: it sees the keys up to its own place, and this place is moved by how "
        "many more keys than queries there are. "
        "In a recursion, the last query left has that many keys before it, so it needs attention as well, over all "
        "keys that are left.",
    ),
)

causal_attention.hints_for(
    "forgets_the_causal_mask",
    hints=(
        "A leak makes no error, and the numbers look just as good with it. "
        "The formula of attention does not know which token comes later, so a mask has to bring this in. "
        "And the mask works only if three things are true: it is made, it has False at the right places, and it is "
        "used where scores become weights.",
        "Print the weights of the first query, for as many queries as keys. "
        "Has any key but the first one a weight? "
        "Then look for your mask, and print it. "
        "If there is no False in it, the mistake is where it is made. "
        "If it is right, follow it from there: which call takes it in? "
        "And is the result of this call the one that you return?",
        "Two lines work together. "
        "The first makes the causal mask from the number of queries and the number of keys, and gives it a name. "
        "The second computes attention and gets this name beside query, key and value. "
        "If the mask is left out of that call, it counts as None there, and None allows everything.",
    ),
)

causal_attention.hints_for(
    "hides_the_last_key_only",
    hints=(
        "The future is not one place. "
        "It is another stretch for each query: long for the first, shorter from row to row, and empty for the last. "
        "What is hidden in a row always reaches to its right end. "
        "To hide the last key alone is right for one query only, the last but one.",
        "Print the mask, or the scores after masking, for four queries and four keys. "
        "Count what is hidden in each row: it should be three, two, one and none. "
        "What do you count in yours? "
        "Look for an index that names a single column, such as -1, where a whole part of the row should be meant.",
        "In each row, all keys are hidden whose position is larger than the query's place. "
        "The causal mask does it for all rows at once: places as a column, positions as a row, one comparison. "
        "If you write it as a loop over queries, the hidden part is a slice. "
        "It begins one after the query's place, and goes on to the end.",
    ),
)

causal_attention.hints_for(
    "forgets_the_oldest_keys",
    hints=(
        "A model that writes keeps the keys and values of all that was said, and only the newest tokens ask. "
        "So the extra keys are its memory. "
        "They stand in front, they are past for every query, and everybody may look at them. "
        "Without them the triangle looks right, and the model has forgotten how the text began.",
        "Print the shapes of key and value as they come in, and where they are used. "
        "Has the number of tokens shrunk to that of the queries? "
        "Look for a slice on the axis of the tokens, often with a minus in it, or for a loop over keys that counts "
        "the queries. "
        "How many columns does your mask have for 2 queries and 5 keys?",
        "Leave key and value whole, with all their tokens. "
        "The mask then has a row for each query and a column for each key, and where there are more keys it is "
        "wider than high. "
        "All old keys are True in every row. "
        "So the mask fits the scores by itself, and nothing has to be cut.",
    ),
)

causal_attention.hints_for(
    "takes_the_sizes_from_the_front",
    "takes_the_sizes_from_the_features",
    "makes_a_square_mask",
    hints=(
        "The mask lies on the scores, so it needs their two sizes: how many tokens ask, and how many are asked. "
        "These are two numbers, from two arrays, and they may differ. "
        "Both arrays are laid out as (..., tokens, features). "
        "The dots can stand for nothing or for a batch, so only the end of a shape is a safe place to count from.",
        "Take a batch, with fewer queries than keys and another number of features. "
        "Print the shape of the scores, and below it the shape of your mask. "
        "The last two numbers should agree. "
        "For each of them, go back to the line it comes from: which array is it, and which axis? "
        "`len` gives the length of the first axis, whatever that is.",
        "The number of rows is a size of the query, the number of columns is a size of the key. "
        "In both arrays it stands right before the features: the last axis but one. "
        "The mask is made from these two numbers, rows first. "
        "Or read both from the scores, where they are the last two sizes.",
    ),
)


# what to predict, to calculate, to choose


def _slips(answer, choices, messages):
    """Every other answer that one can choose, place by place -> what to say of the first place that differs."""
    others = (given for given in product(choices, repeat=len(answer)) if given != answer)
    return {given: next(m for m, g, a in zip(messages, given, answer) if g != a) for given in others}


masked_row = Question(
    answer=(0.5, 0.5, 0.0, 0.0),
    wrong={
        (0.25, 0.25, 0.0, 0.0): "You let four keys share, then took two of them out; half of the whole is lost. "
        "The mask comes first: how many keys are there to share the whole?",
        (0.5, 0.5, 0.5, 0.5): "Your row sums to 2, and a query has one whole to give. "
        "The two allowed keys are as you say; what is left for the blocked ones?",
        (0.25, 0.25, 0.25, 0.25): "That is the row without a mask. Two of the four keys may not be looked at, so what "
        "do they get?",
        (0.0, 0.0, 0.5, 0.5): "You gave the whole to the blocked keys. True means that a key may be looked at.",
        (1.0, 1.0, 0.0, 0.0): "Those are the permissions, not yet the shares. A query has one whole to give away, and "
        "two keys share it.",
        (0.3655, 0.3655, 0.1345, 0.1345): "You gave blocked keys a score of 0. The exponential of 0 is 1, so they "
        "still take a share.",
        (1 / 3, 1 / 3, 1 / 3, 0.0): "Three keys share in your answer. How many True stand in the row of the mask?",
        (1 / 3, 1 / 3, 0.0, 0.0): "Your row sums to 2/3. Two keys share one whole: how much is that for each?",
        (0.731, 0.731, 0.0, 0.0): "Each weight was made by itself. Softmax divides one whole among the allowed keys: "
        "the row sums to 1.",
    },
    hints=(
        "Cross out the keys that may not be looked at. "
        "What is left is a softmax over fewer scores. "
        "In the formula a blocked key is missing twice: it has no share of its own, and it does not count in the sum "
        "below the line.",
        "Two keys are left, and their scores are equal. "
        "Softmax gives equal scores equal shares. "
        "Below the line stand only two exponentials now, not four. "
        "So what is one of them, divided by the sum of both? "
        "The score itself, here 1, plays no part.",
        "The shares of the keys that are left sum to 1; a key that was crossed out has 0. "
        "Write four numbers, in the order of the keys: two shares and two zeros. "
        "Then add them all up. "
        "Together they must be one whole, as in every row.",
    ),
)
a_billion_less = Question(
    answer=("a", "b", "c"),
    wrong=_slips(
        ("a", "b", "c"),
        "abc",
        (
            "Look at float16 first. Its largest number is 65504: what is -1e9 then, and what is that minus itself?",
            "float16 is as you say. Near a billion, float32 numbers are 64 apart: "
            "is there room for the differences between 2, 1 and 0?",
            "float16 and float32 are as you say. Near a billion, float64 numbers are 0.0000001 apart: "
            "what becomes of the differences between 2, 1 and 0?",
        ),
    )
    | {
        ("b", "b", "b"): "*Filling* every place with -1e9 would do that, except in float16. "
        "Here -1e9 is added, and float64 still has digits left for the 2, the 1 and the 0. And float16 has no -1e9.",
        ("a", "a", "a"): "NaN needs an infinity here. -1e9 is an ordinary number for float32 and float64.",
        ("c", "c", "c"): "In exact arithmetic, yes: the same number added to every score changes nothing. "
        "But float32 and float16 cannot hold the sum exactly; compare it with the gaps above.",
        ("c", "b", "a"): "The order is float16, float32, float64: the least exact first.",
    },
    hints=(
        "Softmax looks at differences. "
        "Which of the three formats can still hold the differences between 2, 1 and 0 after the sum? "
        "A format has only so many numbers near a billion. "
        "What lies between two of them is rounded to one of the two.",
        "float16: is there a -1e9? float32: 64 from one number to the next. float64: 0.0000001 from one number to "
        "the next. "
        "Compare each of these steps with the 1 that lies between two of the scores. "
        "Where does a difference of 1 survive the sum?",
        "One has no -1e9 and gives NaN, one rounds all three to the same number, one keeps the differences. "
        "Equal scores give equal weights. "
        "Scores whose differences are kept give the weights of the row without a mask. "
        "Which format is which? "
        "The table tells.",
    ),
)
zeroing_after_softmax = Question(
    answer="b",
    wrong={
        "a": "Its weight is exactly 0, and 0 times any finite value is 0. The value of a blocked key changes nothing. "
        "What else does a token bring, beside its value?",
        "c": "The blocked weights are 0, that is true. But look at the allowed ones: by what were they divided?",
    },
    hints=(
        "Two things of a blocked token could matter: its key, which makes a score, and its value, which is mixed in. "
        "The zeros come after softmax and before the mix. "
        "Ask of each of the two whether it is used before the zeros come, or after.",
        "The value meets a weight of 0. "
        "The score was in softmax before the zeros came. "
        "Try it with two keys that have equal scores, and block the second. "
        "Which weight does the first key have now? "
        "Which one would it have alone?",
        "Write softmax as a fraction. "
        "In which half of it does the blocked score stand? "
        "All weights of a row are divided by the same sum. "
        "Let the blocked score grow: what happens to that sum, and to the weights that nobody has blocked?",
    ),
)
masks_that_fit = Question(
    answer=(True, True, True, False, False),
    wrong=_slips(
        (True, True, True, False, False),
        (True, False),
        (
            "Look at the first, (5, 5). Axes that are missing in front are added by broadcasting, so it fits.",
            "Look at the second, (1, 1, 5, 5). An axis of length 1 fits any length.",
            "Look at the third, (2, 1, 1, 5). Its batch meets the batch, its keys meet the keys, "
            "and an axis of length 1 fits any length.",
            "Look at the fourth, (2, 5). From the right, 5 meets 5 keys, and then 2 meets 5 queries.",
            "Look at the fifth, (2, 5, 5). From the right, the third pair is 2 and 8 heads. "
            "NumPy does not know that you meant the batch.",
        ),
    )
    | {
        (True, True, True, True, True): "Line up the last two from the right. "
        "(2, 5) puts 2 beside the 5 queries, and (2, 5, 5) puts 2 beside the 8 heads. "
        "Equal, or 1: nothing else fits.",
    },
    hints=(
        "Write the two shapes below each other, with the right ends aligned. "
        "The scores are (2, 8, 5, 5), and that stands for batch, heads, queries, keys. "
        "Do it for each of the five masks, one after the other. "
        "Then every length of a mask has a partner above it.",
        "Two lengths fit if they are equal, or if one of them is 1. "
        "A missing axis in front counts as 1. "
        "One pair that does not fit is enough, and the whole mask is refused. "
        "In which masks do two different lengths meet, with no 1 among them?",
        "Go through the pairs from the right: keys with keys, then queries, then heads, then batch. "
        "In a mask with two axes the first one meets the queries. "
        "In a mask with three axes the first one meets the heads. "
        "Can a 2, meant for the batch, stand there?",
    ),
)
equal_sizes_trap = Question(
    answer="c",
    wrong={
        "a": "NumPy complains only if two lengths differ and neither is 1. Here every length is 4: what could it "
        "complain about?",
        "b": "That is what was meant. But shapes are lined up from the right, and a mask of two axes meets queries "
        "and keys. The batch is the axis before.",
    },
    hints=(
        "Write (4, 4) below (4, 4, 4), with the right ends aligned. "
        "Then name the axes: those of the scores are batch, queries, keys, and those of the mask were meant as "
        "batch, keys. "
        "Do the same names stand below each other?",
        "The last axis of the mask meets the keys. "
        "Which axis of the scores does its first one meet? "
        "NumPy knows lengths and no names. "
        "Here all lengths are 4, so it cannot see what was meant, and takes the mask as it stands.",
        "Row i of the mask belongs to sentence i, but it is used wherever the scores have index i on that axis. "
        "Take row 3, which allows one word only. "
        "In the first sentence, who is held back by it, and is that what was meant?",
    ),
)
causal_row = Question(
    answer=(True, True, True, False, False),
    wrong={
        (True, False, False, False, False): "That is the first of 5 queries. Here there are 3, and the last one "
        "stands at the last key. Where does the first one stand?",
        (True, True, False, False, False): "Nearly: you have left out the key at the query's own place, or counted "
        "one place too few.",
        (True, True, True, True, False): "One too many. With 3 queries and 5 keys the places are 2, 3 and 4, counted "
        "from 0; you took the second of them.",
        (False, False, False, True, True): "You marked what is hidden. True means that the query may look.",
        (False, False, True, True, True): "You marked the query's own place and the future. The past is to the left.",
        (True, True, True, True, True): "That is the last query, which sees everything. The question is about the "
        "first one.",
        (False, False, True, False, False): "You marked the query's own place. Everything before it may be looked at "
        "too.",
    },
    hints=(
        "Put the last query under the last key, and count back. "
        "The query before it stands one key earlier, and so on. "
        "There are more keys than queries here, so the first keys have no query of their own: they are words from "
        "earlier, and everybody may see them.",
        "The three queries stand at the places 2, 3 and 4, counted from 0. "
        "Draw five boxes for the keys, and write the queries below the last three of them. "
        "The first row of the mask is what the first of these queries may see.",
        "The first query sees its own place, and all places before it. "
        "Its own place is number 2, and we count from 0. "
        "Write True for each box from the left up to that place, and False for each box after it. "
        "You need five words.",
    ),
)
shape_of_both_masks = Question(
    answer=(3, 1, 5, 5),
    wrong={
        (3, 1, 1, 5): "That is the padding mask alone. It has one row for all queries; the causal mask has a row for "
        "each.",
        (5, 5): "That is the causal mask alone. Each of the 3 sentences has padding of its own, so the batch stays.",
        (3, 5, 5): "The sizes are right, but broadcasting never takes an axis away. What happens to the 1 for the "
        "heads?",
        (3, 5, 5, 5): "The heads' axis is 1 in the padding mask, and the causal mask has none: "
        "a missing axis counts as 1. Where should a 5 come from?",
        (1, 1, 5, 5): "The batch of the padding mask is 3, and an axis of length 1 is stretched to it.",
        (3, 3, 5, 5): "The heads' axis is 1 in the padding mask, and missing in the causal one. Where should a second "
        "3 come from?",
    },
    hints=(
        "Write (3, 1, 1, 5) above (5, 5), with the right ends aligned. "
        "A key may be looked at only if both masks allow it, so each number of one meets a number of the other. "
        "Axes of length 1 are stretched for that. "
        "Which ones are they?",
        "The shorter shape gets ones in front: (1, 1, 5, 5). "
        "Then take the larger length of each pair. "
        "The padding mask says the same for all queries, and the causal mask says the same for all sentences. "
        "Together they need room for both.",
        "Batch 3, heads 1, and then 1 meets 5 and 5 meets 5. "
        "Where a 1 meets a 5, the 1 is stretched. "
        "Where a 1 meets a 1, it stays as it is: nobody has said how many heads there are. "
        "Write down four lengths, from left to right.",
    ),
)
first_causal_output = Question(
    answer=(0.5, 0.0),
    wrong={
        (0.146022, 0.049642): "That is the first row without a mask, as in lesson 02. Which keys may the first token "
        "look at?",
        (0.15, 0.05): "That is the mean of all four values, and of the first two as well. "
        "Which keys may the first token look at?",
        (0.147965, 0.048996): "That is the last row, which sees all four keys. How many does the first one see?",
        (0.2, 0.0): "That is the mean of the first three values. Which keys may the first token look at?",
        (0.462543, 0.537457): "Those are weights, of the row that may look at two keys. "
        "How many may the first token look at, and what does its output hold?",
        (0.0, 0.2): "That is the last value. The first token stands at the first place.",
        (1.0, 0.0): "The weights of the first row begin with 1, that is right. What does a weight of 1 make of the "
        "first value?",
        (0.0, 0.0): "The first token may look at one key: its own. So there is something to hand over.",
    },
    hints=(
        "How many keys may the first token look at? "
        "Nobody looks ahead, and nothing stands before it. "
        "Draw the causal mask for four tokens, a triangle of ones, and read its first row. "
        "Then ask how much softmax has to share out in this row.",
        "One key alone gets the whole, whatever its score is. "
        "In the formula the same exponential stands above the line and below it. "
        "So you need neither Q nor K here, and no exponential either. "
        "Which value is mixed in, and with which weight?",
        "A weighted mean of one value is that value. "
        "Look at the first row of V. "
        "In lesson 02, without a mask, all four values came in, and the row was 0.146 and 0.0496. "
        "Now three of the four may not be looked at.",
    ),
)
leaking_line = Question(
    answer=3,
    wrong={
        0: "The lines are numbered from 1 to 5, in the comments at their ends.",
        1: "This line counts the tokens, and counts them well: they lie on the axis before the last one.",
        2: "The scores of all pairs are needed; nothing is hidden yet, and nothing has to be. Look at what decides "
        "who sees whom.",
        4: "This line hides what the mask forbids, and does it before softmax, as it should. Is the mask right?",
        5: "Softmax and mean are as they should be. Something in front of them allows too much.",
    },
    hints=(
        "Read the picture: how far above the diagonal do you find numbers other than 0.00? "
        "Such a number means that a later token moves an earlier output. "
        "Do all later tokens do that, or only the next one? "
        "The answer tells you how far the leak reaches.",
        "One place too far. "
        "Which line decides where the diagonal lies? "
        "Two of the five lines have to do with the mask: one makes a table of True and False, another one uses it. "
        "Is the table itself wrong, or what is done with it?",
        "Try that line alone, with 4 queries and 4 keys, and look at the first row. "
        "The first token may see itself and nobody else, so you want to find one True in it. "
        "How many do you find? "
        "Which number in the line moves the diagonal?",
    ),
)
when_a_decoder_is_causal = Question(
    answer="c",
    wrong={
        "a": "While it writes, the words to come do not exist yet. "
        "In training the whole sentence lies on the table: what would the model do with it?",
        "b": "In training it is needed most. But look at the second layer while the model writes: "
        "it reads what the first one made of the old words. What would that be, if they could see the new ones?",
        "d": "Without it, each place in training sees the very word it has to predict.",
    },
    hints=(
        "Where does the next word stand while a model is trained, and where while it writes? "
        "In training the whole text is there at once. "
        "In use there is only what has been written so far. "
        "But look at the old words, too: whom may they look at?",
        "In training the answer is part of the input, one place further on. "
        "A model that may look there copies it, and learns nothing else. "
        "So one of the two times is settled. "
        "The other one is about words that are there already, and a new one that joins them.",
        "And what if a token's numbers changed whenever a later token arrives? "
        "Would the model know this from training? "
        "Without the mask, each old word would look at the new one, in all layers, and hand on other numbers than "
        "before. "
        "Has the model ever seen such numbers?",
    ),
)
