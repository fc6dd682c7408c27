"""What people get wrong about `scale`, and what helps them."""

import math

import numpy as np

from ..exercises import scale


@scale.misconception
def forgets_to_scale(scores, features):
    """Your scores are plain dot products: they were not scaled, or a later step undoes it.
    A sum of many products spreads out like the root of how many there are,
    so with many features softmax gives nearly everything to one key, and little is left to learn from.
    By which number do the scores have to be divided?"""
    return scores


@scale.misconception
def divides_by_features_without_root(scores, features):
    """Your scores are dot products divided by the number of features, so they are too small by its root.
    Is the root missing, is a mean taken in place of the sum, or are the scores scaled twice,
    once in `attention_scores` and once after it? What must become 1 is the standard deviation."""
    return scores / features


@scale.misconception
def multiplies_by_the_root(scores, features):
    """You multiplied by √features, so your scores spread out even more than plain dot products.
    Scaling is there to undo that growth.
    Should large scores become larger here, or smaller?"""
    return scores * math.sqrt(features)


@scale.misconception(constant=(8.0, 2.0, 3**0.5, 10.0, 16.0, 64.0, 512**0.5))
def divides_by_a_fixed_number(scores, features, *, constant):
    """You divided by {constant:.4g}, whatever the number of features. That number fits one size alone.
    A dot product of more features spreads out further, so the divisor has to follow.
    Read the size from the shape of the query, each time."""
    return scores / constant


@scale.misconception
def multiplies_by_features(scores, features):
    """You multiplied by the number of features, so your scores are far larger than plain dot products.
    Scaling has to undo the growth that comes with many features.
    It is a division, and the number below the line is a root."""
    return scores * features


@scale.misconception
def divides_by_the_square(scores, features):
    """You divided by the square of the number of features. That brings all scores close to zero,
    and softmax then makes nearly even weights of them. A square and a square root go in opposite directions.
    Which power of a number is its root?"""
    return scores / features**2


@scale.misconception
def divides_by_the_fourth_root(scores, features):
    """You divided by the fourth root of features: either a root of a root was taken,
    or only one of query and key was divided by it.
    In all, the scores have to be divided by √features. Try it with 16 features, where that is 4."""
    return scores / features**0.25


@scale.misconception(factor=(0.5, 2.0))
def loses_the_root_to_precedence(scores, features, *, factor):
    """Your scores were divided by the number of features, and a 2 stands where no 2 should be: no root was taken.
    In Python `**` comes before `/`, so `16 ** 1 / 2` is 8 and not 4.
    Try brackets around the exponent, or `np.sqrt`."""
    return scores * factor / features


@scale.misconception(off=(-1, 1))
def miscounts_the_features(scores, features, *, off):
    """Your divisor is the root of one feature more than there are, or one fewer.
    A sum over n features has n products, and none is lost or added, as with the posts of a fence.
    The length in the shape is the number that you need. What happens to it before the root?"""
    return scores / math.sqrt(features + off)


@scale.misconception(rounding=(math.floor, round, math.ceil))
def rounds_the_root(scores, features, *, rounding):
    """Your divisor is √features rounded to a whole number. With 16 features nobody would see it,
    with 5 the scores are off by a tenth or more.
    Look for `int`, `round` or `//`, and keep the digits after the point."""
    return scores / rounding(math.sqrt(features))


@scale.misconception(log=(math.log, math.log2, math.log10))
def divides_by_the_logarithm(scores, features, *, log):
    """You divided by a logarithm of the number of features, which grows too slowly.
    Variances of independent products add up, so the variance of a score is the number of features.
    What is its standard deviation?"""
    return scores / log(features)


@scale.misconception(axis=(None, -1))
def divides_by_the_standard_deviation(scores, features, *, axis):
    """You divided by the standard deviation of the scores at hand. Then a score changes whenever the others do.
    Scaling uses a number that is known before any score is seen:
    the standard deviation which a sum of so many products has."""
    return scores / scores.std(axis=axis, keepdims=True)


@scale.misconception(decimals=(0, 1, 2, 3, 4))
def rounds_the_scores(scores, features, *, decimals):
    """Your scores are rounded, and what is cut off is lost to all that follows. Decimals that are left: {decimals}.
    Rounding is for numbers that people read, after the last step.
    Is there a `round` in your code?"""
    return np.round(scale(scores, features), decimals)


@scale.misconception
def takes_the_root_of_the_scores(scores, features):
    """Your result holds NaN where a dot product is negative: the root was taken of the scores,
    not of the number of features alone. Scores of either sign are welcome.
    Look where the bracket of the root opens, and where it closes."""
    return np.sqrt(scores / features)


