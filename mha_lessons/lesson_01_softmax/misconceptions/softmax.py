"""What people get wrong about `softmax`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake

from ..exercises import shift, softmax


def normalises_over_the_last_but_one_axis(scores, axis=-1):
    """Your weights sum to 1 down the columns, not along the rows. One row holds the scores of one query, which has one
    whole to share out among the keys. The keys are along the last axis. Along which axis do your maximum and your sum
    run?"""
    return softmax(scores, axis=-2)


def normalises_over_the_first_axis(scores, axis=-1):
    """Your weights sum to 1 along the first axis, whatever was asked for. Unless told otherwise, one whole is shared
    along the last axis: one row of scores. Along which axis do your maximum and your sum run, and where does that
    number come from?"""
    return softmax(scores, axis=0)


def normalises_everything_at_once(scores, axis=-1):
    """Your weights sum to 1 over the whole array, so each row gets only a part of that. Each row should sum to 1 by
    itself. A sum without an axis adds up the whole array. Along which axis should yours run?"""
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def sums_over_all_rows(scores, axis=-1):
    """Your weights sum to 1 over the whole array, so each row gets only a part of that. You took the maximum of each
    row, but the sum of the whole array: a sum without an axis adds up everything. Which arguments does the maximum have
    that the sum lacks?"""
    weights = np.exp(shift(scores, axis))
    return weights / weights.sum()


@mistake(along=(0, 1, -1, -2))
def sums_along_a_fixed_axis(scores, axis=-1, *, along):
    """Your maximum is taken along the right axis, but your sum always runs along axis {along}. Both have to use the
    same axis: a row shares out the sum of its own exponentials. Which axis does your sum name? (Python's own `sum`
    takes no axis: it adds up along axis 0.)"""
    weights = np.exp(shift(scores, axis))
    return weights / weights.sum(axis=along, keepdims=True)


@mistake(turned=(np.negative, np.abs))
def loses_the_sign_of_the_axis(scores, axis=-1, *, turned):
    """Along the first axis your weights are right. For the last axis, -1, your code works along axis 1: the axis has
    lost its sign. Negative numbers count axes from the end, positive ones from the front. Is there a minus in front of
    your axis, or an `abs` around it?"""
    return softmax(scores, turned(axis))


@mistake(moved=(np.moveaxis, np.swapaxes))
def leaves_the_axis_at_the_end(scores, axis=-1, *, moved):
    """Along the last axis your weights are right. You moved another axis to the end, to make things easier, and left it
    there: the numbers are right, but rows and columns are swapped. If you move an axis, you have to move it back. What
    undoes your first step?"""
    return moved(softmax(scores, axis), axis, -1)


def leaves_the_axis_in_front(scores, axis=-1):
    """Along the first axis your weights are right. You moved any other axis to the front, to make things easier, and
    left it there: the numbers are right, but rows and columns are swapped. If you move an axis, you have to move it
    back. What undoes your first step?"""
    return np.moveaxis(softmax(scores, axis), axis, 0)


def loops_over_the_first_axis(scores, axis=-1):
    """For the rows of a matrix your weights are right. Your code assumes that `scores[0]`, `scores[1]` and so on are
    rows. In a single row they are numbers; with a third axis in front they are matrices. If the caller asks for another
    axis, your loop does not follow. Which NumPy functions work along any axis without a loop?"""
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(axis=tuple(range(1, scores.ndim)), keepdims=True)


@mistake(shifted=(True, False))
def puts_the_axis_back_at_the_end(scores, axis=-1, *, shifted):
    """Along the last axis your weights are right; along another one they are not. The sum removes its axis, and you put
    one back at the end, wherever it was before. It must return to where it was. The sum can keep it for you."""
    weights = np.exp(shift(scores, axis) if shifted else scores - scores.max(axis=axis)[..., None])
    return weights / weights.sum(axis=axis)[..., None]


@mistake(shifted=(True, False))
def forgets_to_keep_the_axis(scores, axis=-1, *, shifted):
    """Your sum lost its axis, so it no longer lines up with the exponentials. Usually the shapes clash; on a square
    array the code runs, and divides by the sum of another row. Print the two shapes side by side. The sum takes an
    argument that keeps the axis, with length 1."""
    weights = np.exp(shift(scores, axis) if shifted else scores)
    return weights / weights.sum(axis=axis)


def forgets_to_keep_both_axes(scores, axis=-1):
    """Your maximum and your sum both lost their axis, so neither lines up with the scores. Usually the shapes clash; on
    a square array the code runs and mixes up the rows. Print the shapes of all three side by side. Both functions have
    an argument that keeps the axis, with length 1."""
    weights = np.exp(scores - scores.max(axis=axis))
    return weights / weights.sum(axis=axis)


def ignores_the_axis(scores, axis=-1):
    """Your weights sum to 1 along the last axis, even where another one is asked for. The caller chooses with `axis`,
    and both the maximum and the sum have to follow that choice. Follow `axis` through your code, line by line: where
    does it get lost?"""
    return softmax(scores)


def normalises_over_the_second_axis(scores, axis=-1):
    """You always share along axis 1. For a matrix that is the last axis; with a third axis in front it is another one,
    and a single row has no axis 1 at all. Counting from the end works for every number of axes. Which number names the
    last axis?"""
    return softmax(scores, axis=1)


@mistake(default=(0, 1, None))
def changes_the_default_axis(scores, axis=..., *, default):
    """Where the caller names an axis, your result is right. Where none is named, it works along `axis={default}`, but
    it should use the last axis, however many there are. The line that begins with `def` says what happens if no axis is
    named: compare yours with the one in the lesson."""
    axis = default if axis is ... else axis
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def serves_matrices_only(scores, axis=-1):
    """For the rows of a matrix your weights are right. For a single row, for three axes, or along another axis, your
    code stops with an error. The axis that a sum removes must return to where it was. The sum can
    keep it for you."""
    weights = np.exp(shift(scores, axis))
    return weights / weights.sum(axis=axis)[:, None]


def serves_rows_and_columns_only(scores, axis=-1):
    """For a matrix your weights are right, along its rows and along its columns. For a single row, or with a third
    axis, your code stops: it puts the axis of the sum back by hand, in one of two places. There are more places than
    two. The sum can keep its axis for you."""
    total = np.exp(shift(scores, axis)).sum(axis=axis)
    return np.exp(shift(scores, axis)) / (total[:, None] if axis in (-1, 1) else total)


def forgets_to_normalise(scores, axis=-1):
    """Your weights are positive, but they do not sum to 1: they are the exponentials themselves. An exponential becomes
    a share of one whole when it is divided by what all exponentials of its row add up to. Where does your code
    divide?"""
    return np.exp(scores)


def shifts_but_forgets_to_normalise(scores, axis=-1):
    """The largest weight of each row is 1, so the row sums to more than 1. Subtracting the maximum keeps `exp` in
    range, but it does not make shares, and dividing by the largest exponential only does the same again. Which number
    turns the exponentials of a row into parts of one whole?"""
    return np.exp(shift(scores, axis))


def divides_by_the_largest_weight(scores, axis=-1):
    """The largest weight of each row is 1, so the row sums to more than 1. You divided the exponentials by the largest
    of them. To get parts of a whole, divide by the whole: all exponentials of the row together."""
    return np.exp(scores) / np.exp(scores).max(axis=axis, keepdims=True)


@mistake(shifted=(True, False))
def divides_by_the_count(scores, axis=-1, *, shifted):
    """Your weights do not sum to 1. You divided each exponential by the number of scores. How large a share is depends
    on the whole, and the whole is all exponentials of the row together. Where does your code find out how large that
    is?"""
    return np.exp(shift(scores, axis) if shifted else scores) / scores.shape[axis]


def divides_by_the_mean_of_the_exponentials(scores, axis=-1):
    """Each row of your weights sums to the number of its scores, not to 1. You divided the exponentials by their mean.
    The mean is the whole, divided by the number of scores. Which number is the whole?"""
    weights = np.exp(shift(scores, axis))
    return weights / weights.mean(axis=axis, keepdims=True)


def divides_by_the_length_of_the_vector(scores, axis=-1):
    """The squares of your weights sum to 1, but the weights themselves do not. You divided the exponentials by the
    length of the vector that they form. Shares of one whole have to add up as they are, without squares and roots."""
    weights = np.exp(shift(scores, axis))
    return weights / np.sqrt((weights**2).sum(axis=axis, keepdims=True))


@mistake(above=(True, False), below=(True, False))
def divides_by_the_sum_of_scores(scores, axis=-1, *, above, below):
    """Your weights do not sum to 1, and some may be negative. You divided exponentials by a sum of scores. A part and
    its whole must be made of the same stuff. What should you add up?"""
    shifted = shift(scores, axis)
    return np.exp(shifted if above else scores) / (shifted if below else scores).sum(axis=axis, keepdims=True)


def divides_shifted_by_unshifted(scores, axis=-1):
    """Your weights are in the right proportion, but do not sum to 1. You subtracted the maximum in the exponentials
    that you divide, but not in the sum that you divide by. It cancels only if it is in both. Compute the exponentials
    once, name them, and use that name twice."""
    return np.exp(shift(scores, axis)) / np.exp(scores).sum(axis=axis, keepdims=True)


def divides_unshifted_by_shifted(scores, axis=-1):
    """Your weights are in the right proportion, but do not sum to 1. You subtracted the maximum in the sum that you
    divide by, but not in the exponentials that you divide. It cancels only if it is in both. Compute the exponentials
    once, name them, and use that name twice."""
    return np.exp(scores) / np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True)


def divides_inside_the_exponential(scores, axis=-1):
    """You divided the scores by their sum, and took `exp` of that. Nothing then makes the weights sum to 1. The order
    matters: first the scores become positive numbers, then those numbers become shares. What is your last step?"""
    return np.exp(scores / scores.sum(axis=axis, keepdims=True))


def leaves_its_own_share_out_of_the_sum(scores, axis=-1):
    """Each exponential is divided by the sum of the *others*, so a row sums to more than 1. Those are odds, as in
    betting: three to one. A share compares a part with the whole, and the whole contains the part itself."""
    weights = np.exp(shift(scores, axis))
    return weights / (weights.sum(axis=axis, keepdims=True) - weights)


@mistake(which=(0, -1))
def leaves_one_score_out_of_the_sum(scores, axis=-1, *, which):
    """Your rows sum to more than 1. One of the exponentials, the first or the last of each row, is missing from the sum
    that you divide by. The whole contains all of its parts. If a loop adds them up, where does it begin, and where does
    it end?"""
    weights = np.exp(shift(scores, axis))
    return weights / (weights.sum(axis=axis, keepdims=True) - weights.take([which], axis=axis))


@mistake(constant=(2, 3, 4))
def adds_up_a_fixed_number_of_scores(scores, axis=-1, *, constant):
    """Your sum has {constant} terms, however long a row is. With more scores the rest are left out, and with fewer
    there is nothing left to take. Which length tells you how many scores there are along the axis?"""
    weights = np.exp(shift(scores, axis))
    return weights / sum(weights.take([place], axis=axis) for place in range(constant))


@mistake(stale=("whole", "parts", "both"))
def forgets_to_rescale_the_running_sum(scores, axis=-1, *, stale):
    """Your code goes through the scores once and keeps the largest one so far. When a larger one comes, the
    exponentials before it were lowered by too little, but they stay as they are. The old sum then has another scale
    than what follows. What must happen to the old sum when the maximum grows?"""
    late = np.exp(shift(scores, axis))
    early = np.exp(scores - np.maximum.accumulate(scores, axis=axis))
    whole = (late if stale == "parts" else early).sum(axis=axis, keepdims=True)
    return (late if stale == "whole" else early) / whole


def turns_the_fraction_upside_down(scores, axis=-1):
    """All your weights are 1 or above, and the smallest score has the largest. You divided the whole by its parts. A
    share is a part of the whole, so it is at most 1. Which of the two should be divided by the other?"""
    weights = np.exp(shift(scores, axis))
    return weights.sum(axis=axis, keepdims=True) / weights


def adds_one_to_the_sum(scores, axis=-1):
    """Each row of your weights sums to less than 1. A 1 was added to the sum of exponentials, as if every row had one
    more score of 0. (A sigmoid has such a 1, because it compares one score with 0.) Which exponentials does a row
    consist of?"""
    weights = np.exp(scores)
    return weights / (1 + weights.sum(axis=axis, keepdims=True))


@mistake(constant=(1e-5, 1e-4, 1e-3, 1e-2))
def adds_a_small_number_to_the_sum(scores, axis=-1, *, constant):
    """Each row of your weights sums to a little less than 1, as if about {constant} had been added to the sum of the
    exponentials. Such a number is meant to prevent division by 0. Once the largest exponent is 0, how small can the sum
    get?"""
    weights = np.exp(shift(scores, axis))
    return weights / (weights.sum(axis=axis, keepdims=True) + constant)


@mistake(constant=(1, 2, 3, 4))
def rounds_the_weights(scores, axis=-1, *, constant):
    """Your weights are rounded; the number of decimals left is {constant}. A small share may then become 0, and rows no
    longer sum exactly to 1. Round numbers when you show them to people, not while you still compute with them. Where
    does your code round?"""
    return np.round(softmax(scores, axis), constant)


@mistake(limit=(0.1, 0.05, 0.01, 1e-3, 1e-4), on="long")
def sets_small_weights_to_zero(scores, axis=-1, *, limit):
    """Every weight below {limit} became 0, so your rows sum to less than 1. A small weight is still a share, and in a
    long row all shares are small. Only a weight too small for a float may be 0. Which line compares the weights with a
    limit?"""
    weights = softmax(scores, axis)
    return np.where(weights < limit, 0, weights)


def forgets_the_exponential(scores, axis=-1):
    """You divided the scores by their own sum. Scores can have any sign, so such a weight can be negative, or above 1,
    and the sum can be 0. First, each score must become a positive number, larger for a larger score. Which function
    does that?"""
    return scores / scores.sum(axis=axis, keepdims=True)


def shifts_but_forgets_the_exponential(scores, axis=-1):
    """The largest score of each row gets weight 0. Once the maximum is subtracted it *is* 0, and you went on to divide.
    Between the subtraction and the division, each number must become positive, and 0 must become 1. Which function does
    that?"""
    shifted = shift(scores, axis)
    return shifted / shifted.sum(axis=axis, keepdims=True)


def counts_from_the_minimum_up(scores, axis=-1):
    """The smallest score of each row gets weight 0, and the others get weights in proportion to their distance from it.
    Such weights sum to 1, but in softmax every score gets something, and each further point multiplies the weight by
    the same factor. Which function turns adding into multiplying?"""
    risen = scores - scores.min(axis=axis, keepdims=True)
    return risen / risen.sum(axis=axis, keepdims=True)


def stretches_from_zero_to_one(scores, axis=-1):
    """Each row of your weights runs from exactly 0 to exactly 1: the scores were stretched between their smallest and
    their largest. Such numbers are not shares, because they do not add up to 1. Softmax needs a positive number for
    each score, and then each number's part of their sum."""
    low, high = (f(axis=axis, keepdims=True) for f in (scores.min, scores.max))
    return (scores - low) / (high - low)


