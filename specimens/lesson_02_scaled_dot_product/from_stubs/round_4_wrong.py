import numpy as np
from mha_ref import softmax, weighted_mean


def attention_scores__1(query, key):
    n = key.shape[-2]
    return np.einsum("...if,...jf->...ij", query, key) / np.sqrt(n)


def attention_scores__2(query, key):
    *batch, n_keys, n_features = key.shape
    key_columns = key.reshape(*batch, n_features, n_keys)
    return np.matmul(query, key_columns) * n_features ** -0.5


def attention_scores__3(query, key):
    # cheaper to scale the query than the scores
    query /= np.sqrt(query.shape[-1])
    return query @ key.swapaxes(-1, -2)


def attention_scores__4(query, key):
    return np.dot(query, key.T) / 8.0


def attention_weights__1(query, key):
    root = np.sqrt(query.shape[-1])
    columns = []
    for j in range(key.shape[-2]):
        s = (query * key[..., j, None, :]).sum(-1) / root
        e = np.exp(s - s.max(-1, keepdims=True))
        columns.append(e / e.sum(-1, keepdims=True))
    return np.stack(columns, axis=-1)


def attention_weights__2(query, key):
    root = np.sqrt(query.shape[-1])
    scores = np.einsum("...qf,...kf->...qk", query, key) / root
    # no score can be above |q| |k| / root
    q_len = np.linalg.norm(query, axis=-1)[..., :, None]
    k_len = np.linalg.norm(key, axis=-1).max(-1)[..., None, None]
    exps = np.exp(scores - q_len * k_len / root)
    return exps / exps.sum(-1, keepdims=True)


def attention_weights__3(query, key):
    fit = softmax(query @ np.swapaxes(key, -1, -2), axis=-1)
    fit = fit / np.sqrt(key.shape[-1])
    # scaling spoiled the sums: put them back to 1
    return fit / fit.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention__1(query, key, value):
    scale = 1 / np.sqrt(query.shape[-1])
    lead = query.shape[:-1]
    best = np.full(lead, -np.inf)
    total = np.zeros(lead)
    out = np.zeros(lead + value.shape[-1:])
    for j in range(key.shape[-2]):
        s = np.sum(query * key[..., j:j + 1, :], axis=-1) * scale
        new_best = np.maximum(best, s)
        p = np.exp(s - new_best)
        total = total * np.exp(best - new_best) + p
        out = out + p[..., None] * value[..., j:j + 1, :]
        best = new_best
    return out / total[..., None]


def scaled_dot_product_attention__2(query, key, value):
    answer = np.zeros_like(query)
    for i in range(query.shape[-2]):
        q = query[..., i, :]
        s = np.einsum("...f,...kf->...k", q, key) / np.sqrt(q.shape[-1])
        a = softmax(s, axis=-1)
        answer[..., i, :] = np.einsum("...k,...kv->...v", a, value)
    return answer


def scaled_dot_product_attention__3(query, key, value):
    d = value.shape[-1]
    scores = np.matmul(query, np.moveaxis(key, -1, -2)) / d ** 0.5
    return weighted_mean(softmax(scores, axis=-1), value)


def scaled_dot_product_attention__4(query, key, value):
    block = 4
    n = key.shape[-2]
    if n <= block:
        starts = [0]
    else:
        starts = range(0, n // block * block, block)
    scores = np.concatenate(
        [query @ np.swapaxes(key[..., b:b + block, :], -1, -2) for b in starts], axis=-1
    ) / np.sqrt(query.shape[-1])
    w = np.exp(scores - scores.max(-1, keepdims=True))
    out = sum(
        w[..., b:b + block] @ value[..., b:b + block, :] for b in starts
    )
    return out / w.sum(-1, keepdims=True)


TRUTH = {
    "attention_scores__1": ("one", "divides by the root of the number of keys instead of features"),
    "attention_scores__2": ("one", "reshapes key to (features, keys) instead of transposing it: the numbers are scrambled"),
    "attention_scores__3": ("one", "scales the query in place: the caller's query is changed"),
    "attention_scores__4": ("two", "key.T with np.dot: wrong or failing with batch axes in front; and the scale is fixed to 8, the root of 64 features"),
    "attention_weights__1": ("one", "softmax runs along the queries (each key's column sums to 1) instead of along the keys"),
    "attention_weights__2": ("one", "subtracts the bound |q| max|k| / root instead of the row's maximum: with large scores all exps underflow and 0/0 gives NaN"),
    "attention_weights__3": ("one", "scales after the softmax and normalises again, so the scale cancels: softmax of unscaled scores"),
    "scaled_dot_product_attention__1": ("one", "streaming softmax rescales the running sum but not the running output when a new maximum appears"),
    "scaled_dot_product_attention__2": ("one", "the result array is made like the query: wrong or failing where value_features differs from features"),
    "scaled_dot_product_attention__3": ("slip", "scales by the root of value's features instead of the query's/key's"),
    "scaled_dot_product_attention__4": ("odd", "keys are handled in blocks of 4 and the last, incomplete block is dropped when there are more than 4 keys"),
}
