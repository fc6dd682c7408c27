"""Lesson 01: from scores to weights."""

import numpy as np

import mha_ref
from autograder import inputs
from autograder.exercise import Exercise, Question, Step, TestWriting
from autograder.properties import (
    differences_of_scores_stay,
    every_score_gets_something,
    larger_scores_get_larger_weights,
    log_weights_sum_to_one,
    only_differences_count,
    rows_do_not_touch_each_other,
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
    inputs.scores,
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
    inputs.scores,
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
    inputs.scores_temperature,
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


# hints that help in more than one of these functions

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


# the maximum, subtracted before exp: what every softmax of the course inherits


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


# shift: hints against each of these

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


# softmax: along which axis


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


# softmax: the division


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


# softmax: the exponential


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


# softmax: hints against each of these

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


# log_softmax: on the way through the weights


@log_softmax.misconception
def log_forgets_to_keep_the_axis(scores, axis=-1):
    """Your sum lost its axis, so its logarithm no longer lines up with the scores. Mostly the shapes clash; on a square
    the code runs, and each row meets the numbers of other rows. Print the two shapes side by side. An argument of the
    sum keeps that axis, with length 1."""
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).sum(axis=axis))


@log_softmax.misconception(on=("gap", "pit"))
def takes_the_log_of_softmax(scores, axis=-1):
    """A score far below the best of its row comes out as minus infinity. Its weight was so small that the float became
    0, and then you took the logarithm of 0. Nothing is lost if no weight is ever made. What do exp and log do to each
    other, on paper?"""
    return np.log(softmax(scores, axis))


FLOAT64, FLOAT32 = np.finfo(np.float64), np.finfo(np.float32)
SMALL_NUMBERS = (1e-300, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-16, 1e-20, 1e-30)
SMALL_NUMBERS += tuple(float(x) for x in (FLOAT64.tiny, FLOAT64.smallest_subnormal, FLOAT64.eps, FLOAT32.tiny))


@log_softmax.misconception(on=("gap", "pit"), constant=SMALL_NUMBERS)
def keeps_the_log_finite_with_a_small_number(scores, axis=-1, *, constant):
    """All scores far below the best come out alike, as the logarithm of {constant}. You took the weights, which round
    to 0, and added or set a small number so that their logarithm stays finite. It hides the loss, it does not prevent
    it. What would the formula be without any weight?"""
    return np.log(softmax(scores, axis) + constant)


@log_softmax.misconception
def forgets_the_log(scores, axis=-1):
    """Your numbers are the weights: positive, and each row sums to 1. This function gives back their logarithms, which
    are all 0 or below. On paper, what is the logarithm of a quotient?"""
    return softmax(scores, axis)


@log_softmax.misconception
def forgets_the_log_sum(scores, axis=-1):
    """The largest number of each row is 0, as if its weight were the whole. The maximum is subtracted, and after that
    nothing more, or only a 0. In the formula the division by the sum is still to come: what does a division become
    once one takes logarithms?"""
    return shift(scores, axis)


@log_softmax.misconception
def adds_the_log_sum(scores, axis=-1):
    """Some of your numbers are above 0, so their weights would be above 1. The logarithm of the sum is there, but it
    was added. The logarithm of a product is a sum. What is that of a quotient?"""
    shifted = shift(scores, axis)
    return shifted + np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def divides_by_the_log_sum(scores, axis=-1):
    """You divided by the logarithm of the sum. The logarithm turns a division into something simpler: the logarithm of
    a quotient is a difference of two logarithms. Which sign belongs between your two terms?"""
    shifted = shift(scores, axis)
    return shifted / np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def subtracts_the_sum_without_log(scores, axis=-1):
    """The exponentials of your row do not sum to 1. You subtracted the sum of the exponentials itself. The logarithm of
    a quotient is the difference of two *logarithms*: which of your two terms is not a logarithm yet?"""
    shifted = shift(scores, axis)
    return shifted - np.exp(shifted).sum(axis=axis, keepdims=True)


