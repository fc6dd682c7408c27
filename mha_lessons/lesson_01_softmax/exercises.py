"""Lesson 01: from scores to weights."""

import numpy as np

import mha_ref
from autograder.exercise import Exercise, Question, Step, TestWriting
from mha_lessons.lesson_00_start_here.properties import rows_do_not_touch_each_other

from . import cases
from .properties import (
    differences_of_scores_stay,
    every_score_gets_something,
    larger_scores_get_larger_weights,
    log_weights_sum_to_one,
    only_differences_count,
    twice_the_temperature_is_half_the_scores,
    weights_are_not_negative,
    weights_sum_to_one,
)

# do you remember lesson 00?

remember_the_mean = Question(
    answer=5,
    points=0,
    wrong={
        6: "6 is the plain mean, where both values count alike. Here the second has the larger weight.",
        7: "You gave each value the weight of the other. The first weight belongs to the first value.",
        2.5: "You divided by 2 at the end. The weights sum to 1, so nothing is left to divide.",
        12: "You added the values whole. Each is multiplied by its weight first.",
        4: "4 is the value with the largest weight. A mean takes a share of the other one, too.",
        3: "0.75 · 4 = 3 is the share of the second value. What does the first one add?",
        2: "0.25 · 8 = 2 is the share of the first value. What does the second one add?",
    },
    hints=(
        "Lesson 00, *A weighted mean*: multiply each value by its weight, and add up the products. "
        "With two equal weights the result would be 6, half way between the values. "
        "Here the second weight is larger. "
        "So on which side of 6 must the result lie?",
    ),
)

remember_the_weights = Question(
    answer="c",
    points=0,
    wrong={
        "a": "These three sum to 1.5. Weights are shares of one whole: how much is that together?",
        "b": "They do sum to 1, but one of them is below 0, and nobody can take less than nothing of a value.",
    },
    hints=(
        "Lesson 00, *A weighted mean*: weights have two properties. "
        "None of them is below 0, and together they are 1, one whole. "
        "Try both on each of the three rows, and write the sum beside each row. "
        "A weight of 0 is allowed: it takes nothing.",
    ),
)

remember_the_axis = Question(
    answer="b",
    points=0,
    wrong={
        "a": "Each query gets a mean of its own, so the queries are still there, as rows.",
        "c": "Features are never mixed with each other, so they are still there, as columns.",
    },
    hints=(
        "Lesson 00, *The formula as one operator*: a mean over several things is one thing. "
        "Over which is it here? "
        "Take 4 queries, 3 keys and 2 features, and write the shapes of `weights`, `values` and the result below "
        "each other. "
        "Which number is missing in the last?",
    ),
)

# scores, and what softmax makes of them

weight_ratio = Question(
    answer=np.exp(2),
    wrong={
        2: "2 is the difference of the two scores. Each point multiplies the weight by e, and there are two points.",
        np.e * 2: "You took e twice and added. Each further point *multiplies* by e once more.",
        np.e: "That is the factor for one point. From 0 to 2 there are two.",
        7.29: "The right idea, with too few digits: e is 2.718..., not 2.7. For powers of e NumPy has np.exp.",
        **dict.fromkeys(
            (7, 7.1),
            "That is near. Weights with one or two digits are too rough for a ratio. "
            "From the two scores you get it as exactly as you like.",
        ),
        4: "You counted in the base 2: doubled for each point, twice. Softmax counts in the base e = 2.718...",
        8: "8 is three doublings. From 0 to 2 there are two points, and each multiplies by e = 2.718..., not by 2.",
        np.exp(3): "That is the factor for three points. From 0 to 2 there are two.",
        100: "You counted in the base 10. Softmax counts in the base e = 2.718...",
        np.exp(-2): "That is the ratio the other way round: sat's weight divided by cat's.",
        0.6439: "That is cat's weight itself. How many times does sat's weight fit into it?",
        0.5568: "That is the difference of the two weights. The question asks for their ratio: divide.",
    },
    hints=(
        "A weight is one power of e divided by the sum of the row. "
        "Both words stand in the same row, so both are divided by the same sum. "
        "If you now divide one weight by the other, what becomes of this sum? "
        "Write the fraction down, and see what is left of it.",
        "Look at the two scores alone: cat has 2 and sat has 0. "
        "You need neither mat nor the, and no softmax at all. "
        "A ratio of two powers with the same base is again a power of that base. "
        "Its exponent can be read off the two scores.",
        "Divide e to the power of cat's score by e to the power of sat's score. "
        "You may use NumPy as a calculator, its function exp gives powers of e. "
        "The result is a number between 7 and 8, and two decimals are enough here.",
    ),
)

