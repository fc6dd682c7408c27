"""The reference of the toy course: how far numbers lie apart. NumPy and torch."""

__all__ = ["centred", "mean", "standard_scores", "variance"]


def mean(numbers, counts=None):
    """Return the mean of each row. numbers, counts: (..., n) -> (..., 1)."""
    if counts is None:
        return numbers.mean(axis=-1, keepdims=True)
    return (numbers * counts).sum(axis=-1, keepdims=True) / counts.sum(axis=-1, keepdims=True)


def centred(numbers, counts=None):
    """Return the distances from the mean. numbers, counts: (..., n) -> (..., n)."""
    return numbers - mean(numbers, counts)


def variance(numbers, counts=None):
    """Return the mean of the squared distances. numbers, counts: (..., n) -> (..., 1)."""
    return mean(centred(numbers, counts) ** 2, counts)


def standard_scores(numbers, counts=None):
    """Return distances from the mean, in standard deviations. numbers, counts: (..., n) -> (..., n)."""
    return centred(numbers, counts) / variance(numbers, counts) ** 0.5
