"""What people get wrong about `scale`."""

import math

import numpy as np

from autograder.mistakes import mistake

from ..exercises import scale


def forgets_to_scale(scores, features):
    """Your scores are plain dot products: they were not scaled, or a later step undoes it.
    The spread of a sum grows with the root of the number of its terms,
    so with many features softmax gives nearly everything to one key, and little is left to learn from.
    By which number should the scores be divided?"""
    return scores


def divides_by_features_without_root(scores, features):
    """Your scores are dot products divided by the number of features, so they are too small by its root.
    Is the root missing, did you take a mean instead of the sum, or are the scores scaled twice: query and key each,
    or in `attention_scores` and once more after it? Scaling should make the standard deviation 1."""
    return scores / features


def multiplies_by_the_root(scores, features):
    """You multiplied by √features, so your scores spread out even more than plain dot products.
    Scaling is there to undo that growth.
    Should large scores become larger here, or smaller?"""
    return scores * math.sqrt(features)


@mistake(constant=(8.0, 2.0, 3**0.5, 10.0, 16.0, 64.0, 512**0.5))
def divides_by_a_fixed_number(scores, features, *, constant):
    """You divided by {constant:.4g}, whatever the number of features. That number is right for one size only.
    A dot product of more features spreads out further, so the divisor has to grow with it.
    Read the size from the shape of the query, each time."""
    return scores / constant


def multiplies_by_features(scores, features):
    """You multiplied by the number of features, so your scores are far larger than plain dot products.
    Scaling has to undo the growth that comes with many features.
    It is a division, and the divisor is a root."""
    return scores * features


def divides_by_the_square(scores, features):
    """You divided by the square of the number of features. That brings all scores close to zero,
    and softmax then makes nearly even weights. A square and a square root go in opposite directions.
    Which power of a number is its root?"""
    return scores / features**2


def divides_by_the_fourth_root(scores, features):
    """You divided by the fourth root of features: either you took a root of a root,
    or you divided only one of query and key by it.
    In total, the scores have to be divided by √features. Try it with 16 features, where that is 4."""
    return scores / features**0.25


@mistake(factor=(0.5, 2.0))
def loses_the_root_to_precedence(scores, features, *, factor):
    """Your scores were divided by the number of features and multiplied or divided by 2: no root was taken.
    In Python `**` comes before `/`, so `16 ** 1 / 2` is 8 and not 4.
    Try brackets around the exponent, or `np.sqrt`."""
    return scores * factor / features


@mistake(off=(-1, 1))
def miscounts_the_features(scores, features, *, off):
    """Your divisor is the root of one feature more than there are, or one fewer.
    A sum over n features has exactly n products.
    The length in the shape is the number that you need. What happens to it before the root?"""
    return scores / math.sqrt(features + off)


@mistake(rounding=(math.floor, round, math.ceil))
def rounds_the_root(scores, features, *, rounding):
    """Your divisor is √features rounded to a whole number. With 16 features no one would notice;
    with 5 the scores are off by a tenth or more.
    Look for `int`, `round` or `//`, and keep the digits after the point."""
    return scores / rounding(math.sqrt(features))


@mistake(log=(math.log, math.log2, math.log10))
def divides_by_the_logarithm(scores, features, *, log):
    """You divided by a logarithm of the number of features, which grows too slowly.
    Variances of independent products add up, so the variance of a score is the number of features.
    What is its standard deviation?"""
    return scores / log(features)


@mistake(axis=(None, -1))
def divides_by_the_standard_deviation(scores, features, *, axis):
    """You divided by the standard deviation of the scores at hand. Then a score changes whenever the others do.
    Scaling uses a number that is known before any score is computed:
    the standard deviation of a sum of that many products."""
    return scores / scores.std(axis=axis, keepdims=True)


@mistake(decimals=(0, 1, 2, 3, 4))
def rounds_the_scores(scores, features, *, decimals):
    """Your scores are rounded, and every later step loses the digits. Number of decimals left: {decimals}.
    Rounding is for numbers that people read, after the last step.
    Is there a `round` in your code?"""
    return np.round(scale(scores, features), decimals)


def takes_the_root_of_the_scores(scores, features):
    """Your result holds NaN where a dot product is negative: you took the root of the scores,
    and not only of the number of features. Scores may have either sign.
    Look where the bracket of the root opens, and where it closes."""
    return np.sqrt(scores / features)


@mistake(factor=(0.1, 0.5, 2.0, 10.0))
def puts_a_factor_beside_the_root(scores, features, *, factor):
    """Your scores are {factor:g} times as large as they should be: there is another factor beside the division by
    √features.
    It may be a temperature, which makes weights sharper or more even, but no one asked for one here.
    Which number is it, and in which line?"""
    return factor * scale(scores, features)
