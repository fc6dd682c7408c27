"""What people get wrong about `softmax`, and what helps them."""

import numpy as np

from ..exercises import log_softmax, shift, softmax
from .shift import KEEP_THE_AXIS

FOLLOW_THE_AXIS = (
    "Scores can be shared out in several directions: along each row, down each column, or along a third axis. "
    "The formula is the same for all of them. "
    "The direction is the caller's choice, and where nobody chooses, it is the last axis. "
    "Code that always walks one way gives shares of a whole that nobody asked for.",
    "Find every maximum, every sum, and every function you call that has an axis. "
    "Where does each axis come from: from the caller, from a number that you typed, or from a default? "
    "Then take a 2 by 3 array, and print what sums to 1 in your result: the rows or the columns? "
    "(Of logarithms, add up the `exp`.)",
    "Hand the caller's axis on to the maximum and to the sum, in the place of a number. "
    "The default in the line with `def` covers the case that nobody names one. In a function without such a parameter, "
    "the number to write is -1: it means the last axis, however many there are.",
)

ONE_SUM_FOR_EACH_ROW = (
    "Four queries are four questions, and each has one whole to share out. So four rows have four wholes. One sum over "
    "everything knows nothing of rows: they all have to share a single whole, and a row with large scores takes it "
    "from the others. Rows should not notice each other.",
    "Print the shape of each maximum and each sum. "
    "A shape of () is one single number for the whole array; there should be one number for each row. "
    "Then write a second row below the first, and look at the first row of the result. "
    "A new neighbour should not change it.",
    "Name the axis in the sum, and in the maximum too if it has none. "
    "It is the same axis in both: the one that was asked for, or else the last. Keep it, with length 1. "
    "Then each row meets its own sum, and no other.",
)

MOVE_THE_AXIS_BACK = (
    "An axis may be moved, if that makes the work easier: the numbers stay the same, and only their places change. "
    "But the caller has an order of axes in mind, and reads your result in that order. "
    "What was moved before the work is moved back after it, like furniture before and after cleaning.",
    "Take scores of shape (2, 3) and the axis 0, and print the shape after each line. "
    "It should be (2, 3) in the end. Where does it turn into (3, 2), and is there a later line that turns it back? "
    "With the last axis nothing is moved at all, so there the mistake hides.",
    "Move the last axis of your result back to the place from which you took it: the same function with its two "
    "places exchanged does that. "
    "Or move nothing: the maximum and the sum can walk along any axis, if you name it and let them keep it.",
)

DEFAULT_AXIS = (
    "A default is a promise to everybody who hands over the scores and names no axis. "
    "The later lessons do that all the time. "
    "They count on the last axis, because there lie the keys among which a query shares itself out. "
    "On most arrays another axis gives no error: it answers another question.",
    "What you calculate is fine, since it is right whenever an axis is named. "
    "So look at the line with `def`, and there at what follows `axis`. To see the difference, call your function on an "
    "array of shape (2, 3, 4), once with no axis and once with `axis=2`. Both results should be the same.",
    "Give `axis` its default back: the number that means the last axis, counted from the end. "
    "Counted from the front, the last axis has another number in a row, in a matrix and with three axes. "
    "Counted from the end, it always has the same one. No other line has to change.",
)


@softmax.misconception
def normalises_over_the_last_but_one_axis(scores, axis=-1):
    """Your weights sum to 1 down the columns, not along the rows. One row holds the scores of one query, which has one
    whole to share out among the keys. The keys lie along the last axis. Which axis do your maximum and your sum run
    along?"""
    return softmax(scores, axis=-2)


@softmax.misconception
def normalises_over_the_first_axis(scores, axis=-1):
    """Your weights sum to 1 along the first axis, whatever was asked for. Unless told otherwise, one whole is shared
    along the last axis: one row of scores. Which axis do your maximum and your sum run along, and where does that
    number come from?"""
    return softmax(scores, axis=0)


@softmax.misconception
def normalises_everything_at_once(scores, axis=-1):
    """All your weights together sum to 1, so each row has only a part of that. Every row should have a whole of its own
    to share out. A sum that is given no axis adds up the whole array. Along which axis should yours run?"""
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


@softmax.misconception
def sums_over_all_rows(scores, axis=-1):
    """All your weights together sum to 1, so each row gets only a part. You took the maximum of each row, but the sum
    of the array: a sum without an axis adds up everything. Each row has its own whole. What did you tell the
    maximum, and not the sum?"""
    weights = np.exp(shift(scores, axis))
    return weights / weights.sum()


@softmax.misconception(along=(0, 1, -1, -2))
def sums_along_a_fixed_axis(scores, axis=-1, *, along):
    """Your maximum is taken along the right axis, but your sum always runs along axis {along}. The two have to walk the
    same way: the whole that a row shares out is made of the exponentials of this row. Which axis does your sum name?
    (Python's own `sum` takes none: it walks along axis 0.)"""
    weights = np.exp(shift(scores, axis))
    return weights / weights.sum(axis=along, keepdims=True)


@softmax.misconception(turned=(np.negative, np.abs))
def loses_the_sign_of_the_axis(scores, axis=-1, *, turned):
    """Along the first axis your weights are right. Where the last one is meant, which is -1, your code works along axis
    1: the axis has changed its sign. Negative numbers count axes from the end, positive ones from the front. Is there a
    minus in front of your axis, or an `abs` around it?"""
    return softmax(scores, turned(axis))


