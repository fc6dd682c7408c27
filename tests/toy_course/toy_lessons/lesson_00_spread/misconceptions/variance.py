"""What people get wrong about `variance`."""

from toy_ref import centred, mean

from ..exercises import variance


def takes_distances_without_a_square(numbers, counts=None):
    """Your variance is the mean of the plain distances.
    Distances to both sides cancel, so a square comes first.
    Where is your square?"""
    return mean(centred(numbers, counts), counts)


def divides_by_one_less(numbers, counts=None):
    """Your variance divides by one less than there are numbers.
    That formula estimates the variance of what a sample was drawn from.
    Which of the two does the stub ask for?"""
    total = numbers.shape[-1] if counts is None else counts.sum(axis=-1, keepdims=True)
    return variance(numbers, counts) * total / (total - 1)


def takes_the_root(numbers, counts=None):
    """Your result is the standard deviation, the root of the variance.
    It has the unit of the numbers; the variance has its square.
    Is there a root in your line?"""
    return variance(numbers, counts) ** 0.5
