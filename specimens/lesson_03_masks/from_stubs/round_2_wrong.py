import math

import numpy as np
from mha_ref import attention_scores, softmax, weighted_mean


# ---------------------------------------------------------------- masked_softmax

def masked_softmax__1(scores, mask):
    def keep_allowed(shares):
        return np.multiply(shares, mask)

    def share_out_again(shares):
        total = np.add.reduce(shares, axis=-1, keepdims=True)
        return np.divide(shares, total, out=np.zeros_like(shares), where=total > 0)

    return share_out_again(keep_allowed(softmax(scores)))


def masked_softmax__2(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    filled = np.where(allowed, scores, np.asarray(-1e-9, dtype=scores.dtype))
    filled = filled - filled.max(axis=-1, keepdims=True)
    weights = np.exp(filled)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return np.where(allowed.any(axis=-1, keepdims=True), weights, 0).astype(scores.dtype)


def masked_softmax__3(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    result = np.zeros(scores.shape, dtype=scores.dtype)
    n_keys = scores.shape[-1]
    top = max((s for s, m in zip(scores.ravel(), mask.ravel()) if m), default=0.0)
    for place in np.ndindex(*scores.shape[:-1]):
        total = 0.0
        for j in range(n_keys):
            if mask[place][j]:
                e = math.exp(scores[place][j] - top)
                result[place][j] = e
                total += e
        if total == 0.0:
            result[place] = 1.0 / n_keys
        else:
            result[place] = result[place] / total
    return result


def masked_softmax__4(scores, mask):
    full = np.resize(mask, scores.shape)          # same shape as the scores
    low = np.where(full, scores, -np.inf)
    top = low.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    e = np.exp(low - top)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return (e / total).astype(scores.dtype)


# ---------------------------------------------------------------- padding_mask

def padding_mask__1(lengths, keys):
    rows = []
    for n in np.asarray(lengths).tolist():
        if n > keys:
            raise ValueError("sentence of %d tokens does not fit into %d keys" % (n, keys))
        rows.append([False] * (keys - n) + [True] * n)
    return np.array(rows, dtype=bool).reshape(len(rows), 1, 1, keys)


def padding_mask__2(lengths, keys):
    lengths = np.asarray(lengths)
    if (lengths >= keys).any():
        raise ValueError("a length is above keys")
    return (np.arange(keys) < lengths[:, None])[:, None, None, :]


def padding_mask__3(lengths, keys):
    mask = np.zeros((len(lengths), 1, 1, keys), dtype=bool)
    for sentence, length in enumerate(lengths):
        usable = min(max(int(length), 1), keys)   # stay inside the row, and never leave it empty
        mask[sentence, ..., :usable] = True
    return mask


# ---------------------------------------------------------------- masked_attention

def masked_attention__1(query, key, value, mask=None):
    scores = np.einsum("...qf,...kf->...qk", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + (np.logical_not(mask) * -1e4).astype(scores.dtype)
    scores = scores - np.amax(scores, axis=-1, keepdims=True)
    e = np.exp(scores)
    probs = e / np.einsum("...k->...", e)[..., None]
    if mask is not None:
        probs = probs * np.any(np.broadcast_to(mask, probs.shape), axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", probs, value)


def masked_attention__2(query, key, value, mask=None):
    scores = (query @ np.swapaxes(key, -1, -2)) / math.sqrt(value.shape[-1])
    allowed = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
    scores = np.where(allowed, scores, -np.inf)
    biggest = scores.max(axis=-1, keepdims=True)
    biggest = np.where(allowed.any(axis=-1, keepdims=True), biggest, 0.0)
    e = np.exp(scores - biggest)
    weights = e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-3)
    return weights @ value


def masked_attention__3(query, key, value, mask=None):
    # cheaper to scale the queries once than all the scores
    query /= math.sqrt(query.shape[-1])
    logits = np.matmul(query, np.moveaxis(key, -1, -2))
    if mask is None:
        mask = np.array(True)
    mask = np.broadcast_to(mask, logits.shape)
    top = np.max(logits, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    top = np.where(np.isneginf(top), 0.0, top)
    e = np.exp(np.where(mask, logits - top, -np.inf))
    norm = e.sum(-1, keepdims=True)
    return np.matmul(e / np.where(norm == 0, 1.0, norm), value)


def masked_attention__4(query, key, value, mask=None):
    d_k = query.shape[-1]
    with np.errstate(all="ignore"):
        unnormalised = np.exp(np.einsum("...id,...jd->...ij", query, key) / d_k)
        if mask is not None:
            unnormalised = unnormalised * mask
        weights = unnormalised / unnormalised.sum(-1, keepdims=True)
    weights = np.nan_to_num(weights)   # empty rows: 0 / 0
    return np.einsum("...ij,...jv->...iv", weights, value)


# ---------------------------------------------------------------- causal_mask

def causal_mask__1(queries, keys):
    history = max(keys - queries, 0)     # keys that were there before the first query
    return np.array([[j <= i + history for j in range(keys)] for i in range(queries)], dtype=bool).reshape(queries, keys)


def causal_mask__2(queries, keys):
    return np.tril(np.ones((queries, keys), dtype=bool), k=queries - keys)


_triangles = {}


def causal_mask__3(queries, keys):
    if queries not in _triangles:
        own_place = np.arange(keys - queries, keys).reshape(-1, 1)
        _triangles[queries] = np.less_equal(np.arange(keys), own_place)
    return _triangles[queries]


# ---------------------------------------------------------------- combine_masks


# ---------------------------------------------------------------- causal_attention

def causal_attention__1(query, key, value):
    q, k = query.shape[-2], key.shape[-2]
    s = attention_scores(query, key)
    s = np.exp(s - s.max(axis=-1, keepdims=True))
    s = s * np.tri(q, k, k - q, dtype=s.dtype)
    total = s.sum(axis=-1, keepdims=True)
    return (s / np.maximum(total, np.finfo(s.dtype).tiny)) @ value


def causal_attention__2(query, key, value):
    scores = np.einsum("...qf,...kf->...qk", query, key) / math.sqrt(key.shape[-1])
    visible = np.tril(scores, key.shape[-2] - query.shape[-2])
    return weighted_mean(softmax(visible), value)


def causal_attention__3(query, key, value):
    offset = key.shape[-1] - query.shape[-1]
    rows = []
    for i in range(query.shape[-2]):
        end = i + offset + 1
        s = (key[..., :end, :] * query[..., i:i + 1, :]).sum(-1) / math.sqrt(query.shape[-1])
        w = np.exp(s - s.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        rows.append((w[..., None] * value[..., :end, :]).sum(-2))
    return np.stack(rows, axis=-2)


def causal_attention__4(query, key, value):
    past = key.shape[-2] - query.shape[-2]
    out = np.zeros(query.shape[:-1] + value.shape[-1:], dtype=np.result_type(query, value, np.float32))
    for i in range(query.shape[-2]):
        running_max = np.full(query.shape[:-2], -np.inf)
        norm = np.zeros(query.shape[:-2])
        acc = np.zeros(query.shape[:-2] + value.shape[-1:])
        for j in range(past + i + 1):
            s = np.sum(query[..., i, :] * key[..., j, :], axis=-1)
            running_max = np.maximum(running_max, s)
            p = np.exp(s - running_max)
            norm = norm + p
            acc = acc + p[..., None] * value[..., j, :]
        out[..., i, :] = acc / norm[..., None]
    return out


TRUTH = {
    "masked_softmax__1": ("one", "softmax over all keys first, then blocked weights are dropped and the rest renormalised: when a blocked score is far above the allowed ones, the allowed weights underflow and the row becomes zero"),
    "masked_softmax__2": ("slip", "fills blocked scores with -1e-9 instead of -1e9 (or -inf), so blocked keys count as score 0 and get weight"),
    "masked_softmax__3": ("two", "subtracts one maximum of the whole array instead of each row's own (rows far below underflow to nothing), and rows with nothing allowed get uniform weights instead of zero"),
    "masked_softmax__4": ("odd", "np.resize repeats the mask's entries in flat order instead of broadcasting: masks such as (queries, 1) or (batch, 1, 1, keys) with more than one query end up on the wrong places"),
    "padding_mask__1": ("one", "puts the padding on the left: the last `length` keys are True instead of the first"),
    "padding_mask__2": ("slip", ">= instead of > in the check: a sentence that exactly fills the keys is refused"),
    "padding_mask__3": ("two", "a length above keys is clipped silently instead of refused, and a length of 0 is treated as 1"),
    "masked_attention__1": ("one", "adds a penalty of -1e4 to blocked scores, which is not enough when a blocked score is larger than the allowed ones by more than that: blocked keys win"),
    "masked_attention__2": ("slip", "divides by the root of value_features instead of the root of features"),
    "masked_attention__3": ("one", "scales the query in place: the caller's query is changed"),
    "masked_attention__4": ("two", "divides by features instead of their square root, and takes exp without subtracting the maximum: large scores overflow to inf/inf, which nan_to_num turns into weight 0"),
    "causal_mask__1": ("one", "clips the offset at 0, so with more queries than keys the mask is aligned at the first key, and the first queries see keys they should not"),
    "causal_mask__2": ("slip", "sign of the diagonal offset is swapped: queries - keys instead of keys - queries"),
    "causal_mask__3": ("odd", "caches the mask under `queries` alone: a later call with the same queries and other keys gets the old mask with a wrong shape"),
    "causal_attention__1": ("one", "subtracts the maximum of the whole row, future keys included: a very large future score makes the visible weights underflow, and the output becomes zero"),
    "causal_attention__2": ("one", "np.tril sets future scores to 0 before softmax instead of -inf, so future keys still get weight"),
    "causal_attention__3": ("slip", "offset taken from axis -1 (features, always 0) instead of axis -2: with more keys than queries the mask is aligned at the first key"),
    "causal_attention__4": ("two", "running softmax does not rescale the sum and accumulator when the maximum rises, and scores are not divided by the root of features"),
}
