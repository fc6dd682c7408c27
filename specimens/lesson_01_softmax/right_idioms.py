"""Right answers in the idiom of well-known public implementations, written anew from understanding.

Each keeps the shapes of its model's code; what our contract asks besides (a row of zeros where nothing may be looked
at, queries that stand at the last keys, heads that divide) is added in a line.
"""

import numpy as np


def softmax__as_in_deep_learning_from_scratch(scores, axis=-1):
    scores = np.moveaxis(np.asarray(scores), axis, 0)
    shifted = scores - np.max(scores, axis=0)
    y = np.exp(shifted) / np.sum(np.exp(shifted), axis=0)
    return np.moveaxis(y, 0, axis)