@softmax.misconception(moved=(np.moveaxis, np.swapaxes))
def leaves_the_axis_at_the_end(scores, axis=-1, *, moved):
    """Along the last axis your weights are right. Another axis was brought to the end, to make things easier, and there
    it stayed: the numbers are right, but rows and columns have changed places. Whoever moves an axis for the work has
    to move it back. What undoes your first step?"""
    return moved(softmax(scores, axis), axis, -1)


@softmax.misconception
def leaves_the_axis_in_front(scores, axis=-1):
    """Along the first axis your weights are right. Any other axis was brought to the front, to make things easier, and
    there it stayed: the numbers are right, but rows and columns have changed places. Whoever moves an axis for the work
    has to move it back. What undoes your first step?"""
    return np.moveaxis(softmax(scores, axis), axis, 0)


@softmax.misconception
def loops_over_the_first_axis(scores, axis=-1):
    """For the rows of a matrix your weights are right. Your code takes `scores[0]`, `scores[1]` and so on for rows.
    In a single row these are numbers, with a third axis in front they are matrices. If the caller asks for another
    axis, your loop does not follow. Which functions of NumPy walk along any axis without a loop?"""
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(axis=tuple(range(1, scores.ndim)), keepdims=True)


@softmax.misconception(shifted=(True, False))
def puts_the_axis_back_at_the_end(scores, axis=-1, *, shifted):
    """Along the last axis your weights are right; along another one they are not. The sum takes its axis away, and you
    put one back at the end, whichever it was. It must come back in its old place. The sum can keep it for you."""
    weights = np.exp(shift(scores, axis) if shifted else scores - scores.max(axis=axis)[..., None])
    return weights / weights.sum(axis=axis)[..., None]


@softmax.misconception(shifted=(True, False))
def forgets_to_keep_the_axis(scores, axis=-1, *, shifted):
    """Your sum lost its axis, so it no longer lines up with the exponentials. Mostly the shapes clash; on a square the
    code runs, and weights are divided by the sum of another row. Print the two shapes side by side. An argument of the
    sum keeps that axis, with length 1."""
    weights = np.exp(shift(scores, axis) if shifted else scores)
    return weights / weights.sum(axis=axis)


@softmax.misconception
def forgets_to_keep_both_axes(scores, axis=-1):
    """Your maximum and your sum both lost their axis, so neither lines up with the scores. Mostly the shapes clash; on
    a square the code runs and mixes the rows. Print the shapes of all three side by side. Both functions have an
    argument that keeps the axis, with length 1."""
    weights = np.exp(scores - scores.max(axis=axis))
    return weights / weights.sum(axis=axis)


@softmax.misconception
def ignores_the_axis(scores, axis=-1):
    """Your weights sum to 1 along the last axis, even where another one is asked for. The caller chooses with `axis`,
    and the maximum and the sum both have to follow that choice. Follow `axis` through your code, line by line: where
    does it get lost?"""
    return softmax(scores)


@softmax.misconception
def normalises_over_the_second_axis(scores, axis=-1):
    """You always share along axis 1. For a matrix that is the last axis; with a third axis in front it is another
    one, and a single row has no axis 1 at all. Counting from the end works for every number of axes. Which number
    names the last axis?"""
    return softmax(scores, axis=1)


@softmax.misconception(default=(0, 1, None))
def changes_the_default_axis(scores, axis=..., *, default):
    """Where the caller names an axis, your result is right. Where none is named, your function works along
    `axis={default}`. There the last axis is asked for, however many there are. The line that begins with `def`
    says what happens if no axis is named: compare yours with the one that the lesson gave you."""
    axis = default if axis is ... else axis
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


@softmax.misconception
def serves_matrices_only(scores, axis=-1):
    """For the rows of a matrix your weights are right. For a single row, for three axes, or along another axis, your
    code stops with an error. The axis that a sum takes away must come back in its old place, wherever that is. The sum
    can keep it for you."""
    weights = np.exp(shift(scores, axis))
    return weights / weights.sum(axis=axis)[:, None]


@softmax.misconception
def serves_rows_and_columns_only(scores, axis=-1):
    """For a matrix your weights are right, along its rows and along its columns. For a single row, or with a third
    axis, your code stops: it puts the axis of the sum back by hand, in one of two places. There are more places than
    two. The sum can keep its axis for you."""
    total = np.exp(shift(scores, axis)).sum(axis=axis)
    return np.exp(shift(scores, axis)) / (total[:, None] if axis in (-1, 1) else total)


@softmax.misconception
def forgets_to_normalise(scores, axis=-1):
    """Your weights are positive, but they do not sum to 1: they are the exponentials themselves. An exponential becomes
    a share of one whole when it is divided by what all exponentials of its row add up to. Where does your code
    divide?"""
    return np.exp(scores)


@softmax.misconception
def shifts_but_forgets_to_normalise(scores, axis=-1):
    """The largest weight of each row is 1, so the row sums to more than 1. Subtracting the maximum keeps `exp` in
    range, but it makes no shares, and dividing by the largest exponential does the same once more. Which number turns
    the exponentials of a row into parts of one whole?"""
    return np.exp(shift(scores, axis))


