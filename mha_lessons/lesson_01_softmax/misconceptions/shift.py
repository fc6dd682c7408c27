"""What people get wrong about `shift`."""

import numpy as np

from autograder.mistakes import mistake


@mistake(on=("large", "low", "spread", "half", "cold"))
def forgets_to_subtract_the_maximum(scores, axis):
    """Small scores come out right; scores far from 0 give NaN or infinity. `exp` of a large number does not fit into a
    float, and `exp` of a very negative one becomes 0. Softmax depends only on differences, so you may subtract one
    number from a whole row before `exp`. Which number makes its largest exponent 0?"""
    return scores


def forgets_to_keep_the_axis_of_the_maximum(scores, axis):
    """Your maximum lost its axis, so it no longer lines up with the scores. Usually the shapes clash; on a square array
    the code runs, and subtracts the maximum of another row. Print the two shapes side by side. The maximum takes an
    argument that keeps the axis, with length 1."""
    return scores - scores.max(axis=axis)


def subtracts_the_maximum_of_the_first_axis(scores, axis):
    """You subtracted different numbers from the scores of one row, and that changes their weights. Subtracting is
    harmless only if it is the same number for all scores that go into one sum. Along which axis did you take the
    maximum, and along which the sum?"""
    return scores - scores.max(axis=0, keepdims=True)


def divides_by_the_maximum(scores, axis):
    """You divided the scores by the largest one. That keeps `exp` small, but it stretches or shrinks the differences
    between scores, and softmax depends on them. If the largest is negative, even the order is reversed. Which operation
    makes the largest score 0 and keeps every difference?"""
    return scores / scores.max(axis=axis, keepdims=True)


def ignores_the_axis_in_the_maximum(scores, axis):
    """Along the last axis your result is right; along another one it is not. You have to subtract the same number from
    all scores that go into one sum, or their differences change. Your sum follows `axis`. Does your maximum follow it
    too?"""
    return scores - scores.max(axis=-1, keepdims=True)


def subtracts_the_scores_from_the_maximum(scores, axis):
    """The order is reversed: the largest score gets the smallest weight. You took the maximum minus the score, so every
    exponent is 0 or above, and large differences overflow. The largest exponent should be 0 and all others below it.
    Which of the two numbers comes first?"""
    return scores.max(axis=axis, keepdims=True) - scores


@mistake(on=("large", "low", "spread", "half", "cold"))
def adds_the_maximum(scores, axis):
    """Small scores come out right; scores far from 0 give NaN or infinity, and sooner than without your maximum: it was
    added, so the largest score of each row is now twice as far from 0. What should this score become before `exp`, and
    which sign does that?"""
    return scores + scores.max(axis=axis, keepdims=True)


@mistake(on=("spread", "large", "cold"))
def subtracts_the_largest_of_all(scores, axis):
    """A row whose scores are far below those of another row becomes NaN or infinity. You subtracted one number from all
    rows, the largest score of all. In a low row every `exp` is then 0, and so is their sum. What would each row
    subtract if it were alone?"""
    return scores - scores.max()


@mistake(on=("gap", "large", "cold"))
def subtracts_the_mean(scores, axis):
    """A score far above the rest of its row still overflows. You subtracted a number that can be far below it, such as
    the mean of the row, or the maximum of a part of it, so the largest exponent can still be large. Which number of the
    row leaves no exponent above 0?"""
    return scores - scores.mean(axis=axis, keepdims=True)


@mistake(on=("gap", "pit", "large", "cold"))
def subtracts_the_minimum(scores, axis):
    """Where a row's scores are far apart, `exp` still overflows. You subtracted the smallest score of the row, so every
    exponent is 0 or above, and the largest can be as large as ever. Large exponents overflow; very negative ones fade
    to 0, which is harmless. Which score should become 0?"""
    return scores - scores.min(axis=axis, keepdims=True)


PARTS_OF_A_ROW = {
    "the first score": np.s_[:1],
    "the last score": np.s_[-1:],
    "the first two scores": np.s_[:2],
    "the last two scores": np.s_[-2:],
}


@mistake(on=("gap", "large", "cold"), part=PARTS_OF_A_ROW)
def subtracts_the_largest_of_a_part(scores, axis, *, part):
    """Where a far larger score is elsewhere in the row, `exp` still overflows. What you subtract
    is not the largest: perhaps it comes from a part of the row, such as {part}. On paper any score will do;
    on a computer large exponents overflow. Which score leaves no exponent above 0?"""
    some = np.moveaxis(scores, axis, 0)[PARTS_OF_A_ROW[part]]
    return scores - np.moveaxis(some, 0, axis).max(axis=axis, keepdims=True)


@mistake(on=("low", "pit"))
def subtracts_the_largest_size(scores, axis):
    """Scores far below zero give NaN or infinity. You subtracted the largest absolute value; negative scores then sink
    further, until every `exp` is 0. The largest score need not have the largest absolute value: which is larger, -1000
    or -1001?"""
    return scores - np.abs(scores).max(axis=axis, keepdims=True)


@mistake(on="low")
def starts_the_maximum_at_zero(scores, axis):
    """A row of scores far below zero gives NaN or infinity. Its largest score is negative, and there your code
    subtracts too little or nothing, so every `exp` fades to 0. Does your search for the maximum begin at 0, say, or do
    you subtract large maxima only? Which score should become 0?"""
    return scores - np.maximum(scores.max(axis=axis, keepdims=True), 0)


@mistake(on=("large", "low", "spread"))
def clips_the_scores(scores, axis):
    """Scores beyond some limit count as equal: where a whole row is large, its weights are even. You clipped the
    scores. That stops the overflow, but it throws away the differences, and softmax depends on nothing else. Which
    operation makes scores small and keeps their differences?"""
    return np.clip(scores, -50, 50)
