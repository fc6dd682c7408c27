"""The block of lesson 09 as a pure function of its inputs and weights, like every other reference.

Weights are (in, out), as in mha_ref.
"""

import math

import numpy as np
from array_api_compat import array_namespace

from mha_lessons.lesson_07_cross_attention.functional import add_back, attend_to_itself, normalise


def gelu(x):
    """Multiply each number by the probability that a normal one is smaller: a ReLU with a rounded corner.

    x: (...) -> same shape.
    Source: Hendrycks, Gimpel, Gaussian error linear units (2016).
    """
    xp = array_namespace(x)
    erf = getattr(xp, "erf", np.vectorize(math.erf, otypes=[float]))
    return x * xp.astype(1 + erf(x / math.sqrt(2)), x.dtype) / 2


def feed_forward_with_gelu(x, w_widen, b_widen, w_narrow, b_narrow):
    """Make each token wider, bend what came out by a GELU, and make it narrow again.

    x: (..., tokens, model_size); w_widen: (model_size, hidden_size), b_widen: (hidden_size);
    w_narrow: (hidden_size, model_size), b_narrow: (model_size) -> (..., tokens, model_size).
    """
    return gelu(x @ w_widen + b_widen) @ w_narrow + b_narrow


def block(x, heads, self_weights, self_biases, w_widen, b_widen, w_narrow, b_narrow, mask=None):
    """Compute what `Block` computes.

    x: (batch, tokens, model_size); self_weights: (4, model_size, model_size), self_biases: (4, model_size);
    w_widen: (model_size, hidden_size), b_widen: (hidden_size); w_narrow: (hidden_size, model_size),
    b_narrow: (model_size); mask: broadcastable to (batch, heads, tokens, tokens) -> (batch, tokens, model_size).
    """
    x = add_back(x, attend_to_itself(normalise(x), heads, self_weights, self_biases, mask))
    return add_back(x, feed_forward_with_gelu(normalise(x), w_widen, b_widen, w_narrow, b_narrow))
