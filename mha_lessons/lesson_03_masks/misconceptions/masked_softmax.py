"""What people get wrong about `masked_softmax`."""

import numpy as np

from autograder.mistakes import mistake
from mha_lessons.lesson_01_softmax.exercises import softmax

from ..exercises import masked_softmax


@mistake(dead=("zeros",))
@mistake(dead=("evenly", "unmasked"))
def turns_the_mask_round(scores, mask, *, dead):
    """All the weight went to the keys that the mask blocks, and none to the allowed ones.
    In this course True means "may look"; in some libraries it means "blocked", so the two are easily confused.
    Which of the two does your line hide?"""
    if dead == "zeros":
        return masked_softmax(scores, ~mask)
    return softmax(np.where(mask, -1e9, scores) if dead == "evenly" else scores - 1e9 * mask)


def zeroes_after_softmax(scores, mask):
    """Blocked keys get no weight, but the remaining weights of a row sum to less than 1.
    Softmax came first, so the blocked keys were still counted in its sum.
    Take them out before softmax shares the whole among the keys."""
    return softmax(scores) * mask


def fills_with_zero(scores, mask):
    """Blocked keys still get weight: their scores became 0, or very nearly 0.
    But the exponential of 0 is 1, which is far from nothing.
    Which score has an exponential of exactly 0?"""
    return softmax(np.where(mask, scores, 0))


def ignores_the_mask(scores, mask):
    """Blocked keys keep their full weight: wherever a query has an allowed key, the mask has no effect on your
    result.
    Either it is never used, or what it makes is lost: most functions return something new and leave their input as it
    is.
    Follow the mask through your code, as far as softmax."""
    return softmax(scores)


def adds_the_mask_as_numbers(scores, mask):
    """Blocked keys still take part, with less weight.
    In arithmetic True is 1 and False is 0, so the mask makes a difference of 1 between two scores; blocking needs an
    infinite one.
    Let the mask choose between two values instead of adding it to them."""
    return softmax(scores + mask)


def subtracts_the_mask_as_numbers(scores, mask):
    """Allowed keys lost weight to blocked ones: every allowed score went down by 1.
    In arithmetic True is 1 and False is 0.
    Let the mask choose between two values instead of subtracting it."""
    return softmax(scores - mask)


@mistake(constant=(-1, -10))
def fills_with_a_modest_number(scores, mask, *, constant):
    """Blocked keys still get some weight: their scores became {constant:g}.
    That is a score like any other, and its exponential is small but not 0.
    How far down must a score go so that its exponential is exactly 0?"""
    return softmax(np.where(mask, scores, constant))


@mistake(zero=(1,))
@mistake(zero=(np.nan,))
def makes_nan_of_infinity(scores, mask, *, zero):
    """Rows of your result are NaN, though each has allowed keys: an infinity met a 0 or another infinity.
    It may be `0 * inf`, a mask of 0 and 1 times an infinity.
    Or it may be `inf - inf`: a blocked score became plus infinity, or you subtracted the row's minimum or mean.
    Which line makes the first NaN?"""
    return softmax(np.where(mask, scores * zero, np.inf))


def fills_with_a_large_positive_number(scores, mask):
    """All the weight goes to blocked keys, in equal shares: their scores became a very large positive number.
    The smaller a score, the smaller its weight, so a blocked key needs the smallest possible score.
    Look at the sign of what you put in."""
    return softmax(np.where(mask, scores, 1e9))


@mistake(constant=(-np.inf, -1e9))
def fills_after_softmax(scores, mask, *, constant):
    """Your result has {constant:g} in place of a blocked key's weight.
    That number belongs among the scores: softmax turns it into a weight of 0, and lets the allowed keys share the
    whole.
    Which comes first in your code, the mask or softmax?"""
    return np.where(mask, softmax(scores), constant)


@mistake(constant=(-np.inf, -1e9, 0))
def forgets_the_softmax_of_masked_scores(scores, mask, *, constant):
    """Your weights are still scores: the allowed ones as they were, {constant:g} for the blocked ones.
    Weights are shares of one whole: none is negative, and a row sums to 1.
    Which function turns scores into shares?"""
    return np.where(mask, scores, constant)


