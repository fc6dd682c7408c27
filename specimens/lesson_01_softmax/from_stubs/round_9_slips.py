"""Wrong answers to lesson 01 (round 9)."""
import numpy as np


def softmax__1(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdim=True)
    powers = np.exp(shifted)
    return powers / powers.sum(axis=axis, keepdim=True)


TRUTH = {
    "softmax__1": "keepdim is torch's name, numpy's is keepdims: TypeError: _amax() got an unexpected keyword argument 'keepdim', for every input.",
}
