import math
import numpy as np
from mha_ref import attention_scores, attention_weights, scaled_dot_product_attention, softmax, weighted_mean


def masked_softmax__1(scores, mask):
    with np.errstate(all="ignore"):
        seen = np.where(mask, scores, -np.inf)
        log_total = np.logaddexp.reduce(seen, axis=-1, keepdims=True)
        dead = np.isneginf(log_total)
        return np.exp(seen - np.where(dead, 0.0, log_total)).astype(np.asarray(scores).dtype)


def _share(numbers):
    """Plain Python softmax of a list, empty lists included."""
    if not numbers:
        return []
    top = max(numbers)
    parts = [math.exp(n - top) for n in numbers]
    whole = math.fsum(parts)
    return [p / whole for p in parts]


def masked_softmax__2(scores, mask):
    scores = np.asarray(scores)
    mask = np.broadcast_to(mask, scores.shape)
    if scores.ndim > 1:
        result = np.empty(scores.shape, dtype=scores.dtype)
        for i in range(scores.shape[0]):
            result[i] = masked_softmax__2(scores[i], mask[i])
        return result
    result = np.zeros(scores.shape, dtype=scores.dtype)
    where = np.flatnonzero(mask)
    result[where] = _share([float(scores[j]) for j in where])
    return result


def padding_mask__1(lengths, keys):
    lengths = np.array(lengths, copy=True)
    out = np.zeros((lengths.size, 1, 1, keys), dtype=np.bool_)
    for row, n in zip(out[:, 0, 0], lengths.tolist()):
        assert n >= 0, "a length cannot be negative"
        if n > keys:
            raise ValueError("too long: %d > %d" % (n, keys))
        row[:n] = True
    return out


def masked_attention__1(query, key, value, mask=None):
    # streaming over the keys, with a running weighted mean (always between the values, so never overflows)
    nq, nk, f = query.shape[-2], key.shape[-2], query.shape[-1]
    lead = query.shape[:-2]
    allowed = np.broadcast_to(True if mask is None else mask, lead + (nq, nk))
    best = np.full(lead + (nq, 1), -np.inf)
    total = np.zeros(lead + (nq, 1))
    mean = np.zeros(lead + (nq, value.shape[-1]))
    for j in range(nk):
        ok = allowed[..., j:j + 1]
        s = np.einsum("...qf,...f->...q", query, key[..., j, :])[..., None] / math.sqrt(f)
        s = np.where(ok, s, -np.inf).astype(np.float64)
        new_best = np.maximum(best, s)
        safe = np.where(np.isneginf(new_best), 0.0, new_best)
        with np.errstate(over="ignore"):
            total = total * np.exp(best - safe)
            p = np.exp(s - safe)
        total = total + p
        a = np.divide(p, total, out=np.zeros_like(p), where=total > 0)
        mean = mean * (1.0 - a) + value[..., j:j + 1, :] * a
        best = new_best
    return mean.astype(np.result_type(query, key, value, np.float32))


def masked_attention__2(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        return softmax(scores) @ value
    mask = np.broadcast_to(mask, scores.shape)
    result = np.zeros(scores.shape[:-1] + value.shape[-1:], dtype=np.result_type(scores, value))
    for where in zip(*np.nonzero(mask.any(axis=-1))):
        looked_at = np.flatnonzero(mask[where])
        shares = softmax(scores[where][looked_at])
        result[where] = shares @ value[where[:-1]][looked_at]
    return result


def causal_mask__1(queries, keys):
    # recursive, from the last query backwards
    if queries == 0:
        return np.zeros((0, keys), dtype=bool)

    def rows(n, sees):
        row = [True] * max(sees, 0)
        row += [False] * (keys - len(row))
        return [row] if n == 1 else rows(n - 1, sees - 1) + [row]

    return np.array(rows(queries, keys), dtype=bool).reshape(queries, keys)


def causal_attention__1(query, key, value):
    number_of_queries, number_of_keys = query.shape[-2], key.shape[-2]
    first_place = number_of_keys - number_of_queries
    assert first_place >= 0

    def answer(i):
        until = slice(0, first_place + i + 1)
        return scaled_dot_product_attention(query[..., [i], :], key[..., until, :], value[..., until, :])

    return np.concatenate([answer(i) for i in range(number_of_queries)], axis=-2)


WHY = {
    "masked_softmax__1": "log-sum-exp with logaddexp.reduce over scores with -inf",
    "masked_softmax__2": "recursion over the leading axes, plain Python softmax of the allowed numbers",
    "padding_mask__1": "writes slices into views of the rows in a loop",
    "masked_attention__1": "streams over the keys with an online running mean",
    "masked_attention__2": "goes through the live queries and picks the allowed keys out",
    "causal_mask__1": "recursion from the last row backwards on Python lists",
    "causal_attention__1": "one query at a time over a slice of the past, no mask at all",
}
