"""Wrong answers to lesson 03 (round 13)."""

import numpy as np
from mha_ref import attention_scores, softmax


def causal_mask__1(queries, keys):
    extra = max(keys - queries, 0)
    return np.tril(np.ones((queries, keys), dtype=bool), k=extra)


def causal_mask__2(queries, keys):
    last = keys - 1
    rows = []
    for q in range(queries):
        own = last - (queries - 1 - q)
        rows.append([k < own for k in range(keys)])
    return np.array(rows, dtype=bool).reshape(queries, keys)


def masked_softmax__1(scores, mask):
    # the lowest score there is, so that a blocked key gets the least
    lowest = scores.min(axis=-1, keepdims=True)
    weights = softmax(np.where(mask, scores, lowest))
    return np.where(mask.any(axis=-1, keepdims=True), weights, 0)


def masked_softmax__2(scores, mask):
    if not mask.any():
        return np.zeros_like(scores)
    filled = np.where(mask, scores, -1e30)
    return softmax(filled)


def causal_attention__1(query, key, value):
    weights = softmax(attention_scores(query, key))
    queries, keys = weights.shape[-2:]
    past = np.tri(queries, keys, keys - queries)
    weights = weights * past
    return weights @ value


def causal_attention__2(query, key, value):
    outputs = []
    offset = key.shape[-2] - query.shape[-2]
    for i in range(query.shape[-2]):
        q = query[..., i : i + 1, :]
        k, v = key[..., : offset + i, :], value[..., : offset + i, :]
        outputs.append(softmax(attention_scores(q, k)) @ v if offset + i else v.sum(-2, keepdims=True) * 0)
    return np.concatenate(outputs, axis=-2)


TRUTH = {
    "causal_mask__1": "with more queries than keys the shift is held at 0: the first queries see keys they should not",
    "causal_mask__2": "a query does not see its own position",
    "masked_softmax__1": "a blocked key gets the lowest score of its row, and so a share",
    "masked_softmax__2": "zeros only if the whole mask is closed; a single dead row gets even weights",
    "causal_attention__1": "the mask comes after softmax: what is left does not sum to 1",
    "causal_attention__2": "a query does not see its own key",
}
