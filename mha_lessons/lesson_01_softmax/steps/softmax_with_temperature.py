"""What people get wrong about `softmax_with_temperature`, and what helps them."""

import numpy as np

from ..exercises import shift, softmax, softmax_with_temperature
from .softmax import DEFAULT_AXIS


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
