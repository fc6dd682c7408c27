import math
from functools import reduce

import numpy as np
from mha_ref import attention_scores, attention_weights, scaled_dot_product_attention, softmax, weighted_mean


# ---------------------------------------------------------------- masked_softmax

def masked_softmax__1(scores, mask):
    keys = scores.shape[-1]
    table = scores.reshape(-1, keys)
    allowed = np.resize(mask, scores.shape).reshape(-1, keys)   # mask up to the size of the scores
    result = np.zeros_like(table)
    for r in range(table.shape[0]):
        idx = np.flatnonzero(allowed[r])
        if idx.size == 0:
            continue
        picked = table[r, idx]
        picked = np.exp(picked - picked.max())
        result[r, idx] = picked / picked.sum()
    return result.reshape(scores.shape)


def masked_softmax__2(scores, mask):
    neg = np.where(mask, scores, -np.inf)
    peak = neg.max(axis=-1, keepdims=True)
    peak = np.maximum(peak, 0)             # never -inf, so dead rows are safe
    e = np.exp(neg - peak)
    # the extra slot takes what nobody wants: a row of blocked keys becomes zero, no 0/0
    return e / (np.exp(-peak) + e.sum(axis=-1, keepdims=True))


def masked_softmax__3(scores, mask):
    lowest = np.finfo(scores.dtype).min
    np.copyto(scores, lowest, where=np.logical_not(mask))
    scores -= np.amax(scores, axis=-1, keepdims=True)
    with np.errstate(over="ignore"):
        up = np.exp(scores)
    return up / np.sum(up, axis=-1, keepdims=True)


def masked_softmax__4(scores, mask):
    blocked = ~np.broadcast_to(mask, scores.shape)
    ma = np.ma.array(scores, mask=blocked)
    top = ma.max(axis=-1, keepdims=True).filled(0.0)
    e = np.exp(np.where(blocked, -np.inf, scores) - top)
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 1)


# ---------------------------------------------------------------- padding_mask

def padding_mask__1(lengths, keys):
    lengths = np.asarray(lengths)
    if (lengths > keys).any():
        raise ValueError("a sentence is longer than the row")
    # row n-1 of the triangle has its first n places True
    triangle = np.tri(keys, dtype=bool)
    return triangle[lengths - 1].reshape(len(lengths), 1, 1, keys)


def padding_mask__2(lengths, keys):
    out = np.zeros((len(lengths), 1, keys, 1), dtype=bool)
    for b, n in enumerate(lengths):
        if n >= keys:
            raise ValueError(f"length {n} does not fit into {keys}")
        out[b, 0, :n, 0] = True
    return out


def padding_mask__3(lengths, keys):
    lengths = np.array(lengths, dtype=int)
    if lengths.size and lengths.min() > keys:
        raise ValueError("length above keys")
    grid = np.indices((lengths.size, keys))[1]
    real = np.less(grid, lengths.reshape(-1, 1))
    return np.expand_dims(real, axis=(1, 2))


# ---------------------------------------------------------------- masked_attention

def masked_attention__1(query, key, value, mask=None):
    s = np.einsum("...qf,...kf->...qk", query, key) / math.sqrt(query.shape[-1])
    p = softmax(s)
    if mask is None:
        return np.einsum("...qk,...kv->...qv", p, value)
    seen = np.broadcast_to(mask, p.shape)
    return np.einsum("...qk,...qk,...kv->...qv", p, seen.astype(p.dtype), value)


def masked_attention__2(query, key, value, mask=None):
    query /= np.sqrt(query.shape[-1])          # cheaper than scaling the scores
    logits = np.matmul(query, np.swapaxes(key, -1, -2))
    if mask is not None:
        mask = np.broadcast_to(mask, logits.shape)
        nothing = ~mask.any(axis=-1, keepdims=True)
        logits = np.where(mask | nothing, logits, -np.inf)
        logits = np.where(nothing, 0.0, logits)   # rows with nothing: stay neutral
    logits = logits - logits.max(axis=-1, keepdims=True)
    w = np.exp(logits)
    w = w / w.sum(axis=-1, keepdims=True)
    return np.matmul(w, value)


def masked_attention__3(query, key, value, mask=None):
    scale = query.shape[-1] ** -0.5
    scores = np.einsum("...id,...jd->...ij", query, key) * scale
    allowed = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    scores = np.where(allowed, scores, -np.inf)

    block = 4
    running_max = np.full(scores.shape[:-1] + (1,), np.finfo(scores.dtype).min)
    running_sum = np.zeros_like(running_max)
    acc = np.zeros(scores.shape[:-1] + (value.shape[-1],), dtype=scores.dtype)
    for start in range(0, scores.shape[-1], block):
        part = scores[..., start:start + block]
        old = running_max
        np.maximum(running_max, part.max(axis=-1, keepdims=True), out=running_max)
        shrink = np.exp(old - running_max)
        e = np.exp(part - running_max)
        running_sum = running_sum * shrink + e.sum(axis=-1, keepdims=True)
        acc = acc * shrink + e @ value[..., start:start + block, :]
    return np.divide(acc, running_sum, out=np.zeros_like(acc), where=running_sum > 0)