def runs_softmax_again_after_zeroing(scores, mask):
    """Blocked keys have weight again, and all weights of a row are close together: softmax ran twice.
    A weight of 0 went into the second softmax as a score, and the exponential of 0 is 1.
    Block the keys before the first softmax; then one is enough."""
    return softmax(softmax(scores) * mask)


@mistake(constant=(0, -1, -10))
def multiplies_by_the_mask_before_and_after(scores, mask, *, constant):
    """Blocked keys end with weight 0, but the rows sum to less than 1.
    A blocked score became {constant:g}, and the exponential of that is not 0: it was counted in the sum, and removed
    too late.
    Give it a score that exp turns into 0; then you need not repair anything afterwards."""
    return softmax(np.where(mask, scores, constant)) * mask


@mistake(axis=(-2, 0, 1))
def shares_masked_scores_over_the_queries(scores, mask, *, axis):
    """Your softmax runs along axis {axis} of the scores.
    They come as (..., queries, keys), and each query shares out one whole over the keys that it may look at.
    Counted from the end, which axis holds the keys, whatever is in front?"""
    return np.nan_to_num(softmax(np.where(mask, scores, -np.inf), axis))


def shares_evenly_among_the_allowed(scores, mask):
    """In each row all allowed keys get the same weight: the scores have no influence on your result.
    The mask says which keys take part; the scores still say how much each one gets.
    Where do the scores enter your code?"""
    allowed = np.broadcast_to(mask, scores.shape) * 1.0
    return allowed / allowed.sum(axis=-1, keepdims=True)


def collects_the_allowed_scores(scores, mask):
    """The rows are gone: an index like `scores[mask]` collects all allowed scores in one long line, whatever row they
    come from.
    Each query shares out a whole of its own, so the shape has to stay.
    Which function replaces some numbers and leaves the others where they are?"""
    return softmax(scores[mask])


def applies_the_mask_to_queries(scores, mask):
    """Rows and columns of the mask are swapped, so it acts on queries where it should act on keys.
    Row i of a mask says what query i may look at, key by key.
    Use the mask as it is; its last axis is already that of the keys."""
    return masked_softmax(scores, mask.mT)


def loses_the_axis_of_the_answer(scores, mask):
    """Your code stops wherever the numbers of keys and queries differ: an axis was lost on the way.
    `any` along the last axis removes this axis. It turns a mask (2, 3) into (2,), and from the right this 2 meets the
    3 keys.
    Each row's answer has to line up with its row: what kept an axis, with length 1, in lesson 01?"""
    return np.where(mask.any(axis=-1), masked_softmax(scores, mask), 0)


def drops_whole_rows(scores, mask):
    """One blocked key empties its whole row.
    A query loses only the blocked keys, and the allowed ones share the whole among them.
    A row stays empty only if not a single key is allowed: is that `any` or `all`?"""
    return masked_softmax(scores, mask) * mask.all(axis=-1, keepdims=True)


def uses_one_row_of_the_mask_for_all(scores, mask):
    """Every query is treated as if it had the first query's row of the mask.
    Each query may have permissions of its own.
    Use the whole mask or, inside a loop, the row that belongs to the query."""
    return masked_softmax(scores, mask[..., :1, :])


@mistake(on="dead_row")
def leaves_dead_rows_nan(scores, mask):
    """A query with no allowed key gets NaN.
    If all its scores are -inf, so is the largest, and `-inf - -inf` is NaN.
    If all its weights are zero, so is their sum, and `0 / 0` is NaN.
    It should get weights of zero: which of the two happens in your code, and what can you replace just before it?
    (Afterwards `== np.nan` finds nothing: NaN is not even equal to itself.)"""
    return softmax(np.where(mask, scores, -np.inf))


@mistake(on="dead_row")
def spreads_dead_rows_evenly(scores, mask):
    """A query with no allowed key looks at all keys equally.
    The same number in place of every score has this effect, since softmax depends only on differences.
    Nothing to look at should mean weights of zero; such rows need a step of their own."""
    return softmax(np.where(mask, scores, -1e9))


