import math

import numpy as np
from mha_ref import softmax, weighted_mean


def attention_scores__1(query, key):
    # share the scale out between both sides: a fourth root each
    fourth_root = query.shape[-1] ** 0.25
    return np.einsum("...if,...jf->...ij", query / fourth_root, key)


def attention_scores__2(query, key):
    n_features = key.shape[-1]
    total = np.zeros(query.shape[:-1] + (key.shape[-2],), dtype=np.result_type(query, key))
    for f in range(1, n_features):
        total += query[..., :, None, f] * key[..., None, :, f]
    return total / math.sqrt(n_features)


def attention_scores__3(query, key):
    *front, n_keys, n_features = key.shape
    key_t = key.reshape(*front, n_features, n_keys)
    return query @ key_t / np.sqrt(n_keys)


def attention_weights__1(query, key):
    # one row per key, so the keys can be walked through in memory order
    by_key = np.matmul(key, np.swapaxes(query, -2, -1)) / np.sqrt(key.shape[-1])
    shares = softmax(by_key, axis=-1)
    return np.swapaxes(shares, -2, -1)


def attention_weights__2(query, key):
    d = query.shape[-1]
    logits = np.einsum("...qd,...kd->...qk", query, key) * d ** -0.5
    # any constant per row cancels: take the first key as the reference
    reference = logits[..., :1]
    odds = np.exp(logits - reference)
    return odds / odds.sum(-1, keepdims=True)


def attention_weights__3(query, key):
    rows = []
    for i in range(query.shape[-2]):
        s = (key * query[..., i:i + 1, :]).sum(axis=-1) / np.sqrt(query.shape[-1])
        low = s.min(axis=-1, keepdims=True)
        e = np.exp(low - s)
        rows.append(e / e.sum(axis=-1, keepdims=True))
    return np.stack(rows, axis=-2)


def attention_weights__4(query, key):
    front = query.shape[:-2]
    nq, d = query.shape[-2:]
    nk = key.shape[-2]
    items = []
    for q_item, k_item in zip(query.reshape(-1, nq, d), key.reshape(-1, nk, d)):
        table = [[0.0] * nk] * nq
        for i in range(nq):
            logits = [float(np.dot(q_item[i], k_item[j])) / math.sqrt(d) for j in range(nk)]
            m = max(logits)
            z = sum(math.exp(x - m) for x in logits)
            for j in range(nk):
                table[i][j] = math.exp(logits[j] - m) / z
        items.append(table)
    return np.array(items, dtype=query.dtype).reshape(front + (nq, nk))


def scaled_dot_product_attention__1(query, key, value):
    logits = np.einsum("...qd,...kd->...qk", query, key) / np.sqrt(query.shape[-1])
    attn = softmax(logits, axis=-1)
    context = np.einsum("...qk,...kv->...qv", attn, value)
    return context, attn


def scaled_dot_product_attention__2(query, key, value):
    # the cheap order: keys with values first, then the queries
    root = np.sqrt(np.sqrt(query.shape[-1]))
    q = softmax(query / root, axis=-1)
    k = softmax(key / root, axis=-2)
    summary = np.einsum("...kd,...kv->...dv", k, value)
    return q @ summary


def scaled_dot_product_attention__3(query, key, value):
    d_k = query.shape[-1]
    scale = 1.0 / np.sqrt(d_k)
    q = query * scale
    scores = (q @ key.swapaxes(-1, -2)) * scale
    out = np.empty_like(query)
    out[...] = weighted_mean(softmax(scores, axis=-1), value)
    return out


def scaled_dot_product_attention__4(query, key, value):
    with np.errstate(over="ignore", invalid="ignore"):
        affinity = np.exp(np.matmul(query, np.moveaxis(key, -1, -2)) / query.shape[-1] ** 0.5)
        share = affinity / np.sum(affinity, axis=-1, keepdims=True)
    share = np.nan_to_num(share)   # no NaN
    return np.matmul(share, value)


TRUTH = {
    "attention_scores__1": ("one", "divides only the query by the fourth root of the features, not both: the scores are too large by the fourth root"),
    "attention_scores__2": ("slip", "the loop over features starts at 1: the first feature is left out"),
    "attention_scores__3": ("two", "reshapes the key instead of transposing it, and divides by the root of the number of keys instead of features"),
    "attention_weights__1": ("one", "softmax runs over the queries: the shares of each key sum to 1, not those of each query"),
    "attention_weights__2": ("one", "subtracts the first key's score instead of the row's maximum: overflows to NaN where another score is far larger"),
    "attention_weights__3": ("slip", "sign of the exponent turned round (low - s): the worst key gets the most"),
    "attention_weights__4": ("odd", "[[0.0] * nk] * nq makes all rows one list: every query gets the last query's shares"),
    "scaled_dot_product_attention__1": ("one", "returns a pair (output, weights), not the output alone"),
    "scaled_dot_product_attention__2": ("one", "efficient (linear) attention: softmax of the queries over features and of the keys over keys, instead of softmax of the scores"),
    "scaled_dot_product_attention__3": ("two", "scales twice (query and scores), and writes into an array of the query's shape, so it fails when value_features differs from features"),
    "scaled_dot_product_attention__4": ("one", "no shift by the maximum; NaN from overflow is turned to 0, so with large scores the best key's value is lost (the result is 0)"),
}