@log_softmax.misconception(front=(True, False), inside=(True, False))
def sums_the_logs(scores, axis=-1, *, front, inside):
    """You subtracted a sum of logarithms, and the logarithm of `exp(s)` is `s` again: that is a sum of scores. The
    logarithm of a sum is another number: log(e + e) is 1.69, while log(e) + log(e) is 2. Exp, sum and log stay, one
    inside the other. In which order?"""
    shifted = shift(scores, axis)
    return (shifted if front else scores) - (shifted if inside else scores).sum(axis=axis, keepdims=True)


@log_softmax.misconception
def averages_inside_the_log(scores, axis=-1):
    """The exponentials of each of your rows sum to the number of its scores, not to 1. Inside the logarithm stands the
    mean of the exponentials. A weight is a part of the whole: which of the two, mean or sum, is the whole?"""
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).mean(axis=axis, keepdims=True))


@log_softmax.misconception
def counts_one_more_inside_the_log(scores, axis=-1):
    """The exponentials of each of your rows sum to less than 1. Inside the logarithm there is a 1 too much, as if the
    row had one more score. (`log1p` adds one, it is made for numbers near 0.) What exactly should the logarithm see?"""
    shifted = shift(scores, axis)
    return shifted - np.log1p(np.exp(shifted).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def subtracts_the_maximum_in_the_sum_only(scores, axis=-1):
    """Each row is off by its own maximum. You subtracted it inside the sum, but not from the score in front. It cancels
    only if it is subtracted in both places (or given back at the end). Where does your maximum appear?"""
    return scores - np.log(np.exp(shift(scores, axis)).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def subtracts_the_maximum_in_front_only(scores, axis=-1):
    """Each row is off by its own maximum. You subtracted it from the score in front, but not inside the sum, where the
    overflow happens. It cancels only if it is subtracted in both places. Where does your maximum appear?"""
    return shift(scores, axis) - np.log(np.exp(scores).sum(axis=axis, keepdims=True))


@log_softmax.misconception
def takes_the_maximum_with_the_wrong_sign(scores, axis=-1):
    """Your numbers are off by twice the maximum of their row. The maximum was taken out of the exponents, and when it
    came back, it had the wrong sign. Log-softmax is a score less the logarithm of the whole sum. If that logarithm was
    taken of lowered scores, what is missing in it?"""
    return scores + scores.max(axis=axis, keepdims=True) - np.log(np.exp(shift(scores, axis)).sum(axis, keepdims=True))


@log_softmax.misconception
def subtracts_the_maximum_twice(scores, axis=-1):
    """Your numbers are too low by the maximum of their row: it was subtracted twice. Once it is gone from all scores,
    in front and inside the sum, nothing of it is left to be subtracted. How often does the maximum appear in your
    code?"""
    return log_softmax(scores, axis) - scores.max(axis=axis, keepdims=True)


@log_softmax.misconception(which=(0, -1))
def log_leaves_one_score_out_of_the_sum(scores, axis=-1, *, which):
    """The exponentials of your rows sum to more than 1. One score, the first or the last of each row, is not in the sum
    inside the logarithm. The whole contains all of its parts. If a loop adds them up, where does it begin, and where
    does it end?"""
    powers = np.exp(shift(scores, axis))
    return shift(scores, axis) - np.log(powers.sum(axis, keepdims=True) - powers.take([which], axis=axis))


@log_softmax.misconception
def takes_the_log_of_softmax_twice(scores, axis=-1):
    """Your numbers are the logarithms of weights that are far too even: scores went through softmax, and then the
    result was treated as scores once more. Differences between scores should still be there in the end. How often
    does softmax, written out or called, come in your code?"""
    return log_softmax(mha_ref.softmax(scores, axis), axis)


@log_softmax.misconception(decimals=(1, 2, 3, 4))
def rounds_the_logs(scores, axis=-1, *, decimals):
    """Your numbers are rounded; the number of decimals left is {decimals}. Rounding is for numbers that people read,
    and what follows needs all digits. Where does your code round?"""
    return np.round(log_softmax(scores, axis), decimals)


@log_softmax.misconception(constant=(2, 10))
def takes_the_sum_in_another_logarithm(scores, axis=-1, *, constant):
    """The exponentials of your rows do not sum to 1. The logarithm of your sum has the base {constant}, while the
    scores in front of it are exponents of e. The two terms of a difference need one base. Which logarithm undoes
    `exp`?"""
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)) / np.log(constant)


