import numpy as np

WHY = {
    "attention_scores__1": "Query and key are each divided by the fourth root of the features before an einsum.",
    "attention_weights__1": "Explicit loops over the axes in front and over queries and keys, one dot product at a time.",
    "scaled_dot_product_attention__1": "One pass over the keys in blocks with a running maximum; no full row of weights is ever held.",
    "scaled_dot_product_attention__2": "A column of ones is appended to the values, so that one product gives numerator and denominator.",
}


def attention_scores__1(query, key):
    root4 = np.sqrt(np.sqrt(query.shape[-1])).astype(query.dtype)
    return np.einsum("...qf,...kf->...qk", query / root4, key / root4)


def attention_weights__1(query, key):
    n_keys, d = key.shape[-2:]
    weights = np.empty(query.shape[:-1] + (n_keys,), dtype=np.result_type(query, key))
    for where in np.ndindex(*query.shape[:-1]):
        *item, _ = where
        row = [np.dot(query[where], key[(*item, k)]) / d ** 0.5 for k in range(n_keys)]
        top = max(row)
        row = [np.exp(r - top) for r in row]
        weights[where] = np.array(row) / sum(row)
    return weights


def scaled_dot_product_attention__1(query, key, value, _block=2):
    q = query / query.shape[-1] ** 0.5
    front = query.shape[:-1]
    m = np.full(front + (1,), -np.inf, dtype=query.dtype)
    l = np.zeros_like(m)
    o = np.zeros(front + (value.shape[-1],), dtype=np.result_type(query, value))
    for start in range(0, key.shape[-2], _block):
        k = key[..., start : start + _block, :]
        v = value[..., start : start + _block, :]
        s = q @ k.swapaxes(-1, -2)
        m_new = np.maximum(m, s.max(axis=-1, keepdims=True))
        correction = np.exp(m - m_new)
        p = np.exp(s - m_new)
        l = l * correction + p.sum(axis=-1, keepdims=True)
        o = o * correction + p @ v
        m = m_new
    return o / l


class _DotProductAttention:
    """Keras-like: made once, then called."""

    def __init__(self, features):
        self.scale = 1.0 / np.sqrt(features)

    def __call__(self, q, k, v):
        logits = np.matmul(q, k.swapaxes(-1, -2)) * self.scale
        logits = np.exp(logits - logits.max(axis=-1, keepdims=True))
        ones = np.ones(v.shape[:-1] + (1,), dtype=v.dtype)
        both = np.matmul(logits, np.concatenate([v, ones], axis=-1))
        return both[..., :-1] / both[..., -1:]


def scaled_dot_product_attention__2(query, key, value):
    return _DotProductAttention(query.shape[-1])(query, key, value)