@softmax.misconception
def divides_by_the_largest_weight(scores, axis=-1):
    """The largest weight of each row is 1, so the row sums to more than 1. You divided the exponentials by the largest
    of them. Parts of one whole are found by dividing by the whole, and that is all exponentials of the row together."""
    return np.exp(scores) / np.exp(scores).max(axis=axis, keepdims=True)


@softmax.misconception(shifted=(True, False))
def divides_by_the_count(scores, axis=-1, *, shifted):
    """Your weights do not sum to 1. You divided each exponential by how many there are. How large a share is depends on
    the whole, and the whole is all exponentials of the row together. Where does your code find out how large that
    is?"""
    return np.exp(shift(scores, axis) if shifted else scores) / scores.shape[axis]


@softmax.misconception
def divides_by_the_mean_of_the_exponentials(scores, axis=-1):
    """Each row of your weights sums to the number of its scores, not to 1. You divided the exponentials by their mean.
    The mean is the whole, divided by the number of scores. Which number is the whole?"""
    weights = np.exp(shift(scores, axis))
    return weights / weights.mean(axis=axis, keepdims=True)


@softmax.misconception
def divides_by_the_length_of_the_vector(scores, axis=-1):
    """The squares of your weights sum to 1, the weights themselves do not. You divided the exponentials by the length
    of the vector that they form. Shares of one whole have to add up as they are, without squares and roots."""
    weights = np.exp(shift(scores, axis))
    return weights / np.sqrt((weights**2).sum(axis=axis, keepdims=True))


@softmax.misconception(above=(True, False), below=(True, False))
def divides_by_the_sum_of_scores(scores, axis=-1, *, above, below):
    """Your weights do not sum to 1, and some may be negative. You divided exponentials by a sum of scores. A part and
    its whole must be made of the same stuff. What should you add up?"""
    shifted = shift(scores, axis)
    return np.exp(shifted if above else scores) / (shifted if below else scores).sum(axis=axis, keepdims=True)


@softmax.misconception
def divides_shifted_by_unshifted(scores, axis=-1):
    """Your weights are in the right proportion, but do not sum to 1. You subtracted the maximum in the exponentials
    that you divide, but not in the sum that you divide by. It cancels only when it is in both. Take the exponentials
    once, give them a name, and use that name twice."""
    return np.exp(shift(scores, axis)) / np.exp(scores).sum(axis=axis, keepdims=True)


@softmax.misconception
def divides_unshifted_by_shifted(scores, axis=-1):
    """Your weights are in the right proportion, but do not sum to 1. You subtracted the maximum in the sum that you
    divide by, but not in the exponentials that you divide. It cancels only when it is in both. Take the exponentials
    once, give them a name, and use that name twice."""
    return np.exp(scores) / np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True)


@softmax.misconception
def divides_inside_the_exponential(scores, axis=-1):
    """You divided the scores by their sum, and took `exp` of that. Nothing then makes the weights sum to 1. The order
    matters: scores become positive numbers first, and those numbers become shares. What is your last step?"""
    return np.exp(scores / scores.sum(axis=axis, keepdims=True))


@softmax.misconception
def leaves_its_own_share_out_of_the_sum(scores, axis=-1):
    """Each exponential is divided by the sum of the *others*, so a row sums to more than 1. Those are odds, as in
    betting: three to one. A share compares a part with the whole, and the whole contains the part itself."""
    weights = np.exp(shift(scores, axis))
    return weights / (weights.sum(axis=axis, keepdims=True) - weights)


@softmax.misconception(which=(0, -1))
def leaves_one_score_out_of_the_sum(scores, axis=-1, *, which):
    """Your rows sum to more than 1. One of the exponentials, the first or the last of each row, is not in the sum that
    you divide by. The whole contains all of its parts. If a loop adds them up, where does it begin, and where
    does it end?"""
    weights = np.exp(shift(scores, axis))
    return weights / (weights.sum(axis=axis, keepdims=True) - weights.take([which], axis=axis))


@softmax.misconception(constant=(2, 3, 4))
def adds_up_a_fixed_number_of_scores(scores, axis=-1, *, constant):
    """Your sum has {constant} terms, however long a row is. With more scores the others are left out of the whole, and
    with fewer there is nothing left to take. Which length tells how many scores there are along the axis?"""
    weights = np.exp(shift(scores, axis))
    return weights / sum(weights.take([place], axis=axis) for place in range(constant))


@softmax.misconception(stale=("whole", "parts", "both"))
def forgets_to_rescale_the_running_sum(scores, axis=-1, *, stale):
    """Your code goes through the scores once and keeps the largest one so far. Where a larger one comes, the
    exponentials before it were lowered by too little, and they stay as they are. What was added up before then has
    another unit than what follows. What must happen to the old sum when the maximum grows?"""
    late = np.exp(shift(scores, axis))
    early = np.exp(scores - np.maximum.accumulate(scores, axis=axis))
    whole = (late if stale == "parts" else early).sum(axis=axis, keepdims=True)
    return (late if stale == "whole" else early) / whole


@softmax.misconception
def turns_the_fraction_upside_down(scores, axis=-1):
    """All your weights are 1 or above, and the smallest score has the largest one. You divided the whole by its parts.
    A share is a part of the whole, so it is at most 1. Which of the two is divided by the other?"""
    weights = np.exp(shift(scores, axis))
    return weights.sum(axis=axis, keepdims=True) / weights