@log_softmax.misconception(constant=(2, 10))
def answers_in_another_base(scores, axis=-1, *, constant):
    """All your numbers are off by the same factor: they are logarithms in base {constant}. Nothing is lost, but the
    natural logarithm was asked for, the one that undoes `exp`. Which function of NumPy is that?"""
    return log_softmax(scores, axis) / np.log(constant)


@log_softmax.misconception
def turns_the_sign_of_the_log(scores, axis=-1):
    """All your numbers are 0 or above. The logarithm of a weight cannot be: a weight is at most 1. The minus sign that
    you may have in mind belongs to the loss, which is made *from* this function. Which sign does the logarithm of one
    half have?"""
    return -log_softmax(scores, axis)


# log_softmax: along which axis


@log_softmax.misconception
def log_over_the_last_but_one_axis(scores, axis=-1):
    """The exponentials of your result sum to 1 down the columns, not along the rows. Unless told otherwise, one row is
    one whole: the last axis. Which axis do your maximum and your sum run along?"""
    return log_softmax(scores, axis=-2)


@log_softmax.misconception
def log_over_the_first_axis(scores, axis=-1):
    """The exponentials of your result sum to 1 along the first axis, whatever was asked for. Unless told otherwise, one
    row is one whole: the last axis. Which axis do your maximum and your sum run along, and where does that number come
    from?"""
    return log_softmax(scores, axis=0)


@log_softmax.misconception
def log_over_the_second_axis(scores, axis=-1):
    """You always work along axis 1. For a matrix that is the last axis; with a third axis in front it is another one,
    and a single row has no axis 1 at all. Counting from the end works for every number of axes. Which number names
    the last axis?"""
    return log_softmax(scores, axis=1)


@log_softmax.misconception
def log_ignores_the_axis(scores, axis=-1):
    """The exponentials of your result sum to 1 along the last axis, even where another one is asked for. The caller
    chooses with `axis`, and the maximum and the sum both follow that choice. Follow `axis` through your code: where
    does it get lost?"""
    return log_softmax(scores)


@log_softmax.misconception
def log_over_everything(scores, axis=-1):
    """The exponentials of *all* your numbers together sum to 1. Every row should have a whole of its own. A sum that is
    given no axis adds up the whole array. Along which axis should yours run?"""
    shifted = scores - scores.max()
    return shifted - np.log(np.exp(shifted).sum())


@log_softmax.misconception
def log_sums_over_all_rows(scores, axis=-1):
    """With one row your result is right. With several, the numbers of each row are too low: the maximum was taken row
    by row, but the sum over the whole array. A sum that is given no axis adds up everything. What did you tell the
    maximum, and not the sum?"""
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).sum())


@log_softmax.misconception(along=(0, 1, -1, -2))
def log_sums_along_a_fixed_axis(scores, axis=-1, *, along):
    """Your maximum is taken along the right axis, but your sum always runs along axis {along}. The two have to walk the
    same way: the sum of a row is made of the exponentials of this row. Which axis does your sum name? (Python's own
    `sum` takes none: it walks along axis 0.)"""
    shifted = shift(scores, axis)
    return shifted - np.log(np.exp(shifted).sum(axis=along, keepdims=True))


@log_softmax.misconception(default=(0, 1, None))
def log_changes_the_default_axis(scores, axis=..., *, default):
    """Where the caller names an axis, your result is right. Where none is named, your function works along
    `axis={default}`. There the last axis is asked for, however many there are. The line that begins with `def`
    says what happens if no axis is named: compare yours with the one that the lesson gave you."""
    axis = default if axis is ... else axis
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


