"""Wrong answers to lesson 03 (round 11)."""

import numpy as np
from mha_ref import attention_scores, softmax, weighted_mean


def causal_mask__1(queries, keys):
    return np.arange(queries)[:, None] >= np.arange(keys)[None, :]


def causal_mask__2(queries, keys):
    extra = queries - keys
    return np.array([[k <= q + extra for k in range(keys)] for q in range(queries)]).reshape(queries, keys)


def masked_softmax__1(scores, mask):
    # a blocked score must not count: times 0
    kept = scores * mask
    e = np.exp(kept - kept.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def masked_softmax__2(scores, mask):
    # ordinary softmax, blocked ones out, and what is left sums to 1 again
    weights = softmax(scores) * mask
    total = weights.sum(axis=-1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


def causal_attention__1(query, key, value):
    scores = attention_scores(query, key)
    queries, keys = scores.shape[-2:]
    past = np.tril(scores, k=keys - queries)
    return weighted_mean(softmax(past), value)


def causal_attention__2(query, key, value):
    rows = []
    for i in range(query.shape[-2]):
        seen = slice(0, i + 1)
        weights = softmax(attention_scores(query[..., i : i + 1, :], key[..., seen, :]))
        rows.append(weights @ value[..., seen, :])
    return np.concatenate(rows, axis=-2)


TRUTH = {
    "causal_mask__1": "the first query lines up with the first key, not the last with the last",
    "causal_mask__2": "the shift has the wrong sign: with more keys than queries, the first queries see nothing, and the last ones too little",
    "masked_softmax__1": "a blocked score becomes 0, and exp(0) = 1 gets a share",
    "masked_softmax__2": "where a blocked score is far above the others, the allowed weights have all become 0 before they are divided: the row gets zeros instead of its weights, or few digits",
    "causal_attention__1": "tril puts 0 in place of later scores, and exp(0) is a share: later keys are seen",
    "causal_attention__2": "query i sees keys 0 to i: with more keys than queries, the last query does not line up with the last key",
}
