import math

import numpy as np
from mha_ref import attention_scores, attention_weights, scaled_dot_product_attention, softmax, weighted_mean


# ---------------------------------------------------------------- masked_softmax

def _fill(scores, allowed, number=-1e9):
    return np.where(allowed, scores, number)


def masked_softmax__1(scores, mask):
    filled = _fill(scores, mask)
    weights = softmax(filled, axis=-1)
    alive = np.broadcast_to(mask, scores.shape).any(axis=-1, keepdims=True)
    return np.where(alive, weights, 0.0).astype(scores.dtype)


def masked_softmax__2(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    out = np.zeros_like(scores)
    for where in np.ndindex(*scores.shape[:-1]):
        row = scores[where]
        ok = allowed[where]
        biggest = max(row)
        with np.errstate(over="ignore"):
            e = [math.exp(float(s) - float(biggest)) if o else 0.0 for s, o in zip(row, ok)]
        total = sum(e)
        if total == 0:
            continue
        for j, number in enumerate(e):
            out[where + (j,)] = number / total
    return out


def masked_softmax__3(scores, mask):
    numbers = np.exp(scores * mask)
    has_any = np.broadcast_to(mask, scores.shape).any(-1)[..., None]
    return numbers / np.einsum("...k->...", numbers)[..., None] * has_any


def masked_softmax__4(scores, mask):
    mask = mask | np.zeros(scores.shape, dtype=bool)
    top = np.max(scores, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    dead = ~mask.all(axis=-1, keepdims=True)
    top = np.where(dead, 0, top)
    with np.errstate(over="ignore"):
        e = np.exp(np.where(mask, scores - top, -np.inf))
    total = e.sum(axis=-1, keepdims=True)
    return np.where(dead, 0, e / np.where(total == 0, 1, total)).astype(scores.dtype)


def masked_softmax__5(scores, mask):
    work = np.asarray(scores)          # my own array to write in
    blocked = np.logical_not(np.broadcast_to(mask, work.shape))
    work[blocked] = -np.inf
    top = work.max(axis=-1, keepdims=True)
    top[top == -np.inf] = 0
    with np.errstate(over="ignore"):
        e = np.exp(work - top)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return e / total


# ---------------------------------------------------------------- padding_mask

def padding_mask__1(lengths, keys):
    # small numbers: one byte each is enough
    small = np.array(lengths).astype(np.int8)
    if np.any(np.asarray(lengths) > keys):
        raise ValueError("a sentence is longer than the number of keys")
    places = np.arange(keys)
    return np.less(places[None, None, None], small.reshape(-1, 1, 1, 1))


def padding_mask__2(lengths, keys):
    rows = []
    for n in lengths:
        n = min(int(n), keys)
        rows.append([False] * (keys - n) + [True] * n)
    return np.array(rows, dtype=bool).reshape(len(rows), 1, 1, keys)


def padding_mask__3(lengths, keys):
    lengths = np.asarray(lengths)
    for position, n in enumerate(lengths):
        if not 1 <= n <= keys:
            raise ValueError(f"length {n} of sentence {position} is not between 1 and {keys}")
    table = np.tri(keys + 1, keys, -1, dtype=bool)      # row n: n times True
    return table[lengths][:, np.newaxis, np.newaxis, :]


# ---------------------------------------------------------------- masked_attention

def masked_attention__1(query, key, value, mask=None):
    d = query.shape[-1]
    logits = np.einsum("...qd,...kd->...qk", query, key) / math.sqrt(d)
    if mask is not None:
        bias = (1.0 - np.asarray(mask, dtype=logits.dtype)) * -1e9
        logits = logits + bias
    logits = logits - np.amax(logits, axis=-1, keepdims=True)
    probs = np.exp(logits)
    probs = probs / np.sum(probs, axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", probs, value)


def masked_attention__2(query, key, value, mask=None):
    weights = attention_weights(query, key)
    if mask is not None:
        weights = weights * mask
    return weights @ value


def masked_attention__3(query, key, value, mask=None):
    *_, n_queries, features = query.shape
    *_, n_keys, width = value.shape
    scores = query @ np.swapaxes(key, -1, -2) * width ** -0.5
    allowed = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    top = np.where(allowed, scores, -np.inf).max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    e = np.where(allowed, np.exp(np.minimum(scores - top, 0)), 0)
    total = e.sum(axis=-1, keepdims=True)
    weights = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    return weights @ value


def masked_attention__4(query, key, value, mask=None):
    lead = query.shape[:-2]
    nq, d = query.shape[-2:]
    nk, dv = value.shape[-2:]
    q3 = query.reshape(-1, nq, d)
    k3 = key.reshape(-1, nk, d)
    v3 = value.reshape(-1, nk, dv)
    if mask is None:
        m2 = np.ones((nq, nk), bool)
    else:
        # one table (queries, keys), so that the loop below stays simple
        m2 = np.broadcast_to(mask, lead + (nq, nk)).reshape(-1, nq, nk)[0]
    out = np.zeros((len(q3), nq, dv), dtype=value.dtype)
    for b in range(len(q3)):
        for i in range(nq):
            chosen = np.flatnonzero(m2[i])
            if chosen.size == 0:
                continue
            s = k3[b][chosen] @ q3[b, i] / math.sqrt(d)
            out[b, i] = softmax(s) @ v3[b][chosen]
    return out.reshape(lead + (nq, dv))


def masked_attention__5(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        mask = np.array(True)
    mask = np.broadcast_to(mask, scores.shape)
    peak = np.max(np.where(mask, scores, -np.inf), axis=-1, keepdims=True)
    peak = np.where(peak == -np.inf, 0, peak)
    e = np.where(mask, np.exp(np.minimum(scores - peak, 0)), 0)
    # one division at the very end, as the fast kernels do
    numerator = np.matmul(e, value)
    denominator = e.sum(axis=-1, keepdims=True)
    return numerator / np.where(denominator == 0, 1, denominator)


# ---------------------------------------------------------------- causal_mask

def causal_mask__1(queries, keys):
    mask = np.zeros((queries, keys), dtype=bool)
    for i in range(queries):
        mask[i, :keys - queries + i + 1] = True
    return mask


def causal_mask__2(queries, keys):
    offset = keys - queries
    return np.array([[j < i + offset for j in range(keys)] for i in range(queries)], dtype=bool).reshape(queries, keys)


# ---------------------------------------------------------------- combine_masks


# ---------------------------------------------------------------- causal_attention

def causal_attention__1(query, key, value):
    nq, d = query.shape[-2:]
    nk = key.shape[-2]
    out = np.zeros(query.shape[:-1] + value.shape[-1:])
    for i in range(nq):
        running_max = np.full(query.shape[:-2], -np.inf)
        denominator = np.zeros(query.shape[:-2])
        mean = np.zeros(query.shape[:-2] + value.shape[-1:])
        for j in range(nk - nq + i + 1):
            s = (query[..., i, :] * key[..., j, :]).sum(-1) / math.sqrt(d)
            new_max = np.maximum(running_max, s)
            p = np.exp(s - new_max)
            denominator = denominator + p
            share = (p / denominator)[..., None]
            mean = (1 - share) * mean + share * value[..., j, :]
            running_max = new_max
        out[..., i, :] = mean
    return out.astype(value.dtype)


def causal_attention__2(query, key, value):
    nq, nk = query.shape[-2], key.shape[-2]
    scores = np.matmul(query, np.moveaxis(key, -1, -2)) / math.sqrt(nk)
    weights = softmax(scores)
    return np.matmul(np.tril(weights, nk - nq), value)


def causal_attention__3(query, key, value):
    if query.shape[-2] == 1:
        return np.array(value[..., :1, :])     # the first one has only itself to look at
    before = causal_attention__3(query[..., :-1, :], key[..., :-1, :], value[..., :-1, :])
    last = scaled_dot_product_attention(query[..., -1:, :], key, value)
    return np.concatenate([before, last], axis=-2)


TRUTH = {
    "masked_softmax__1": ("one", "blocked scores are replaced by the fixed number -1e9: in a row whose allowed scores lie below it (say -1e12) a blocked key gets the weight"),
    "masked_softmax__2": ("one", "subtracts the maximum of the whole row, blocked keys included: beside a much larger blocked score all allowed weights underflow and the row becomes zeros"),
    "masked_softmax__3": ("two", "multiplies the scores by the mask, so that a blocked key counts as score 0 and keeps a weight; and does not subtract the maximum, so that large scores overflow to inf/nan"),
    "masked_softmax__4": ("slip", "a row counts as dead when not all of its keys are allowed (all instead of any): every partly blocked row gets zeros"),
    "masked_softmax__5": ("one", "np.asarray makes no copy: writes -inf into the caller's scores"),
    "padding_mask__1": ("odd", "lengths are cast to int8: a length above 127 wraps around and its sentence becomes all padding (or is too short)"),
    "padding_mask__2": ("two", "the padding stands at the front instead of at the end; and a length above keys is clipped silently instead of being refused"),
    "padding_mask__3": ("one", "refuses a length of 0, which the contract allows"),
    "masked_attention__1": ("one", "adds -1e9 to blocked scores and does nothing about dead rows: a query that may look at nothing gets a mean of all values instead of zeros"),
    "masked_attention__2": ("one", "blocks after the softmax and does not normalise again: the weights of a partly blocked row do not sum to 1"),
    "masked_attention__3": ("slip", "divides by the square root of value_features instead of features"),
    "masked_attention__4": ("odd", "takes the mask of the first batch item for all batch items"),
    "masked_attention__5": ("one", "divides by the sum after the product with the values: the unnormalised sum overflows to inf for large finite values"),
    "causal_mask__1": ("odd", "with more queries than keys by two or more the stop of the slice gets negative and counts from the end: early queries get True where their rows should be all False"),
    "causal_mask__2": ("slip", "strictly less: a query may not look at its own place"),
    "causal_attention__1": ("one", "running softmax (streaming over the keys) that does not rescale the old denominator when a new maximum comes: wrong whenever a later key has a larger score than all before it"),
    "causal_attention__2": ("two", "cuts the future off after the softmax without normalising again (outputs depend on later keys); and divides by the square root of the number of keys instead of features"),
    "causal_attention__3": ("one", "recursion's base case: the first query gets the first value alone, also when there are more keys than queries and it should see several"),
}