def standardises_the_scores(scores, axis=-1):
    """Each row of your weights has mean 0 and standard deviation 1: the scores were standardised. Then some of them are
    negative, so they cannot be shares. Softmax needs a positive number for each score, and then each number's part of
    their sum."""
    return (scores - scores.mean(axis=axis, keepdims=True)) / scores.std(axis=axis, keepdims=True)


def takes_absolute_scores(scores, axis=-1):
    """You took the absolute value of each score, so -3 counts as much as 3, and a very bad score as much as a very good
    one. The order of the scores must be kept. Which function is positive everywhere, and always rises?"""
    return np.abs(scores) / np.abs(scores).sum(axis=axis, keepdims=True)


def squares_instead_of_exponential(scores, axis=-1):
    """You squared the scores. A square is never negative, but -3 then counts as much as 3, and a very bad score as much
    as a very good one. The order of the scores must be kept. Which function is positive everywhere, and always
    rises?"""
    return scores**2 / (scores**2).sum(axis=axis, keepdims=True)


@mistake(constant=(0, 1e-9))
def cuts_negative_scores(scores, axis=-1, *, constant):
    """You set negative scores to 0, so they get no weight at all, and in a row of negative scores nothing is left. In
    softmax every score gets something, the best ones most. Which function is positive everywhere, and always rises?"""
    weights = np.maximum(scores, 0)
    return weights / (weights.sum(axis=axis, keepdims=True) + constant)


