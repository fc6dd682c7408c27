from functools import reduce
from itertools import product

import numpy as np


def masked_softmax__1(scores, mask):
    wide = np.asarray(scores, dtype=np.float64)
    logits = np.where(mask, wide, -np.inf)
    highest = logits.max(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        logits = logits - np.where(np.isneginf(highest), 0.0, highest)
        lse = np.logaddexp.reduce(logits, axis=-1, keepdims=True)
        lse = np.where(np.isneginf(lse), 0.0, lse)
        return np.exp(logits - lse).astype(scores.dtype)


def masked_softmax__2(scores, mask):
    """Row by row, on the allowed entries alone, picked out by index."""
    answer = np.zeros(scores.shape, scores.dtype)
    may_look = np.broadcast_to(mask, scores.shape)
    for where in product(*map(range, scores.shape[:-1])):
        picked = np.flatnonzero(may_look[where])
        if picked.size == 0:
            continue
        ordinary = scores[where][picked].astype(np.longdouble)
        powers = np.exp(ordinary - max(ordinary))
        answer[where][picked] = powers / powers.sum()
    return answer


def padding_mask__1(lengths, keys):
    # row n of the table: n times True, then False. A length above keys is an IndexError.
    table = np.tri(keys + 1, keys, -1, dtype=bool)
    return np.take(table, np.array(lengths, dtype=np.intp), axis=0)[:, np.newaxis, np.newaxis]


class _RunningMean:
    """Softmax-weighted mean, fed one key at a time (running maximum, running total)."""

    def __init__(self, shape, size):
        self.top = np.full(shape, -np.inf)
        self.total = np.zeros(shape)
        self.mean = np.zeros(shape + (size,))

    def feed(self, score, value, allowed):
        top = np.where(allowed, np.maximum(self.top, score), self.top)
        base = np.where(np.isneginf(top), 0.0, top)
        old = self.total * np.exp(self.top - base)
        new = np.exp(np.where(allowed, score, -np.inf) - base)
        total = old + new
        safe = np.where(total > 0, total, 1.0)
        self.mean = self.mean * (old / safe)[..., None] + value * (new / safe)[..., None]
        self.top, self.total = top, total


def masked_attention__1(query, key, value, mask=None):
    kind = np.result_type(query, key, value, np.float16)
    q, k, v = (np.asarray(a).astype(np.float64) for a in (query, key, value))
    shape = q.shape[:-1]
    allowed = np.broadcast_to(True if mask is None else mask, shape + (k.shape[-2],))
    running = _RunningMean(shape, v.shape[-1])
    root = np.sqrt(q.shape[-1])
    with np.errstate(all="ignore"):
        for j in range(k.shape[-2]):
            score = np.einsum("...qf,...f->...q", q, k[..., j, :]) / root
            running.feed(score, v[..., j:j + 1, :], allowed[..., j])
    return running.mean.astype(kind)


def causal_mask__1(queries, keys):
    def row(i):
        seen = min(max(keys - queries + i + 1, 0), keys)
        return np.concatenate([np.full(seen, True), np.full(keys - seen, False)])

    mask = np.zeros((queries, keys), dtype=bool)
    for i in reversed(range(queries)):
        mask[i] = row(i)
    return mask


def causal_attention__1(query, key, value):
    """Recursion over the last query: it sees all keys, and the ones before see one key less."""
    if query.shape[-2] == 0:
        return np.zeros(query.shape[:-1] + value.shape[-1:], np.result_type(query, key, value, np.float16))
    last = query[..., -1:, :]
    s = np.sum(last * key, axis=-1, keepdims=True) / np.sqrt(query.shape[-1]).astype(np.result_type(query, np.float16))
    e = np.exp(s - np.max(s, axis=-2, keepdims=True))
    share = e / np.sum(e, axis=-2, keepdims=True)
    row = np.sum(share * value, axis=-2, keepdims=True)
    above = causal_attention__1(query[..., :-1, :], key[..., :-1, :], value[..., :-1, :])
    return np.concatenate((above, row), axis=-2)


WHY = {
    "masked_softmax__1": "log-sum-exp with logaddexp.reduce in float64, cast back",
    "masked_softmax__2": "row loop on the allowed entries alone, picked by flatnonzero, long double inside",
    "padding_mask__1": "looked up in a triangular table; IndexError refuses overlong lengths",
    "masked_attention__1": "streaming over keys with a helper class that keeps a running maximum and a running mean",
    "causal_mask__1": "rows concatenated from runs of True and False, filled from the bottom",
    "causal_attention__1": "recursion: the last query sees all keys, the rest is the same problem without the last key",
}
