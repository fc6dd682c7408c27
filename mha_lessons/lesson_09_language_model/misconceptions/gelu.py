"""What people get wrong about `gelu`."""

import math

import numpy as np

from autograder.mistakes import mistake

_erf = np.vectorize(math.erf, otypes=[float])


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def bends_by_a_relu(x):
    """The feed-forward part of your block has a ReLU, as the decoder layer from lesson 07 had.
    A GELU is like it far from 0, and round where the ReLU has its corner.
    What comes between your two linear layers?"""
    return np.maximum(x, 0)


def leaves_out_the_gelu(x):
    """There is nothing between the two linear layers of your block's feed-forward part.
    Two linear layers in a row are again one linear layer, so the wide middle would gain nothing.
    What comes between them?"""
    return x


_APPROXIMATIONS = {
    "`approximate='tanh'`": lambda x: x * _sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)),
    "a sigmoid of 1.702 x": lambda x: x * _sigmoid(1.702 * x),
}


@mistake(by=tuple(_APPROXIMATIONS))
def approximates_the_gelu(x, *, by):
    """Your numbers are nearly right: the GELU between your linear layers is approximated, by {by}.
    Some models were trained that way, when the exact function was slow to compute.
    This block has the exact one, as `nn.GELU` computes it without options."""
    return _APPROXIMATIONS[by](x)


_OTHERS = {
    "SiLU": lambda x: x * _sigmoid(x),
    "tanh": np.tanh,
    "sigmoid": _sigmoid,
    "LeakyReLU": lambda x: np.where(x > 0, x, 0.01 * x),
    "ELU": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "softplus": lambda x: np.logaddexp(x, 0),
    "Mish": lambda x: x * np.tanh(np.logaddexp(x, 0)),
    "the square of ReLU": lambda x: np.maximum(x, 0) ** 2,
}


@mistake(activation=tuple(_OTHERS))
def bends_by_no_gelu(x, *, activation):
    """Between its two linear layers, your block uses {activation}.
    Many functions work well there, and models differ in their choice.
    This is GPT's block, and it has a GELU. Which torch module is that?"""
    return _OTHERS[activation](x)


def gives_the_probability_alone(x):
    """Where the GELU should be, your block has a number between 0 and 1: the probability that a normal number is
    smaller.
    GELU multiplies `x` by this probability.
    What became of `x` in your line?"""
    return (1 + _erf(x / math.sqrt(2))) / 2


def forgets_the_root_of_two(x):
    """Your GELU is too steep: it takes `erf` of `x` itself.
    The error function belongs to a normal number with variance 1/2, so `x` is divided by the root of 2 first.
    Or let `nn.GELU` do all of it."""
    return x * (1 + _erf(x)) / 2


def forgets_to_halve(x):
    """Your GELU is twice as large as it should be.
    For a large `x` it should be `x` itself, and 1 plus the error function is 2 there.
    What is missing in the formula? Or let `nn.GELU` do all of it."""
    return x * (1 + _erf(x / math.sqrt(2)))