@mistake(hidden=(-np.inf, -1e30))
def leaves_negative_scores_out(scores, axis=-1, *, hidden):
    """Scores of 0 and below get no weight at all: you left them out before `exp`. A negative score says that something
    fits badly, not that it is forbidden, and `exp` turns it into a small positive number. Which line compares scores
    with 0?"""
    return softmax(np.where(scores > 0, scores, hidden), axis)


@mistake(measure=(np.std, np.ptp, np.linalg.norm))
def stretches_the_row_before_the_exponential(scores, axis=-1, *, measure):
    """A row and the same row times ten get the same weights: before `exp`, you divided each row by its own spread or
    length. In softmax large differences mean clear decisions, and small ones mean even weights. Your division removes
    this. Which lines between the scores and `exp` are needed?"""
    return softmax(scores / measure(scores, axis=axis, keepdims=True), axis)


@mistake(power=(0.5, 1))
def divides_the_scores_by_their_number(scores, axis=-1, *, power):
    """Your weights are too even, and more so in longer rows: before `exp`, you divided the scores by their number, or
    by its root. How much one point counts does not depend on how many scores there are. Which division comes before
    `exp`?"""
    return softmax(scores / scores.shape[axis] ** power, axis)


@mistake(constant=(2, 10))
def uses_another_base(scores, axis=-1, *, constant):
    """In your weights, each point more counts {constant} times as much: your exponentials have the base {constant}.
    That keeps the order and sums to 1, but it is another softmax, with another temperature. The base here should be e =
    2.718... Which NumPy function uses it?"""
    return softmax(scores * np.log(constant), axis)


