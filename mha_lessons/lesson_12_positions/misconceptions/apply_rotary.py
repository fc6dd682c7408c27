"""What people get wrong about `apply_rotary`."""

import numpy as np

from autograder.mistakes import mistake
from mha_ref.positions import interleave, rotary_angles

from ..exercises import apply_rotary


def _turned(x, angles, even, odd):
    """The columns of x by turns: what two rules make of the even ones, the odd ones, a cosine and a sine."""
    given = x[..., 0::2], x[..., 1::2], np.cos(angles), np.sin(angles)
    return interleave(even(*given), odd(*given))


def pairs_columns_of_two_halves(x, positions, base=10000.0):
    """You pair the first column of the left half with the first one of the right half, as the library transformers
    does.
    That works as well, but it is another convention.
    In this stub, neighbours are a pair: columns 0 and 1, then 2 and 3."""
    order = np.arange(x.shape[-1]).reshape(2, -1).T.ravel()
    return apply_rotary(x[..., order], positions, base)[..., np.argsort(order)]


def turns_the_other_way(x, positions, base=10000.0):
    """Your pairs turn by the right angles, but the wrong way round.
    At a position where the angle is 90°, a pair (1, 0) should become (0, 1); yours becomes (0, -1).
    Which of the two products with a sine has the minus, or where does the angle get one?"""
    return apply_rotary(x, -positions, base)


def adds_where_it_should_subtract(x, positions, base=10000.0):
    """Your odd columns are right, but in the even ones a sign is wrong: you add both products.
    A turn keeps the length of a pair; this changes it.
    Look at the first line of the formula again."""
    plus = _turned(x, rotary_angles(positions, x.shape[-1], base), lambda a, b, cos, sin: a * cos + b * sin, _second)
    return plus


def reads_what_it_has_overwritten(x, positions, base=10000.0):
    """Your even columns are right, but your odd ones are made from even ones that have already been turned.
    Both lines of the formula read the old numbers.
    Is the first result written into something that the second line reads?"""

    def of_the_new_one(a, b, cos, sin):
        return _first(a, b, cos, sin) * sin + b * cos

    return _turned(x, rotary_angles(positions, x.shape[-1], base), _first, of_the_new_one)


def multiplies_by_the_cosine_alone(x, positions, base=10000.0):
    """Your columns are multiplied by cosines, and nothing passes from one number of a pair to the other.
    That makes a pair shorter; a turn needs the sines as well.
    How much of the odd column goes into the even one?"""
    angles = rotary_angles(positions, x.shape[-1], base)
    return _turned(x, angles, lambda a, b, cos, sin: a * cos, lambda a, b, cos, sin: b * cos)


def adds_a_vector_for_the_position(x, positions, base=10000.0):
    """You add sines and cosines to the tokens, as one does with `sinusoidal_positions`.
    Here nothing is added: each pair of columns is turned, so a token of zeros stays a token of zeros.
    What does the formula do with the sines?"""
    angles = rotary_angles(positions, x.shape[-1], base)
    return _turned(x, angles, lambda a, b, cos, sin: a + sin, lambda a, b, cos, sin: b + cos)


def turns_each_column_by_an_angle_of_its_own(x, positions, base=10000.0):
    """In your version the two columns of a pair turn by different angles, as if each column had its own speed.
    A turn has one angle for both.
    How many angles does a token with 6 columns have?"""
    columns = np.arange(x.shape[-1])
    angles = positions[:, None] * base ** (-columns / x.shape[-1])
    cos, sin = np.cos(angles), np.sin(angles)
    even = x[..., 0::2] * cos[:, 0::2] - x[..., 1::2] * sin[:, 0::2]
    odd = x[..., 0::2] * sin[:, 1::2] + x[..., 1::2] * cos[:, 1::2]
    return interleave(even, odd)


def counts_the_positions_itself(x, positions, base=10000.0):
    """Your tokens are at positions 0, 1, 2 and so on, whatever `positions` says.
    A text may be continued at position 40, and then the first token given is not at 0.
    Where in your code does `positions` come in?"""
    return apply_rotary(x, positions * 0 + np.arange(x.shape[-2]), base)


def counts_from_the_first_given_place(x, positions, base=10000.0):
    """You count from the first of the given positions, so the first token is never turned.
    That looks right as long as a text begins at 0.
    Take the positions as they come."""
    return apply_rotary(x, positions - positions[:1], base)


def leaves_the_base_unread(x, positions, base=10000.0):
    """Your code uses the base 10000, whatever `base` says.
    Models for long texts use larger ones, so it is a parameter.
    Is a number written where the name should be?"""
    return apply_rotary(x, positions)


def squares_the_position(x, positions, base=10000.0):
    """Your angles grow with the square of the position: right at positions 0 and 1, and too large from 2 on.
    Then the difference between two angles depends on where two tokens are, not on their distance alone.
    Does the position enter your product twice?"""
    return apply_rotary(x, positions**2, base)


@mistake(angles=("by turns", "by halves"))
def mixes_two_conventions(x, positions, base=10000.0, *, angles):
    """Your code mixes two conventions: the angles of your columns follow the one, and what is multiplied by the sines
    follows the other.
    In this stub, neighbours are a pair: columns j and j + 1 have the same angle, and each gets a part of the other."""
    found = rotary_angles(positions, x.shape[-1], base)
    found, partner = interleave(found, found), interleave(-x[..., 1::2], x[..., 0::2])
    by_turns = np.arange(x.shape[-1]).reshape(2, -1).T.ravel()
    by_halves = np.argsort(by_turns)
    if angles == "by halves":
        found = found[..., by_halves]
    else:
        halves = x[..., by_turns]
        partner = interleave(-halves[..., 1::2], halves[..., 0::2])[..., by_halves]
    return x * np.cos(found) + partner * np.sin(found)


def takes_halves_and_puts_them_by_turns(x, positions, base=10000.0):
    """You take the two numbers of a pair from two halves of the columns, and put the results side by side.
    So columns change places, even where nothing is turned.
    In this stub a pair comes from the columns j and j + 1.
    Which slices do you take?"""
    half = x.shape[-1] // 2
    halves = interleave(x[..., :half], x[..., half:])
    return apply_rotary(halves, positions, base)


def _first(a, b, cos, sin):
    """The even column of a pair that is turned."""
    return a * cos - b * sin


def _second(a, b, cos, sin):
    """The odd column of a pair that is turned."""
    return a * sin + b * cos


@mistake(sign=(1, -1))
def turns_each_column_by_itself(x, positions, base=10000.0, *, sign):
    """Each of your columns is multiplied by its own cosine and sine, and nothing comes from its partner.
    A turn moves some of each number of a pair into the other one.
    Which column meets the sine in the formula?"""
    angles = rotary_angles(positions, x.shape[-1], base)
    return _turned(x, angles, lambda a, b, cos, sin: a * cos + sign * a * sin, lambda a, b, cos, sin: b * cos + b * sin)
