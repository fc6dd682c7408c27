"""What people get wrong about `standard_scores`."""

from toy_ref import centred, variance


def divides_by_the_variance(numbers, counts=None):
    """Your scores are distances divided by the variance.
    A standard score counts standard deviations, and that is a root.
    What is under your division?"""
    return centred(numbers, counts) / variance(numbers, counts)
