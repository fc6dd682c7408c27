"""What people get wrong about `log_softmax`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake
from mha_lessons.lesson_01_softmax.exercises import shift, softmax

from ..exercises import log_softmax


def log_forgets_to_keep_the_axis(scores, axis=-1):
    """Your sum lost its axis, so its logarithm no longer lines up with the scores. Mostly the shapes clash; on a square
    the code runs, and each row meets the numbers of other rows. Print the two shapes side by side. The sum has an
    argument that keeps this axis, with length 1."""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).sum(axis=axis))


@mistake(on=("gap", "pit"))
def takes_the_log_of_softmax(scores, axis=-1):
    """A score far below the best of its row comes out as minus infinity. Its weight was so small that it became 0, and
    then you took the logarithm of 0. Nothing is lost if no weight is ever made. What do exp and log do to each
    other, on paper?"""
    scores = np.asarray(scores)
    return np.log(softmax(scores, axis))


FLOAT64, FLOAT32 = np.finfo(np.float64), np.finfo(np.float32)
SMALL_NUMBERS = (1e-300, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-16, 1e-20, 1e-30)
SMALL_NUMBERS += tuple(float(x) for x in (FLOAT64.tiny, FLOAT64.smallest_subnormal, FLOAT64.eps, FLOAT32.tiny))


@mistake(on=("gap", "pit"), constant=SMALL_NUMBERS)
def keeps_the_log_finite_with_a_small_number(scores, axis=-1, *, constant):
    """All scores far below the best come out alike, as the logarithm of {constant}. You took the weights, which round
    to 0, and added or set a small number so that their logarithm stays finite. That hides
    what was rounded away, and brings none of it back. What would the formula be without any weight?"""
    scores = np.asarray(scores)
    return np.log(softmax(scores, axis) + constant)


def forgets_the_log(scores, axis=-1):
    """Your numbers are the weights: positive, and each row sums to 1. This function returns their logarithms, which
    are all 0 or below. On paper, what is the logarithm of a quotient?"""
    return softmax(scores, axis)


def forgets_the_log_sum(scores, axis=-1):
    """The largest number of each row is 0, as if its weight were the whole. The maximum is subtracted, and after that
    nothing more, or only a 0. In the formula the division by the sum is still to come: what does a division become
    once you take logarithms?"""
    return shift(scores, axis)


def adds_the_log_sum(scores, axis=-1):
    """Some of your numbers are above 0, so their weights would be above 1. The logarithm of the sum is there, but it
    was added. The logarithm of a product is a sum. What is that of a quotient?"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted + np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def divides_by_the_log_sum(scores, axis=-1):
    """You divided by the logarithm of the sum. The logarithm turns a division into something simpler: the logarithm of
    a quotient is a difference of two logarithms. Which sign belongs between your two terms?"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted / np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def subtracts_the_sum_without_log(scores, axis=-1):
    """The exponentials of your row do not sum to 1. You subtracted the sum of the exponentials itself. The logarithm of
    a quotient is the difference of two *logarithms*: which of your two terms is not a logarithm yet?"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted - np.exp(shifted).sum(axis=axis, keepdims=True)


@mistake(front=(True, False), inside=(True, False))
def sums_the_logs(scores, axis=-1, *, front, inside):
    """You subtracted a sum of logarithms, and the logarithm of `exp(s)` is `s` again: that is a sum of scores. The
    logarithm of a sum is another number: log(e + e) is 1.69, while log(e) + log(e) is 2. Exp, sum and log stay, one
    inside the other. In which order?"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return (shifted if front else scores) - (shifted if inside else scores).sum(axis=axis, keepdims=True)


def averages_inside_the_log(scores, axis=-1):
    """The exponentials of each of your rows sum to the number of its scores, not to 1. Inside the logarithm is the
    mean of the exponentials. A weight is a part of the whole: which of the two, mean or sum, is the whole?"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).mean(axis=axis, keepdims=True))