def turns_the_sign(scores, axis=-1):
    """The smallest score gets the largest weight. Somewhere on its way into `exp` the score changes its sign. (Physics
    has a minus there, because low energy is good; here a high score is good.) Follow a single large score through your
    code: where does it become small?"""
    return softmax(-scores, axis)


def softmax_twice(scores, axis=-1):
    """Your weights are far too even: softmax was applied twice, the second time to weights instead of scores. Weights
    are between 0 and 1, so the second softmax finds hardly any difference between them. Where are the two calls?"""
    return softmax(softmax(scores, axis), axis)


def takes_only_the_best(scores, axis=-1):
    """One weight of each row is 1, and all others are 0. You gave everything to the best score. Softmax is soft: the
    best score gets the most, and every score gets something. That is also why a model can learn through it: a small
    change in a score changes the weights a little."""
    return (scores == scores.max(axis=axis, keepdims=True)) * 1.0


def uses_the_sigmoid(scores, axis=-1):
    """Each weight depends on its own score alone, so rows do not sum to 1. You used the sigmoid, which answers yes or
    no for each score by itself. In softmax the scores of a row compete for one whole. By which number must all of them
    be divided?"""
    return 1 / (1 + np.exp(-scores))


def normalises_the_sigmoid(scores, axis=-1):
    """Your rows sum to 1, but the best score of a row gets too little: you sent each score through the sigmoid first. A
    sigmoid never gets above 1, so differences between high scores fade. In softmax, one point more means the same
    factor everywhere. Which function does that?"""
    weights = 1 / (1 + np.exp(-scores))
    return weights / weights.sum(axis=axis, keepdims=True)


