from functools import reduce
from itertools import product

import numpy as np
from mha_ref import attention_scores, attention_weights, scaled_dot_product_attention, softmax, weighted_mean


def masked_softmax__1(scores, mask):
    wide = np.where(mask, scores, -np.inf).astype(np.float64)
    anchor = wide.max(axis=-1, keepdims=True)
    anchor = np.where(np.isneginf(anchor), 0.0, anchor)
    with np.errstate(over="ignore"):
        wide = wide - anchor
    log_total = np.logaddexp.reduce(wide, axis=-1, keepdims=True)
    log_total[np.isneginf(log_total)] = 0.0        # dead rows: exp(-inf - 0) is zero
    return np.exp(wide - log_total).astype(scores.dtype)


def masked_softmax__2(scores, mask):
    if mask.dtype != np.bool_:
        raise TypeError("mask must be boolean")
    everywhere = np.broadcast_to(mask, scores.shape)
    weights = np.zeros(scores.shape, dtype=scores.dtype)
    for place in np.ndindex(*scores.shape[:-1]):
        chosen = everywhere[place]
        if not chosen.any():
            continue
        candidates = scores[place][chosen]
        with np.errstate(over="ignore"):
            numerators = np.exp(candidates - max(candidates))
        weights[place][chosen] = numerators / numerators.sum()
    return weights


def padding_mask__1(lengths, keys):
    # row n of this table starts with n times True; there is no row after row `keys`
    table = np.tri(keys + 1, keys, k=-1, dtype=bool)
    rows = table[np.asarray(lengths, dtype=np.intp)]
    return rows[:, np.newaxis, np.newaxis, :]


def masked_attention__1(query, key, value, mask=None):
    """One key after the other, with a running maximum."""
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    kind = np.result_type(query, key, value, np.float32)
    lead = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    full = lead + (n_queries, n_keys)
    allowed = np.broadcast_to(True if mask is None else mask, full)
    biggest = np.full(lead + (n_queries,), -np.inf)
    total = np.zeros(lead + (n_queries,))
    mean = np.zeros(lead + (n_queries, value.shape[-1]))
    root = np.sqrt(float(query.shape[-1]))
    for j in range(n_keys):
        score = np.einsum("...qf,...f->...q", query, key[..., j, :]).astype(np.float64) / root
        ok = allowed[..., j]
        new_biggest = np.where(ok, np.maximum(biggest, score), biggest)
        safe = np.where(np.isneginf(new_biggest), 0.0, new_biggest)
        with np.errstate(over="ignore"):
            keep = total * np.exp(biggest - safe)
            fresh = np.exp(np.where(ok, score, -np.inf) - safe)
        total = keep + fresh
        share = np.divide(fresh, total, out=np.zeros_like(total), where=total > 0)[..., None]
        # a running mean, not a running sum: never larger than the largest value
        mean = mean * (1.0 - share) + share * value[..., j, None, :]
        biggest = new_biggest
    return mean.astype(kind)


def causal_mask__1(queries, keys):
    from_the_end = [[(keys - 1 - k) >= (queries - 1 - q) for k in range(keys)] for q in range(queries)]
    return np.array(from_the_end, dtype=bool).reshape((queries, keys))


def causal_attention__1(query, key, value):
    *lead, n, features = query.shape
    m = key.shape[-2]
    assert n <= m, "never more queries than keys"
    answer = np.empty((*lead, n, value.shape[-1]), dtype=np.result_type(query, key, value))
    for where in product(*map(range, lead)):
        q, k, v = query[where], key[where], value[where]
        for row in range(n):
            seen = m - (n - 1 - row)          # own place included
            dots = [float(np.dot(q[row], k[j])) / features ** 0.5 for j in range(seen)]
            top = max(dots)
            e = np.array([np.exp(d - top) for d in dots])
            answer[where][row] = (e / e.sum()) @ v[:seen]
    return answer


WHY = {
    "masked_softmax__1": "log-sum-exp with logaddexp.reduce in float64, cast back",
    "masked_softmax__2": "loops over rows with ndindex, softmax over the selected scores alone, writes them back through the boolean index",
    "padding_mask__1": "looks lengths up in a (keys+1, keys) triangle; a length above keys raises IndexError by itself",
    "masked_attention__1": "streams over the keys with running maximum, running total and a running weighted mean, in float64, cast back",
    "causal_mask__1": "list comprehension that counts both places from the end",
    "causal_attention__1": "loops over batch and queries, softmax over the visible prefix alone",
}
