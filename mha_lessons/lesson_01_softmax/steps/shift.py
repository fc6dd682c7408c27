"""What people get wrong about `shift`, and what helps them."""

import numpy as np

from ..exercises import shift

KEEP_THE_AXIS = (
    "One row has one maximum and one sum, and they belong to this row alone. "
    "The computer knows that from the shapes only, and it lines shapes up from the right. "
    "Scores of shape (3, 4) are three rows. Three numbers of shape (3,) could belong to anything. "
    "Three numbers of shape (3, 1) belong to the rows.",
    "Print the shape of each maximum and each sum beside that of the scores. "
    "Both should have the same number of axes, with length 1 on the axis that was walked along. "
    "Try two axes and three, and an axis that is not the last. Where is an axis missing, or the 1 in the wrong place?",
    "Each maximum and each sum needs to be told two things: which axis to walk along, and to keep that axis, with "
    "length 1. Then all shapes line up, whatever the number of axes. "
    "Nothing has to be put back by hand afterwards, by `None`, by a reshape or by a transpose.",
)


@shift.misconception(on=("large", "low", "spread", "half", "cold"))
def forgets_to_subtract_the_maximum(scores, axis):
    """Small scores come out right; scores far from 0 give NaN or infinity. `exp` of a large number does not fit into a
    float, and `exp` of a very negative one becomes 0. Softmax sees differences alone, so you may subtract one number
    from a whole row before `exp`. Which number makes its largest exponent 0?"""
    return scores


@shift.misconception
def forgets_to_keep_the_axis_of_the_maximum(scores, axis):
    """Your maximum lost its axis, so it no longer lines up with the scores. Mostly the shapes clash; on a square the
    code runs, and a score has the maximum of another row subtracted from it. Print the two shapes side by side. An
    argument of the maximum keeps that axis, with length 1."""
    return scores - scores.max(axis=axis)


@shift.misconception
def subtracts_the_maximum_of_the_first_axis(scores, axis):
    """From the scores of one row you subtracted different numbers, and that changes their weights. Subtracting is
    harmless only if all scores that go into one sum lose the same. Along which axis did you take the maximum, and along
    which the sum?"""
    return scores - scores.max(axis=0, keepdims=True)


@shift.misconception
def divides_by_the_maximum(scores, axis):
    """Your scores are divided by their largest one. That keeps `exp` small, but it stretches or squeezes the
    differences between scores, and softmax lives on differences. Where the largest is negative, even the order turns
    round. Which operation makes the largest score 0 and keeps every difference?"""
    return scores / scores.max(axis=axis, keepdims=True)


@shift.misconception
def ignores_the_axis_in_the_maximum(scores, axis):
    """Along the last axis your result is right; along another one it is not. From all scores that go into one sum you
    have to subtract the same number, or their differences change. Your sum follows `axis`. Does your maximum follow it
    too?"""
    return scores - scores.max(axis=-1, keepdims=True)


@shift.misconception
def subtracts_the_scores_from_the_maximum(scores, axis):
    """The order is turned round: the largest score gets the smallest weight. You took the maximum minus the score, so
    every exponent is 0 or above, and large differences overflow. The largest exponent should be 0 and all others below
    it. Which of the two numbers comes first?"""
    return scores.max(axis=axis, keepdims=True) - scores


@shift.misconception(on=("large", "low", "spread", "half", "cold"))
def adds_the_maximum(scores, axis):
    """Small scores come out right; scores far from 0 give NaN or infinity, and sooner than without your maximum: it was
    added, so the largest score of each row is now twice as far from 0. What should this score become before `exp`, and
    which sign takes it there?"""
    return scores + scores.max(axis=axis, keepdims=True)


@shift.misconception(on=("spread", "large", "cold"))
def subtracts_the_largest_of_all(scores, axis):
    """A row whose scores lie far below those of another row turns to NaN or infinity. You subtracted one number from
    all rows, the largest score of all. In a low row every `exp` is then 0, and so is their sum. What would each row
    subtract if it were alone?"""
    return scores - scores.max()


@shift.misconception(on=("gap", "large", "cold"))
def subtracts_the_mean(scores, axis):
    """A score far above the rest of its row still overflows. You subtracted a number that can lie far below it, such as
    the mean of the row, or the maximum of a part of it, so the largest exponent can still be large. Which number of the
    row leaves no exponent above 0?"""
    return scores - scores.mean(axis=axis, keepdims=True)


@shift.misconception(on=("gap", "pit", "large", "cold"))
def subtracts_the_minimum(scores, axis):
    """Where a row's scores lie far apart, `exp` still overflows. You subtracted the smallest score of the row, so every
    exponent is 0 or above, and the largest can be as large as ever. Large exponents overflow; very negative ones fade
    to 0, which is harmless. Which score should become 0?"""
    return scores - scores.min(axis=axis, keepdims=True)


PARTS_OF_A_ROW = {
    "the first place": np.s_[:1],
    "the last place": np.s_[-1:],
    "the first two places": np.s_[:2],
    "the last two places": np.s_[-2:],
}


@shift.misconception(on=("gap", "large", "cold"), part=PARTS_OF_A_ROW)
def subtracts_the_largest_of_a_part(scores, axis, *, part):
    """Where a far larger score stands elsewhere in the row, `exp` still overflows. What you subtracted comes from a
    part of each row, such as {part}. On paper any score will do; on a computer large exponents overflow. Which
    score of the row leaves no exponent above 0, wherever it stands?"""
    some = np.moveaxis(scores, axis, 0)[PARTS_OF_A_ROW[part]]
    return scores - np.moveaxis(some, 0, axis).max(axis=axis, keepdims=True)