# ---------------------------------------------------------------- causal_mask

def causal_mask__1(queries, keys):
    # the square mask of a whole sequence; the queries are its last rows
    whole = np.tril(np.ones((keys, keys), dtype=bool))
    return whole[-queries:]


def causal_mask__2(queries, keys):
    return ~np.triu(np.ones((queries, keys), dtype=bool), k=queries - keys + 1)


def causal_mask__3(queries, keys):
    past = max(0, keys - queries)
    rows = []
    for q in range(queries):
        n = min(keys, past + q + 1)
        rows.append([True] * n + [False] * (keys - n))
    return np.array(rows, dtype=bool).reshape(queries, keys)


# ---------------------------------------------------------------- combine_masks


# ---------------------------------------------------------------- causal_attention

def causal_attention__1(query, key, value):
    n, m = query.shape[-2], key.shape[-2]
    raw = np.einsum("...nd,...md->...nm", query, key) / math.sqrt(query.shape[-1])
    e = np.exp(raw - raw.max(axis=-1, keepdims=True))
    e = e * np.tri(n, m, m - n, dtype=e.dtype)      # wipe out the future
    z = np.maximum(e.sum(axis=-1, keepdims=True), 1e-30)
    return np.einsum("...nm,...mv->...nv", e / z, value)


def causal_attention__2(query, key, value):
    n = query.shape[-2]
    key, value = key[..., -n:, :], value[..., -n:, :]      # square from here on
    outputs = []
    for i in range(n):
        logits = (key[..., :i + 1, :] * query[..., i:i + 1, :]).sum(-1) / query.shape[-1]
        w = softmax(logits)
        outputs.append((w[..., None] * value[..., :i + 1, :]).sum(-2))
    return np.stack(outputs, axis=-2)


TRUTH = {
    "masked_softmax__1": ("odd", "grows the mask with np.resize (which repeats its cells cyclically) instead of broadcasting it: right for masks that only lack leading axes, wrong for masks with an axis of size 1 such as (batch, 1, 1, keys) or (queries, 1)"),
    "masked_softmax__2": ("one", "the 'quiet' softmax of another variant: adds exp(0) to the denominator so that dead rows become zero, hence living rows do not sum to 1"),
    "masked_softmax__3": ("two", "a row with nothing allowed gets uniform weights instead of zeros (blocked scores set to the dtype's minimum); and the caller's scores are overwritten in place"),
    "masked_softmax__4": ("slip", "divides only where the total is > 1 instead of > 0: a row where exactly one key counts (one allowed key) gets weights of zero"),
    "padding_mask__1": ("one", "looks up row length-1 of a triangle: length 0 wraps round to the last row and becomes all True"),
    "padding_mask__2": ("two", "shape (batch, 1, keys, 1): masks queries instead of keys; and refuses a length equal to keys (>= instead of >)"),
    "padding_mask__3": ("slip", "checks the smallest length instead of the largest: a too long sentence beside a short one is not refused"),
    "masked_attention__1": ("one", "softmax over all keys first, then blocked weights are zeroed without normalising again: weights no longer sum to 1"),
    "masked_attention__2": ("two", "divides the caller's query in place; and a query that may look at nothing gets the plain mean of the values instead of zeros"),
    "masked_attention__3": ("odd", "streaming softmax whose old maximum is an alias of the array updated in place, so the rescale factor is always 1: wrong as soon as a later block of 4 keys holds a larger score"),
    "causal_mask__1": ("one", "takes the last rows of a keys x keys triangle: with more queries than keys it has too few rows (wrong shape)"),
    "causal_mask__2": ("slip", "sign of the diagonal offset is the wrong way round (queries - keys): wrong whenever queries and keys differ"),
    "causal_mask__3": ("one", "never lets the offset become negative: with more queries than keys the first query is aligned to the first key instead of the last to the last"),
    "causal_attention__1": ("one", "subtracts the maximum over all keys, future ones included, and wipes the future only after exp: a large future score makes the allowed ones underflow, the result is zero and depends on the future"),
    "causal_attention__2": ("two", "throws away the left-over past keys (keeps only the last `queries` keys); and divides by features instead of its square root"),
}
