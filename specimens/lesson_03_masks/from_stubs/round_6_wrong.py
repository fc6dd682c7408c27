import math

import numpy as np
from mha_ref import attention_scores, softmax

TRUTH = {
    "masked_softmax__1": "Its author fills with -1e9 and believes that all is done; a row with nothing allowed then gets even weights instead of zeros.",
    "masked_softmax__2": "Its author runs softmax over all keys, deletes the blocked weights and normalises again; if a blocked score is far larger, the allowed weights have underflowed to 0 by then.",
    "masked_softmax__3": "Its author uses numpy.ma and overlooks that True means blocked there, so that the opposite keys are blocked.",
    "masked_softmax__4": "Its author empties the dead rows by indexing with the mask's own rows, overlooking that a mask to be broadcast has fewer axes or axes of length 1, so that indexing fails or misses.",
    "masked_softmax__5": "Its author believes that np.asarray makes a copy, so minus infinity is written into the caller's scores.",
    "masked_softmax__6": "Its author knows a dead row by all of its filled scores being equal; a row where all is allowed and all scores are equal gets zeros too.",
    "masked_softmax__7": "Its author believes that a row is dead just if its first key is blocked, which holds for padding and causal masks but not for any mask.",
    "masked_softmax__8": "Its author subtracts the largest allowed score and multiplies the exponentials by the mask, overlooking that a far larger blocked score overflows, and infinity times 0 is NaN.",
    "masked_softmax__9": "Its author gives np.max the initial value 0 that `where` asks for, so a row whose allowed scores are all far below 0 underflows and is taken for a dead one.",
    "padding_mask__1": "Its author blocks the last keys - length places with a negative slice, overlooking that -0 is the start, so a sentence without padding is blocked altogether.",
    "padding_mask__2": "Its author refuses lengths of `keys` too, although a sentence may fill all of its places.",
    "padding_mask__3": "Its author believes that the padding stands in front, so the last `length` keys are allowed instead of the first.",
    "padding_mask__4": "Its author believes that a length above `keys` simply means that all is real, so it is accepted silently where an error is demanded.",
    "masked_attention__1": "Its author blocks with -1e4, which is not low enough: where the allowed scores themselves are below that, the blocked keys get the weight.",
    "masked_attention__2": "Its author believes that a mask without any True means no mask, so that queries that may look at nothing see everything.",
    "masked_attention__3": "Its author deletes the blocked weights after softmax and does not normalise again, so the weights that remain sum to less than 1.",
    "masked_attention__4": "Its author looks after a mask that is False everywhere, but not after single rows without True; these become NaN.",
    "masked_attention__5": "Its author believes that np.resize broadcasts; it repeats the flat entries, which is wrong for masks with an axis of length 1 that is not in front.",
    "masked_attention__6": "Its author lets queries that may look at nothing look at the first key, to avoid NaN, so they get its value instead of zeros.",
    "masked_attention__7": "Its author opens the dead rows in the caller's own mask to keep softmax safe, so the caller's mask is changed, and at the next call these rows are no longer dead.",
    "masked_attention__8": "Its author divides by the root of features, overlooking that attention_scores has done so already.",
    "causal_mask__1": "Its author lets the first query stand at the first key, so with more keys than queries the left-over keys lie in the future instead of the past.",
    "causal_mask__2": "Its author does not let the offset fall below 0, so with more queries than keys the first queries see keys although they come before all of them.",
    "causal_mask__3": "Its author believes that zeros and ones are boolean, and returns floating-point numbers.",
    "causal_attention__1": "Its author puts zeros above the diagonal by np.tril before softmax, overlooking that a score of 0 still gets a weight, so future values leak in.",
    "causal_attention__2": "Its author keeps just as many of the last keys as there are queries, so the left-over keys of the past are seen by nobody.",
    "causal_attention__3": "Its author cuts every mask out of a table of 64 places, overlooking that sequences may be longer.",
    "causal_attention__4": "Its author starts the blocked triangle on the diagonal instead of one above it, so that no query sees its own place.",
    "causal_attention__5": "Its author subtracts the row's maximum before the future is blocked; a far larger score in the future then makes the allowed exponentials underflow to 0, and 0/0 is NaN.",
    "causal_attention__6": "Its author expects exactly one axis for the batch, overlooking that there may be none or several.",
}

