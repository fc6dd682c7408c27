"""What people get wrong about putting two halves of the columns together, column by column."""

import numpy as np

from ..exercises import interleave


def puts_one_half_behind_the_other(even, odd):
    """Your numbers are right, but their order is not: first come the first numbers of all pairs, then the second
    ones.
    The two numbers of a pair belong side by side, in columns 0 and 1, then 2 and 3, and so on.
    How do you put the two halves together?"""
    return np.concatenate([even, odd], axis=-1)


def exchanges_the_two_of_a_pair(even, odd):
    """Your numbers are right, but the two of each pair have changed places.
    Columns are counted from 0: column 0 is even, and column 1 is odd.
    Which of the two do you write into the even columns?"""
    return interleave(odd, even)
