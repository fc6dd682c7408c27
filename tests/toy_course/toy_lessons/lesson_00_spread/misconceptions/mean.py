"""What people get wrong about `mean`."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import mean


def takes_the_middle(numbers, counts=None):
    """Your mean is the number in the middle of each row.
    A mean weighs all numbers alike, the largest and the smallest, too.
    Which function adds them up?"""
    return np.median(numbers, axis=-1, keepdims=True)


def leaves_the_counts_out(numbers, counts=None):
    """Your mean is right without counts, and with them it does not change.
    A number that counts twice is there twice.
    Where does your line use them?"""
    return mean(numbers)


@mistake(by=(1, 2))
def divides_by_fewer(numbers, counts=None, *, by):
    """Your mean divides by {by} less than there are numbers.
    The sum is shared out among all of them.
    By what does your line divide?"""
    total = numbers.shape[-1] if counts is None else counts.sum(axis=-1, keepdims=True)
    return mean(numbers, counts) * total / (total - by)


@mistake(on="single")
def finds_no_mean_of_a_single_number(numbers, counts=None):
    """Where a row holds a single number, your mean is 0.
    The mean of one number is that number.
    Does a line of yours treat such rows in another way?"""
    return mean(numbers, counts) * (numbers.shape[-1] > 1)