def shifts_after_the_exponential(scores, axis=-1):
    """The largest score of each row gets weight 0. You took `exp` first, and then subtracted the largest exponential
    from all of them, so that one is 0. Subtracting the same number keeps the differences between *scores*, but it
    destroys the proportions of exponentials. Before which step should the maximum be subtracted?"""
    weights = np.exp(scores) - np.exp(scores).max(axis=axis, keepdims=True)
    return weights / weights.sum(axis=axis, keepdims=True)


def subtracts_the_largest_score_from_the_exponentials(scores, axis=-1):
    """You took `exp` first, and then subtracted the largest score from the exponentials. Scores and exponentials are
    two different kinds of numbers, and the proportions of the exponentials are gone. From which numbers can you
    subtract the largest score without changing any weight?"""
    weights = np.exp(scores) - scores.max(axis=axis, keepdims=True)
    return weights / weights.sum(axis=axis, keepdims=True)


@mistake(moved=(np.moveaxis, np.swapaxes))
def reshapes_in_place_of_moving_back(scores, axis=-1, *, moved):
    """Along the last axis your weights are right. You moved another axis to the end, and then a reshape restored the
    old shape, but not the old order: `reshape` leaves the numbers in the order in which they are stored. The axis has
    to be moved back in the way it was moved. Which step moved it?"""
    return moved(softmax(scores, axis), axis, -1).reshape(scores.shape)


@mistake(on=("large", "low", "spread", "gap", "half", "cold", "hidden_large"))
def makes_zeros_of_nan(scores, axis=-1):
    """Where `exp` overflows or fades to 0, some of your weights are 0 that should not be. Infinity / infinity and 0 / 0
    are NaN, and you turned NaN into 0: the warning is gone, but the mistake is not. Which number, taken from a whole
    row before `exp`, keeps its exponents in range?"""
    weights = np.exp(scores)
    return np.nan_to_num(weights / weights.sum(axis=axis, keepdims=True))


def returns_the_log(scores, axis=-1):
    """You returned the logarithms of the weights, all of them 0 or below. Both are useful: a mean needs the weights
    themselves, while training, in later lessons, needs their logarithms. Which of the two is asked for here?"""
    return mha_ref.log_softmax(scores, axis)


@mistake(on="low")
def guards_a_sum_of_zero(scores, axis=-1):
    """A row whose scores are all far below zero becomes all zeros. The exponential of -1000 is rounded to 0, so the row
    sums to 0, and a guard keeps the zeros. Which number, taken from a row before `exp`, makes its largest exponential
    1?"""
    powers = np.exp(scores)
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1, total)