@softmax.misconception
def adds_one_to_the_sum(scores, axis=-1):
    """Each row of your weights sums to less than 1. A 1 was added to the sum of exponentials, as if every row had one
    more score of 0. (A sigmoid has such a 1, because it compares one score with 0.) Which numbers does a row consist
    of?"""
    weights = np.exp(scores)
    return weights / (1 + weights.sum(axis=axis, keepdims=True))


@softmax.misconception(constant=(1e-5, 1e-4, 1e-3, 1e-2))
def adds_a_small_number_to_the_sum(scores, axis=-1, *, constant):
    """Each row of your weights sums to a little less than 1, as if about {constant} had been added to the sum of the
    exponentials. Such a number is meant to prevent a division by 0. Once the largest exponent is 0, how small can that
    sum get?"""
    weights = np.exp(shift(scores, axis))
    return weights / (weights.sum(axis=axis, keepdims=True) + constant)


@softmax.misconception(constant=(1, 2, 3, 4))
def rounds_the_weights(scores, axis=-1, *, constant):
    """Your weights are rounded; the number of decimals left is {constant}. A small share may then become 0, and rows no
    longer sum to 1 exactly. Numbers are rounded when they are shown to people, not while they are still used. Where
    does your code round?"""
    return np.round(softmax(scores, axis), constant)


@softmax.misconception(limit=(0.1, 0.05, 0.01, 1e-3, 1e-4), on="long")
def sets_small_weights_to_zero(scores, axis=-1, *, limit):
    """Every weight below {limit} became 0, so your rows sum to less than 1. A small weight is a share all the same, and
    in a long row all shares are small. Only what is too small for a float may be 0. Which line compares the weights
    with a limit?"""
    weights = softmax(scores, axis)
    return np.where(weights < limit, 0, weights)


@softmax.misconception
def forgets_the_exponential(scores, axis=-1):
    """You divided the scores by their own sum. Scores can have any sign, so such a weight can be negative, or above 1,
    and the sum can be 0. First, each score must become a positive number, larger for a larger score. Which function
    does that?"""
    return scores / scores.sum(axis=axis, keepdims=True)


@softmax.misconception
def shifts_but_forgets_the_exponential(scores, axis=-1):
    """The largest score of each row gets weight 0. Once the maximum is subtracted it *is* 0, and you went on to divide.
    Between the subtraction and the division, each number must become positive, and 0 must become 1. Which function does
    that?"""
    shifted = shift(scores, axis)
    return shifted / shifted.sum(axis=axis, keepdims=True)


@softmax.misconception
def counts_from_the_minimum_up(scores, axis=-1):
    """The smallest score of each row gets weight 0, the others get weights in proportion to their distance from it.
    Such weights sum to 1, but in softmax every score gets something, and each further point multiplies its weight by
    the same factor. Which function multiplies where its input adds?"""
    risen = scores - scores.min(axis=axis, keepdims=True)
    return risen / risen.sum(axis=axis, keepdims=True)


@softmax.misconception
def stretches_from_zero_to_one(scores, axis=-1):
    """Each row of your weights runs from exactly 0 to exactly 1: the scores were stretched between their smallest and
    their largest. Such numbers are no shares, for they do not add up to 1. Softmax needs a positive number for each
    score, and then each number's part of their sum."""
    low, high = (f(axis=axis, keepdims=True) for f in (scores.min, scores.max))
    return (scores - low) / (high - low)


@softmax.misconception
def standardises_the_scores(scores, axis=-1):
    """Each row of your weights has mean 0 and standard deviation 1: the scores were standardised. Some of them are then
    negative, so they cannot be shares. Softmax needs a positive number for each score, and then each number's part of
    their sum."""
    return (scores - scores.mean(axis=axis, keepdims=True)) / scores.std(axis=axis, keepdims=True)


@softmax.misconception
def takes_absolute_scores(scores, axis=-1):
    """You took the size of each score without its sign, so -3 counts as much as 3, and a very bad score as much as a
    very good one. The order of the scores must survive. Which function is positive everywhere, and always rises?"""
    return np.abs(scores) / np.abs(scores).sum(axis=axis, keepdims=True)


@softmax.misconception
def squares_instead_of_exponential(scores, axis=-1):
    """You squared the scores. A square is never negative, but -3 then counts as much as 3, and a very bad score as much
    as a very good one. The order of the scores must survive. Which function is positive everywhere, and always
    rises?"""
    return scores**2 / (scores**2).sum(axis=axis, keepdims=True)


@softmax.misconception(constant=(0, 1e-9))
def cuts_negative_scores(scores, axis=-1, *, constant):
    """You raised negative scores to 0, so they get no weight at all, and in a row of negative scores nothing is left.
    In softmax every score gets something, the best ones most. Which function is positive everywhere, and always
    rises?"""
    weights = np.maximum(scores, 0)
    return weights / (weights.sum(axis=axis, keepdims=True) + constant)


@softmax.misconception(hidden=(-np.inf, -1e30))
def leaves_negative_scores_out(scores, axis=-1, *, hidden):
    """Scores of 0 and below get no weight at all: they were left out before `exp`. A negative score says that
    something fits badly, not that it is forbidden, and `exp` makes a small positive number of it. Which line compares
    scores with 0?"""
    return softmax(np.where(scores > 0, scores, hidden), axis)


