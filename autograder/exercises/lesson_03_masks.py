"""Lesson 03: who may look at what, and what people believe about it."""

from itertools import product

import numpy as np

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise, Question, TestWriting
from autograder.exercises.lesson_01_softmax import softmax
from autograder.properties import (
    batch_items_do_not_touch_each_other,
    blocked_keys_have_no_influence,
    blocked_keys_have_no_weight,
    earlier_keys_stay_visible,
    keys_with_their_values_may_be_shuffled,
    lengths_are_kept,
    nothing_forbidden_gets_allowed,
    order_of_masks_does_not_matter,
    outputs_lie_between_the_values,
    rows_do_not_touch_each_other,
    the_future_has_no_influence,
    the_last_query_sees_every_key,
    the_past_has_influence,
    twice_the_values_twice_the_output,
    weights_are_not_negative,
    weights_sum_to_one,
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
        "Each query meets each key of its own item, and each meeting gives one number.",
        "`.mT` lets the last two axes of the keys change places. Write down the shape that they have then.",
        "(4, 3, 6) @ (4, 6, 5): the two inner lengths meet and are gone.",
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
        "Three roles: what I look for, what I offer, what I carry. Which of the three has changed?",
        "Go through the formula from the inside: scores, weights, mean. Where does V come in?",
        "V comes in at the end: the finished weights meet it there.",
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
        "First the shape of the sums: the axis that a sum walks along is gone afterwards.",
        "NumPy lines up two shapes from the right: (3, 4) and (3,). Which lengths meet?",
        "Two lengths fit if they are equal, or if one of them is 1. Do a 4 and a 3 fit?",
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
        blocked_keys_have_no_weight,
        blocked_keys_have_no_influence,
        weights_are_not_negative,
        weights_sum_to_one,
        rows_do_not_touch_each_other,
        batch_items_do_not_touch_each_other,
    ),
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
    properties=(lengths_are_kept,),
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
        blocked_keys_have_no_influence,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_values_twice_the_output,
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
    properties=(the_last_query_sees_every_key, earlier_keys_stay_visible),
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
    properties=(nothing_forbidden_gets_allowed, order_of_masks_does_not_matter),
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
        "And take more keys than queries, or two different alignments look the same to your test.",
        "With 3 queries and 5 keys, query i stands at place i + 2. "
        "So the first query to see key j is query j - 2, or query 0 where that is below 0. "
        "Assert `np.allclose` for the rows before that one. "
        "For each row from it on, assert that some number differs clearly.",
    ),
)


# masked_softmax


@masked_softmax.misconception
def turns_the_mask_round(scores, mask):
    """All the weight went to the keys that the mask blocks, and none to the allowed ones.
    In this course True means "may look"; in some libraries it means "blocked", so the two are easily mixed up.
    Which of the two does your line hide?"""
    return masked_softmax(scores, ~mask)


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
def makes_nan_of_infinity(scores, mask):
    """Every number of your result is NaN, though every row has allowed keys: an infinity met a 0 or another infinity.
    It may be `0 * inf`, a mask of 0 and 1 times an infinity.
    Or `inf - inf`: a blocked score became plus infinity, or the row's minimum or mean was subtracted.
    Which line makes the first NaN?"""
    return softmax(np.where(mask, scores, np.inf))


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
    It should get weights of zero: which of the two happens in your code, and what can you exchange just before it?"""
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
    One number added to every score of a row cancels in softmax, however far below zero it is.
    Nothing to look at should mean weights of zero; such rows need a step of their own."""
    alive = mask.any(axis=-1, keepdims=True)
    return softmax(np.where(mask | ~alive, scores, -np.inf))


