import math

import numpy as np
from mha_ref import softmax

TRUTH = {
    "attention_scores__1": "Its author takes axis 1 for the features, which is right without a batch only; with axes in front the scores are divided by the root of another length.",
    "attention_scores__2": "Its author takes the whole-number root of the features, so the scale is right for 4, 9 or 16 features only.",
    "attention_scores__3": "Its author handles two axes and three axes, and overlooks that there may be more in front, where the transpose fails.",
    "attention_scores__4": "Its author scales query and key before the product, each by the full root instead of the fourth root, so the scores are divided by the features themselves.",
    "attention_weights__1": "Its author normalises along the queries instead of the keys, so the columns sum to 1 and not each query's row.",
    "attention_weights__2": "Its author divides by the root after softmax instead of before it, so the weights are those of unscaled scores, and do not sum to 1.",
    "attention_weights__3": "Its author clips the scores to the range from -50 to 50 so that nothing overflows, so that large scores which differ are treated as equal.",
    "attention_weights__4": "Its author scales the query by an in-place division, overlooking that this is the caller's array, which is changed.",
    "scaled_dot_product_attention__1": "Its author returns the weights along with the output, as many libraries do, but the output alone is demanded.",
    "scaled_dot_product_attention__2": "Its author takes the number of features from the values, which may have another number of features than query and key.",
    "scaled_dot_product_attention__3": "Its author gives the output the shape of the query, overlooking that the values may have another number of features.",
    "scaled_dot_product_attention__4": "Its author adds an axis for a batch where there is none and removes it by squeeze(), overlooking that squeeze also removes any other axis of length 1.",
    "scaled_dot_product_attention__5": "Its author goes through the keys with a running maximum, but rescales the running total only and forgets the running sum of values when the maximum grows.",
}


def attention_scores__1(query, key):
    d_k = query.shape[1]
    return query @ np.swapaxes(key, -1, -2) / np.sqrt(d_k)


def attention_scores__2(query, key):
    scale = math.isqrt(query.shape[-1])
    return np.einsum("...qd,...kd->...qk", query, key) / scale


def attention_scores__3(query, key):
    if key.ndim == 2:
        transposed = key.T
    else:
        transposed = key.transpose(0, 2, 1)
    return np.matmul(query, transposed) / math.sqrt(key.shape[-1])


def attention_scores__4(query, key):
    scale = query.shape[-1] ** -0.5
    return (query * scale) @ (key * scale).swapaxes(-2, -1)


def _similarity(query, key):
    return query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])


def attention_weights__1(query, key):
    scores = _similarity(query, key)
    scores = scores - scores.max(axis=-2, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=-2, keepdims=True)


def attention_weights__2(query, key):
    d = query.shape[-1]
    scores = query @ key.swapaxes(-1, -2)
    return softmax(scores) / np.sqrt(d)


def attention_weights__3(query, key):
    scores = np.clip(_similarity(query, key), -50.0, 50.0)
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def attention_weights__4(query, key):
    query /= query.shape[-1] ** 0.5
    return softmax(np.matmul(query, np.moveaxis(key, -1, -2)), axis=-1)


def scaled_dot_product_attention__1(query, key, value):
    attn = softmax(_similarity(query, key), axis=-1)
    return attn @ value, attn


def scaled_dot_product_attention__2(query, key, value):
    d_k = value.shape[-1]
    logits = np.einsum("...id,...jd->...ij", query, key) * d_k ** -0.5
    return np.einsum("...ij,...jd->...id", softmax(logits), value)


def scaled_dot_product_attention__3(query, key, value):
    weights = softmax(_similarity(query, key))
    output = np.zeros_like(query)
    for i in range(query.shape[-2]):
        output[..., i, :] = (weights[..., i, :, None] * value).sum(axis=-2)
    return output


def scaled_dot_product_attention__4(query, key, value):
    if query.ndim == 2:
        query, key, value = query[None], key[None], value[None]
    out = softmax(_similarity(query, key)) @ value
    return out.squeeze()


def scaled_dot_product_attention__5(query, key, value):
    scores = _similarity(query, key)
    best = np.full(scores.shape[:-1] + (1,), -np.inf, dtype=scores.dtype)
    total = np.zeros_like(best)
    acc = np.zeros(scores.shape[:-1] + (value.shape[-1],), dtype=scores.dtype)
    for k in range(key.shape[-2]):
        s = scores[..., k : k + 1]
        new_best = np.maximum(best, s)
        p = np.exp(s - new_best)
        total = total * np.exp(best - new_best) + p
        acc = acc + p * value[..., k : k + 1, :]
        best = new_best
    return acc / total