added_thousand = Question(
    answer="a",
    wrong={
        "b": "The scores look nearly equal beside 1000, but softmax never sees their size, only differences: "
        "1002 - 1001 is still 1.",
        "c": "Larger scores make larger powers, but all of them grow by one and the same factor, their sum too. "
        "What becomes of a weight, which is a power divided by the sum?",
        "nan": "That is a clever answer to another question: what the *computer* says, in the next cell. "
        "What does the formula say, on paper?",
    },
    hints=(
        "Softmax divides powers of e by a sum of powers of e. "
        "Adding a number to an exponent multiplies the power by a factor. "
        "Think about what happens to a fraction when its numerator and its denominator "
        "are multiplied by one and the same factor.",
        "Write down the weight of the first word after adding 1000. "
        "There is one power in the numerator, and there are four in the sum that is the denominator. "
        "Each of these five powers has 1000 more in its exponent than before. "
        "Which factor does that put in front of each of them?",
        "Replace each power by the old power times e to the 1000. "
        "The sum then has this factor in every term, so you can write it once, in front. "
        "Now compare the fraction with the one before, and choose the sentence that describes it.",
    ),
)

sum_bounds = Question(
    answer=(1, 8),
    wrong={
        (8, 1): "The two numbers are right. Give the smaller one first.",
        (0, 8): "The upper end is right. For the lower one look at the largest score: what is its exponential, "
        "now that the score itself has become 0?",
        (1, 7): "The lower end is right. For the upper one let all eight scores be equal: what is each exponential?",
        (0, 7): "You left one of the eight out. The largest score has become 0: what is its exponential? "
        "It belongs to the sum as well.",
        (0, 1): "That is the range of one exponential. The sum has eight of them, and you know one of them exactly.",
        (1, 1): "That is the sum of the weights, after the division. The question asks for the sum of the "
        "exponentials, before it.",
        (0, np.inf): "That is so before the maximum is subtracted. Afterwards no exponent is above 0, and one is 0.",
        (1, np.inf): "The lower end is right. No exponent is above 0 any more: how large can an exponential be?",
        (-8, 0): "`exp` is never negative. Subtract the maximum, take `exp` of each of the eight, and add up those.",
        **dict.fromkeys(
            ((8, 64), (1, 64)),
            "No exponent is above 0 any more: how large can one exponential be? Then add up eight of them.",
        ),
        (1, 2): "The lower end is right. How many scores of the row can be equal, and all of them the largest?",
    },
    hints=(
        "Once the maximum is subtracted, the largest score of the row is exactly 0, and all others are 0 or below. "
        "Ask what this says about each single exponential: how large can it be, and how small? "
        "Then ask the same of the sum of all eight.",
        "There are two extreme rows. "
        "In one of them a single score is far above all the others. "
        "In the other all eight scores are equal. "
        "For each of these rows subtract the maximum, then work out the eight exponentials, then their sum.",
        "The exponential of 0 is 1, and the exponential of a number far below 0 is nearly 0. "
        "In the first of the two extreme rows one exponential is 1, and seven are nearly 0. "
        "In the second row all eight are 1. "
        "Give the smaller sum first.",
    ),
)

shift = Step(mha_ref.shift)

softmax = Exercise(
    mha_ref.softmax,
    cases.scores,
    points=3,
    hints=(
        "Three things turn a row of scores into weights. "
        "First the row is prepared, so that no exponent is above 0. "
        "Then each score becomes a positive number. "
        "Then each of these numbers becomes a part of one whole. "
        "Say in your own words which operation does which, and in which order they must come.",
        "The naive version at the top has two of the three things. "
        "What it lacks is a subtraction before the exponential, and an axis. "
        "Both the maximum and the sum belong to one row, not to the whole array. "
        "Both must line up with the scores afterwards, whatever the number of axes.",
        "Take the maximum of the scores along the given axis, keep that axis with length 1, and subtract it. "
        "Take the exponential of what is left, and give it a name. "
        "Return it divided by its own sum, where the sum runs along the same axis and keeps it in the same way.",
    ),
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
        0: "Count as the comments at the ends of the lines do: the first line of the body is line 1.",
        1: "This line makes room for the result, and what stands in it at first is overwritten row by row. "
        "Print what each row subtracts from its scores.",
        2: "The loop visits every row, as it should. Print what each row subtracts from its scores.",
        4: "This is the sum of one row's powers, as it should be. In the row that fails it is 0, "
        "since all its powers are 0. Where do these powers come from?",
        5: "Here 0 / 0 gives NaN, so here one sees it. The cause is earlier: why are all powers of this row 0?",
        6: "This line hands the result back. Where does the first strange number appear?",
    },
    hints=(
        "The row that fails is not the one with large scores, but the one with ordinary scores beside it. "
        "So something of the large row reaches the small one. "
        "Rows of softmax have nothing to do with each other. "
        "Which number in the code comes from all rows at once?",
        "Follow the first row through the code with a pencil. "
        "Its scores are 1, 2 and 3. "
        "What is subtracted from them, and what does `exp` make of the differences? "
        "Then look for the place where the number that was subtracted is made.",
        "One line takes a maximum, and takes it of everything there is. "
        "Such a maximum is a single number for the whole matrix. "
        "Every row should subtract a maximum of its own. "
        "The answer is the number that stands in the comment of that line.",
    ),
)