@mistake(on="dead_row")
def unmasks_dead_rows(scores, mask):
    """A query with no allowed key gets the weights it would have without a mask.
    Either you added the same number to every score of the row, which cancels in softmax; or your code treats a row
    without any True like no mask at all.
    Nothing to look at should mean weights of zero; such rows need a step of their own."""
    alive = mask.any(axis=-1, keepdims=True)
    return softmax(np.where(mask | ~alive, scores, -np.inf))


@mistake(on="dead_row", last=(2, None), fill=(-np.inf, -1e9))
def looks_for_dead_rows_from_the_front(scores, mask, *, last, fill):
    """A query with no allowed key gets zeros without a batch, but not always with one.
    Your code looks for such rows from the front of the mask: with `axis=1`, or a loop over the first axis.
    With a batch, axis 0 is the sentences, and axis 1 is not the keys.
    Each row needs an answer of its own: counted from the end, which axis holds its keys?"""
    mask = np.broadcast_to(mask, scores.shape)
    alive = mask.any(axis=tuple(range(mask.ndim))[1:last], keepdims=True)
    return np.where(alive, softmax(np.where(mask, scores, fill)), 0)


@mistake(on="dead_row", fill=(-np.inf, -1e9))
def looks_for_dead_columns(scores, mask, *, fill):
    """A query with no allowed key does not get zeros: your code checks each column of the mask, not each row.
    A column says which queries may look at one key; a row says which keys one query may look at.
    Along which axis does a row run?"""
    return np.where(mask.any(axis=-2, keepdims=True), softmax(np.where(mask, scores, fill)), 0)


@mistake(on="one_key")
def empties_a_row_with_one_key(scores, mask):
    """A query that may look at only one key gets nothing: its whole row is zero.
    With one key there is no choice, so this key gets everything: its exponential is the whole sum.
    With which number does your code compare the sum, or the count of allowed keys, to find dead rows?"""
    return masked_softmax(scores, mask & (mask.sum(axis=-1, keepdims=True) != 1))


@mistake(on="hidden_large", vanished=(np.nan, 0.0))
def takes_the_maximum_of_blocked_scores(scores, mask, *, vanished):
    """Where a blocked key has by far the largest score, the weights of the allowed keys become {vanished:g}.
    Either that score was the maximum of its row, and the exponentials of the allowed ones were rounded to 0; or its own
    exponential became infinite, and infinity times 0 is NaN.
    Is the blocked score still there when your code takes the maximum, or when it takes `exp`?"""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return np.where(total > 0, weights / total, np.where(mask.any(axis=-1, keepdims=True), vanished, 0))


@mistake(on=("large", "low"), vanished=(np.nan, 0.0))
def takes_exponentials_of_unshifted_scores(scores, mask, *, vanished):
    """With scores in the thousands, above zero or below, rows become {vanished:g}.
    The exponential of 1000 is more than a float can hold, and that of -1000 is rounded to 0; no division can repair
    that.
    Subtract the largest allowed score of the row first, as softmax does."""
    weights = np.exp(scores) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return np.where(total > 0, weights / total, vanished)


@mistake(on="hidden_large")
def lowers_blocked_scores_too_little(scores, mask):
    """Where a blocked key has by far the largest score, it still gets the weight.
    Your code lowers a blocked score by a fixed amount, but that amount is too small: a score of 300,000 stays large.
    Adding -1e9 is enough, adding -10000 is not. What would work whatever the score was?"""
    return np.where(mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, scores - 1e4)), 0)


@mistake(on="low")
def fills_with_a_number_that_scores_reach(scores, mask):
    """Where all scores are far below zero, the blocked keys get the weight.
    The number that you put in for them is then larger than the real scores.
    -1e9 is low enough, -10000 is not. What is below every number?"""
    return np.where(mask.any(axis=-1, keepdims=True), softmax(np.where(mask, scores, -1e4)), 0)


