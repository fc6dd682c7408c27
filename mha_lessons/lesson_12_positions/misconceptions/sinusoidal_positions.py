"""What people get wrong about `sinusoidal_positions`."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import sinusoidal_positions


def _table(tokens, model_size, even=np.sin, odd=np.cos, exponents=None, base=10000.0):
    """A table of positions: `even` of the angles in even columns, `odd` of them in odd ones."""
    columns = np.arange(model_size)
    exponents = (columns - columns % 2) / model_size if exponents is None else exponents
    angles = np.arange(tokens)[:, None] / base**exponents
    return np.where(columns % 2 == 0, even(angles), odd(angles))


def gives_every_column_a_speed_of_its_own(tokens, model_size):
    """Your even columns are right, but the odd ones are too slow.
    Sine and cosine of a pair turn at the same speed, that of the even column.
    Which number is in the exponent of an odd column?"""
    return _table(tokens, model_size, exponents=np.arange(model_size) / model_size)


def takes_the_sine_everywhere(tokens, model_size):
    """Your odd columns repeat the even ones: the sine is in both.
    A sine alone does not say where on its circle the hand is, since it takes most values twice in a turn.
    What belongs beside it?"""
    return _table(tokens, model_size, odd=np.sin)


def takes_the_cosine_everywhere(tokens, model_size):
    """Your even columns repeat the odd ones: the cosine is in both.
    A cosine alone does not tell a turn to the left from one to the right.
    What belongs beside it?"""
    return _table(tokens, model_size, even=np.cos)


@mistake(base=(1000.0, 100000.0))
def takes_another_base(tokens, model_size, *, base):
    """Your first two columns are right, but the later ones turn at other speeds: those of the base {base:g}.
    The base in the formula is 10000.
    Count the zeros."""
    return _table(tokens, model_size, base=base)


def gives_a_column_to_each_place(tokens, model_size):
    """Your table lies on its side: it has a row for each feature and a column for each position.
    A position is one token, and a token is a row, as in every batch.
    In which order do you line up the two axes?"""
    return sinusoidal_positions(tokens, model_size).T


def leaves_out_sine_and_cosine(tokens, model_size):
    """Your numbers are the angles themselves, and these grow with the position without end.
    Sine and cosine keep every number between -1 and 1, however long the text.
    What is done with an angle before it goes into the table?"""
    return _table(tokens, model_size, even=np.positive, odd=np.positive)


def exchanges_base_and_exponent(tokens, model_size):
    """Your table holds NaN everywhere, as if all angles were infinite or 0 / 0.
    A number below 1, raised to 10000, comes out as 0 or nearly 0.
    Which is the base in your code, and which is the exponent?"""
    columns = np.arange(model_size)
    with np.errstate(all="ignore"):
        angles = np.arange(tokens)[:, None] / ((columns - columns % 2) / model_size) ** 10000
        return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


@mistake(less=(0, 1))
def divides_the_positions_by_their_number(tokens, model_size, *, less):
    """Your angles are too small: the positions lie between 0 and 1, divided by how many there are.
    Then the same position has another vector in a longer text, and neighbours are hardly told apart.
    Which number does the third token have in the formula?"""
    columns = np.arange(model_size)
    positions = np.arange(tokens)[:, None] / max(tokens - less, 1)
    angles = positions / 10000.0 ** ((columns - columns % 2) / model_size)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
