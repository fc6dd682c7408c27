"""What people get wrong about `softmax_with_temperature`."""

import numpy as np

from autograder.mistakes import mistake
from mha_lessons.lesson_01_softmax.exercises import shift, softmax

from ..exercises import softmax_with_temperature


def ignores_the_temperature(scores, temperature, axis=-1):
    """Your weights are the same at every temperature. Either the temperature is never used, or it cancels: a factor
    on all exponentials disappears in the division, and so does a number added to all scores. A temperature has to
    change the differences between scores. Where does it enter?"""
    return softmax(scores, axis)


def multiplies_by_the_temperature(scores, temperature, axis=-1):
    """Hot and cold are swapped: your high temperatures make the weights more uneven. You multiplied by the
    temperature, so differences between scores grow with it. Heat should level them out. Which operation makes
    differences smaller when the temperature is larger?"""
    return softmax(scores * temperature, axis)


def divides_the_temperature_by_the_scores(scores, temperature, axis=-1):
    """Your fraction is upside down: the largest positive score gets the smallest exponent of all the positive ones, and
    a score of 0 makes an infinity. The scores are what is made smaller or larger, by one number for all. Which of the
    two is divided by the other?"""
    return softmax(temperature / scores, axis)


def forgets_to_hand_the_axis_on(scores, temperature, axis=-1):
    """The temperature does what it should, but your weights sum to 1 along the last axis, even where another one is
    asked for. Dividing by the temperature needs no axis; the softmax after it does. With which arguments do you call
    it?"""
    return softmax_with_temperature(scores, temperature)


def divides_the_weights_by_the_temperature(scores, temperature, axis=-1):
    """Your rows sum to one over the temperature, not to 1. You divided the finished weights. A factor on all weights of
    a row changes their sum, but not which of them gets more. Temperature belongs where differences are still
    differences: before `exp`."""
    return softmax(scores, axis) / temperature


def multiplies_the_weights_by_the_temperature(scores, temperature, axis=-1):
    """Your rows sum to the temperature, not to 1. You multiplied the finished weights, or divided the sum below them. A
    factor on all weights of a row changes their sum, but not which of them gets more. Temperature belongs where
    differences are still differences: before `exp`."""
    return softmax(scores, axis) * temperature


def divides_by_the_root_of_the_temperature(scores, temperature, axis=-1):
    """Your weights react to the temperature too weakly: the scores were divided by its square root. (The root belongs
    to attention, in lesson 02, where you divide by the root of a *size*.) Twice the temperature should halve every
    difference."""
    return softmax(scores / temperature**0.5, axis)


def divides_by_the_temperature_twice(scores, temperature, axis=-1):
    """Your weights react to the temperature too strongly: the scores were divided by its square, or divided twice.
    Twice the temperature should halve every difference, not quarter it. In how many lines does your code use the
    temperature?"""
    return softmax(scores / temperature**2, axis)


def takes_the_temperature_as_the_base(scores, temperature, axis=-1):
    """You raised the temperature to the power of the scores, instead of e. At temperature 1 all weights are then
    equal, and below 1 the best score gets least. The base stays e at every temperature. What the temperature changes is
    the exponent: how?"""
    scores = np.asarray(scores)
    return softmax(scores * np.log(temperature), axis)


@mistake(how=("floor", "round", "ceil", "inverse"))
def rounds_the_temperature(scores, temperature, axis=-1, *, how):
    """Your temperature was rounded to a whole number before it was used. A temperature of 1.7 then does what 1 or 2
    would do, and one below 1 may become 0. Look for `int`, for `round`, or for `//`, and keep what comes after the
    point."""
    scores = np.asarray(scores)
    factor = 1 // temperature if how == "inverse" else 1 / np.float64(getattr(np, how)(temperature))
    return softmax(scores * factor, axis)


@mistake(cut=("below", "above"))
def cuts_the_temperature_at_one(scores, temperature, axis=-1, *, cut):
    """On one side of temperature 1 your weights are right. On the other side they stay as they are at temperature 1.
    Any number above 0 is a temperature: below 1 it makes the weights more uneven, above 1 more even. Look for an `if`,
    or for a `max` or `min` with 1 in it."""
    return softmax(scores / (max if cut == "below" else min)(temperature, 1), axis)


def rounds_the_quotient_down(scores, temperature, axis=-1):
    """After your division all scores are whole numbers, so scores that lie near each other become equal. `//` divides
    and then rounds down: it counts how often the temperature fits in whole. Which division keeps what is left over?"""
    return softmax(scores // temperature, axis)


@mistake(shifted=(True, False), side=("above", "below"))
def tempers_one_side_of_the_fraction(scores, temperature, axis=-1, *, shifted, side):
    """Your rows do not sum to 1. Only one side of your fraction has met the temperature: the exponentials {side} the
    bar, not those on the other side. A part and its whole must be made of the same numbers. Divide the scores by the
    temperature first, before anything else."""
    scores = np.asarray(scores)
    scores = shift(scores, axis) if shifted else scores
    above, below = (np.exp(scores / temperature if where == side else scores) for where in ("above", "below"))
    return above / below.sum(axis=axis, keepdims=True)


@mistake(default=(0, 1))
def temperature_changes_the_default_axis(scores, temperature, axis=..., *, default):
    """Where the caller names an axis, your result is right. Where none is named, your function works along
    `axis={default}`. There the last axis is asked for, however many there are. The line that begins with `def`
    says what happens if no axis is named: compare yours with the one that the lesson gave you."""
    return softmax_with_temperature(scores, temperature, default if axis is ... else axis)


def tempers_the_weights(scores, temperature, axis=-1):
    """Your weights are far too even. The temperature was applied to weights, and those went through softmax as if they
    were scores. Weights lie between 0 and 1, so hardly any difference is left. Let the temperature meet the scores, and
    softmax come once."""
    return softmax(softmax(scores, axis) / temperature, axis)


def raises_the_weights_and_stops(scores, temperature, axis=-1):
    """Your rows do not sum to 1. A power of a weight is the right idea on paper, since it changes the exponent. But
    after it the row has to be divided by its sum again. What would you have to do to the scores, so that one
    softmax does it all?"""
    return softmax(scores, axis) ** (1 / temperature)


@mistake(on=("cold", "gap"))
def raises_the_weights_to_a_power(scores, temperature, axis=-1):
    """At ordinary temperatures your weights are right; at very low ones they turn to NaN. You made weights first and
    then took a high power of them. All powers of a row can then round to 0, and 0 / 0 is NaN. Let the temperature meet
    the scores, which are not small yet."""
    scores = np.asarray(scores)
    weights = softmax(scores, axis) ** (1 / temperature)
    return weights / weights.sum(axis=axis, keepdims=True)


@mistake(on=("cold", "low", "spread", "gap"))
def subtracts_the_undivided_maximum(scores, temperature, axis=-1):
    """Far from temperature 1, large scores give NaN or infinity. You divided the scores by the temperature, but
    subtracted the maximum of the undivided ones. The two no longer match, so the largest exponent is not 0. Which
    numbers go into `exp`, and what is the largest of *them*?"""
    scores = np.asarray(scores)
    weights = np.exp(scores / temperature - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)
