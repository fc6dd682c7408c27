"""Right answers to lesson 02 in other styles: exercise, two underscores, style."""

import math

import numpy as np

from mha_ref import softmax, weighted_mean


def attention_scores__by_loops(query, key):
    result = np.zeros((*query.shape[:-1], key.shape[-2]))
    for place in np.ndindex(result.shape):
        *batch, q, k = place
        a, b = query[(*batch, q)], key[(*batch, k)]
        result[place] = sum(x * y for x, y in zip(a, b, strict=True)) / len(a) ** 0.5
    return result


def attention_scores__by_einsum(query, key):
    return np.einsum("...qd,...kd->...qk", query, key) / math.sqrt(query.shape[-1])


def attention_scores__half_of_the_scale_on_each_side(query, key):
    root = query.shape[-1] ** 0.25
    return (query / root) @ np.swapaxes(key / root, -1, -2)


def attention_scores__the_query_scaled_first(Q, K):
    d_k = K.shape[-1]
    return np.matmul(Q * d_k**-0.5, np.moveaxis(K, -1, -2))


def attention_scores__keys_on_the_left_then_turned(query, key):
    return (key @ query.mT).mT / np.sqrt(key.shape[-1])


def attention_scores__multiply_and_sum(query, key):
    products = np.expand_dims(query, -2) * np.expand_dims(key, -3)
    return products.sum(-1) / np.sqrt(products.shape[-1])


def attention_scores__mean_times_the_root(query, key):
    return (query[..., :, None, :] * key[..., None, :, :]).mean(axis=-1) * np.sqrt(query.shape[-1])


def attention_scores__one_item_at_a_time(query, key):
    if query.ndim == 2:
        return np.inner(query, key) / np.linalg.norm(np.ones(query.shape[1]))
    return np.stack([attention_scores__one_item_at_a_time(q, k) for q, k in zip(query, key, strict=True)])


def attention_weights__by_hand(query, key):
    scores = query @ key.mT / np.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def attention_weights__through_logarithms(query, key):
    s = np.einsum("...id,...jd->...ij", query, key) / query.shape[-1] ** 0.5
    return np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))


def attention_weights__keys_first(query, key):
    s = key @ query.mT * (1 / np.sqrt(key.shape[-1]))
    e = np.exp(s - s.max(-2, keepdims=True))
    return (e / e.sum(-2, keepdims=True)).mT


def attention_weights__root_inside_the_exponent(query, key):
    dots = query @ np.swapaxes(key, -1, -2)
    dots = dots - dots.max(axis=-1)[..., None]
    powers = np.exp(dots / np.sqrt(query.shape[-1]))
    return np.divide(powers, powers.sum(axis=-1)[..., None])


def attention_weights__row_by_row(query, key):
    def one_row(q, keys):
        scores = [float(np.dot(q, k)) / math.sqrt(len(q)) for k in keys]
        powers = [math.exp(s - max(scores)) for s in scores]
        return [p / sum(powers) for p in powers]

    if query.ndim > 2:
        return np.array([attention_weights__row_by_row(q, k) for q, k in zip(query, key, strict=True)])
    return np.array([one_row(q, key) for q in query])


def scaled_dot_product_attention__by_einsum(q, k, v):
    weights = attention_weights__by_hand(q, k)
    return np.einsum("...ij,...jv->...iv", weights, v)


def scaled_dot_product_attention__by_loops(query, key, value):
    result = np.zeros((*query.shape[:-1], value.shape[-1]))
    for place in np.ndindex(query.shape[:-1]):
        keys, values = key[place[:-1]], value[place[:-1]]
        scores = np.array([query[place] @ k for k in keys]) / np.sqrt(query.shape[-1])
        shares = np.exp(scores - scores.max())
        for share, carried in zip(shares / shares.sum(), values, strict=True):
            result[place] += share * carried
    return result


def scaled_dot_product_attention__divides_at_the_end(query, key, value):
    scores = query @ key.mT / np.sqrt(query.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers @ value / powers.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention__keys_in_one_pass(query, key, value):
    """As fused code does it: a running maximum, a running sum, a running mixture."""
    best, total, mixed = -np.inf, 0.0, 0.0
    for k in range(key.shape[-2]):
        score = (query * key[..., k : k + 1, :]).sum(-1, keepdims=True) / np.sqrt(query.shape[-1])
        new = np.maximum(best, score)
        old, share = np.exp(best - new), np.exp(score - new)
        best, total, mixed = new, total * old + share, mixed * old + share * value[..., k : k + 1, :]
    return mixed / total


def scaled_dot_product_attention__multiply_and_sum(query, key, value):
    weights = attention_weights__by_hand(query, key)
    return (weights[..., None] * value[..., None, :, :]).sum(axis=-2)


def scaled_dot_product_attention__one_item_at_a_time(query, key, value):
    if query.ndim > 2:
        items = zip(query, key, value, strict=True)
        return np.stack([scaled_dot_product_attention__one_item_at_a_time(*item) for item in items])
    scores = np.dot(query, key.T) / np.sqrt(len(query[0]))
    shares = np.exp(scores - scores.max(1)[:, np.newaxis])
    return np.dot(shares / shares.sum(1)[:, np.newaxis], value)


def attention_scores__one_feature_at_a_time(query, key):
    features = query.shape[-1]
    scores = np.zeros(query.shape[:-1] + (key.shape[-2],), dtype=np.float64)
    for f in range(features):
        scores += query[..., f][..., :, None].astype(np.float64) * key[..., f][..., None, :]
    return scores * math.exp(-0.5 * math.log(features))


def attention_weights__keys_first_and_turned(query, key):
    # one row per key, so the keys run along axis -2; transpose at the very end
    upright = (key / math.sqrt(key.shape[-1])) @ np.swapaxes(query, -1, -2)
    return np.swapaxes(softmax(upright, axis=-2), -1, -2)


def scaled_dot_product_attention__a_running_mean(query, key, value):
    kind = np.result_type(query, key, value)
    q, k, v = (np.asarray(a, dtype=np.float64) for a in (query, key, value))
    scale = 1 / math.sqrt(q.shape[-1])
    top = np.full(q.shape[:-1] + (1,), -np.inf)
    total = np.zeros_like(top)
    mean = np.zeros(q.shape[:-1] + (v.shape[-1],))
    for j in range(k.shape[-2]):
        s = (q * k[..., j : j + 1, :]).sum(-1, keepdims=True) * scale
        new_top = np.maximum(top, s)
        old = total * np.exp(top - new_top)
        fresh = np.exp(s - new_top)
        total = old + fresh
        # a running mean, never larger than the largest value
        mean = mean * (old / total) + v[..., j : j + 1, :] * (fresh / total)
        top = new_top
    return mean.astype(kind)


def scaled_dot_product_attention__a_generator_of_items(query, key, value):
    root = np.sqrt(query.shape[-1])

    def one(q, k, v):
        if q.ndim > 2:
            for i in range(len(q)):
                yield from one(q[i], k[i], v[i])
            return
        s = (k @ (q / root).T).T
        yield weighted_mean(softmax(s, axis=1), v)

    shape = query.shape[:-1] + value.shape[-1:]
    return np.array(list(one(query, key, value))).reshape(shape)
