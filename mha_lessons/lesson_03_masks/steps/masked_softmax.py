"""What people get wrong about `masked_softmax`, and what helps them."""

import numpy as np

from mha_lessons.lesson_01_softmax.exercises import softmax

from ..exercises import masked_softmax


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