@mistake(on="low")
def gives_the_row_to_the_fill(scores, mask):
    """Where all scores are far below zero, your rows become all zeros.
    The number that you put in for blocked keys is then larger than every real score: it is the maximum of the row, and
    the exponentials of the real scores are rounded to 0.
    -1e9 is low enough, -10000 is not. What is below every number?"""
    return softmax(np.where(mask, scores, -1e4)) * mask


# What else they make of rows where all keys are allowed; down here, so that each is once among the frequent ones.


@mistake(axis=(-2, 0, 1))
def sums_masked_weights_over_the_queries(scores, mask, *, axis):
    """Your maximum runs along the keys, but your sum along axis {axis}, which is not the axis of the keys.
    Each query shares out a whole of its own, the sum of the exponentials in its own row.
    Did you swap axes on the way? Then each of them has another number after that line."""
    weights = _exponentials(scores, mask)
    return np.nan_to_num(weights / weights.sum(axis=axis, keepdims=True))


def stretches_the_mask_in_memory_order(scores, mask):
    """A mask as large as the scores works in your code; a smaller one can end up in wrong places.
    `np.resize` repeats the same numbers again and again, line after line, whatever axis they belong to.
    An axis of length 1 has to be stretched where it is. Most NumPy functions do that by themselves: which ones?"""
    return masked_softmax(scores, np.resize(mask, scores.shape))


def moves_the_weights_to_the_front(scores, mask):
    """Your weights are right, but they are in the wrong columns: those of the allowed keys have moved to the front.
    When you left out the blocked keys, the others were numbered again from 0.
    A weight belongs to its own key. How can it get back to that column?"""
    places = np.argsort(~np.broadcast_to(mask, scores.shape), axis=-1, kind="stable")
    return np.take_along_axis(masked_softmax(scores, mask), places, axis=-1)


def gives_rows_the_answers_of_columns(scores, mask):
    """You checked each column of the mask for a True, but used the answers for the rows.
    So a query is emptied because no query may look at the key with its number; a query with no allowed key is not.
    Along which axis are the permissions of one query?"""
    alive = np.broadcast_to(mask, scores.shape).any(axis=-2)[..., None]
    return np.where(alive, softmax(np.where(mask, scores, -1e30)), 0)


@mistake(below=(0, 1, 5))
def fills_with_the_smallest_score(scores, mask, *, below):
    """Blocked keys still get weight: each was given the smallest score of its row, or one that is {below} below it.
    Softmax depends only on differences, and a small difference makes a small weight, not none.
    How far below all others must a score be, for its exponential to be exactly 0?"""
    return softmax(np.where(mask, scores, scores.min(axis=-1, keepdims=True) - below))


@mistake(constant=(1e9, -1e9))
def multiplies_blocked_scores_by_a_large_number(scores, mask, *, constant):
    """You multiplied blocked scores by {constant:g}, so they went down or up, depending on their sign.
    Those that went up get the whole row.
    A blocked key must get nothing, whatever its score was: should anything be left of that score?"""
    weights = softmax(np.where(mask, scores, scores * constant))
    return np.where(mask.any(axis=-1, keepdims=True), weights, 0)


def stops_at_the_first_blocked_key(scores, mask):
    """Keys that come after a blocked one count as blocked, too, even if the mask allows them.
    A mask may have gaps: its entry for one key says nothing about the next.
    Does your loop end where it should only skip one key?"""
    return masked_softmax(scores, np.logical_and.accumulate(np.broadcast_to(mask, scores.shape), axis=-1))


def takes_as_many_keys_from_the_front(scores, mask):
    """Your rows use as many keys as the mask allows, but the wrong ones: always the first.
    The number of True says how many, and their positions say which. A mask may have gaps.
    Where do the positions get lost in your code?"""
    allowed = np.broadcast_to(mask, scores.shape).sum(axis=-1, keepdims=True)
    return masked_softmax(scores, np.arange(scores.shape[-1]) < allowed)


def counts_the_keys_like_the_queries(scores, mask):
    """In each row only the first keys take part, as many as there are queries.
    Scores are a square only where a sentence looks at itself.
    Rows are queries, columns are keys: what sets the end of your loop, or of your slice, over the columns?"""
    return masked_softmax(scores, mask & (np.arange(scores.shape[-1]) < scores.shape[-2]))


