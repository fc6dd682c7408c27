import numpy as np
from mha_ref import softmax, weighted_mean


def attention_scores__1(query, key):
    # half of the scale on either side; one feature after the other
    d = query.shape[-1]
    quarter = float(d) ** 0.25
    a = query.astype(np.float64) / quarter
    b = key.astype(np.float64) / quarter
    table = np.zeros(query.shape[:-1] + (key.shape[-2],))
    for c in range(d):
        table += a[..., c][..., :, None] * b[..., c][..., None, :]
    return table.astype(np.result_type(query, key, np.float16))


def attention_weights__1(query, key):
    # weight of key j = 1 / sum over all keys m of exp(score m - score j)
    q = np.asarray(query, dtype=np.float64) / np.sqrt(query.shape[-1])
    s = np.einsum("...qd,...kd->...qk", q, np.asarray(key, dtype=np.float64))
    gaps = s[..., None, :] - s[..., :, None]          # (..., q, j, m)
    with np.errstate(over="ignore"):
        w = 1.0 / np.exp(gaps).sum(axis=-1)
    return w


class _Attention:
    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def answer(self, one_query):
        s = self.keys @ (one_query / np.sqrt(len(one_query)))
        log_w = s - s.max()
        log_w = log_w - np.log(np.exp(log_w).sum())
        return np.exp(log_w) @ self.values


def scaled_dot_product_attention__1(query, key, value):
    if query.size == 0 and 0 in query.shape[:-1]:
        return np.zeros(query.shape[:-1] + value.shape[-1:])
    if query.ndim > 2:
        # peel off one front axis at a time
        return np.stack([scaled_dot_product_attention__1(q, k, v) for q, k, v in zip(query, key, value)])
    head = _Attention(key.astype(np.float64), value.astype(np.float64))
    return np.stack([head.answer(q) for q in query.astype(np.float64)])


def scaled_dot_product_attention__2(query, key, value):
    # keys first: everything transposed, softmax down the columns
    n_front = query.ndim - 2
    flip = tuple(range(n_front)) + (n_front + 1, n_front)
    scale = np.sqrt(query.shape[-1])
    scores_t = (key / scale) @ query.transpose(flip)              # (..., keys, queries)
    weights_t = softmax(scores_t, axis=-2)
    out_t = value.transpose(flip) @ weights_t                      # (..., value_features, queries)
    return np.ascontiguousarray(out_t.transpose(flip))


WHY = {
    "attention_scores__1": "fourth root on both sides, outer products summed over the features",
    "attention_weights__1": "each weight as one over the sum of exp of score gaps",
    "scaled_dot_product_attention__1": "recursion over the front axes, a helper class answering one query with log weights",
    "scaled_dot_product_attention__2": "all in transposed form, softmax along axis -2",
}
