"""Slips in answers to lesson 03 (round 16)."""

import numpy as np
from mha_ref import attention_scores, causal_attention, causal_mask, masked_attention, masked_softmax, scaled_dot_product_attention



def causal_mask__1(queries, keys):
    everything = np.ones((queries, keys), dtype=bool)
    return np.tril(everything, k=queries - keys)


def masked_softmax__1(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    low = np.where(mask, -np.inf, scores)
    top = low.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    powers = np.exp(low - top)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)


def masked_attention__1(query, key, value, mask=None):
    if mask is None:
        scaled_dot_product_attention(query, key, value)
    else:
        weights = masked_softmax(attention_scores(query, key), mask)
        return weights @ value


def causal_attention__1(query, key, value):
    queries, keys = query.shape[-2], key.shape[-2]
    mask = causal_mask(keys, queries)
    return masked_attention(query, key, value, mask)


def test_causal_attention__1(causal_attention):
    rng = np.random.default_rng(0)
    query, key, value = rng.normal(size=(3, 4, 5))
    before = causal_attention(query, key, value)
    key_2, value_2 = key.copy(), value.copy()
    key_2[-1] += 3
    value_2[-1] += 3
    after = causal_attention(query, key_2, value_2)
    assert np.allclose(before[1:], after[1:]), "it looks ahead"
    for q in range(4):
        wanted = scaled_dot_product_attention(query[q : q + 1], key[: q + 1], value[: q + 1])[0]
        assert np.allclose(before[q], wanted), "it hides what may be seen"


def padding_mask__1(lengths, keys):
    lengths = np.asarray(lengths)
    if (lengths > keys).any():
        return ValueError(f"a length is above {keys}")
    mask = np.arange(keys) < lengths[:, None]
    return mask[:, None, None, :]


TRUTH = {
    "causal_mask__1": 'k is queries - keys instead of keys - queries, so with different numbers the diagonal is shifted to the wrong side.',
    "masked_softmax__1": 'The two cases of np.where are swapped, so the allowed scores are set to -inf and the blocked keys share the attention.',
    "masked_attention__1": 'The branch for mask=None computes the result but does not return it, so the function gives None.',
    "causal_attention__1": 'Hands the sizes to causal_mask in the wrong order, so with more keys than queries the mask has the transposed shape and does not fit.',
    "test_causal_attention__1": 'Compares the rows [1:] instead of [:-1], so the last query, which may see the changed last key, must not change, and a right version fails.',
    "padding_mask__1": 'Returns the ValueError instead of raising it, so a length above `keys` gives an exception object and no error.',
}
