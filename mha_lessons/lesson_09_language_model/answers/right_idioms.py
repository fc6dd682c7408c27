"""Right answers in the idiom of well-known public implementations, written anew from understanding.

Each keeps the shapes of its model's code; what our contract asks besides (a row of zeros where nothing may be looked
at, queries that stand at the last keys, heads that divide) is added in a line.
"""

import numpy as np


def log_softmax__as_in_jax(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
