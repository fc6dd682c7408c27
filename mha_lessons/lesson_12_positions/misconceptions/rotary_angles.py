"""What people get wrong about the angles: by how much each pair of columns is turned at each position."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import rotary_angles


def counts_pairs_instead_of_columns(positions, size, base=10000.0):
    """Your first pair is right, but the later ones are too fast, as if the exponent grew half as fast as it should.
    In the formula a pair goes by its first column: 0, 2, 4 and so on.
    Which numbers stand for the pairs in your exponent, and what is raised to it?"""
    return rotary_angles(positions, size, base**0.5)


def doubles_the_columns(positions, size, base=10000.0):
    """Your first pair is right, but the later ones are too slow, as if the exponent grew twice as fast as it should.
    If you already count 0, 2, 4, another factor of 2 is one too many.
    Print the exponents: the last one should be below 1."""
    return rotary_angles(positions, size, base**2)


def turns_all_pairs_alike(positions, size, base=10000.0):
    """All your pairs of columns turn at the speed of the first one.
    Then two positions that are a full turn apart look nearly the same.
    Each pair has its own speed, slower from pair to pair: where does the number of the pair come in?"""
    return rotary_angles(positions, size, 1.0)


def turns_later_pairs_faster(positions, size, base=10000.0):
    """Your later pairs turn faster and faster than the first one.
    They should be slower: the first pair is the second hand of a clock, and the last one its hour hand.
    Which sign does your exponent have, and do you multiply or divide?"""
    return rotary_angles(positions, size, 1 / base)


def stretches_to_the_whole_base(positions, size, base=10000.0):
    """Your first pair is right, but your last one is too slow: its angles are divided by the whole base.
    Your exponents run from 0 to 1, both ends included, as in some programs.
    Here they are column / size, so the last one stays below 1."""
    return rotary_angles(positions, size, base ** (size / max(size - 2, 1)))


def counts_places_from_one(positions, size, base=10000.0):
    """All your angles are one position ahead: position 0 is already turned.
    Positions count from 0, and at position 0 every angle is 0.
    What is the first row of your angles?"""
    return rotary_angles(positions + 1, size, base)


def shrinks_by_the_base_twice(positions, size, base=10000.0):
    """All your pairs are too slow, by the same factor: each turns at the speed of the next one.
    The exponent of the first pair is 0, and any number raised to 0 is 1, so its angle at position 1 is 1.
    Do your exponents begin at 0, or at 2 / size?"""
    return rotary_angles(positions, size, base) / base ** (2 / size)


def takes_degrees_for_radians(positions, size, base=10000.0):
    """Your angles are too small by a factor of 57.3, as if they were degrees.
    Sine and cosine want radians, and the angles of the formula are in radians already.
    Nothing has to be converted."""
    return np.pi / 180 * rotary_angles(positions, size, base)


@mistake(least=(0, 1))
def divides_the_power_by_the_place(positions, size, base=10000.0, *, least):
    """Your angles get smaller with the position: the power of the base is divided by the position.
    An angle should grow with the position, which is above the line; the power is below it.
    Which of the two do you divide by?"""
    with np.errstate(all="ignore"):
        return base ** (np.arange(0, size, 2) / size) / np.maximum(positions, least)[:, None]


def cuts_off_behind_the_point(positions, size, base=10000.0):
    """Your first pair is right, but in the others an angle stays 0 for many positions and then jumps to 1: all your
    angles are whole numbers.
    `//` cuts off what comes after the point.
    Which division keeps it?"""
    return np.floor(positions[:, None] / base ** (np.arange(0, size, 2) / size))


def divides_by_the_size_outside(positions, size, base=10000.0):
    """Your first pair is too slow: its angles are divided by the number of columns.
    That number belongs in the exponent, below the column, and `**` binds more tightly than `/`.
    What has to go into parentheses?"""
    return positions[:, None] / base ** np.arange(0.0, size, 2) / size


def raises_the_share_to_the_base(positions, size, base=10000.0):
    """Your angles are infinite, or 0 / 0, nearly everywhere.
    A number below 1, raised to 10000, comes out as 0 or nearly 0.
    Which is the base in your code, and which is the exponent?"""
    with np.errstate(all="ignore"):
        return positions[:, None] / (np.arange(0, size, 2) / size) ** base
