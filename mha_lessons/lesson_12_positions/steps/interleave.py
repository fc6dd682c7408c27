"""What people get wrong about putting two halves of the columns together, column by column."""

import numpy as np

from ..exercises import interleave


@interleave.misconception
def puts_one_half_behind_the_other(even, odd):
    """Your numbers are right, and their order is not: all first numbers of the pairs come first, and then all second
    ones.
    The two numbers of a pair belong side by side, in the columns 0 and 1, then 2 and 3, and so on.
    How do you put the two halves together?"""
    return np.concatenate([even, odd], axis=-1)


@interleave.misconception
def exchanges_the_two_of_a_pair(even, odd):
    """Your numbers are right, and within each pair they have changed places.
    Columns count from 0: the column 0 is even, and the column 1 is odd.
    Which of the two do you write into the even columns?"""
    return interleave(odd, even)