# ---------------------------------------------------------------- masked_softmax


def masked_softmax__1(scores, mask):
    scores = np.where(mask, scores, -1e9)
    return softmax(scores, axis=-1)


def masked_softmax__2(scores, mask, eps=1e-30):
    weights = softmax(scores, axis=-1) * mask
    return weights / (weights.sum(axis=-1, keepdims=True) + eps)


def masked_softmax__3(scores, mask):
    hidden = np.ma.masked_array(scores.copy(), mask=np.broadcast_to(mask, scores.shape))
    hidden = hidden - hidden.max(axis=-1, keepdims=True)
    e = np.ma.exp(hidden)
    return np.ma.filled(e / e.sum(axis=-1, keepdims=True), 0.0)


def masked_softmax__4(scores, mask):
    filled = np.where(mask, scores, np.finfo(scores.dtype).min)
    filled = filled - filled.max(axis=-1, keepdims=True)
    weights = np.exp(filled)
    weights /= weights.sum(axis=-1, keepdims=True)
    dead = ~mask.any(axis=-1)
    weights[dead] = 0.0
    return weights


def masked_softmax__5(scores, mask):
    scores = np.asarray(scores)                  # a working copy
    np.copyto(scores, -np.inf, where=~mask)
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total > 0, total, 1)


def masked_softmax__6(scores, mask):
    filled = np.where(mask, scores, -1e30)
    weights = softmax(filled, axis=-1)
    nothing = filled.max(axis=-1, keepdims=True) == filled.min(axis=-1, keepdims=True)
    if scores.shape[-1] == 1:                    # a single key is always "equal"
        nothing = ~mask
    return np.where(nothing, 0.0, weights)