@log_softmax.misconception(turned=(np.negative, np.abs))
def log_loses_the_sign_of_the_axis(scores, axis=-1, *, turned):
    """Along the first axis your result is right. Where the last one is meant, which is -1, your code works along axis
    1: the axis has changed its sign. Negative numbers count axes from the end, positive ones from the front. Is there a
    minus in front of your axis, or an `abs` around it?"""
    return log_softmax(scores, turned(axis))


@log_softmax.misconception(moved=(np.moveaxis, np.swapaxes))
def log_leaves_the_axis_at_the_end(scores, axis=-1, *, moved):
    """Along the last axis your result is right. Another axis was brought to the end, to make things easier, and there
    it stayed: the numbers are right, but rows and columns have changed places. Whoever moves an axis for the work has
    to move it back. What undoes your first step?"""
    return moved(log_softmax(scores, axis), axis, -1)


@log_softmax.misconception(shifted=(True, False))
def log_puts_the_axis_back_at_the_end(scores, axis=-1, *, shifted):
    """Along the last axis your result is right; along another one it is not, or your code stops. The sum takes its axis
    away, and you put one back at the end, whichever it was. It must come back in its old place. The sum can keep it for
    you."""
    lowered = shift(scores, axis) if shifted else scores - scores.max(axis=axis)[..., None]
    return lowered - np.log(np.exp(lowered).sum(axis=axis))[..., None]


# log_softmax: hints against each of these

log_softmax.hints_for(
    "log_leaves_the_axis_at_the_end",
    hints=MOVE_THE_AXIS_BACK,
)

log_softmax.hints_for(
    "takes_the_log_of_softmax_twice",
    "rounds_the_logs",
    hints=(
        "Log-softmax is a careful function: it takes one number away from each row, and changes nothing else. "
        "So if one score is 2 above another, its result is 2 above the other's, to the last digit. "
        "Whatever squeezes the scores together, or cuts their digits, breaks this.",
        "Take the row (0, 2), and subtract the first number of your result from the second. It should be 2, with all "
        "the digits that `float(...)` shows. Then print the row after each line of your code. "
        "After which line do the two numbers no longer differ by 2?",
        "Keep the lowered scores, the score less the maximum of its row, as they are. "
        "All that happens to them is one subtraction: the logarithm of the sum of their exponentials. "
        "No softmax comes before it, and no rounding after it.",
    ),
)

log_softmax.hints_for(
    "log_forgets_to_keep_the_axis",
    "log_puts_the_axis_back_at_the_end",
    hints=KEEP_THE_AXIS,
)

log_softmax.hints_for(
    "takes_the_log_of_softmax",
    "keeps_the_log_finite_with_a_small_number",
    hints=(
        "A float has no trouble with -1000. What it cannot hold is e to the power of -1000. "
        "So the logarithm of a tiny weight is an ordinary number, and only the tiny weight is out of reach. "
        "Stay among the ordinary numbers: this function needs logarithms, and never a weight.",
        "Look at what stands inside your `log`. "
        "If it is a weight, or a weight with something added, it can fade away, and then the score is forgotten. "
        "Try the row (0, -1000): the second number should be -1000. "
        "The one thing that the logarithm may see is a sum in which the best score counts 1.",
        "Write the logarithm of the fraction as a difference. "
        "First comes the score less the maximum of its row, with neither `exp` nor `log`. From it you subtract the "
        "logarithm of a sum: that of the exponentials of these lowered scores, along the axis. "
        "It is at least 1, so no small number has to help.",
    ),
)

log_softmax.hints_for(
    "forgets_the_log",
    "turns_the_sign_of_the_log",
    hints=(
        "The logarithm says to which power e has to be raised to give this weight. "
        "For a weight of 1 that is the power 0. "
        "All other weights are smaller, so their powers are negative, and the smaller the weight, the further below 0. "
        "No number that this function gives can be above 0.",
        "Try a row of four equal scores. Each weight is 1/4, and its logarithm is -1.39. "
        "If you see 0.25, the logarithm is missing. If you see 1.39, there is a minus too many. "
        "Look at the last line first: which operation makes the number that comes out?",
        "The result is a difference of two terms: the score less the maximum of its row, minus the logarithm of a sum "
        "of exponentials. Written in this order it cannot be above 0. "
        "No `exp` comes after it, and no minus stands in front of it: a loss adds its own.",
    ),
)

