"""The reference of the toy course: how far numbers lie apart. NumPy and torch."""

__all__ = ["centred", "from_pairs", "mean", "standard_scores", "variance"]


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


def from_pairs(state):
    """Return the weights of `Standardise` from a layer that keeps them as pairs, as copies.

    state: {"pairs": (size, 2)}, gain and bias of each column -> {"gain": (size,), "bias": (size,)}.
    """
    return {"gain": 1 * state["pairs"][:, 0], "bias": 1 * state["pairs"][:, 1]}
