"""Slips in answers to lesson 01 (round 16)."""

import numpy as np



def softmax__1(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    powers = np.exp(scores)
    return powers / powers.sum(axis=axis, keepdims=True)


def softmax__2(scores, axis=-1):
    largest = np.max(scores, axis=axis, keepdims=True)
    powers = np.exp(scores - largest)
    return powers / np.sum(powers, axis=-1, keepdims=True)


TRUTH = {
    "softmax__1": "`scores -=` changes the caller's array in place.",
    "softmax__2": 'The sum is along axis=-1, typed by habit, instead of along `axis`, so for another axis the weights do not sum to 1 along it.',
}