@mistake(joined=("all", "any"))
def joins_the_rows_of_the_mask(scores, mask, *, joined):
    """Your mask has become one row for all queries: a key counts as allowed where `{joined}` of the rows allow it.
    Each query has permissions of its own.
    Is there an `all` or `any`, a product or a maximum, that runs down the columns of the mask?"""
    rows = np.broadcast_to(mask, scores.shape)
    return masked_softmax(scores, getattr(rows, joined)(axis=-2, keepdims=True))


def uses_the_mask_of_the_first_item(scores, mask):
    """Every item of the batch is treated with the first item's mask.
    Sentences of different lengths need masks of their own.
    Pass on the whole mask; broadcasting gives each item its part."""
    return masked_softmax(scores, mask if mask.ndim < 3 else mask[:1])


def divides_by_the_number_of_allowed_keys(scores, mask):
    """You divided the exponentials by the number of allowed keys.
    How large a share is depends on the whole, and the whole is the sum of the row's exponentials.
    What did you count where you should add up?"""
    allowed = np.broadcast_to(mask, scores.shape).sum(axis=-1, keepdims=True)
    return _exponentials(scores, mask) / np.maximum(allowed, 1)


def _exponentials(scores, mask):
    """Of the allowed scores, with the row's maximum subtracted; 0 for blocked ones."""
    hidden = np.where(mask | ~mask.any(axis=-1, keepdims=True), scores, -np.inf)
    return np.exp(hidden - hidden.max(axis=-1, keepdims=True)) * mask


def forgets_to_rescale_the_masked_sum(scores, mask):
    """You go through the keys with a running maximum, and that is fine. But when a larger score comes, the sum so far
    was computed with the old maximum, and yours stays as it was.
    By which factor do the old exponentials have to be multiplied to fit the new maximum?"""
    running = np.maximum.accumulate(np.where(mask, scores, -np.inf), axis=-1)
    total = np.where(mask, np.exp(scores - running), 0).sum(axis=-1, keepdims=True)
    return _exponentials(scores, mask) / np.where(total == 0, 1, total)


@mistake(on="zero", empty=(0.0, np.nan))
def takes_a_score_of_zero_for_blocked(scores, mask, *, empty):
    """An allowed key whose score is exactly 0 counts as blocked in your code.
    A product with the mask (or `tril`) writes 0 where a key is blocked, and afterwards you cannot tell such a 0 from a
    real one. Only the mask says which keys are blocked.
    Where does your code compare scores with 0?"""
    allowed = mask & (scores != 0)
    return np.where(allowed.any(axis=-1, keepdims=True), masked_softmax(scores, allowed), empty)


@mistake(on=("spread", "large", "low"))
def empties_rows_far_below_the_largest(scores, mask):
    """A row whose scores are far below those of another row becomes all zeros.
    You subtracted one number from all rows, the largest of all scores, so the exponentials of a low row are rounded
    to 0.
    What would each row subtract if it were alone?"""
    weights = np.exp(scores - scores[np.broadcast_to(mask, scores.shape)].max()) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


@mistake(on="low")
def starts_the_maximum_of_the_allowed_at_zero(scores, mask):
    """A row whose allowed scores are all far below zero becomes all zeros. The search for its maximum began at 0, or
    ended there, so 0 was subtracted, and every exponential of the row was rounded to 0.
    Which number is below all scores, so that a search for the largest can begin there?"""
    allowed = np.where(mask, scores, -np.inf)
    powers = np.exp(allowed - np.maximum(allowed.max(axis=-1, keepdims=True), 0))
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


@mistake(place=(0, -1))
def empties_rows_by_one_of_their_keys(scores, mask, *, place):
    """A row becomes all zeros wherever the key at position {place} is blocked, though other keys of it are allowed.
    A query has no allowed key only if all its keys are blocked, and one key says nothing about the others.
    What does your code look at to find such rows?"""
    return masked_softmax(scores, mask) * mask[..., [place]]