log_softmax.hints_for(
    "forgets_the_log_sum",
    "adds_the_log_sum",
    "divides_by_the_log_sum",
    "subtracts_the_sum_without_log",
    hints=(
        "A logarithm makes each operation one step simpler. "
        "A power becomes its exponent, a product becomes a sum, and a fraction becomes a difference. "
        "Softmax is a fraction: a power above the bar, a sum below it. "
        "So its logarithm has one term from above, and one from below, with a minus between them.",
        "Write the two terms on paper, one below the other, and your code beside them. "
        "From above the bar: a score less the maximum. From below the bar: the logarithm of a sum. "
        "Which of the two is missing in your code, or is no logarithm, or is joined by something else than a minus?",
        "Subtract one number from all lowered scores of a row. To get it, take `exp` of these lowered scores, sum "
        "along the axis with the axis kept, and take the logarithm of the sum. "
        "To see whether it is right, take `exp` of the result: each row sums to 1.",
    ),
)

log_softmax.hints_for(
    "sums_the_logs",
    "averages_inside_the_log",
    "counts_one_more_inside_the_log",
    "log_leaves_one_score_out_of_the_sum",
    hints=(
        "The logarithm has one number to look at for each row: the whole, which is all exponentials added up. The sum "
        "has to be complete before the logarithm sees it, with nothing missing, nothing added, and nothing divided "
        "away. A sum of logarithms would be another number.",
        "Read the second term of your code from the inside outwards. "
        "First `exp` of the lowered scores, then their sum along the axis, then the logarithm. "
        "Try a row of two equal scores. "
        "Their lowered exponentials are 1 and 1, so the logarithm should see 2, and the term should be 0.69.",
        "Take the exponentials of the lowered scores. Add them up along the axis, and keep it. "
        "Then take the plain natural logarithm of this sum, and subtract it from the lowered scores. "
        "It is a sum and not a mean, it stands inside the logarithm, and no 1 is added to it.",
    ),
)

log_softmax.hints_for(
    "subtracts_the_maximum_in_the_sum_only",
    "subtracts_the_maximum_in_front_only",
    "takes_the_maximum_with_the_wrong_sign",
    "subtracts_the_maximum_twice",
    hints=(
        "You may lower all scores of a row by one number without changing any weight. But all means all. "
        "In this formula the scores appear twice: one stands in front, and all of them stand inside the sum. "
        "Lower one of the two places alone, and the number that you took away is left in the result.",
        "Find both places where scores enter your formula: in front, and inside `exp`. "
        "In one of them stands the name of the scores, in the other that of the lowered ones. Try the row (1, 2, 3). "
        "It should give -2.41, -1.41 and -0.41. Your numbers are 3 away from that, or 6: once the maximum, or twice.",
        "Subtract the maximum in a line of its own, before anything else, and give the result a name. "
        "From there on use this name in both places: in front, and inside `exp`. "
        "The old scores do not appear any more. The minus between the two terms stays as it is.",
    ),
)

log_softmax.hints_for(
    "takes_the_sum_in_another_logarithm",
    "answers_in_another_base",
    hints=(
        "A logarithm answers a question: to which power must the base be raised to get this number? "
        "Softmax raises e, so only the base e gives a score back as it was. "
        "Other bases measure in another unit, as feet do for metres. One can convert them, but not mix them.",
        "Look at each logarithm in your code. `log2` and `log10` have their base in their name, and a division by the "
        "logarithm of 2 or of 10 changes the base as well. "
        "Try a row of four equal scores: each number should be -1.39. With base 2 it is -2, with base 10 it is -0.60.",
        "Use the natural logarithm: in NumPy, as in torch, it is the one without a number in its name. "
        "Its result is divided by nothing. Then the score in front and the logarithm of the sum have the same unit, "
        "and `exp` of your result sums to 1 in each row.",
    ),
)