@softmax.misconception(measure=(np.std, np.ptp, np.linalg.norm))
def stretches_the_row_before_the_exponential(scores, axis=-1, *, measure):
    """A row and the same row times ten get the same weights: before `exp`, each row was divided by its own spread or
    length. In softmax large differences mean clear decisions, and small ones mean even weights. That is lost in this
    step. Which lines between the scores and `exp` are needed?"""
    return softmax(scores / measure(scores, axis=axis, keepdims=True), axis)


@softmax.misconception(power=(0.5, 1))
def divides_the_scores_by_their_number(scores, axis=-1, *, power):
    """Your weights are too even, and the more so the longer the row: before `exp`, the scores were divided by how many
    there are, or by its root. How much one point counts does not depend on how many compete. Which division comes
    before `exp`?"""
    return softmax(scores / scores.shape[axis] ** power, axis)


@softmax.misconception(constant=(2, 10))
def uses_another_base(scores, axis=-1, *, constant):
    """In your weights, each point more counts {constant} times as much: your exponentials have the base {constant}.
    That keeps the order and sums to 1, but it is another softmax, with another temperature. The base meant here is e =
    2.718... Which function of NumPy has it?"""
    return softmax(scores * np.log(constant), axis)


@softmax.misconception
def turns_the_sign(scores, axis=-1):
    """The smallest score gets the largest weight. Somewhere on its way into `exp` the score changes its sign. (In
    physics there is a minus, because low energy is good. A high score is good.) Follow a single large score through
    your code: where does it become small?"""
    return softmax(-scores, axis)


@softmax.misconception
def softmax_twice(scores, axis=-1):
    """Your weights are far too even. They are what comes out when softmax is applied to weights instead of scores: a
    second time. Weights lie between 0 and 1, so the second round finds hardly any difference between them. Where does
    it happen once too often?"""
    return softmax(softmax(scores, axis), axis)


@softmax.misconception
def takes_only_the_best(scores, axis=-1):
    """One weight of each row is 1, and all others are 0. You gave everything to the best score. Softmax is soft: the
    best one gets most, and everybody gets something. That is also why one can learn through it: a small change of a
    score changes the weights a little."""
    return (scores == scores.max(axis=axis, keepdims=True)) * 1.0


@softmax.misconception
def uses_the_sigmoid(scores, axis=-1):
    """Each weight depends on its own score alone, so rows do not sum to 1. You used the sigmoid, which answers yes or
    no for each score by itself. In softmax the scores of a row compete for one whole. Which number do they all have to
    share?"""
    return 1 / (1 + np.exp(-scores))


@softmax.misconception
def normalises_the_sigmoid(scores, axis=-1):
    """Your rows sum to 1, but the best score of a row gets too little: you sent each score through the sigmoid first. A
    sigmoid never gets above 1, so among high scores differences fade. For softmax, one point more means the same factor
    everywhere. Which function does that?"""
    weights = 1 / (1 + np.exp(-scores))
    return weights / weights.sum(axis=axis, keepdims=True)


@softmax.misconception
def shifts_after_the_exponential(scores, axis=-1):
    """The largest score of each row gets weight 0. You took `exp` first, and then subtracted the largest exponential
    from all, so that one is 0. Subtracting the same from all keeps the differences of *scores*; the
    proportions of exponentials it destroys. Before which step does the maximum have to go?"""
    weights = np.exp(scores) - np.exp(scores).max(axis=axis, keepdims=True)
    return weights / weights.sum(axis=axis, keepdims=True)


@softmax.misconception
def subtracts_the_largest_score_from_the_exponentials(scores, axis=-1):
    """You took `exp` first, and then subtracted the largest score from the exponentials. Scores and exponentials are
    two different kinds of numbers, and the proportions of the exponentials are gone. From which numbers can you
    subtract the largest score without changing any weight?"""
    weights = np.exp(scores) - scores.max(axis=axis, keepdims=True)
    return weights / weights.sum(axis=axis, keepdims=True)


@softmax.misconception(moved=(np.moveaxis, np.swapaxes))
def reshapes_in_place_of_moving_back(scores, axis=-1, *, moved):
    """Along the last axis your weights are right. Another axis was brought to the end for the work, and then a reshape
    brought back the old shape, but not the old order: `reshape` keeps numbers in the order in which they lie. Only the
    step that moved the axis can be turned round. Which one was it?"""
    return moved(softmax(scores, axis), axis, -1).reshape(scores.shape)


@softmax.misconception(on=("large", "low", "spread", "gap", "half", "cold", "hidden_large"))
def makes_zeros_of_nan(scores, axis=-1):
    """Where `exp` overflows or fades, some of your weights are 0 that should not be. Infinity / infinity and 0 / 0 are
    NaN, and NaN was turned into 0: the warning is gone, the mistake is not. Which number, taken from a whole row before
    `exp`, keeps its exponents in range?"""
    weights = np.exp(scores)
    return np.nan_to_num(weights / weights.sum(axis=axis, keepdims=True))


@softmax.misconception
def returns_the_log(scores, axis=-1):
    """Where weights belong you have their logarithms, all of them 0 or below. Both are useful, for different things: a
    mean needs the weights themselves, a loss needs their logarithms. Which of the two is asked for here?"""
    return log_softmax(scores, axis)


@softmax.misconception(on="low")
def guards_a_sum_of_zero(scores, axis=-1):
    """A row whose scores all lie far below zero comes out as zeros. The exponential of -1000 is rounded to 0, so the
    row sums to 0, and a guard keeps the zeros. Which number, taken from a row before `exp`, makes its largest
    exponential 1?"""
    powers = np.exp(scores)
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)


