"""Right answers to lesson 02 (round 14)."""

import numpy as np


def attention_scores__1(query, key):
    root = np.linalg.norm(np.ones(query.shape[-1]))
    return np.matmul(query, np.moveaxis(key, -1, -2)) / root


WHY = {
    "attention_scores__1": "The root of the number of features is the length of a vector of ones; axes are moved by hand.",
}