log_softmax.hints_for(
    "log_over_the_last_but_one_axis",
    "log_over_the_first_axis",
    "log_over_the_second_axis",
    "log_ignores_the_axis",
    "log_loses_the_sign_of_the_axis",
    "log_sums_along_a_fixed_axis",
    hints=FOLLOW_THE_AXIS,
)

log_softmax.hints_for(
    "log_over_everything",
    "log_sums_over_all_rows",
    hints=ONE_SUM_FOR_EACH_ROW,
)

log_softmax.hints_for(
    "log_changes_the_default_axis",
    hints=DEFAULT_AXIS,
)


# temperature


@softmax_with_temperature.misconception
def ignores_the_temperature(scores, temperature, axis=-1):
    """Your weights are the same at every temperature. Either the temperature is never used, or it cancels: a factor
    on all exponentials disappears in the division, and so does a number added to all scores. A temperature has to
    change the differences between scores. Where does it enter?"""
    return softmax(scores, axis)


@softmax_with_temperature.misconception
def multiplies_by_the_temperature(scores, temperature, axis=-1):
    """Hot and cold are exchanged: your high temperatures make the weights more uneven. You multiplied by the
    temperature, so differences between scores grow with it. Heat should level them out. Which operation makes
    differences smaller when the temperature is larger?"""
    return softmax(scores * temperature, axis)


@softmax_with_temperature.misconception
def forgets_to_hand_the_axis_on(scores, temperature, axis=-1):
    """The temperature does what it should, but your weights sum to 1 along the last axis, even where another one is
    asked for. Dividing by the temperature needs no axis; the softmax after it does. With which arguments do you call
    it?"""
    return softmax_with_temperature(scores, temperature)


@softmax_with_temperature.misconception
def divides_the_weights_by_the_temperature(scores, temperature, axis=-1):
    """Your rows sum to one over the temperature, not to 1. You divided the finished weights. A factor on all weights of
    a row changes their sum, but not which of them gets more. Temperature belongs where differences are still
    differences: before `exp`."""
    return softmax(scores, axis) / temperature


@softmax_with_temperature.misconception
def multiplies_the_weights_by_the_temperature(scores, temperature, axis=-1):
    """Your rows sum to the temperature, not to 1. You multiplied the finished weights, or divided the sum below them. A
    factor on all weights of a row changes their sum, but not which of them gets more. Temperature belongs where
    differences are still differences: before `exp`."""
    return softmax(scores, axis) * temperature


@softmax_with_temperature.misconception
def divides_by_the_root_of_the_temperature(scores, temperature, axis=-1):
    """Your weights react to the temperature too weakly: the scores were divided by its square root. (The root belongs
    to attention, in lesson 02, where one divides by the root of a *size*.) Twice the temperature should halve every
    difference."""
    return softmax(scores / temperature**0.5, axis)


@softmax_with_temperature.misconception
def divides_by_the_temperature_twice(scores, temperature, axis=-1):
    """Your weights react to the temperature too strongly: the scores were divided by its square, or divided twice.
    Twice the temperature should halve every difference, not quarter it. In how many lines does your code use the
    temperature?"""
    return softmax(scores / temperature**2, axis)


@softmax_with_temperature.misconception
def takes_the_temperature_as_the_base(scores, temperature, axis=-1):
    """You raised the temperature to the power of the scores, in the place of e. At temperature 1 all weights are then
    equal, and below 1 the best score gets least. The base stays e at every temperature. What the temperature changes is
    the exponent: how?"""
    return softmax(scores * np.log(temperature), axis)


