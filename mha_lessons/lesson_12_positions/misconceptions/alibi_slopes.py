"""What people get wrong about the slopes of the heads."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import alibi_slopes


def halves_from_head_to_head(heads):
    """Your slopes are 1/2, 1/4, 1/8 and so on, whatever the number of heads.
    That is right for 8 heads.
    With another number of heads they reach down to 1/256 as well, in larger or smaller steps.
    Where does that number come in?"""
    return 2.0 ** -np.arange(1, heads + 1)


def begins_with_the_slope_one(heads):
    """Your first head has the slope 1, and your last one is too steep.
    In this formula heads are counted from 1, so that the last one gets 2 to the power of -8.
    Where does your count begin?"""
    return 2.0 ** (-8 * np.arange(heads) / heads)


def gives_all_heads_one_slope(heads):
    """All your heads have the same slope, that of the first one.
    A head with a steep slope sees only near keys; one with a gentle slope sees far.
    The number of the head belongs in the exponent."""
    return np.full(heads, 2.0 ** (-8 / heads))


def has_slopes_at_equal_steps(heads):
    """Your slopes go down in equal steps, but they should be divided by the same number from head to head.
    Is the number of the head a factor in your code, or in the exponent?"""
    return np.arange(heads, 0, -1) / heads * 2.0 ** (-8 / heads)


def draws_a_straight_line_of_slopes(heads):
    """Your first and your last slope are right, but between them the slopes go down in equal steps.
    They should be divided by the same number from head to head.
    Equal steps belong in the exponent."""
    return np.linspace(2.0 ** (-8 / heads), 2.0**-8, heads)


def begins_with_the_gentle_heads(heads):
    """Your slopes are right, but in reverse order: the last head is the steepest.
    The first head should be the steepest.
    In which direction does your count of the heads go?"""
    return alibi_slopes(heads)[::-1]


def turns_the_fraction_in_the_exponent(heads):
    """The fraction in your exponent is upside down: with 8 heads your slopes are right, and with other numbers not.
    Whatever the number of heads, the last one has 2 to the power of -8.
    What does your exponent make of the last of four heads?"""
    return 2.0 ** (-heads / 8 * np.arange(1, heads + 1))


def forgets_the_eight(heads):
    """Your slopes go down only as far as 1/2, in the last head.
    In the formula the last head has 2 to the power of -8.
    Which number is missing in your exponent?"""
    return 2.0 ** (-np.arange(1, heads + 1) / heads)


@mistake(power=("-8", "-8 · h"))
def leaves_a_part_of_the_exponent_outside(heads, *, power):
    """Your slopes are 2 to the power of {power}, with the rest of the formula as a factor outside.
    `**` binds more tightly than `*` and `/`.
    What has to go into parentheses?"""
    h = np.arange(1, heads + 1)
    return 2.0**-8 * h / heads if power == "-8" else 2.0 ** (-8 * h) / heads