softmax.hints_for(
    "normalises_over_the_last_but_one_axis",
    "normalises_over_the_first_axis",
    "normalises_over_the_second_axis",
    "ignores_the_axis",
    "sums_along_a_fixed_axis",
    "loops_over_the_first_axis",
    "loses_the_sign_of_the_axis",
    hints=FOLLOW_THE_AXIS,
)

softmax.hints_for(
    "normalises_everything_at_once",
    "sums_over_all_rows",
    hints=ONE_SUM_FOR_EACH_ROW,
)

softmax.hints_for(
    "forgets_to_keep_the_axis",
    "forgets_to_keep_both_axes",
    "serves_matrices_only",
    "serves_rows_and_columns_only",
    "puts_the_axis_back_at_the_end",
    hints=KEEP_THE_AXIS,
)

softmax.hints_for(
    "leaves_the_axis_at_the_end",
    hints=MOVE_THE_AXIS_BACK,
)

softmax.hints_for(
    "reshapes_in_place_of_moving_back",
    hints=(
        "A reshape and a move are two different things. "
        "A move gives the axes another order, and each number goes with its row and column. "
        "A reshape reads all numbers in one line and cuts this line anew: the numbers stay in their order and get new "
        "rows and columns. So it can bring back an old shape, and leave the numbers in strange places.",
        "Take the numbers 0 to 5 in the shape (2, 3), with the axis 0, and no softmax at all. "
        "Send them through your first step and your last one: the same table should come out. "
        "Print it after each line. "
        "From which line on does the 1 no longer stand in the first row, in the second column?",
        "Undo the steps in the opposite order, each by its own counterpart. "
        "First the reshape, back to the shape that the *moved* array had. Then the move: the same function with its "
        "places exchanged. Or move nothing: the maximum and the sum can walk along any axis, if you name it.",
    ),
)

softmax.hints_for(
    "guards_a_sum_of_zero",
    hints=(
        "A sum of 0 says that every exponential of a row was lost to rounding, though some of its scores are larger "
        "than others. A guard keeps the division from failing, but it cannot bring back what was lost. "
        "Softmax asks for differences alone, so a row may be moved up before anything is lost.",
        "Take the row (-1000, -1001), and print it after `exp`, after the sum and after the division. "
        "The weights should be 0.73 and 0.27, as for the row (1, 0). In which line do both numbers become 0? "
        "Then take (1000, 1001): the same line fails in the other direction.",
        "Before `exp`, subtract from each score the largest score of its row, along the axis of the sum, and keep that "
        "axis. The largest exponent is then 0 and its exponential 1, so the sum of a row is at least 1. "
        "A guard is needed only where a row has no allowed score at all.",
    ),
)

softmax.hints_for(
    "makes_zeros_of_nan",
    hints=(
        "NaN is a message. It says that a line before had nothing sensible to divide. "
        "To write 0 over it is like taking the bulb out of a warning lamp: the weights of that row are lost all the "
        "same. For good scores softmax has no NaN at any place, so there should be nothing to replace.",
        "Take the row (1000, 1001), and print it after `exp` and after the division, before anything is replaced. "
        "The weights should be 0.27 and 0.73. "
        "Then take (-1000, -1001): these two numbers should come out again. "
        "In which line does the first infinity appear, and in which the first sum that is 0?",
        "Subtract the largest score of its row from each score, before `exp`. "
        "The largest exponent is then 0, so nothing overflows and no sum is 0. "
        "After that, take out the step that replaces NaN: with it, later mistakes would stay hidden, too.",
    ),
)

softmax.hints_for(
    "leaves_the_axis_in_front",
    hints=(
        MOVE_THE_AXIS_BACK[0],
        "Take scores of shape (2, 3) without naming an axis, and print the shape after each line. "
        "It should be (2, 3) in the end. Where does it turn into (3, 2), and is there a later line that turns it back? "
        "Along axis 0 nothing is moved at all, so there the mistake hides; and in a square the shape does not tell.",
        "Move the first axis of your result back to the place from which you took it: the same function with its two "
        "places exchanged does that. "
        "Or move nothing: the maximum and the sum can walk along any axis, if you name it and let them keep it.",
    ),
)

softmax.hints_for(
    "forgets_to_rescale_the_running_sum",
    hints=(
        "A running sum is a sum in some unit, and the unit is e to the power of the largest score so far. "
        "When a larger score comes, the unit changes. "
        "It is as with money: you cannot add euros to dollars. "
        "What lies in the purse has to be exchanged first, and only then the new coin goes in.",
        "Take the row (0, 2), where the maximum grows, and then (2, 0), where it does not. "
        "The second should come out right, and the first not. Print the running sum after each score. "
        "For (0, 2) it should end at 1 + 0.14 = 1.14. Which of its two terms is another one in your code?",
        "In each round find the new maximum first. Then multiply all that was gathered before by `exp` of the old "
        "maximum less the new one, and add the new exponential after that. "
        "Or walk through the scores twice: once for the maximum alone, and once more for the sum.",
    ),
)

