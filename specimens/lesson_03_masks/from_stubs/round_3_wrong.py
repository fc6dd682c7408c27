import functools
import operator

import numpy as np
from mha_ref import attention_scores, attention_weights, scaled_dot_product_attention, softmax, weighted_mean


# ---------------------------------------------------------------- masked_softmax
def masked_softmax__1(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    out = np.zeros(scores.shape, dtype=scores.dtype)
    for idx in np.ndindex(*scores.shape[:-1]):
        row = scores[idx]
        top = max(row.tolist())
        total = 0.0
        for k in range(len(row)):
            if allowed[idx][k]:
                out[idx + (k,)] = np.exp(row[k] - top)
                total += out[idx + (k,)]
        if total > 0:
            out[idx] /= total
    return out


def masked_softmax__2(scores, mask):
    hidden = np.ma.masked_array(scores, mask=np.broadcast_to(~np.asarray(mask), scores.shape))
    top = hidden.max(axis=-1, keepdims=True)
    powers = np.ma.exp(hidden - top).filled(0.0)
    norm = powers.sum(axis=-2, keepdims=True)
    return np.divide(powers, norm, out=np.zeros_like(powers), where=norm > 0)


def masked_softmax__3(scores, mask):
    np.copyto(scores, -np.inf, where=np.logical_not(mask))
    with np.errstate(invalid="ignore"):
        shifted = scores - np.amax(scores, axis=-1, keepdims=True)
        e = np.exp(shifted)
        p = e / np.sum(e, axis=-1, keepdims=True)
    return np.nan_to_num(p, nan=1.0 / scores.shape[-1])


def masked_softmax__4(scores, mask):
    # keep what may be seen, the rest becomes 0, and a 0 is no candidate
    kept = np.multiply(scores, mask)
    kept = np.where(kept == 0, -np.inf, kept)
    best = np.max(kept, axis=-1, keepdims=True)
    best = np.where(np.isneginf(best), 0.0, best)
    e = np.exp(kept - best)
    s = e.sum(-1, keepdims=True)
    return e / np.where(s == 0, 1.0, s)


# ---------------------------------------------------------------- padding_mask
def padding_mask__1(lengths, keys):
    rows = []
    for n in lengths:
        if not 0 <= n < keys:
            raise ValueError(f"length {n} does not fit into {keys} keys")
        rows.append([[[True] * int(n) + [False] * (keys - int(n))]])
    return np.array(rows, dtype=bool).reshape(len(rows), 1, 1, keys)


def padding_mask__2(lengths, keys):
    real = np.minimum(np.asarray(lengths), keys)
    steps = np.cumsum(np.ones((len(real), 1, keys), dtype=int), axis=-1)
    return steps <= real.reshape(-1, 1, 1)


def padding_mask__3(lengths, keys):
    lengths = np.asarray(lengths)
    if (lengths > keys).any():
        raise ValueError("a sentence is longer than the number of keys")
    mask = np.full((lengths.shape[0], 1, 1, keys), False)
    for i, n in enumerate(lengths):
        mask[i, 0, 0, :lengths[0]] = True
    return mask


# ---------------------------------------------------------------- masked_attention
def masked_attention__1(query, key, value, mask=None):
    logits = np.einsum("...qf,...kf->...qk", query, key) / np.sqrt(query.shape[-1])
    logits = logits - logits.max(axis=-1, keepdims=True)
    probs = np.exp(logits)
    probs = probs / np.einsum("...qk->...q", probs)[..., None]
    if mask is not None:
        probs = np.where(mask, probs, 0.0)
    return np.einsum("...qk,...kv->...qv", probs, value)


def masked_attention__2(query, key, value, mask=None):
    d = float(value.shape[-1])
    scores = query @ np.swapaxes(key, -1, -2) * d ** -0.5
    allowed = np.ones(scores.shape, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    alive = allowed.any(axis=-1, keepdims=True)
    gap = np.where(allowed, scores - np.where(alive, top, 0), -np.inf)
    e = np.exp(gap)
    return (e / np.where(alive, e.sum(-1, keepdims=True), 1)) @ value


def masked_attention__3(query, key, value, mask=None):
    # fold all leading axes into one, as tf users do with (batch * heads)
    lead, (nq, f), (nk, nv) = query.shape[:-2], query.shape[-2:], value.shape[-2:]
    n = int(np.prod(lead))
    q, k, v = query.reshape(n, nq, f), key.reshape(n, nk, f), value.reshape(n, nk, nv)
    s = np.stack([a @ b.T for a, b in zip(q, k)]) / np.sqrt(f)
    if mask is None:
        m = np.ones((n, nq, nk), dtype=bool)
    else:
        m = np.atleast_2d(mask)
        m = m.reshape((-1,) + m.shape[-2:])
        m = np.tile(m, (n // m.shape[0], 1, 1))
        m = np.broadcast_to(m, (n, nq, nk))
    s = np.where(m, s, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0.0))
    tot = e.sum(-1, keepdims=True)
    w = e / np.where(tot > 0, tot, 1.0)
    return (w @ v).reshape(lead + (nq, nv))


def masked_attention__4(query, key, value, mask=None):
    features = key.shape[-1]
    scores = np.matmul(query / features, key.swapaxes(-2, -1))
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(scores.dtype).min)
    return np.matmul(softmax(scores, axis=-1), value)


# ---------------------------------------------------------------- causal_mask
def causal_mask__1(queries, keys):
    rows = []
    for q in range(queries):
        rows.append([k <= q for k in range(keys)])
    return np.array(rows, dtype=bool).reshape(queries, keys)


def causal_mask__2(queries, keys):
    offset = queries - keys
    return np.less_equal.outer(np.arange(keys), np.arange(queries) + offset).T


def causal_mask__3(queries, keys):
    if queries > keys:
        square = causal_mask__3(keys, keys)
        empty = np.zeros((queries - keys, keys), dtype=bool)
        return np.concatenate([square, empty])
    past = np.ones((queries, keys - queries), dtype=bool)
    return np.hstack([past, np.tri(queries, dtype=bool)])


# ---------------------------------------------------------------- causal_attention
def causal_attention__1(query, key, value):
    weights = attention_weights(query, key)
    nq, nk = weights.shape[-2:]
    visible = np.tril(weights, nk - nq)
    return np.einsum("...ij,...jd->...id", visible, value)


def causal_attention__2(query, key, value):
    nq, nk = query.shape[-2], key.shape[-2]
    answers = []
    for i in range(nq):
        end = nk - nq + i + 2
        answers.append(scaled_dot_product_attention(query[..., i:i + 1, :], key[..., :end, :], value[..., :end, :]))
    return np.concatenate(answers, axis=-2)


def causal_attention__3(query, key, value):
    # one pass over the keys with a running maximum, nothing of size queries x keys is kept
    nq, nk, f = query.shape[-2], key.shape[-2], query.shape[-1]
    place = np.arange(nq)[:, None] + (nk - nq)
    m = np.full(query.shape[:-1] + (1,), -np.inf)
    total = np.zeros(m.shape)
    acc = np.zeros(query.shape[:-1] + (value.shape[-1],))
    for j in range(nk):
        s = (query * key[..., j:j + 1, :]).sum(-1, keepdims=True) / np.sqrt(f)
        s = np.where(j <= place, s, -np.inf)
        new = np.maximum(m, s)
        old_part = np.exp(m - np.where(np.isinf(new), 0.0, new))
        p = np.exp(s - np.where(np.isinf(new), 0.0, new))
        total = total * old_part + p
        acc = acc + p * value[..., j:j + 1, :]
        m = new
    return acc / total


TRUTH = {
    "masked_softmax__1": ("one", "the maximum is taken over blocked keys too: when a blocked score is far above (by 1000) the allowed ones underflow and the row becomes zeros"),
    "masked_softmax__2": ("slip", "divides by the sum over the queries (axis -2) instead of over the keys"),
    "masked_softmax__3": ("two", "writes -inf into the caller's scores, and a row with nothing allowed gets 1/keys instead of zeros"),
    "masked_softmax__4": ("odd", "an allowed score that is exactly 0 is taken for a blocked one and gets weight 0"),
    "padding_mask__1": ("one", "refuses a sentence whose length equals keys (< instead of <=), which is allowed"),
    "padding_mask__2": ("two", "the result is (batch, 1, keys), one axis short, and a length above keys is clipped instead of refused"),
    "padding_mask__3": ("slip", "every sentence gets the length of the first one (lengths[0] instead of n)"),
    "masked_attention__1": ("one", "the mask is applied after softmax without renormalising: the weights of the allowed keys sum to less than 1"),
    "masked_attention__2": ("slip", "scales by the root of value_features instead of features"),
    "masked_attention__3": ("one", "leading axes are flattened and the mask tiled instead of repeated: with a mask (batch,1,1,keys) and several heads, items get each other's mask"),
    "masked_attention__4": ("two", "divides by features instead of its root, and a query that may look at nothing gets the mean of all values instead of zeros"),
    "causal_mask__1": ("one", "aligned at the first key: query i sees keys up to i, the offset keys - queries is missing"),
    "causal_mask__2": ("slip", "the offset has the wrong sign (queries - keys)"),
    "causal_mask__3": ("odd", "with more queries than keys the empty rows are put at the end instead of at the start"),
    "causal_attention__1": ("one", "softmax over all keys, future ones too, then tril without renormalising: future keys act through the denominator and the weights do not sum to 1"),
    "causal_attention__2": ("slip", "off by one: each query sees one key too many, its next one"),
    "causal_attention__3": ("one", "online softmax rescales the running total but not the running numerator when the maximum grows"),
}
