import math
import numpy as np
import torch
import torch.nn.functional as F
from mha_ref import softmax, weighted_mean


def attention_scores__1(query, key):
    *batch, n_keys, features = key.shape
    dots = np.einsum("...qd,...kd->...qk", query, key)
    return dots / np.sqrt(n_keys)


def attention_scores__2(query, key):
    d = query.shape[-1]
    products = query[..., :, None, :] * key[..., None, :, :]
    return products.sum(axis=-1) / math.isqrt(d)


def attention_scores__3(query, key):
    features = query.shape[-1]
    total = np.zeros(query.shape[:-1] + (key.shape[-2],))
    for f in range(1, features):
        total += query[..., :, f][..., :, None] * key[..., :, f][..., None, :]
    return total * features ** -0.5


def attention_scores__4(query, key):
    n_keys, d_k = key.shape[-2:]
    key_t = key.reshape(key.shape[:-2] + (d_k, n_keys))
    return np.matmul(query, key_t) / d_k


def attention_weights__1(query, key):
    d = query.shape[-1]
    s = np.einsum("...id,...jd->...ij", query, key) / d ** 0.5
    m = np.maximum(s.max(axis=-1, keepdims=True), 0)
    e = np.exp(s - m)
    # a query may also attend to nothing
    return e / (np.exp(-m) + e.sum(axis=-1, keepdims=True))


def attention_weights__2(query, key):
    scale = 1 / np.sqrt(key.shape[-1])
    # one column of logits per key, stacked at the end
    logits = np.stack([(query * key[..., j:j + 1, :]).sum(-1) * scale for j in range(key.shape[-2])], axis=-1)
    return softmax(logits, axis=-2)


def attention_weights__3(query, key):
    q = query / key.shape[-1] ** 0.25
    k = query / key.shape[-1] ** 0.25
    return softmax(q @ np.swapaxes(k, -1, -2))


def attention_weights__4(query, key):
    e = np.exp(query @ key.swapaxes(-2, -1))
    return e / np.sum(e, axis=-1)[..., np.newaxis]


def scaled_dot_product_attention__1(query, key, value):
    q, k, v = (torch.tensor(np.asarray(x)) for x in (query, key, value))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).numpy()


def scaled_dot_product_attention__2(query, key, value):
    logits = np.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    attn = softmax(logits, axis=-1)
    output = np.einsum("...qk,...kv->...qv", attn, value)
    return output, attn


def scaled_dot_product_attention__3(query, key, value):
    scores = np.matmul(query, np.swapaxes(key, -1, -2)) / math.sqrt(value.shape[-1])
    return weighted_mean(softmax(scores), value)


def scaled_dot_product_attention__4(query, key, value):
    # fold the front axes away, do it in two dimensions, unfold
    q2 = query.reshape(-1, query.shape[-1])
    k2 = key.reshape(-1, key.shape[-1])
    v2 = value.reshape(-1, value.shape[-1])
    out = softmax(q2 @ k2.T / np.sqrt(q2.shape[1])) @ v2
    return out.reshape(query.shape[:-1] + (value.shape[-1],))


TRUTH = {
    "attention_scores__1": ("one", "divides by the root of the number of keys instead of the number of features"),
    "attention_scores__2": ("odd", "math.isqrt rounds the root down: right only when the number of features is a perfect square"),
    "attention_scores__3": ("slip", "the loop over features starts at 1: the first feature is left out of the dot product"),
    "attention_scores__4": ("two", "reshapes the keys instead of transposing them, and divides by the number of features without the root"),
    "attention_weights__1": ("one", "softmax-plus-one: an extra zero score in the denominator, so that the weights sum to less than 1"),
    "attention_weights__2": ("one", "softmax along the queries instead of the keys"),
    "attention_weights__3": ("slip", "the query is used where the key belongs: scores of queries with queries, the keys do not matter"),
    "attention_weights__4": ("two", "scores not divided by the root of the features, and softmax without subtracting the maximum: large scores give NaN"),
    "scaled_dot_product_attention__1": ("one", "a causal mask that nobody asked for: queries do not see later keys"),
    "scaled_dot_product_attention__2": ("one", "returns a pair (output, weights) instead of the output alone"),
    "scaled_dot_product_attention__3": ("slip", "scales by the root of the number of value features instead of the query's and key's features"),
    "scaled_dot_product_attention__4": ("one", "flattens the batch axes into queries and keys: each query attends to the keys of all batch items"),
}