test_softmax = TestWriting(
    softmax,
    catches=(
        "turns_the_sign",
        "softmax_twice",
        "normalises_over_the_first_axis",
        "ignores_the_axis",
        "forgets_to_subtract_the_maximum",
        "subtracts_the_largest_of_all",
    ),
    points=2,
    hints=(
        "A test is a list of sentences that hold for the right version and for no other. "
        "Rows that sum to 1 are a good start, but many odd versions have them too. "
        "Ask what else you know about weights: their order, single numbers, "
        "and what does not change when one number is added to all scores of a row.",
        "Think of four kinds of input. "
        "A small matrix whose weights you can work out with the naive formula, row by row. "
        "The same matrix along its other axis. "
        "A matrix with very large scores. "
        "And one in which a single row is far above the other. "
        "A matrix that is not square shows more than a square one.",
        "Compare the weights of a small matrix with those of the formula, by np.allclose. "
        "The formula's sum has to run along each row, and keep its axis. "
        "Ask for axis 0, and see that each column sums to 1. "
        "Then add 1000 to one of the rows only, and demand the same weights as before. "
        "One assert for each of the three.",
    ),
)

log_softmax = Exercise(
    mha_ref.log_softmax,
    cases.scores,
    points=3,
    hints=(
        "The logarithm undoes the exponential, so most of the work cancels on paper. "
        "What cancels on paper cannot overflow, and cannot be rounded to 0. "
        "So do not make the weights at all: "
        "work with the scores themselves, and let a logarithm meet only a sum that is at least 1.",
        "Look at the formula above the exercise. "
        "It has two terms: a score less the maximum, and the logarithm of one sum. "
        "The first term needs neither exp nor log. "
        "In the second, exp, sum and log stand inside each other: which is innermost? "
        "The maximum appears in both terms.",
        "Subtract the maximum along the axis, with the axis kept, and give the result a name: it is needed twice. "
        "Take the exponential of it, sum that along the same axis with the axis kept, and take the natural logarithm. "
        "Return what you gave a name, minus this logarithm.",
    ),
    properties=(
        rows_do_not_touch_each_other,
        differences_of_scores_stay,
        log_weights_sum_to_one,
        only_differences_count,
    ),
)

softmax_with_temperature = Exercise(
    mha_ref.softmax_with_temperature,
    cases.scores_temperature,
    points=2,
    hints=(
        "Temperature changes how much a difference between two scores counts. "
        "Only what happens to the scores before the exponential can do that. "
        "After the division the weights sum to 1, and whatever you do to them there can break the sum. "
        "You already have a function for all the rest.",
        "Look at the formula: it is the one of softmax, and in every exponent the score is divided by the temperature. "
        "So first the scores meet the temperature, all of them. "
        "Then your own softmax does what is left, on these new scores. "
        "Does it know along which axis?",
        "One line is enough. "
        "Divide the scores by the temperature and hand the result to your softmax, together with the axis. "
        "Make a new array for the divided scores: the caller still needs the old one. "
        "If you do not call your softmax, the maximum to subtract is that of the *divided* scores.",
    ),
    properties=(
        weights_are_not_negative,
        rows_do_not_touch_each_other,
        weights_sum_to_one,
        every_score_gets_something,
        twice_the_temperature_is_half_the_scores,
    ),
)

half_temperature = Question(
    answer=1.641,
    tolerance=0.09,  # a number read off a picture
    wrong={
        1: "At temperature 1 the highest curve is still at 0.64. Follow it further to the right.",
        **dict.fromkeys(
            (1.17, 1.36), "There the highest curve is still above one half. Go on to the right, a little further."
        ),
        2: "Near: at temperature 2 the highest curve has already fallen to 0.46. Go back to the left a little.",
        **dict.fromkeys(
            (2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6),
            "There the highest curve has already fallen far below one half. Go back to the left.",
        ),
        0.5: "0.5 is the height to look for. Find it on the upright axis, go to the right until you meet the highest "
        "curve, and read the temperature below that point.",
        0.64: "0.64 is a weight: the one that cat has at temperature 1. "
        "The question goes the other way round: at which temperature is the weight 0.5?",
    },
    hints=(
        "Each curve belongs to one word, and shows its weight at every temperature. "
        "Cold is on the left, hot is on the right. "
        "The best word begins with nearly everything and loses some to the others as it gets warmer. "
        "Somewhere it has exactly one half.",
        "Find 0.5 on the upright axis. "
        "From there go to the right until you meet the highest curve, the one of cat. "
        "Then go straight down to the lower axis and read the temperature. "
        "A reading that is about right is good enough.",
        "The crossing lies between temperature 1, where the weight is 0.64, and temperature 2, where it is 0.46. "
        "It is nearer to the second. "
        "To be more exact, call your own function with a few temperatures in between, "
        "and look at the first number of the row.",
    ),
)