@masked_softmax.misconception(on="hidden_large", vanished=(np.nan, 0.0))
def takes_the_maximum_of_blocked_scores(scores, mask, *, vanished):
    """Where a blocked key has by far the largest score, the weights of the allowed keys come out as {vanished:g}.
    A blocked score was the maximum of its row, so the exponentials of the allowed ones were rounded to 0, and no
    division brings them back.
    Did the maximum come before the mask, or did the mask lower the score too little?"""
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
    Your code lowers a blocked score by a fixed amount, and a large score stays large after that.
    What can stand in place of the blocked score, whatever it was?"""
    return np.where(mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, scores - 1000)), 0)


@masked_softmax.misconception(on="low")
def fills_with_a_number_that_scores_reach(scores, mask):
    """Where all scores lie far below zero, the blocked keys take the weight.
    The number that you put in for them is then larger than the real scores.
    Scores can reach any finite number: what lies below all of them?"""
    return np.where(mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, -10_000)), 0)


@masked_softmax.misconception(on="low")
def gives_the_row_to_the_fill(scores, mask):
    """Where all scores lie far below zero, your rows come out as zeros.
    The number that you put in for blocked keys is then larger than every real score: softmax gives it the whole row,
    and the mask takes that away.
    Scores can reach any finite number: what lies below all of them?"""
    return softmax(np.where(mask, scores, -10_000)) * mask


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
        raise ValueError("too long")
    return padding_mask(lengths, keys)


@padding_mask.misconception(on="empty")
def refuses_an_empty_sentence(lengths, keys):
    """Your code refuses a length of 0.
    An empty sentence is rare but allowed: its row has no True at all, and the masked softmax gives it weights of zero.
    Below which length is there really something amiss?"""
    if (lengths < 1).any():
        raise ValueError("empty")
    return padding_mask(lengths, keys)


@padding_mask.misconception(on="too_long")
def accepts_lengths_that_do_not_fit(lengths, keys):
    """A length above `keys` went through as if it were `keys`.
    It means that tokens were lost somewhere before, and a mask that hides this makes the mistake hard to find.
    Look at the lengths first, and refuse one that does not fit with an error, a ValueError say."""
    return padding_mask(np.minimum(lengths, keys), keys)


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
def is_always_causal(query, key, value, mask=None):
    """Later tokens are hidden, though nobody asked for it.
    Attention is causal only where a causal mask is given.
    Hide what the mask hides, and nothing else; is there a triangle left in your code?"""
    causal = mha_ref.causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, value, causal if mask is None else mask & causal)


@masked_attention.misconception
def is_causal_without_a_mask(query, key, value, mask=None):
    """Where no mask is given, no query looks at a key with a number above its own: later tokens are hidden, though
    nobody asked for it.
    Without a mask every query may look at every key.
    Is there a triangle in your code that steps in?"""
    causal = np.tri(query.shape[-2], key.shape[-2], dtype=bool)
    return masked_attention(query, key, value, causal if mask is None else mask)


@masked_attention.misconception
def uses_the_mask_of_the_first_item(query, key, value, mask=None):
    """Every item of the batch is treated with the first item's mask.
    Sentences of different lengths need masks of their own.
    Pass on the whole mask; broadcasting gives each item its part."""
    return masked_attention(query, key, value, mask if mask is None or mask.ndim < 3 else mask[:1])


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
def transposes_the_causal_mask(queries, keys):
    """Rows and columns of the mask have changed places, so the triangle lies on the other side of the diagonal.
    Row i says what query i may look at, key by key.
    Which of the two positions did you write as a column, and is there a transpose too many?"""
    return causal_mask(queries, keys).T


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
    """Two masks of equal shapes come out right; where their shapes differ, your code stops.
    A mask for padding and one for the future have different shapes, and the result may be larger than either.
    Stacking, an index and `&=` stretch nothing; an operator *between* two arrays, whose result is new, does."""
    return combine_masks(first, second) if first is None or second is None else np.all([first, second], axis=0)


@combine_masks.misconception
def asks_both_masks_for_one_answer(first, second):
    """Your result is one single True or False for everything: `np.all` without an axis looks at all numbers together.
    A mask has an answer for each query and key.
    An operator between two arrays works place by place, and broadcasts. Which one asks for True on both sides?"""
    return combine_masks(first, second) if first is None or second is None else np.all([first, second])


@combine_masks.misconception(on="none")
def forgets_that_a_mask_may_be_none(first, second):
    """With a None in place of a mask your code fails.
    None means that there is no such mask, so it forbids nothing and the other one decides.
    Deal with None before you combine."""
    return first & second


@combine_masks.misconception(on="none")
def one_none_makes_it_none(first, second):
    """Where one mask is None you return None, and what the other mask forbids is lost.
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
        "Cross out the keys that may not be looked at. What is left is a softmax over fewer scores.",
        "Two keys are left, and their scores are equal. Softmax gives equal scores equal shares.",
        "The shares of the keys that are left sum to 1; a key that was crossed out has 0.",
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
        "Softmax looks at differences. Which of the three formats can still hold the differences between 2, 1 and 0 "
        "after the sum?",
        "float16: is there a -1e9? float32: 64 from one number to the next. float64: 0.0000001 from one number to the "
        "next.",
        "One overflows and gives NaN, one rounds all three to the same number, one keeps the differences.",
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
        "Two things of a blocked token could matter: its key, which makes a score, and its value, which is mixed in.",
        "The value meets a weight of 0. The score was in softmax before the zeros came.",
        "Write softmax as a fraction. In which half of it does the blocked score stand?",
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
        "Write the two shapes below each other, with the right ends aligned.",
        "Two lengths fit if they are equal, or if one of them is 1. A missing axis in front counts as 1.",
        "Go through the pairs from the right: keys with keys, then queries, then heads, then batch.",
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
        "Write (4, 4) below (4, 4, 4), with the right ends aligned.",
        "The last axis of the mask meets the keys. Which axis of the scores does its first one meet?",
        "Row i of the mask belongs to sentence i, but it is used wherever the scores have index i on that axis.",
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
        "Put the last query under the last key, and count back.",
        "The three queries stand at the places 2, 3 and 4, counted from 0.",
        "The first query sees its own place, and all places before it.",
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
        (1, 1, 5, 5): "The batch of the padding mask is 3, and an axis of length 1 is stretched to it.",
        (3, 3, 5, 5): "The heads' axis is 1 in the padding mask, and missing in the causal one. Where should a second "
        "3 come from?",
    },
    hints=(
        "Write (3, 1, 1, 5) above (5, 5), with the right ends aligned.",
        "The shorter shape gets ones in front: (1, 1, 5, 5). Then take the larger length of each pair.",
        "Batch 3, heads 1, and then 1 meets 5 and 5 meets 5.",
    ),
)
first_causal_output = Question(
    answer=(0.5, 0.0),
    wrong={
        (0.146022, 0.049642): "That is the first row without a mask, as in lesson 02. Which keys may the first token "
        "look at?",
        (0.15, 0.05): "That is the mean of all four values. Which keys may the first token look at?",
        (0.0, 0.2): "That is the last value. The first token stands at the first place.",
        (1.0, 0.0): "The weights of the first row begin with 1, that is right. What does a weight of 1 make of the "
        "first value?",
        (0.0, 0.0): "The first token may look at one key: its own. So there is something to hand over.",
    },
    hints=(
        "How many keys may the first token look at?",
        "One key alone gets the whole, whatever its score is.",
        "A weighted mean of one value is that value. Look at the first row of V.",
    ),
)
leaking_line = Question(
    answer=3,
    wrong={
        1: "This line counts the tokens, and counts them well: they lie on the axis before the last one.",
        2: "The scores of all pairs are needed; nothing is hidden yet, and nothing has to be. Look at what decides "
        "who sees whom.",
        4: "This line hides what the mask forbids, and does it before softmax, as it should. Is the mask right?",
        5: "Softmax and mean are as they should be. Something in front of them allows too much.",
    },
    hints=(
        "Read the picture: how far above the diagonal do you find numbers other than 0.00?",
        "One place too far. Which line decides where the diagonal lies?",
        "Try that line alone, with 4 queries and 4 keys, and look at the first row.",
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
        "Where does the next word stand while a model is trained, and where while it generates?",
        "In training the answer is part of the input, one place further on.",
        "And what if a token's numbers changed whenever a later token arrives? Would the model know this from "
        "training?",
    ),
)
