"""What people get wrong about `log_sum_exp`."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import log_sum_exp

MINUS_INFINITY = ("some_minus_infinity", "all_minus_infinity")


def _largest(scores, axis):
    """The maximum of each row, or 0 where that is minus infinity; its axis stays."""
    top = np.max(scores, axis=axis, keepdims=True)
    return np.where(np.isfinite(top), top, 0)


@mistake(on=("large", "low", "spread"))
def sums_without_the_maximum(scores, axis=-1):
    """Where numbers are far from 0, your result is lost: their exponentials overflow, or all of them become 0.
    Softmax had the same trouble in lesson 01. Here, too, the maximum can be taken out of the exponents, but this time
    it must be given back at the end. Where would it come in?"""
    return np.log(np.exp(np.asarray(scores)).sum(axis=axis))


def loses_the_maximum(scores, axis=-1):
    """Each number is too low by the maximum of its row. You took it out of the exponents, but it never came back.
    In softmax it cancels in the division; here nothing is divided. What do you add at the end?"""
    scores = np.asarray(scores)
    return np.log(np.exp(scores - _largest(scores, axis)).sum(axis=axis))


def subtracts_the_maximum_again(scores, axis=-1):
    """Each number is too low by twice the maximum of its row. The maximum was subtracted in the exponents, and then
    again at the end. What was taken out has to be given back. Which sign is that?"""
    scores = np.asarray(scores)
    return log_sum_exp(scores, axis) - 2 * np.max(scores, axis=axis)


def adds_the_maximum_to_a_full_sum(scores, axis=-1):
    """Each number is too high by the maximum of its row. You added it at the end, but the exponents still held it.
    It has to be taken out inside before it is given back outside. Which scores does your `exp` see?"""
    scores = np.asarray(scores)
    return log_sum_exp(scores, axis) + np.max(scores, axis=axis)


def returns_the_sum_of_exponentials(scores, axis=-1):
    """Your numbers are the sums themselves: the logarithm is missing. The logarithm of a sum is small enough for any
    float, and the sum may not be. Which of the three steps, exp, sum and log, is missing in your code?"""
    return np.exp(log_sum_exp(scores, axis))


def takes_the_largest_score(scores, axis=-1):
    """Your numbers are the largest score of each row. That is close, but always too low: the other exponentials belong
    to the sum as well. Two equal scores of 0 give log 2, which is 0.69. What happens to the other scores in your code?
    """
    return np.max(np.asarray(scores), axis=axis)


def sums_the_scores(scores, axis=-1):
    """Your numbers are plain sums of the scores. The logarithm of each exponential is the score again, so the two
    cancel. The logarithm belongs around the whole sum. In which order do exp, sum and log come?"""
    return np.asarray(scores).sum(axis=axis)


def takes_the_mean_of_exponentials(scores, axis=-1):
    """Your numbers are too low by the logarithm of the number of scores: inside the logarithm there is a mean where a
    sum belongs. When two parts of different sizes are joined later, a mean no longer knows how many there were. Which
    function makes the sum?"""
    scores = np.asarray(scores)
    return log_sum_exp(scores, axis) - np.log(scores.shape[axis])


def counts_one_exponential_too_many(scores, axis=-1):
    """Inside your logarithm there is a 1 too many, as if each row had one more score. (`log1p` adds a 1.)
    What exactly should the logarithm see?"""
    scores = np.asarray(scores)
    top = _largest(scores, axis)
    return np.log1p(np.exp(scores - top).sum(axis=axis)) + np.squeeze(top, axis=axis)


def returns_logarithms_of_weights(scores, axis=-1):
    """Your result has a number for every score: it is the logarithm of softmax. Log-softmax subtracts from each score
    the very number that is asked for here, one for each row. Which part of your code is that number alone?"""
    scores = np.asarray(scores)
    return scores - np.expand_dims(log_sum_exp(scores, axis), axis)


def keeps_an_axis_of_length_one(scores, axis=-1):
    """Your numbers are right, but an axis of length 1 is left where the scores were. On the way it is needed, so that
    the maximum fits the scores. But the result has one number for each row. What removes that axis at the end?"""
    return np.expand_dims(log_sum_exp(scores, axis), axis)


def always_sums_along_the_last_axis(scores, axis=-1):
    """Along the last axis your result is right; along any other axis it is not. The caller chooses with
    `axis`, and both the maximum and the sum follow that choice. Where in your code does `axis` get lost?"""
    return log_sum_exp(scores)


def always_sums_along_the_first_axis(scores, axis=-1):
    """Your sum runs along the first axis, whatever was asked for. Unless the caller says otherwise, it runs along the
    last one. Which axis do your maximum and your sum name?"""
    return log_sum_exp(scores, 0)


def sums_over_everything(scores, axis=-1):
    """Your function adds up all rows together, but every row should have its own sum. Without an axis, a sum or a
    maximum takes the whole tensor. Along which axis should yours run?"""
    scores = np.asarray(scores)
    whole = log_sum_exp(scores.reshape(-1))
    return whole


@mistake(on="spread")
def takes_one_maximum_for_all_rows(scores, axis=-1):
    """Rows far below the largest score of the *whole* tensor come out as minus infinity: their exponentials have all
    become 0. Each row needs its own maximum. Along which axis does your maximum run?"""
    scores = np.asarray(scores)
    top = scores.max()
    return np.log(np.exp(scores - top).sum(axis=axis)) + top


@mistake(on=("low", "spread"))
def holds_the_maximum_above_a_number(scores, axis=-1):
    """Numbers far below zero come out as minus infinity, as if their row were empty: their exponentials have all become
    0. The number that is subtracted has to be the maximum of the row itself, however low it is. Does yours begin at a
    number, or is it held above one?"""
    scores = np.asarray(scores)
    top = np.maximum(_largest(scores, axis), 0)
    return np.log(np.exp(scores - top).sum(axis=axis)) + np.squeeze(top, axis=axis)


@mistake(on="all_minus_infinity")
def makes_nan_of_a_row_of_minus_infinity(scores, axis=-1):
    """A row that is all minus infinity gives NaN: its maximum is minus infinity, and -inf minus -inf is not a number.
    Such a row belongs to a query that may look at none of these keys, so its sum is 0 and the logarithm is -inf. Which
    number could you subtract from such a row instead?"""
    scores = np.asarray(scores)
    top = scores.max(axis=axis, keepdims=True)
    return np.log(np.exp(scores - top).sum(axis=axis)) + np.squeeze(top, axis=axis)


@mistake(on="all_minus_infinity", constant=(0.0, -1e9))
def gives_a_finite_number_for_an_empty_row(scores, axis=-1, *, constant):
    """A row that is all minus infinity comes out as {constant}. Its exponentials are all 0, their sum is 0, and the
    logarithm of 0 is minus infinity: that says that the row is empty, and any finite number says something else.
    Which line replaces the infinity, and is it undone at the end?"""
    right = log_sum_exp(scores, axis)
    return np.where(np.isfinite(right), right, constant)


@mistake(on="all_minus_infinity", constant=(1e-6, 1e-8, 1e-9, 1e-10, 1e-12))
def adds_a_small_number_before_the_logarithm(scores, axis=-1, *, constant):
    """A row that is all minus infinity comes out as the logarithm of {constant}, a number that keeps the sum above 0.
    Then the row looks as if it held a score, however low.
    What is the logarithm of 0, and what does that say about a row?"""
    right = log_sum_exp(scores, axis)
    return np.where(np.isfinite(right), right, np.log(constant))


@mistake(on="all_minus_infinity")
def gives_plus_infinity_for_an_empty_row(scores, axis=-1):
    """A row that is all minus infinity comes out as plus infinity. Its exponentials are all 0, so is their sum, and the
    logarithm of 0 is *minus* infinity: that says that the row is empty. Which line changes the sign?"""
    right = log_sum_exp(scores, axis)
    return np.where(np.isfinite(right), right, np.inf)


@mistake(constant=(2, 10), whole=(False, True))
def takes_the_logarithm_to_another_base(scores, axis=-1, *, constant, whole):
    """Your logarithm has the base {constant}, but the exponentials have the base e. The two have to match, or they do
    not undo each other: two scores of 0 should give log 2, about 0.69. Which logarithm undoes `exp`?"""
    scores = np.asarray(scores)
    top = np.zeros_like(np.max(scores, axis=axis)) if whole else np.squeeze(_largest(scores, axis), axis=axis)
    return (log_sum_exp(scores, axis) - top) / np.log(constant) + top


@mistake(base=(2, np.e))
def sums_powers_of_two(scores, axis=-1, *, base):
    """Your sum is made from powers of 2. An exponential is a power of e, about 2.718, and softmax makes its weights
    from those. A single score comes out right with powers of any base; two scores of 0 and 1 show which you have. Which
    function makes powers of e?"""
    scores = np.asarray(scores)
    top = _largest(scores, axis)
    return np.log(np.exp2(scores - top).sum(axis=axis)) / np.log(base) + np.squeeze(top, axis=axis)


@mistake(on=("low", "all_minus_infinity"), constant=(-1e3, -1e4, -5e4, -1e5))
def holds_the_scores_above_a_number(scores, axis=-1, *, constant):
    """Scores below {constant} all count as that number, and so does minus infinity.
    Then a row far below zero comes out too high, and an empty row looks as if it held scores.
    What is subtracted before `exp` makes every row safe. What is left for the limit to do?"""
    return log_sum_exp(np.maximum(np.asarray(scores), constant), axis)