softmax.hints_for(
    "stretches_the_row_before_the_exponential",
    "divides_the_scores_by_their_number",
    hints=(
        "Softmax hears two things in a row: which scores are higher, and by how much. "
        "Dividing the row by something changes the second one. "
        "In attention such a division is a step of its own, before softmax, and its number is known beforehand. "
        "It is measured neither on the row nor on its length.",
        "Compare the rows (0, 1) and (0, 1, 1, 1), and the rows (0, 1) and (0, 10). In each, divide the second weight "
        "by the first one. It should be e = 2.718, and for the last row e to the power of 10. "
        "Print what goes into `exp` in the case that is wrong.",
        "Between the scores and `exp` there is one step only: the maximum of the row is subtracted, along the axis and "
        "with the axis kept. No division comes before `exp`. "
        "The one division of softmax comes last, and divides exponentials by their sum.",
    ),
)

softmax.hints_for(
    "changes_the_default_axis",
    hints=DEFAULT_AXIS,
)

softmax.hints_for(
    "forgets_to_normalise",
    "shifts_but_forgets_to_normalise",
    "divides_by_the_largest_weight",
    "divides_by_the_count",
    "divides_by_the_mean_of_the_exponentials",
    "divides_by_the_length_of_the_vector",
    "divides_by_the_sum_of_scores",
    hints=(
        "Think of a bill that friends share. Whoever ate 2 of the 10 plates pays two tenths. "
        "For a share one needs the part and the total, counted in the same thing. "
        "Here the parts are the exponentials of one row. "
        "Their total is the one number that turns them into shares which sum to 1.",
        "Take the row (0, 1) and print three things: its exponentials, the number by which you divide them, and the "
        "exponentials added up by hand. The second and the third should agree. "
        "If there is no second, the division is missing. Its place is your softmax's last line.",
        "Give the exponentials a name. Then divide what has this name by its own sum. "
        "The sum runs along the axis that was asked for, or else the last, and keeps it with length 1. "
        "It has to be a sum, and of exponentials: no maximum, no count, no mean, no root, and nothing made of scores.",
    ),
)

softmax.hints_for(
    "leaves_its_own_share_out_of_the_sum",
    "leaves_one_score_out_of_the_sum",
    "adds_up_a_fixed_number_of_scores",
    "turns_the_fraction_upside_down",
    "adds_one_to_the_sum",
    "adds_a_small_number_to_the_sum",
    hints=(
        "A share is one part over the whole, and the whole is all parts together: each of them once, and nothing else. "
        "Only then do the shares come back to exactly 1 when you add them up. "
        "A part too few, a number too many, or the two exchanged: each of these shows in that sum.",
        "Look at the line that divides. "
        "For a row with the three exponentials a, b and c, write down the fraction that your code makes for a. "
        "Above the bar there should be a alone. Below the bar there should be a, b and c, added up. "
        "What is different in yours?",
        "Divide the exponentials by their sum: exponentials first, sum second. The sum takes in all exponentials of "
        "the row, and is then left as it is, with nothing added and nothing taken away. "
        "It needs no help against 0: once the maximum is subtracted, one of the exponentials is 1.",
    ),
)

softmax.hints_for(
    "divides_shifted_by_unshifted",
    "divides_unshifted_by_shifted",
    hints=(
        "Subtracting the maximum puts one and the same factor in front of every exponential of the row. "
        "If it stands above the bar of the fraction and below it, it cancels, and nobody can tell that it was there. "
        "If it stands on one side only, it stays, and every weight is off by it.",
        "Count the calls of `exp` in your softmax, and compare what is inside their brackets. "
        "One sees the scores, another one the scores less their maximum. "
        "Add up your weights for the row (1, 2, 3): you get e to the power of 3 or of -3, and that 3 is the maximum.",
        "Call `exp` once, on the scores less their maximum, and give the result a name. "
        "The last line divides what has this name by the sum of what has this name. "
        "After the maximum is subtracted, the scores themselves do not appear again.",
    ),
)

softmax.hints_for(
    "divides_inside_the_exponential",
    "shifts_after_the_exponential",
    "subtracts_the_largest_score_from_the_exponentials",
    hints=(
        "There are two rooms here. In the room of scores one adds and subtracts, because only differences count. "
        "In the room of exponentials one multiplies and divides, because only proportions count. "
        "`exp` is the door from the first into the second. "
        "The maximum belongs before the door, the division into shares behind it.",
        "Write down the steps of your softmax in the order in which they run, and beside each: does it work on scores "
        "or on exponentials? What is inside the brackets of `exp` runs before it. "
        "A subtraction behind `exp`, or a division by a sum before it, stands in the wrong room.",
        "Three steps, in this order. Subtract from the scores the maximum of their row. "
        "Take `exp` of what is left, with nothing else inside its brackets. "
        "Divide these exponentials by their own sum along the axis. "
        "The division comes last, so nothing can change the sum of 1 after it.",
    ),
)

softmax.hints_for(
    "rounds_the_weights",
    "sets_small_weights_to_zero",
    hints=(
        "A weight is not an end, it is used: values are multiplied by it, and a model learns from it. "
        "Rounding throws away what it takes for unimportant. "
        "But many small shares can be important together, and a share that became 0 can never grow again. "
        "A float has 7 or 16 digits; all of them may stay.",
        "Print one weight by `float(...)`, which shows all its digits, after each line. "
        "After which line are there only a few left, or none? "
        "Look for `round`, for a format such as `.2f`, and for a comparison with a limit. "
        "What NumPy prints of an array is shortened on the screen only, and does no harm.",
        "Take this step out, and hand on the shares as the division makes them. If you want short numbers on the "
        "screen, round at the place where you print them, or set NumPy's print options once for the notebook. "
        "The array itself keeps all its digits.",
    ),
)

