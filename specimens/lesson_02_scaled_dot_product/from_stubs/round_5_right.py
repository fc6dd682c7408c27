import math

import numpy as np
from mha_ref import softmax, weighted_mean


def attention_scores__1(query, key):
    number_of_features = query.shape[-1]
    share = max(number_of_features, 1) ** -0.25
    q = query.astype(np.float64)[..., :, None, :] * share
    k = key.astype(np.float64)[..., None, :, :] * share
    return (q * k).sum(axis=-1).astype(np.result_type(query, key))


def attention_weights__1(query, key):
    root = math.sqrt(max(query.shape[-1], 1))
    q = query.astype(np.float64) / root
    k = key.astype(np.float64)

    def shares(i):
        s = np.einsum("...f,...kf->...k", q[..., i, :], k)
        s = s - s.max(axis=-1)[..., None]
        return np.exp(s - np.logaddexp.reduce(s, axis=-1)[..., None])

    rows = [shares(i) for i in range(q.shape[-2])]
    return np.stack(rows, axis=-2).astype(np.result_type(query, key))


def scaled_dot_product_attention__1(query, key, value):
    kind = np.result_type(query, key, value)
    q = query.astype(np.float64) / np.sqrt(max(query.shape[-1], 1))
    top = np.full(q.shape[:-1] + (1,), -np.inf)
    total = np.zeros_like(top)
    mixed = np.zeros(q.shape[:-1] + value.shape[-1:])
    step = 3
    for start in range(0, key.shape[-2], step):
        k = key[..., start:start + step, :].astype(np.float64)
        v = value[..., start:start + step, :].astype(np.float64)
        s = q @ k.swapaxes(-1, -2)
        new_top = np.maximum(top, s.max(axis=-1, keepdims=True))
        fade = np.exp(top - new_top)
        e = np.exp(s - new_top)
        total = total * fade + e.sum(axis=-1, keepdims=True)
        mixed = mixed * fade + e @ v
        top = new_top
    return (mixed / total).astype(kind)


WHY = {
    "attention_scores__1": "broadcast product and sum, both sides scaled by the fourth root, float64 inside",
    "attention_weights__1": "list comprehension over queries, log-sum-exp of shifted scores",
    "scaled_dot_product_attention__1": "streaming over blocks of three keys with running maximum, sum and mix",
}
