import math

import numpy as np
import torch
import torch.nn.functional as F
from mha_ref import softmax, weighted_mean


def attention_scores__1(query, key):
    root = math.isqrt(query.shape[-1])
    return np.einsum("...id,...jd->...ij", query, key) / root


def attention_scores__2(query, key):
    *front, n_keys, d_k = key.shape
    key_t = key.reshape(*front, d_k, n_keys)
    return np.matmul(query, key_t) * (1.0 / np.sqrt(d_k))


def attention_scores__3(query, key):
    scale = query.shape[-1] ** 0.5
    products = query[..., :, None, :] * key[..., None, :, :]
    return products.sum(-1) * scale


def attention_scores__4(query, key):
    q_items = query.reshape((-1,) + query.shape[-2:])
    k_items = key.reshape((-1,) + key.shape[-2:])
    items = []
    for q in q_items:
        for k in k_items:
            items.append([[sum(a * b for a, b in zip(q_row, k_row)) for k_row in k] for q_row in q])
            break
    out = np.array(items, dtype=float)
    d = key.shape[-1]
    out /= d ** 0.25
    return out.reshape(query.shape[:-1] + (key.shape[-2],))


def attention_weights__1(query, key):
    lead = query.shape[:-2]
    n_q, n_k = query.shape[-2], key.shape[-2]
    logits = (query @ np.swapaxes(key, -1, -2)) / np.sqrt(query.shape[-1])
    flat = logits.reshape(lead + (n_q * n_k,))
    return softmax(flat).reshape(lead + (n_q, n_k))


def attention_weights__2(query, key):
    dots = np.einsum("...qd,...kd->...qk", query, key) / query.shape[-1] ** 0.5
    with np.errstate(all="ignore"):
        e = np.exp(dots)
        w = e / e.sum(axis=-1, keepdims=True)
    return np.nan_to_num(w)           # no NaN, no infinity


def attention_weights__3(query, key):
    q_scaled = query / np.sqrt(np.float64(query.shape[-1]))
    logits = np.einsum("...ik,...jk->...ji", q_scaled, key)
    w = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return w / np.einsum("...ij->...i", w)[..., None]


def attention_weights__4(query, key):
    T, S = query.shape[-2], key.shape[-2]
    att = query @ key.swapaxes(-2, -1) * (1.0 / math.sqrt(T))
    tril = np.tril(np.ones((T, S), dtype=bool))
    att = np.where(tril, att, -1e30)
    return softmax(att, axis=-1)


def scaled_dot_product_attention__1(query, key, value):
    q, k, v = (torch.from_numpy(np.array(a, dtype=np.float64)) for a in (query, key, value))
    if q.dim() == 2:
        q, k, v = q[None], k[None], v[None]
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)[0].numpy()
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).numpy()


def scaled_dot_product_attention__2(query, key, value):
    d_k = key.shape[-1]
    out = np.zeros(query.shape[:-1] + (value.shape[-1],))
    for index in np.ndindex(*query.shape[:-2]):
        Q, K, V = query[index], key[index], value[index]
        for i in range(Q.shape[0]):
            s = np.array([np.dot(Q[i], K[j]) for j in range(K.shape[0])]) / np.sqrt(d_k)
            a = np.exp(s - s.max())
            a = a / a.sum()
            for j in range(K.shape[0]):
                out[index][i] += a[i % K.shape[0]] * V[j]
    return out


def scaled_dot_product_attention__3(query, key, value):
    query *= value.shape[-1] ** -0.5
    weights = softmax(np.einsum("...qd,...kd->...qk", query, key))
    return weighted_mean(weights, value)


def scaled_dot_product_attention__4(query, key, value):
    # keys in tiles, with a running maximum, a running sum and a running result
    n_keys = key.shape[-2]
    tile = min(4, n_keys)
    q = query / np.sqrt(query.shape[-1])
    m = np.full(query.shape[:-1] + (1,), -np.inf)
    l = np.zeros(m.shape)
    acc = np.zeros(query.shape[:-1] + (value.shape[-1],))
    for t in range(n_keys // tile):
        block = slice(t * tile, (t + 1) * tile)
        s = q @ np.swapaxes(key[..., block, :], -1, -2)
        m_new = np.maximum(m, s.max(axis=-1, keepdims=True))
        fix = np.exp(m - m_new)
        p = np.exp(s - m_new)
        l = l * fix + p.sum(axis=-1, keepdims=True)
        acc = acc * fix + p @ value[..., block, :]
        m = m_new
    return acc / l


TRUTH = {
    "attention_scores__1": ("one", "divides by the whole-number root (isqrt) of the features: right only when their number is a square"),
    "attention_scores__2": ("one", "reshapes the keys to (features, keys) instead of transposing them, which scrambles their numbers"),
    "attention_scores__3": ("slip", "multiplies by the root of the number of features instead of dividing"),
    "attention_scores__4": ("two", "every item's queries meet the first item's keys (break in the inner loop), and the divisor is the fourth root of the features instead of the square root"),
    "attention_weights__1": ("one", "softmax over all queries and keys of an item together, so the whole matrix sums to 1 instead of each query's row"),
    "attention_weights__2": ("one", "exponentials without subtracting the maximum; overflow is patched with nan_to_num, so for large scores the weights become 0 and rows do not sum to 1 (very negative rows as well)"),
    "attention_weights__3": ("slip", "the output indices of the einsum are swapped (ji for ij): the scores are transposed, so result is (keys, queries) and normalised along the queries"),
    "attention_weights__4": ("two", "puts a causal mask on that nobody asked for, and divides by the root of the number of queries instead of features"),
    "scaled_dot_product_attention__1": ("one", "calls the torch built-in with is_causal=True, so later keys are hidden from earlier queries"),
    "scaled_dot_product_attention__2": ("slip", "weights every value with the weight of index i (the query) instead of j (the key)"),
    "scaled_dot_product_attention__3": ("two", "scales by the root of the value features instead of the query/key features, and does it in place on the caller's query"),
    "scaled_dot_product_attention__4": ("odd", "works in tiles of four keys and drops the last incomplete tile: wrong when there are more than four keys and their number is no multiple of four"),
}