@softmax_with_temperature.misconception(how=("floor", "round", "ceil", "inverse"))
def rounds_the_temperature(scores, temperature, axis=-1, *, how):
    """Your temperature was rounded to a whole number before it was used. A temperature of 1.7 then does what 1 or 2
    would do, and one below 1 may become 0. Look for `int`, for `round`, or for `//`, and keep what stands after the
    point."""
    factor = 1 // temperature if how == "inverse" else 1 / np.float64(getattr(np, how)(temperature))
    return softmax(scores * factor, axis)


@softmax_with_temperature.misconception(cut=("below", "above"))
def cuts_the_temperature_at_one(scores, temperature, axis=-1, *, cut):
    """On one side of temperature 1 your weights are right. On the other side they stay as they are at temperature 1.
    Any number above 0 is a temperature: below 1 it makes the weights more uneven, above 1 more even. Look for an `if`,
    or for a `max` or `min` with 1 in it."""
    return softmax(scores / (max if cut == "below" else min)(temperature, 1), axis)


@softmax_with_temperature.misconception
def rounds_the_quotient_down(scores, temperature, axis=-1):
    """After your division all scores are whole numbers, so scores that lie near each other become equal. `//` divides
    and then rounds down: it counts how often the temperature fits in whole. Which division keeps what is left over?"""
    return softmax(scores // temperature, axis)


@softmax_with_temperature.misconception(shifted=(True, False), side=("above", "below"))
def tempers_one_side_of_the_fraction(scores, temperature, axis=-1, *, shifted, side):
    """Your rows do not sum to 1. Only one side of your fraction has met the temperature: the exponentials {side} the
    bar, not those on the other side. A part and its whole must be made of the same numbers. Divide the scores by the
    temperature first, before anything else."""
    scores = shift(scores, axis) if shifted else scores
    above, below = (np.exp(scores / temperature if where == side else scores) for where in ("above", "below"))
    return above / below.sum(axis=axis, keepdims=True)


@softmax_with_temperature.misconception(default=(0, 1))
def temperature_changes_the_default_axis(scores, temperature, axis=..., *, default):
    """Where the caller names an axis, your result is right. Where none is named, your function works along
    `axis={default}`. There the last axis is asked for, however many there are. The line that begins with `def`
    says what happens if no axis is named: compare yours with the one that the lesson gave you."""
    return softmax_with_temperature(scores, temperature, default if axis is ... else axis)


@softmax_with_temperature.misconception
def tempers_the_weights(scores, temperature, axis=-1):
    """Your weights are far too even. The temperature was applied to weights, and those went through softmax as if they
    were scores. Weights lie between 0 and 1, so hardly any difference is left. Let the temperature meet the scores, and
    softmax come once."""
    return softmax(softmax(scores, axis) / temperature, axis)


@softmax_with_temperature.misconception
def raises_the_weights_and_stops(scores, temperature, axis=-1):
    """Your rows do not sum to 1. A power of a weight is the right idea on paper, since it changes the exponent. But
    after it the row has to be divided by its sum once more. What would you have to do to the scores, so that one
    softmax does it all?"""
    return softmax(scores, axis) ** (1 / temperature)


@softmax_with_temperature.misconception(on=("cold", "gap"))
def raises_the_weights_to_a_power(scores, temperature, axis=-1):
    """At ordinary temperatures your weights are right; at very low ones they turn to NaN. You made weights first and
    then took a high power of them. All powers of a row can then round to 0, and 0 / 0 is NaN. Let the temperature meet
    the scores, which are not small yet."""
    weights = softmax(scores, axis) ** (1 / temperature)
    return weights / weights.sum(axis=axis, keepdims=True)


@softmax_with_temperature.misconception(on=("cold", "low", "spread", "gap"))
def subtracts_the_undivided_maximum(scores, temperature, axis=-1):
    """Far from temperature 1, large scores give NaN or infinity. You divided the scores by the temperature, but
    subtracted the maximum of the undivided ones. The two no longer match, so the largest exponent is not 0. Which
    numbers go into `exp`, and what is the largest of *them*?"""
    weights = np.exp(scores / temperature - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


# softmax_with_temperature: hints against each of these

softmax_with_temperature.hints_for(
    "ignores_the_temperature",
    "divides_the_weights_by_the_temperature",
    "multiplies_the_weights_by_the_temperature",
    "tempers_the_weights",
    "raises_the_weights_and_stops",
    "raises_the_weights_to_a_power",
    hints=(
        "Temperature sets the rules before the contest begins: how much is one point worth? "
        "At temperature 2 it is worth half. Softmax is the contest. "
        "Once it has shared out the whole, the points are gone, and a change of the shares is no change of the rules. "
        "So the temperature has to come before softmax.",
        "Find each line that uses the temperature, and say what it meets there: scores, or something that `exp` or "
        "softmax has made of them? "
        "If there is no such line, if it only adds, or if its result is not used later, that is the reason. "
        "The row (0, 2) at temperature 2 should give what softmax makes of (0, 1).",
        "Divide all scores by the temperature first. Then hand these new scores to softmax, together with the axis. "
        "What softmax gives is the result: no factor, no power and no other softmax comes after it. "
        "The temperature appears once, in that division.",
    ),
)

softmax_with_temperature.hints_for(
    "tempers_one_side_of_the_fraction",
    "subtracts_the_undivided_maximum",
    hints=(
        "After the division by the temperature there is a new row of scores, and the old one has done its work. "
        "Softmax looks at scores in several places: in the maximum, above the bar, and in the sum below it. "
        "If one of them still looks at the old row, they speak of different numbers.",
        "Mark each place where scores enter your formula, in the maximum and inside every `exp`. "
        "Beside each mark write whether these scores have been divided by the temperature already, or not yet. "
        "All should say the same. At temperature 1 both rows are alike, so look at other temperatures.",
        "In the first line divide the scores by the temperature, and give the result a name. "
        "From then on use this name alone: for the maximum, for the subtraction, and in `exp`, which you call once. "
        "Or hand it to your own softmax, which does all this with whatever row it gets.",
    ),
)

softmax_with_temperature.hints_for(
    "multiplies_by_the_temperature",
    "divides_by_the_root_of_the_temperature",
    "divides_by_the_temperature_twice",
    "takes_the_temperature_as_the_base",
    "rounds_the_quotient_down",
    "rounds_the_temperature",
    "cuts_the_temperature_at_one",
    hints=(
        "The temperature is a unit, as a metre is one. "
        "At temperature 2 it takes two points to make one unit, at temperature 0.5 half a point is enough. "
        "Softmax wants every difference in this unit. "
        "To measure something in a unit means to divide by it: once, and by the unit itself.",
        "Take the row (0, 4) at temperature 4. "
        "In this unit the difference is 1, so the weights should be those of (0, 1): 0.27 and 0.73. "
        "Which difference do your new scores have: 16, 2 or a quarter? "
        "That tells you whether you multiply, take a root, or divide too often. "
        "If it is 1 already, try (0, 3).",
        "The line divides the scores by the temperature: one slash, in one place. "
        "There is no root, no square and no factor, and what you hand to softmax after it is not divided again. "
        "The result gets a name of its own, so that the caller's scores stay as they were.",
    ),
)

softmax_with_temperature.hints_for(
    "forgets_to_hand_the_axis_on",
    hints=(
        "Arguments do not travel by themselves. "
        "When your function calls another one, that one knows only what stands in the brackets of the call. "
        "What is not there is filled in from its own default, and for softmax this is the last axis. "
        "Often that is the right one by accident, so it goes unnoticed.",
        "Start at the line with `def` and look for `axis` further down. Where is it used? "
        "If you call softmax, look into the brackets of that call. "
        "If you wrote the formula out, look at the maximum and at the sum. "
        "Try a 2 by 3 array along axis 0: each column should sum to 1.",
        "The call of softmax gets two things: the scores divided by the temperature, and the axis with which your own "
        "function was called. If you wrote the formula out instead, the maximum and the sum both get that axis, and "
        "both keep it with length 1.",
    ),
)

softmax_with_temperature.hints_for(
    "temperature_changes_the_default_axis",
    hints=DEFAULT_AXIS,
)
