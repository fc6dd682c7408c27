"""Right answers to lesson 03 (round 11)."""

import numpy as np


def causal_mask__1(queries, keys):
    return ~np.triu(np.ones((queries, keys), dtype=bool), keys - queries + 1)


def masked_softmax__1(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    highest = np.max(scores, axis=-1, keepdims=True, where=mask, initial=np.finfo(scores.dtype).min)
    e = np.zeros_like(scores)
    np.exp(scores - highest, out=e, where=mask)
    return e / np.maximum(e.sum(axis=-1, keepdims=True), np.finfo(scores.dtype).tiny)


WHY = {
    "causal_mask__1": "The upper triangle, turned around.",
    "masked_softmax__1": "The ufuncs' own `where` for maximum and exp; a sum of 0 is lifted to the smallest number.",
}