@scale.misconception(factor=(0.1, 0.5, 2.0, 10.0))
def puts_a_factor_beside_the_root(scores, features, *, factor):
    """Your scores are {factor:g} times as large as they should be: something stands beside the division by √features.
    A temperature does this, for example. It makes weights sharper or more even, and is for whoever asks for one.
    Which number is it, and in which line?"""
    return factor * scale(scores, features)


scale.hints_for(
    "forgets_to_scale",
    "multiplies_by_the_root",
    "multiplies_by_features",
    hints=(
        "The more features, the more products in each sum, and the further plain scores lie apart. "
        "Softmax takes a wide spread for certainty. "
        "So the scores are divided by the spread that a sum of so many products usually has. "
        "With 16 features that is 4, with 64 features it is 8.",
        "Print one plain dot product, and beside it the finished score, as softmax will see it. "
        "Divide the first by the second. With 16 features you should get 4, and with 64 features you should get 8. "
        "If you get 1, nothing was scaled. "
        "If you get less than 1, the score has grown. Look at what happens between the two.",
        "Divide the whole table of dot products by the square root of the number of features. "
        "This number is the length of the last axis of the query that goes into the product, and its shape tells it. "
        "There is one such division, after the product and before softmax.",
    ),
)

scale.hints_for(
    "divides_by_features_without_root",
    "divides_by_the_square",
    "divides_by_the_fourth_root",
    "divides_by_the_logarithm",
    hints=(
        "Two numbers are easily confused here. The variance of a sum of 64 such products is 64. "
        "Its standard deviation is the root of that, 8, and it says how far scores really lie apart. "
        "Dividing by it brings them back to a spread of 1. "
        "Any other divisor leaves them too close together, or too far apart.",
        "Take 64 features, and list all that makes the scores smaller on their way: a slash, a factor on the query or "
        "the key alone, a mean in place of a sum, a scaling inside a function that you call. "
        "Multiply all these divisors. In the end the scores should have been divided by 8.",
        "Scale in one place only: divide the dot products by the square root of the number of features. "
        "That root is taken once, and of this number as it is. Everything else that divides can go: a second scaling, "
        "a mean over features, a root of a root, a square or a logarithm.",
    ),
)

scale.hints_for(
    "loses_the_root_to_precedence",
    "takes_the_root_of_the_scores",
    hints=(
        "On paper one sees at a glance what stands under a root. "
        "Python sees only brackets, and rules about what comes first. "
        "So a line of code can look like the formula and mean something else. "
        "Here the root has one thing below it, the number of features, and the scores stay outside.",
        "Go through the line that scales by hand, for a dot product of -8 and 16 features. "
        "The divisor should be 4 and the score -2. Print the divisor alone. "
        "Then look where the bracket of the root closes, or which part Python takes as the exponent.",
        "Make two lines of it. "
        "The first one takes the square root of the number of features, and of nothing else, and gives it a name. "
        "The second one divides the dot products by this name. "
        "If you write the root as a power, write its exponent as a decimal number, or in brackets.",
    ),
)

scale.hints_for(
    "divides_by_a_fixed_number",
    "puts_a_factor_beside_the_root",
    "miscounts_the_features",
    "divides_by_the_standard_deviation",
    hints=(
        "What scaling undoes is known before there is a single score: how far sums of so many products spread. "
        "That depends on the number of features, and on nothing else. "
        "It does not depend on which scores happen to stand in the table. "
        "And it is not the same for every size of query.",
        "Try two things. Change one key, and look at the scores of the other keys: they should stay as they are. "
        "Then print your divisor for 16 features, and for 64: it should be 4, then 8. "
        "At least one of the two trials will surprise you, and tell you where your divisor comes from.",
        "Read the number of features from the shape of the query, at its last axis, each time the code runs. "
        "The dot products are divided by the square root of this number. "
        "No number that you typed takes part in it, and nothing that is measured on the scores.",
    ),
)

scale.hints_for(
    "rounds_the_root",
    "rounds_the_scores",
    hints=(
        "A computer does not mind a number like 2.2360679775. "
        "Rounding it helps the eye, and takes something away that no later step can bring back. Softmax makes it "
        "worse: it turns small differences between scores into weights, so a digit that was cut here shows up in every "
        "weight after it.",
        "Take 5 features, where the root is 2.236. "
        "Print your divisor and one score by `float(...)`, which shows all digits. After which line are they cut? Look "
        "for `round`, for `int`, for a double slash, for a floor or ceiling, and for an array of whole numbers that "
        "you write into.",
        "Take the rounding out. The root of the number of features keeps all its digits, the division has a single "
        "slash, and the scores go on as they come out of it. "
        "If you want short numbers on the screen, round where you print, and calculate with the others.",
    ),
)