def masked_softmax__7(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    filled = np.where(mask, scores, np.finfo(scores.dtype).min)
    weights = softmax(filled)
    return weights * mask[..., :1]


def masked_softmax__8(scores, mask):
    allowed_only = np.where(mask, scores, -np.inf)
    top = allowed_only.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    e = np.exp(scores - top) * mask
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


def masked_softmax__9(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=mask, initial=0)
    e = np.exp(scores - top, where=mask, out=np.zeros_like(scores))
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return e / total


# ---------------------------------------------------------------- padding_mask


def padding_mask__1(lengths, keys):
    if max(lengths, default=0) > keys:
        raise ValueError("a sentence is longer than the keys")
    mask = np.ones((len(lengths), 1, 1, keys), dtype=bool)
    for i, length in enumerate(lengths):
        padding = int(keys - length)
        mask[i, 0, 0, -padding:] = False
    return mask


def padding_mask__2(lengths, keys):
    lengths = np.asarray(lengths)
    if np.any(lengths >= keys):
        raise ValueError(f"lengths must fit into {keys} keys")
    return (np.arange(keys) < lengths[:, None])[:, None, None, :]


def padding_mask__3(lengths, keys):
    lengths = np.asarray(lengths).reshape(-1, 1, 1, 1)
    if (lengths > keys).any():
        raise ValueError("too long")
    positions = np.arange(keys).reshape(1, 1, 1, -1)
    return positions >= keys - lengths


def padding_mask__4(lengths, keys):
    out = np.zeros((len(lengths), 1, 1, keys), bool)
    for row, n in zip(out, lengths):
        row[..., :n] = True
    return out


# ---------------------------------------------------------------- masked_attention


def masked_attention__1(query, key, value, mask=None):
    logits = attention_scores(query, key)
    if mask is None:
        return softmax(logits) @ value
    logits = np.where(mask, logits, -1e4)
    weights = softmax(logits) * mask.any(axis=-1, keepdims=True)
    return weights @ value


def _safe_softmax(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    s = np.where(mask, scores, -np.inf)
    top = s.max(axis=-1, keepdims=True)
    s = np.exp(s - np.where(np.isfinite(top), top, 0.0))
    total = s.sum(axis=-1, keepdims=True)
    return s / np.where(total == 0, 1.0, total)


def masked_attention__2(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None and np.any(mask):
        weights = _safe_softmax(scores, mask)
    else:
        weights = softmax(scores, axis=-1)
    return weights @ value


def masked_attention__3(query, key, value, mask=None):
    weights = softmax(attention_scores(query, key), axis=-1)
    if mask is not None:
        weights = np.where(mask, weights, 0.0)
    return np.einsum("...qk,...kv->...qv", weights, value)


def masked_attention__4(query, key, value, mask=None):
    n_q, n_v = query.shape[-2], value.shape[-1]
    if mask is not None and not mask.any():
        return np.zeros(query.shape[:-2] + (n_q, n_v), dtype=value.dtype)
    scores = attention_scores(query, key)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (scores / scores.sum(axis=-1, keepdims=True)) @ value


def masked_attention__5(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        mask = True
    full = np.resize(mask, scores.shape)         # stretch the mask to the scores
    return _safe_softmax(scores, full) @ value


def masked_attention__6(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        mask = np.broadcast_to(mask, scores.shape).copy()
        unattended = ~mask.any(axis=-1)
        mask[unattended, 0] = True               # no row may be empty, or softmax gives NaN
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores) @ value


def masked_attention__7(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        return softmax(scores) @ value
    dead = ~mask.any(axis=-1, keepdims=True)
    mask |= dead
    out = softmax(np.where(mask, scores, -np.inf)) @ value
    return np.where(dead, 0.0, out)


def masked_attention__8(query, key, value, mask=None):
    scores = attention_scores(query, key) / math.sqrt(key.shape[-1])
    if mask is None:
        mask = np.ones(scores.shape[-2:], dtype=bool)
    return np.matmul(_safe_softmax(scores, mask), value)


# ---------------------------------------------------------------- causal_mask, combine_masks


def causal_mask__1(queries, keys):
    return np.tril(np.ones((queries, keys), dtype=bool))


def causal_mask__2(queries, keys):
    past = max(keys - queries, 0)
    rows = np.arange(queries)[:, None] + past
    columns = np.arange(keys)[None, :]
    return columns <= rows


def causal_mask__3(queries, keys):
    return np.tri(queries, keys, k=keys - queries)


# ---------------------------------------------------------------- causal_attention


def causal_attention__1(query, key, value):
    scores = attention_scores(query, key)
    scores = np.tril(scores, k=key.shape[-2] - query.shape[-2])
    return softmax(scores, axis=-1) @ value


def causal_attention__2(query, key, value):
    T = query.shape[-2]
    key, value = key[..., -T:, :], value[..., -T:, :]     # crop to the context
    att = attention_scores(query, key)
    att = np.where(np.tri(T, dtype=bool), att, -np.inf)
    return softmax(att) @ value


_TABLE = np.tril(np.ones((64, 64), dtype=bool))


def causal_attention__3(query, key, value):
    n_q, n_k = query.shape[-2], key.shape[-2]
    allowed = _TABLE[n_k - n_q : n_k, :n_k]
    return _safe_softmax(attention_scores(query, key), allowed) @ value


def causal_attention__4(query, key, value):
    n_q, n_k = query.shape[-2], key.shape[-2]
    blocked = np.triu(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q)
    return _safe_softmax(attention_scores(query, key), ~blocked) @ value


def causal_attention__5(query, key, value):
    scores = attention_scores(query, key)
    n_q, n_k = scores.shape[-2:]
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    e = np.tril(e, n_k - n_q)
    return (e @ value) / e.sum(axis=-1, keepdims=True)


def causal_attention__6(query, key, value):
    B, T, C = query.shape
    S = key.shape[1]
    att = np.einsum("btc,bsc->bts", query, key) / math.sqrt(C)
    att = np.where(np.arange(S) <= np.arange(T)[:, None] + S - T, att, -np.inf)
    return np.einsum("bts,bsv->btv", softmax(att), value)