@shift.misconception(on=("low", "pit"))
def subtracts_the_largest_size(scores, axis):
    """Scores far below zero give NaN or infinity. You subtracted the largest size, taken without its sign; negative
    scores then sink further, until every `exp` is 0. The largest score is not always the one of largest size: which is
    larger, -1000 or -1001?"""
    return scores - np.abs(scores).max(axis=axis, keepdims=True)


@shift.misconception(on="low")
def starts_the_maximum_at_zero(scores, axis):
    """A row of scores far below zero gives NaN or infinity. Its largest score is negative, and there your code
    subtracts nothing, so every `exp` fades to 0. Does your search for the maximum begin at 0, or does your code
    subtract large maxima only? Which score of such a row should become 0?"""
    return scores - np.maximum(scores.max(axis=axis, keepdims=True), 0)


@shift.misconception(on=("large", "low", "spread"))
def clips_the_scores(scores, axis):
    """Scores beyond some limit come out as equals: where a whole row is large, its weights are even. You cut the scores
    off. That stops the overflow, but it throws the differences away, and softmax looks at nothing else. Which operation
    makes scores small and keeps their differences?"""
    return np.clip(scores, -50, 50)


shift.hints_for(
    "forgets_to_subtract_the_maximum",
    "divides_by_the_maximum",
    "clips_the_scores",
    hints=(
        "Think of the scores of a row as houses along a road. Softmax asks only how far apart they are. "
        "So you may move all of them along by the same distance. You may not stretch the road, and not cut it off. "
        "A computer likes one position best: the last house at 0, all others before it.",
        "Print what goes into `exp`, for the rows (1, 2, 3) and (1001, 1002, 1003). For both it should be the same "
        "three numbers: the largest is 0, no other is above it, and the gaps between them are what they were. "
        "Whatever brings the scores there has to happen before `exp`, since afterwards it is too late.",
        "From the numbers that would go into `exp`, subtract the largest one of their row. "
        "Take that maximum along the axis of the sum, and keep this axis with length 1. "
        "Subtract and nothing else: no division, no limit. "
        "From there on use the lowered numbers, in every place where scores were used.",
    ),
)

shift.hints_for(
    "subtracts_the_scores_from_the_maximum",
    "adds_the_maximum",
    hints=(
        "Two things have to be true of the numbers that go into `exp`. The best score has the largest one. "
        "And this largest one is 0. Then all others are below 0, and nothing can overflow. "
        "A plus in place of a minus, or a difference the wrong way round, breaks one of the two.",
        "Take the row (1, 2, 5), whose maximum is 5, and work out by hand what your line with the maximum makes of it. "
        "Which of the three becomes 0? Are the others below it or above? "
        "Then do the same with a row that is 1000 higher: it should give the same three numbers.",
        "The line is a difference: first the score, then the minus, then the maximum of its row. "
        "It turns the row (1, 2, 5) into (-4, -3, 0). "
        "Between this line and `exp` no other minus follows, or the order would turn round after all.",
    ),
)

shift.hints_for(
    "subtracts_the_mean",
    "subtracts_the_minimum",
    "subtracts_the_largest_of_a_part",
    "subtracts_the_largest_size",
    "starts_the_maximum_at_zero",
    hints=(
        "On paper you may subtract any number. On a computer there are two dangers. "
        "One exponent far above 0 overflows. "
        "And if all exponents of a row lie far below 0, every power fades to 0, and so does their sum. "
        "One choice avoids both, for every row there is: the largest exponent is exactly 0.",
        "Print what goes into `exp`, for three rows: (0, 0, 1000), then (0, 0, -1000), then (-1000, -1001, -1002). "
        "The largest number of each should be 0. In at least one row yours is not. "
        "See which number you subtracted there, and compare it with the largest of the three scores.",
        "Subtract the largest score itself. It keeps its sign, so no `abs` comes before it. "
        "It is one of the scores, so no mean and no extra 0 takes its place. "
        "A maximum along the axis, with the axis kept, finds it for every row. "
        "A search by loop starts from the row's first score.",
    ),
)

shift.hints_for(
    "subtracts_the_maximum_of_the_first_axis",
    "ignores_the_axis_in_the_maximum",
    "subtracts_the_largest_of_all",
    hints=(
        "Scores that are added up in one sum belong together. "
        "Lower all of them by one and the same number, and nothing changes. "
        "Each such group may have a number of its own, and needs its own maximum. "
        "One from elsewhere is too high for some groups, or is not the same for all scores of one group.",
        "Look at your maximum and your sum side by side: which axis is each of them told? "
        "Then print what you subtract next to the scores. All scores that go into one sum should lose the same number, "
        "and it should be the largest of these very scores. Two rows, one far above the other, show it best.",
        "Tell the maximum the same axis as the sum: the one that was asked for, or else the last. "
        "Keep this axis, with length 1, so that the maximum lines up with the scores, and subtract. "
        "In the end both lines should say the same about the axis, word for word.",
    ),
)

shift.hints_for(
    "forgets_to_keep_the_axis_of_the_maximum",
    hints=KEEP_THE_AXIS,
)
