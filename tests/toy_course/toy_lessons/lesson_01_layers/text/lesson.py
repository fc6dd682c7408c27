# %% [markdown]
# # Lesson 01 · Layers
#
# Standard scores, as a function of tensors and as a layer that learns.

# %% locked=true
import torch
from torch import nn
from toy_ref import mean, variance

# %% [markdown]
# What is the mean of 2 and 8?

# %% exercise="remember_the_mean"
remember_the_mean = ...  # a number
### BEGIN SOLUTION
remember_the_mean = 5
### END SOLUTION

# %% [markdown]
# A standard score says how many standard deviations a number lies from the mean of its row.


# %% exercise="standard_scores"
def standard_scores(numbers, counts=None):
    """numbers, counts: (..., n) -> (..., n): distances from the mean of the row, in its standard deviations."""
    ### BEGIN SOLUTION
    return (numbers - mean(numbers, counts)) / variance(numbers, counts).sqrt()
    ### END SOLUTION


# %% [markdown]
# A layer learns a factor and a number to add for each column.


# %% exercise="Standardise"
class Standardise(nn.Module):
    """Standardise(size)(x, counts=None) for x of the shape (rows, size): standard scores, times gain, plus bias."""

    def __init__(self, size):
        super().__init__()
        ### BEGIN SOLUTION
        self.gain = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))
        ### END SOLUTION

    def forward(self, x, counts=None):
        """x, counts: (rows, size) -> (rows, size)."""
        ### BEGIN SOLUTION
        return self.gain * standard_scores(x, counts) + self.bias
        ### END SOLUTION


# %% [markdown]
# Another layer saves its weights as pairs.


# %% exercise="from_pairs"
def from_pairs(state):
    """state: {"pairs": (size, 2)}, gain and bias of each column -> {"gain": (size,), "bias": (size,)}, copies."""
    ### BEGIN SOLUTION
    gain, bias = (column.clone() for column in state["pairs"].unbind(dim=1))
    return {"gain": gain, "bias": bias}
    ### END SOLUTION
