# %% [markdown]
# # Lesson 00 · Spread
#
# How far do numbers lie apart?

# %% locked=true
import numpy as np

# %% [markdown]
# What is the mean of 2 and 6?

# %% exercise="mean_of_two"
mean_of_two = ...  # a number
### BEGIN SOLUTION
mean_of_two = 4
### END SOLUTION

# %% [markdown]
# A number may count more than once.


# %% exercise="mean"
def mean(numbers, counts=None):
    """numbers, counts: (..., n) -> the mean of each row, (..., 1). Without counts, each number counts once."""
    ### BEGIN SOLUTION
    counts = np.ones(numbers.shape) if counts is None else counts
    return (numbers * counts).sum(axis=-1, keepdims=True) / counts.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %% [markdown]
# Three of these lines, in the right order, make a variance.
#
# ```
# a   middle = mean(numbers, counts)
# b   squares = (numbers - middle) ** 2
# c   return mean(squares, counts)
# d   return mean(numbers, counts) ** 2
# ```

# %% exercise="order_of_the_variance"
order_of_the_variance = ...  # letters, as in "d c b"
### BEGIN SOLUTION
order_of_the_variance = "a b c"
### END SOLUTION

# %% [markdown]
# Now write it.


# %% exercise="variance"
def variance(numbers, counts=None):
    """numbers, counts: (..., n) -> the mean of the squared distances from the mean, (..., 1)."""
    ### BEGIN SOLUTION
    return mean((numbers - mean(numbers, counts)) ** 2, counts)
    ### END SOLUTION


# %% [markdown]
# And test it.


# %% exercise="test_variance"
def test_variance(variance):
    """Fail with an AssertionError where an implementation is wrong."""
    ### BEGIN SOLUTION
    assert np.allclose(variance(np.array([[1.0, 3.0], [2.0, 8.0]])), [[1.0], [9.0]])
    ### END SOLUTION


# %% [markdown] written="why_squares" points=2
# Why does a variance square the distances? Answer in one sentence.