def counts_one_more_inside_the_log(scores, axis=-1):
    """The exponentials of each of your rows sum to less than 1. Inside the logarithm there is a 1 too many, as if the
    row had one more score. (`log1p` adds one: it is made for numbers near 0.) What exactly should the logarithm see?"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted - np.log1p(np.exp(shifted).sum(axis=axis, keepdims=True))


def subtracts_the_maximum_in_the_sum_only(scores, axis=-1):
    """Each row is off by its own maximum. You subtracted it inside the sum, but not from the score in front. It cancels
    only if it is subtracted in both places (or given back at the end). Where does your maximum appear?"""
    scores = np.asarray(scores)
    return scores - np.log(np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True))


def subtracts_the_maximum_in_front_only(scores, axis=-1):
    """Each row is off by its own maximum. You subtracted it from the score in front, but not inside the sum, where the
    overflow happens. It cancels only if it is subtracted in both places. Where does your maximum appear?"""
    scores = np.asarray(scores)
    return shift(scores, axis) - np.log(np.exp(scores).sum(axis=axis, keepdims=True))


def takes_the_maximum_with_the_wrong_sign(scores, axis=-1):
    """Your numbers are off by twice the maximum of their row. The maximum was taken out of the exponents, and when it
    came back, it had the wrong sign. Log-softmax is a score less the logarithm of the whole sum. If that logarithm was
    taken of lowered scores, what is missing in it?"""
    scores = np.asarray(scores)
    return scores + scores.max(axis=axis, keepdims=True) - np.log(np.exp(shift(scores, axis)).sum(axis, keepdims=True))


def subtracts_the_maximum_twice(scores, axis=-1):
    """Your numbers are too low by the maximum of their row: it was subtracted twice. Once it is gone from all scores,
    in front and inside the sum, nothing of it is left to be subtracted. How often does the maximum appear in your
    code?"""
    scores = np.asarray(scores)
    return log_softmax(scores, axis) - scores.max(axis=axis, keepdims=True)


@mistake(which=(0, -1))
def log_leaves_one_score_out_of_the_sum(scores, axis=-1, *, which):
    """The exponentials of your rows sum to more than 1. One score, the first or the last of each row, is not in the sum
    inside the logarithm. The whole contains all of its parts. If a loop adds them up, where does it begin, and where
    does it end?"""
    scores = np.asarray(scores)
    powers = np.exp(shift(scores, axis))
    return shift(scores, axis) - np.log(powers.sum(axis, keepdims=True) - powers.take([which], axis=axis))


def takes_the_log_of_softmax_twice(scores, axis=-1):
    """Your numbers are the logarithms of weights that are far too even: scores went through softmax, and then the
    result was treated as scores again. Differences between scores should survive unchanged. How often
    does softmax, written out or called, come in your code?"""
    return log_softmax(mha_ref.softmax(scores, axis), axis)


@mistake(decimals=(1, 2, 3, 4))
def rounds_the_logs(scores, axis=-1, *, decimals):
    """Your numbers are rounded; the number of decimals left is {decimals}. Rounding is for numbers that people read,
    and what follows needs all digits. Where does your code round?"""
    scores = np.asarray(scores)
    return np.round(log_softmax(scores, axis), decimals)


@mistake(constant=(2, 10))
def takes_the_sum_in_another_logarithm(scores, axis=-1, *, constant):
    """The exponentials of your rows do not sum to 1. The logarithm of your sum has the base {constant}, while the
    scores in front of it are exponents of e. The two terms of a difference need one base. Which logarithm undoes
    `exp`?"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)) / np.log(constant)


@mistake(constant=(2, 10))
def answers_in_another_base(scores, axis=-1, *, constant):
    """All your numbers are off by the same factor: they are logarithms in base {constant}. Nothing is lost, but the
    natural logarithm was asked for, the one that undoes `exp`. Which function did you take?"""
    scores = np.asarray(scores)
    return log_softmax(scores, axis) / np.log(constant)


def turns_the_sign_of_the_log(scores, axis=-1):
    """All your numbers are 0 or above. The logarithm of a weight cannot be: a weight is at most 1. The minus sign that
    you may have in mind belongs to the loss, which is made *from* this function. Which sign does the logarithm of one
    half have?"""
    return -log_softmax(scores, axis)


