"""Right answers to lesson 03 (round 14)."""

import numpy as np


def causal_mask__1(queries, keys):
    return np.tri(queries, keys, keys - queries, dtype=bool)


def masked_softmax__1(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    top = scores.max(axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    powers = np.zeros_like(scores)
    shifted = np.subtract(scores, top, where=allowed, out=np.zeros_like(scores))
    np.exp(shifted, where=allowed, out=powers)
    total = powers.sum(axis=-1, keepdims=True)
    return np.divide(powers, total, where=total > 0, out=np.zeros_like(powers))


WHY = {
    "causal_mask__1": "One call of np.tri with a shifted diagonal, negative for more queries.",
    "masked_softmax__1": "Maximum and exponential run only where the mask allows, by `where`.",
}
