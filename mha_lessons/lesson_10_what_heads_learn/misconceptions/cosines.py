"""What people get wrong about `cosines`."""

from array_api_compat import array_namespace

from ..exercises import cosines


def takes_the_product_for_the_cosine(rows):
    """Your numbers are dot products: even a head and itself do not have 1.
    A dot product grows with the length of both vectors; the cosine depends only on their angle.
    By what does each vector have to be divided?"""
    return rows @ rows.mT


def makes_one_of_the_two_a_unit(rows):
    """Your table is not symmetric: only one of the two patterns was brought to length 1.
    The cosine divides the product by both lengths.
    Which of the two is still as long as it was?"""
    return cosines(rows) * array_namespace(rows).linalg.vector_norm(rows, axis=-1)[:, None]


def subtracts_the_mean_first(rows):
    """You subtracted the mean from each pattern before comparing: that is the correlation, and it may be negative.
    The cosine compares the patterns as they are.
    Which step is too many?"""
    return cosines(rows - array_namespace(rows).mean(rows, axis=-1, keepdims=True))


def divides_by_sums_of_weights(rows):
    """You divided each pattern by the sum of its weights.
    A sum is no length: the length is the root of the sum of squares.
    What would make the product of a pattern with itself 1?"""
    shares = rows / array_namespace(rows).sum(rows, axis=-1, keepdims=True)
    return shares @ shares.mT


def divides_by_squared_lengths(rows):
    """You divided by the squares of the lengths: the root is missing.
    A vector has length 1 once it is divided by its length.
    Which power of the sum of squares is that?"""
    units = rows / array_namespace(rows).sum(rows**2, axis=-1, keepdims=True)
    return units @ units.mT


def divides_by_the_number_of_places(rows):
    """You divided the products by the number of weights, which makes a mean of them.
    The cosine divides by the lengths of the two patterns.
    By what must the product of a pattern with itself be divided to make 1?"""
    return rows @ rows.mT / rows.shape[-1]


def measures_distances(rows):
    """Your table holds distances: 0 where a head meets itself, and the more, the less alike two heads are.
    The cosine is 1 for equal patterns.
    What is the dot product of two vectors of length 1?"""
    xp = array_namespace(rows)
    return xp.linalg.vector_norm(rows[:, None, :] - rows[None, :, :], axis=-1)


def says_how_different_they_are(rows):
    """Your table says how different heads are: 0 for a head and itself.
    It is 1 minus what is wanted.
    A similarity is largest where two are equal."""
    return 1 - cosines(rows)


def gives_the_angle(rows):
    """Your table holds angles: 0 for a head and itself.
    The cosine of the angle is wanted, and that is what you have before the last step.
    Which step is too many?"""
    xp = array_namespace(rows)
    return xp.acos(xp.clip(cosines(rows), -1.0, 1.0))


def empties_the_diagonal(rows):
    """Your diagonal is zero, as if a head had nothing to do with itself.
    A pattern makes an angle of 0 with itself, and the cosine of 0 is 1.
    Leave it in the table."""
    xp = array_namespace(rows)
    return cosines(rows) * (1 - xp.eye(rows.shape[0], dtype=rows.dtype))


def turns_the_cosine_upside_down(rows):
    """Your numbers are 1 or above: you divided the lengths by the product.
    A cosine is never above 1, and patterns that share no key have 0.
    Which of your two numbers belongs above, and which below?"""
    return 1 / cosines(rows)
