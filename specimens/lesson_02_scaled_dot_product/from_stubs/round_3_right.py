import numpy as np
import torch
import torch.nn.functional as F
from mha_ref import softmax, weighted_mean


def attention_scores__1(query, key):
    batch = query.shape[:-2]
    n_q, d = query.shape[-2:]
    n_k = key.shape[-2]
    out = np.empty(batch + (n_q, n_k), dtype=np.float64)
    for b in np.ndindex(*batch):
        for i in range(n_q):
            for j in range(n_k):
                q_vec = query[b + (i,)].astype(np.float64)
                k_vec = key[b + (j,)].astype(np.float64)
                out[b + (i, j)] = np.dot(q_vec, k_vec) / np.sqrt(d)
    return out.astype(np.result_type(query, key))


def attention_weights__1(query, key):
    quarter = query.shape[-1] ** -0.25
    q = query.astype(np.float64) * quarter
    k = key.astype(np.float64) * quarter
    # keys first, softmax along them, then turn round
    by_key = np.einsum("...kd,...qd->...kq", k, q)
    return np.swapaxes(softmax(by_key, axis=-2), -1, -2).astype(query.dtype)


def scaled_dot_product_attention__1(query, key, value):
    """Online: one key at a time, never the whole matrix of weights."""
    q = query.astype(np.float64) / np.sqrt(query.shape[-1])
    peak = np.full(q.shape[:-1] + (1,), -np.inf)
    total = np.zeros_like(peak)
    acc = np.zeros(q.shape[:-1] + (value.shape[-1],))
    for j in range(key.shape[-2]):
        s = (q * key[..., j:j + 1, :]).sum(axis=-1, keepdims=True)
        new_peak = np.maximum(peak, s)
        shrink = np.exp(peak - new_peak)
        w = np.exp(s - new_peak)
        total = total * shrink + w
        acc = acc * shrink + w * value[..., j:j + 1, :]
        peak = new_peak
    return (acc / total).astype(value.dtype)


def scaled_dot_product_attention__2(query, key, value):
    as_tensor = lambda a: torch.from_numpy(np.array(a, dtype=np.float64))
    out = F.scaled_dot_product_attention(as_tensor(query), as_tensor(key), as_tensor(value))
    return out.numpy().astype(np.result_type(query, key, value))


WHY = {
    "attention_scores__1": "four nested loops with np.dot in float64, cast back",
    "attention_weights__1": "fourth root on either side, keys before queries, softmax along axis -2, swapped at the end",
    "scaled_dot_product_attention__1": "online softmax over the keys with rescaled sums",
    "scaled_dot_product_attention__2": "the torch built-in in float64",
}
