import functools
import math

import numpy as np
from mha_ref import attention_scores, softmax

WHY = {
    "masked_softmax__1": "It adds the logarithm of the mask, and turns the NaN of dead rows into zeros at the end.",
    "masked_softmax__2": "It uses numpy.ma with the mask turned round, and fills blocked weights with 0.",
    "masked_softmax__3": "It goes row by row and runs softmax over the allowed scores only.",
    "masked_softmax__4": "It uses the `where` and `out` arguments of NumPy for every step; blocked scores are never touched.",
    "padding_mask__1": "It looks up rows of a triangular table; a length that is too large is an IndexError by itself.",
    "padding_mask__2": "Plain lists of True and False for each sentence, with an assertion-like check by hand.",
    "masked_attention__1": "It fills with the lowest float, as many libraries do, and zeroes the outputs of dead rows at the end.",
    "masked_attention__2": "It appends a key with a value of zeros, at which only a query that may look at nothing looks.",
    "masked_attention__3": "Explicit loops; only the allowed keys and values are picked for each query.",
    "causal_mask__1": "Nested loops over places that are counted from the first key.",
    "causal_mask__2": "It counts the ages of queries and keys backwards from the end, where both are aligned.",
    "causal_attention__1": "No mask: each query gets a slice of the keys that lie up to its place, cut from the end.",
    "causal_attention__2": "It adds a matrix of 0 and -1e30 to the scores.",
}


def masked_softmax__1(scores, mask):
    with np.errstate(divide="ignore", invalid="ignore"):
        s = scores + np.log(mask.astype(scores.dtype))
        s = np.exp(s - s.max(axis=-1, keepdims=True))
        w = s / s.sum(axis=-1, keepdims=True)
    return np.nan_to_num(w)


def masked_softmax__2(scores, mask):
    blocked = np.broadcast_to(~mask, scores.shape)
    visible = np.ma.masked_array(scores.copy(), mask=blocked.copy())
    visible = visible - visible.max(axis=-1, keepdims=True)
    e = np.ma.exp(visible)
    return np.asarray((e / e.sum(axis=-1, keepdims=True)).filled(0.0))


def masked_softmax__3(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    weights = np.zeros_like(scores)
    for row in np.ndindex(scores.shape[:-1]):
        allowed = np.flatnonzero(mask[row])
        if allowed.size:
            weights[row][allowed] = softmax(scores[row][allowed])
    return weights


def masked_softmax__4(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    out = np.zeros_like(scores)
    np.subtract(scores, top, where=mask, out=out)
    np.exp(out, where=mask, out=out)
    total = np.sum(out, axis=-1, keepdims=True)
    np.divide(out, total, where=mask, out=out)
    return out


def padding_mask__1(lengths, keys):
    table = np.tri(keys + 1, keys, k=-1, dtype=bool)
    return table[lengths][:, np.newaxis, np.newaxis]


def padding_mask__2(lengths, keys):
    rows = []
    for n in lengths:
        n = int(n)
        if n > keys:
            raise OverflowError(f"{n} tokens do not fit into {keys} keys")
        rows.append([True] * n + [False] * (keys - n))
    return np.array(rows, dtype=bool).reshape(len(lengths), 1, 1, keys)


def masked_attention__1(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        return softmax(scores) @ value
    lowest = np.finfo(scores.dtype).min
    mask = np.broadcast_to(mask, scores.shape)
    out = softmax(np.where(mask, scores, lowest)) @ value
    return np.where(mask.any(axis=-1, keepdims=True), out, np.zeros_like(out))


def masked_attention__2(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        mask = np.array(True)
    mask = np.broadcast_to(mask, scores.shape)
    nowhere = ~mask.any(axis=-1, keepdims=True)
    mask = np.concatenate([mask, nowhere], axis=-1)
    scores = np.concatenate([scores, np.zeros_like(scores[..., :1])], axis=-1)
    value = np.concatenate([value, np.zeros_like(value[..., :1, :])], axis=-2)
    return softmax(np.where(mask, scores, -np.inf), axis=-1) @ value


def masked_attention__3(query, key, value, mask=None):
    shape = query.shape[:-1] + key.shape[-2:-1]
    mask = np.ones(shape, dtype=bool) if mask is None else np.broadcast_to(mask, shape)
    out = np.zeros(query.shape[:-1] + value.shape[-1:], dtype=np.result_type(query, key, value))
    for place in np.ndindex(query.shape[:-1]):
        item = place[:-1]
        chosen = mask[place]
        if not chosen.any():
            continue
        fit = key[item][chosen] @ query[place] / math.sqrt(query.shape[-1])
        share = np.exp(fit - fit.max())
        out[place] = (share / share.sum()) @ value[item][chosen]
    return out


def causal_mask__1(queries, keys):
    mask = np.zeros((queries, keys), dtype=np.bool_)
    for i in range(queries):
        place = i + (keys - queries)
        for j in range(keys):
            if j <= place:
                mask[i, j] = True
    return mask


def causal_mask__2(queries, keys):
    query_age = np.arange(queries)[::-1, None]
    key_age = np.arange(keys)[::-1]
    return key_age >= query_age


def causal_attention__1(query, key, value):
    n = query.shape[-2]
    rows = []
    for i in range(n):
        upto = slice(None, (i + 1 - n) or None)
        scores = attention_scores(query[..., i : i + 1, :], key[..., upto, :])
        rows.append(softmax(scores) @ value[..., upto, :])
    return np.concatenate(rows, axis=-2)


def causal_attention__2(query, key, value):
    t, s = query.shape[-2], key.shape[-2]
    bias = np.triu(np.full((t, s), -1e30), k=s - t + 1).astype(query.dtype)
    return softmax(attention_scores(query, key) + bias) @ value
