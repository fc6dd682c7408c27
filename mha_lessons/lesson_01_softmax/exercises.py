"""Lesson 01: from scores to weights."""

import numpy as np

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question
from mha_lessons.lesson_00_start_here.properties import rows_do_not_touch_each_other

from . import cases
from .properties import (
    every_score_gets_something,
    larger_scores_get_larger_weights,
    only_differences_count,
    weights_are_not_negative,
    weights_sum_to_one,
)

# scores, and what softmax makes of them

weight_ratio = Question(
    answer=np.exp(2),
    wrong={
        2: "2 is the difference of the two scores. Each point multiplies the weight by e, and there are two points.",
        np.e * 2: "You took e twice and added. Each further point *multiplies* by e again.",
        np.e: "That is the factor for one point. From 0 to 2 there are two.",
        7.29: "The right idea, with too few digits: e is 2.718..., not 2.7. NumPy's np.exp gives powers of e.",
        **dict.fromkeys(
            (7, 7.1),
            "That is close. Weights with one or two digits are too rough for a ratio. "
            "From the two scores you can get it as exactly as you like.",
        ),
        4: "You used the base 2 and doubled for each of the two points. Softmax uses the base e = 2.718...",
        8: "8 is three doublings. From 0 to 2 there are two points, and each multiplies by e = 2.718..., not by 2.",
        np.exp(3): "That is the factor for three points. From 0 to 2 there are two.",
        100: "You used the base 10. Softmax uses the base e = 2.718...",
        np.exp(-2): "That is the ratio the other way round: sat's weight divided by cat's.",
        0.6439: "That is cat's weight itself. How many times does sat's weight fit into it?",
        0.5568: "That is the difference of the two weights. The question asks for their ratio: divide.",
    },
)

added_thousand = Question(
    answer="a",
    wrong={
        "b": "The scores look nearly equal beside 1000, but softmax never sees their size, only differences: "
        "1002 - 1001 is still 1.",
        "c": "Larger scores make larger powers, but all of them grow by the same factor, and so does their sum. "
        "What happens to a weight, which is a power divided by the sum?",
        "nan": "That is a clever answer to another question: what the *computer* says, in the next cell. "
        "What does the formula say, on paper?",
    },
)

sum_bounds = Question(
    answer=(1, 8),
    wrong={
        (8, 1): "The two numbers are right. Give the smaller one first.",
        (0, 8): "The upper end is right. For the lower end look at the largest score: what is its exponential, "
        "now that the score itself has become 0?",
        (1, 7): "The lower end is right. For the upper end let all eight scores be equal: what is each exponential?",
        (0, 7): "You left one of the eight out. The largest score has become 0: what is its exponential? "
        "It belongs to the sum, too.",
        (0, 1): "That is the range of one exponential. The sum has eight of them, and you know one of them exactly.",
        (1, 1): "That is the sum of the weights, after the division. The question asks for the sum of the "
        "exponentials, before it.",
        (0, np.inf): "That is true before the maximum is subtracted. Afterwards no exponent is above 0, and one is 0.",
        (1, np.inf): "The lower end is right. No exponent is above 0 any more: how large can an exponential be?",
        (-8, 0): "`exp` is never negative. Subtract the maximum, take `exp` of all eight, and add up the results.",
        **dict.fromkeys(
            ((8, 64), (1, 64)),
            "No exponent is above 0 any more: how large can one exponential be? Then add up eight of them.",
        ),
        (1, 2): "The lower end is right. How many scores of the row can be the largest at the same time?",
    },
)

shift = Step(mha_ref.shift)

softmax = Exercise(
    mha_ref.softmax,
    cases.scores,
    points=3,
    properties=(
        weights_are_not_negative,
        rows_do_not_touch_each_other,
        weights_sum_to_one,
        larger_scores_get_larger_weights,
        every_score_gets_something,
        only_differences_count,
    ),
)

softmax_bug = Question(
    answer=3,
    wrong={
        0: "The comments at the ends of the lines count them: the first line of the body is line 1.",
        1: "This line makes room for the result, and whatever is in it is overwritten row by row. "
        "Print what each row subtracts from its scores.",
        2: "The loop visits every row, as it should. Print what each row subtracts from its scores.",
        4: "This is the sum of one row's powers, as it should be. In the row that fails it is 0, "
        "since all its powers are 0. Where do these powers come from?",
        5: "Here 0 / 0 gives NaN, so this is where you see it. The cause is earlier: why are all powers of this row 0?",
        6: "This line returns the result. Where does the first strange number appear?",
    },
)
