"""What people get wrong about `feed_forward`."""

import math

import numpy as np

import mha_ref
from autograder.mistakes import mistake

from ..exercises import feed_forward


def leaves_out_the_relu(x, w_widen, b_widen, w_narrow, b_narrow):
    """There is nothing between the two linear layers of your feed-forward part.
    Two linear layers in a row are one linear layer, so the wide middle would be pointless.
    What comes between them?"""
    return (x @ w_widen + b_widen) @ w_narrow + b_narrow


def cuts_off_the_negatives_at_the_end(x, w_widen, b_widen, w_narrow, b_narrow):
    """The ReLU of your feed-forward part comes after the second linear layer.
    Then the part can only increase features, never lower them, and its two linear layers act as one.
    Where must the ReLU be to separate them?"""
    return np.maximum((x @ w_widen + b_widen) @ w_narrow + b_narrow, 0)


def _gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def _softplus(x):
    return np.logaddexp(x, 0)


_ACTIVATIONS = {"GELU": _gelu, "SiLU": lambda x: x / (1 + np.exp(-x)), "tanh": np.tanh}
_ACTIVATIONS |= {"sigmoid": lambda x: 1 / (1 + np.exp(-x)), "LeakyReLU": lambda x: np.where(x > 0, x, 0.01 * x)}
_OTHER_ACTIVATIONS = {
    "GELU with `approximate='tanh'`": lambda x: x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "LeakyReLU with a slope of 0.1": lambda x: np.where(x > 0, x, 0.1 * x),
    "LeakyReLU with a slope of 0.2": lambda x: np.where(x > 0, x, 0.2 * x),
    "ELU": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "SELU": lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))),
    "softplus": _softplus,
    "Mish": lambda x: x * np.tanh(_softplus(x)),
    "Hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "the square of ReLU": lambda x: np.maximum(x, 0) ** 2,
    "the absolute value": np.abs,
    "softmax": lambda x: mha_ref.softmax(x),
}


@mistake(activation=tuple(_ACTIVATIONS))
@mistake(activation=tuple(_OTHER_ACTIVATIONS))
def bends_by_another_function(x, w_widen, b_widen, w_narrow, b_narrow, *, activation):
    """Between its two linear layers, your feed-forward part uses {activation}.
    Many models do so, and it works well.
    In this layer negative numbers become 0. Which function does that?"""
    return (_ACTIVATIONS | _OTHER_ACTIVATIONS)[activation](x @ w_widen + b_widen) @ w_narrow + b_narrow


def cuts_off_the_negatives_twice(x, w_widen, b_widen, w_narrow, b_narrow):
    """Your feed-forward part has a ReLU in the middle, which is right, and another one at the end.
    What it returns is added to `x`, and it must be able to lower a feature too.
    Which of the two should go?"""
    return np.maximum(np.maximum(x @ w_widen + b_widen, 0) @ w_narrow + b_narrow, 0)


@mistake(also=("", " as well"))
def cuts_off_the_negatives_before_widening(x, w_widen, b_widen, w_narrow, b_narrow, *, also):
    """In your feed-forward part there is a ReLU before the first linear layer{also}.
    It removes everything below zero from the input, which is half of a normalised token.
    Between which two layers does the ReLU belong?"""
    wide = np.maximum(x, 0) @ w_widen + b_widen
    return (np.maximum(wide, 0) if also else wide) @ w_narrow + b_narrow


@mistake(which=("first", "second"))
def adds_a_bias_of_thinking_twice(x, w_widen, b_widen, w_narrow, b_narrow, *, which):
    """In your feed-forward part the bias of the {which} linear layer is added twice.
    `nn.Linear` adds its bias when it is called.
    Where do you also add it by hand?"""
    biases = (2 * b_widen, b_narrow) if which == "first" else (b_widen, 2 * b_narrow)
    return feed_forward(x, w_widen, biases[0], w_narrow, biases[1])


def adds_the_bias_after_the_relu(x, w_widen, b_widen, w_narrow, b_narrow):
    """In your feed-forward part the bias of the first linear layer is added after the ReLU.
    The bias sets the threshold at which a number gets through the ReLU, so it has to come first.
    In which order do you have product, bias and ReLU?"""
    return (np.maximum(x @ w_widen, 0) + b_widen) @ w_narrow + b_narrow


def thinks_about_what_it_thought(x, w_widen, b_widen, w_narrow, b_narrow):
    """The result of your feed-forward part goes through the same part a second time.
    Once is enough: each token is widened, cut at zero and made narrow again.
    Which call is inside another one?"""
    weights = w_widen, b_widen, w_narrow, b_narrow
    return feed_forward(feed_forward(x, *weights), *weights)