softmax.hints_for(
    "forgets_the_exponential",
    "shifts_but_forgets_the_exponential",
    "counts_from_the_minimum_up",
    "stretches_from_zero_to_one",
    "standardises_the_scores",
    "takes_absolute_scores",
    "squares_instead_of_exponential",
    "cuts_negative_scores",
    "leaves_negative_scores_out",
    "takes_only_the_best",
    hints=(
        "Before anything is shared out, each score becomes a number to be shared. Three wishes decide how. "
        "It lies above 0, for a bad score too. It rises with the score. "
        "And one point more always means the same factor, wherever the zero of the scale lies. "
        "Powers of a fixed number grant all three, and softmax takes powers of e.",
        "Take the row (-1, 0, 1), and look at what your softmax makes of it on the way, before anything is divided. "
        "There should be three numbers above 0, each of them e times the one before. Print yours. "
        "If `exp` appears nowhere, or nothing of it reaches the result, this is its place.",
        "Subtract the maximum of the row, take `exp` of what is left, and divide these powers by their sum along the "
        "axis. That is all: no stretching, no squares, no cutting off, no choosing. "
        "Before the division the best score has become 1, and a bad one a small number above 0.",
    ),
)

softmax.hints_for(
    "uses_another_base",
    hints=(
        "Powers of any fixed number above 1 make a softmax, and this number says how much one point counts. "
        "With 2, a point more doubles the weight; with 10, it makes the weight ten times as large. "
        "Everybody who reads your weights counts on e = 2.718..., and so does everything that learns from them.",
        "Take the row (0, 1), and divide its second weight by the first. The result should be 2.718. Then look at the "
        "line that makes the powers: is there another number before `**`, or a function with a number in its name? "
        "A factor on the scores before `exp` does the same.",
        "Only the powers change: each score, less the maximum of its row, becomes an exponent of e. "
        "The function for that is called `exp`, in NumPy as in torch, and takes nothing but the exponents. "
        "The maximum before it and the division after it may stay as they are.",
    ),
)

softmax.hints_for(
    "turns_the_sign",
    hints=(
        "Every step of softmax keeps the order. Subtracting one number from all scores keeps it, `exp` rises "
        "everywhere, and dividing by a sum above 0 keeps it, too. So if the order is turned, something else has come "
        "in: a minus, a difference the wrong way round, or 1 divided by a power.",
        "Take the row (0, 1) and print it after each step: after the maximum, after `exp`, after the division. "
        "In each print the second number should be the larger one. "
        "The first print in which it is the smaller one comes straight after the line you look for.",
        "What goes into `exp` is the score less the maximum of its row, in this order, with no other minus. "
        "Each power is then divided by the sum of the powers, and never 1 by a power. "
        "Where a small number is good, as with a distance, one would need the minus; a score needs none.",
    ),
)

softmax.hints_for(
    "softmax_twice",
    hints=(
        "A row of weights is finished as soon as it is positive and sums to 1. A second softmax takes it for scores, "
        "which lie close together: weights differ by 1 at most, and this makes a factor of e at most. "
        "So even a clear favourite ends up near all the others.",
        "Walk backwards from the result, and count each softmax you meet, your own and those inside the functions you "
        "call. Print what goes into each one. If its rows sum to 1 already, the work was done before. "
        "Often one function hands over weights, and the next one takes them for scores.",
        "Keep one softmax: the one that gets the scores. Wherever its result goes next, it goes as it is. "
        "If you wrote the formula out and also call a function that contains it, one of the two has to go. "
        "If a variable called scores holds weights, give it its true name.",
    ),
)

softmax.hints_for(
    "uses_the_sigmoid",
    "normalises_the_sigmoid",
    hints=(
        "A sigmoid compares one power of e with the number 1. "
        "Softmax compares it with the powers of the other scores in its row. "
        "For a row of two scores, s and 0, both give the same first number, so they are easily taken for each other. "
        "With other scores in the row, they part.",
        "Look for a denominator with `1 +` in it, or for a function with sigmoid in its name. "
        "There a score is compared with a fixed number, and not with its neighbours. "
        "You can see it: add 10 to all scores of a row. Softmax would give the same weights again; yours change.",
        "In the place of the sigmoid put the power of e alone: `exp` of each score, after the maximum of its row was "
        "subtracted. Then divide each power by the sum of all powers of the row, along the axis. "
        "This sum stands where a sigmoid has its 1 and its single power.",
    ),
)

softmax.hints_for(
    "returns_the_log",
    hints=(
        "Weights and their logarithms tell the same thing in two languages. "
        "Weights are shares: none is below 0, and together they are 1. "
        "Their logarithms are all 0 or below, and it is their exponentials that sum to 1. "
        "Values can only be mixed with shares.",
        "Look at the last operations before the result. Is there a `log`, or a function with log in its name? "
        "Or do you subtract where the formula of softmax has a fraction? "
        "Print one row and its sum: with a sum of 1 you have weights, with numbers below 0 you have logarithms.",
        "There are two ways out. Leave the logarithm out, and divide the exponentials by their own sum along the axis. "
        "Or keep your safe way through the logarithm, and take `exp` of all of it at the very end: that undoes the "
        "logarithm, and what remains are the weights.",
    ),
)
