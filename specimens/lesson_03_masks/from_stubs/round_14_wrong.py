"""Wrong answers to lesson 03 (round 14)."""

import numpy as np
from mha_ref import attention_scores, causal_attention, causal_mask, masked_softmax, weighted_mean


def causal_mask__1(queries, keys):
    offset = abs(keys - queries)
    q = np.arange(queries).reshape(-1, 1)
    k = np.arange(keys).reshape(1, -1)
    return k <= q + offset


def masked_softmax__1(scores, mask):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total > 0, total, 1)


def masked_attention__1(query, key, value, mask=None):
    if mask is None:
        mask = causal_mask(query.shape[-2], key.shape[-2])
    return weighted_mean(masked_softmax(attention_scores(query, key), mask), value)


def test_causal_attention__1(causal_attention):
    rng = np.random.default_rng(3)
    q, k, v = rng.normal(size=(3, 5, 4))
    before = causal_attention(q, k, v)
    for j in range(5):
        k2, v2 = k.copy(), v.copy()
        k2[j] += 1
        v2[j] += 1
        after = causal_attention(q, k2, v2)
        for i in range(5):
            same = np.allclose(before[i], after[i])
            assert same == (j > i), (i, j)


TRUTH = {
    "causal_mask__1": "With more queries than keys, it shifts to the wrong side (abs): the first queries see keys where they should see none.",
    "masked_softmax__1": "The maximum is taken over blocked scores too; a large blocked score makes the allowed exponentials vanish, so that the row has only zeros.",
    "masked_attention__1": "With mask=None it uses a causal mask; None should allow everything.",
    "test_causal_attention__1": "It tests only as many queries as keys, so it cannot catch the version that starts at the top left.",
}
