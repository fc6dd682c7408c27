"""Right answers to lesson 03 (round 18)."""

import numpy as np


def causal_mask__1(queries, keys):
    rows = [[j - (keys - queries) <= i for j in range(keys)] for i in range(queries)]
    return np.array(rows, dtype=bool).reshape(queries, keys)


def masked_softmax__1(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    weights = np.zeros_like(scores)
    for row in np.ndindex(scores.shape[:-1]):
        allowed = mask[row]
        if allowed.any():
            kept = scores[row][allowed]
            e = np.exp(kept - kept.max())
            weights[row][allowed] = e / e.sum()
    return weights


def padding_mask__1(lengths, keys):
    mask = np.full((len(lengths), 1, 1, keys), False)
    for sentence, length in enumerate(lengths):
        if length > keys:
            raise ValueError(f"sentence {sentence} has {length} tokens, more than {keys}")
        mask[sentence, 0, 0, : int(length)] = True
    return mask


WHY = {
    "causal_mask__1": 'Right: a list comprehension, row by row.',
    "masked_softmax__1": 'Right: a loop over all rows, each with a softmax of its allowed scores alone.',
    "padding_mask__1": "Right: a python loop that fills each sentence's row.",
}