def log_over_the_last_but_one_axis(scores, axis=-1):
    """The exponentials of your result sum to 1 down the columns, not along the rows. Unless told otherwise, one row is
    one whole: the last axis. Which axis do your maximum and your sum run along?"""
    return log_softmax(scores, axis=-2)


def log_over_the_first_axis(scores, axis=-1):
    """The exponentials of your result sum to 1 along the first axis, whatever was asked for. Unless told otherwise, one
    row is one whole: the last axis. Which axis do your maximum and your sum run along, and where does that number come
    from?"""
    return log_softmax(scores, axis=0)


def log_over_the_second_axis(scores, axis=-1):
    """You always work along axis 1. For a matrix that is the last axis; with a third axis in front it is another one,
    and a single row has no axis 1 at all. Counting from the end works for every number of axes. Which number names
    the last axis?"""
    return log_softmax(scores, axis=1)


def log_ignores_the_axis(scores, axis=-1):
    """The exponentials of your result sum to 1 along the last axis, even where another one is asked for. The caller
    chooses with `axis`, and the maximum and the sum both follow that choice. Follow `axis` through your code: where
    does it get lost?"""
    return log_softmax(scores)


def log_over_everything(scores, axis=-1):
    """The exponentials of *all* your numbers together sum to 1. Every row should have a whole of its own. A sum that is
    given no axis adds up the whole array. Along which axis should yours run?"""
    scores = np.asarray(scores)
    shifted = scores - scores.max()
    return shifted - np.log(np.exp(shifted).sum())


def log_sums_over_all_rows(scores, axis=-1):
    """With one row your result is right. With several, the numbers of each row are too low: the maximum was taken row
    by row, but the sum over the whole array. A sum that is given no axis adds up everything. What did you tell the
    maximum, and not the sum?"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).sum())


@mistake(along=(0, 1, -1, -2))
def log_sums_along_a_fixed_axis(scores, axis=-1, *, along):
    """Your maximum is taken along the right axis, but your sum always runs along axis {along}. The two have to walk the
    same way: the sum of a row is made of the exponentials of this row. Which axis does your sum name? (Python's own
    `sum` takes none: it walks along axis 0.)"""
    scores = np.asarray(scores)
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).sum(axis=along, keepdims=True))


@mistake(default=(0, 1, None))
def log_changes_the_default_axis(scores, axis=..., *, default):
    """Where the caller names an axis, your result is right. Where none is named, your function works along
    `axis={default}`. There the last axis is asked for, however many there are. The line that begins with `def`
    says what happens if no axis is named: compare yours with the one that the lesson gave you."""
    scores = np.asarray(scores)
    axis = default if axis is ... else axis
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@mistake(turned=(np.negative, np.abs))
def log_loses_the_sign_of_the_axis(scores, axis=-1, *, turned):
    """Along the first axis your result is right. Where the last one is meant, which is -1, your code works along axis
    1: the axis has changed its sign. Negative numbers count axes from the end, positive ones from the front. Is there a
    minus in front of your axis, or an `abs` around it?"""
    return log_softmax(np.asarray(scores), turned(axis))


@mistake(moved=(np.moveaxis, np.swapaxes))
def log_leaves_the_axis_at_the_end(scores, axis=-1, *, moved):
    """Along the last axis your result is right. Another axis was brought to the end, to make things easier, and there
    it stayed: the numbers are right, but rows and columns have swapped places. If you move an axis for the work,
    you have to move it back. What undoes your first step?"""
    scores = np.asarray(scores)
    return moved(log_softmax(scores, axis), axis, -1)


@mistake(shifted=(True, False))
def log_puts_the_axis_back_at_the_end(scores, axis=-1, *, shifted):
    """Along the last axis your result is right; along another one it is not, or your code stops. The sum takes its axis
    away, and you put one back at the end, whichever it was. It must come back in its old place. The sum can keep it for
    you."""
    scores = np.asarray(scores)
    lowered = shift(scores, axis) if shifted else scores - scores.max(axis=axis)[..., None]
    return lowered - np.log(np.exp(lowered).sum(axis=axis))[..., None]
