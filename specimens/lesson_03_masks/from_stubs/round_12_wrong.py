"""Wrong answers to lesson 03 (round 12)."""

import numpy as np
from mha_ref import attention_scores, softmax


def masked_attention__1(query, key, value, mask=None):
    weights = softmax(attention_scores(query, key))
    if mask is not None:
        weights = np.where(mask, weights, 0)
    return weights @ value


def masked_attention__2(query, key, value, mask=None):
    d = query.shape[-1]
    scores = np.einsum("...qd,...kd->...qk", query, key) / d**0.5
    if mask is None:
        mask = np.tril(np.ones(scores.shape[-2:], dtype=bool))  # the usual mask
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = e.sum(-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", e / np.where(total == 0, 1, total), value)


def masked_attention__3(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(scores.dtype).min)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return (e / np.sum(e, axis=-1, keepdims=True)) @ value


def masked_attention__4(query, key, value, mask=None):
    # what may not be seen is taken out of keys and values
    if mask is None:
        return softmax(attention_scores(query, key)) @ value
    front = np.broadcast_shapes(mask.shape[:-2], query.shape[:-2])
    mask = np.broadcast_to(mask, (*front, query.shape[-2], key.shape[-2]))
    seen = mask.any(axis=-2)[..., None]  # by anybody
    return softmax(attention_scores(query, key * seen)) @ (value * seen)


def padding_mask__1(lengths, keys):
    lengths = np.asarray(lengths)
    if lengths.max() > keys:
        raise ValueError("too long")
    real = np.arange(1, keys + 1) < lengths[:, None]
    return real[:, None, None, :]


def padding_mask__2(lengths, keys):
    mask = np.zeros((len(lengths), 1, 1, keys), dtype=bool)
    for sentence, length in enumerate(lengths):
        mask[sentence, ..., :length] = True  # a slice stops at the end by itself
    return mask


def padding_mask__3(lengths, keys):
    if any(n > keys for n in lengths):
        raise ValueError
    return np.array([[k >= keys - n for k in range(keys)] for n in lengths])[:, None, None]


TRUTH = {
    "masked_attention__1": "softmax over all keys first, then zeros: what is left does not sum to 1",
    "masked_attention__2": "a mask of None becomes a causal mask; it should allow everything",
    "masked_attention__3": "a query with no allowed key gets the mean of all values, not zeros",
    "masked_attention__4": "keys and values that nobody may see become zeros, which still get a share; and the mask does not differ from query to query",
    "padding_mask__1": "one token too few: the last real token of each sentence is hidden",
    "padding_mask__2": "a length above keys is cut in silence, and should be refused",
    "padding_mask__3": "the padding is taken to be in front: the last `length` keys are real, not the first",
}
