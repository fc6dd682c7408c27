"""Right answers to lesson 03, in styles that are not ours."""

import math

import numpy as np

from mha_ref import attention_scores, attention_weights, scaled_dot_product_attention, weighted_mean


def _softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _scores(query, key):
    return query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])


# masked_softmax


def masked_softmax__nan_to_num(scores, mask):
    return np.nan_to_num(_softmax(np.where(mask, scores, -np.inf)), nan=0.0)


def masked_softmax__smallest_number_then_mask(scores, mask):
    return _softmax(np.where(mask, scores, np.finfo(scores.dtype).min)) * mask


def masked_softmax__where_in_the_ufuncs(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    m = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    e = np.exp(scores - m, where=allowed, out=np.zeros_like(scores))
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


def masked_softmax__row_by_row(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    out = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        chosen = [k for k in range(scores.shape[-1]) if mask[place][k]]
        if not chosen:
            continue
        top = max(scores[place][k] for k in chosen)
        e = [math.exp(scores[place][k] - top) for k in chosen]
        for k, number in zip(chosen, e, strict=True):
            out[place][k] = number / sum(e)
    return out


def masked_softmax__adds_a_log_mask(scores, mask):
    with np.errstate(divide="ignore", invalid="ignore"):
        w = _softmax(scores + np.log(mask.astype(float)))
    return np.where(np.isnan(w), 0, w)


def masked_softmax__fills_a_copy_in_place(scores, mask):
    s = scores.copy()
    s[np.broadcast_to(~mask, s.shape)] = -np.inf
    dead = np.isneginf(s).all(axis=-1)
    s[dead] = 0.0
    w = _softmax(s)
    w[dead] = 0.0
    return w


def masked_softmax__numpy_masked_array(scores, mask):
    s = np.ma.array(scores, mask=~np.broadcast_to(mask, scores.shape))
    e = np.ma.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).filled(0.0)


def masked_softmax__in_float_precision_of_long(scores, mask):
    s = np.where(mask, scores.astype(np.longdouble), -1e300)
    return (_softmax(s) * mask).astype(np.float32)


# padding_mask


def padding_mask__slices(lengths, keys):
    out = np.full((len(lengths), 1, 1, keys), False)
    for n, length in enumerate(lengths):
        if length < 0 or length > keys:
            raise ValueError(f"length {length} does not fit into {keys}")
        out[n, 0, 0, :length] = True
    return out


def padding_mask__nested_lists(lengths, keys):
    if max(lengths) > keys or min(lengths) < 0:
        raise ValueError("a length does not fit")
    return np.array([[[[k < n for k in range(keys)]]] for n in lengths])


def padding_mask__expand_dims(lengths, keys):
    assert np.all((lengths >= 0) & (lengths <= keys)), "a length does not fit"
    return np.expand_dims(np.arange(keys)[None, :] < lengths[:, None], axis=(1, 2))


def padding_mask__not_padding(lengths, keys):
    if np.any(lengths > keys) or np.any(lengths < 0):
        raise ValueError("a length does not fit")
    padding = np.arange(1, keys + 1) > lengths[:, np.newaxis]
    return np.logical_not(padding)[:, np.newaxis, np.newaxis, :]


def padding_mask__stacked_rows(lengths, keys):
    rows = []
    for n in lengths.tolist():
        if n not in range(keys + 1):
            raise IndexError(n)
        rows.append(np.concatenate([np.ones(n, bool), np.zeros(keys - n, bool)]))
    return np.stack(rows).reshape(-1, 1, 1, keys)


# masked_attention


def masked_attention__true_everywhere(query, key, value, mask=None):
    s = _scores(query, key)
    allowed = np.ones(s.shape, bool) if mask is None else mask
    return masked_softmax__nan_to_num(s, allowed) @ value


def masked_attention__einsum(q, k, v, mask=None):
    s = np.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    s = s if mask is None else np.where(mask, s, -np.inf)
    top = s.max(axis=-1, keepdims=True)
    w = np.exp(s - np.where(np.isfinite(top), top, 0))
    total = w.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kd->...qd", np.divide(w, total, out=np.zeros_like(w), where=total > 0), v)


def masked_attention__one_query_at_a_time(query, key, value, mask=None):
    s = _scores(query, key)
    mask = np.broadcast_to(True if mask is None else mask, s.shape)
    value = np.broadcast_to(value, (*s.shape[:-2], *value.shape[-2:]))
    out = np.zeros((*s.shape[:-1], value.shape[-1]))
    for place in np.ndindex(s.shape[:-1]):
        keys = np.flatnonzero(mask[place])
        if keys.size:
            out[place] = _softmax(s[place][keys]) @ value[place[:-1]][keys]
    return out


def masked_attention__scales_the_query_first(query, key, value, mask=None):
    s = (query / np.sqrt(query.shape[-1])) @ key.mT
    if mask is not None:
        s = np.where(mask, s, -1e30)
    w = _softmax(s)
    return (w if mask is None else w * mask) @ value


# causal_mask


def causal_mask__tri(queries, keys):
    return np.tri(queries, keys, keys - queries, dtype=bool)


def causal_mask__not_triu(queries, keys):
    return ~np.triu(np.ones((queries, keys), bool), k=keys - queries + 1)


def causal_mask__nested_lists(queries, keys):
    return np.array([[q + keys - queries >= k for k in range(keys)] for q in range(queries)])


def causal_mask__counted_from_the_end(queries, keys):
    from_the_end_q = np.arange(queries)[::-1, None]
    from_the_end_k = np.arange(keys)[::-1]
    return from_the_end_k >= from_the_end_q


def causal_mask__last_rows_of_a_larger_square(queries, keys):
    size = max(queries, keys)
    return np.tril(np.ones((size, size), dtype=int)).astype(bool)[-queries:, -keys:]


def causal_mask__fills_rows(queries, keys):
    m = np.zeros((queries, keys), bool)
    for q in range(queries):
        m[q, : max(0, q + 1 + keys - queries)] = True
    return m


# causal_attention


def causal_attention__tri(query, key, value):
    allowed = np.tri(query.shape[-2], key.shape[-2], key.shape[-2] - query.shape[-2], dtype=bool)
    return _softmax(np.where(allowed, _scores(query, key), -np.inf)) @ value


def causal_attention__adds_a_billion(query, key, value):
    s = _scores(query, key)
    future = np.triu(np.ones(s.shape[-2:]), k=s.shape[-1] - s.shape[-2] + 1)
    return _softmax(s - 1e9 * future) @ value


def causal_attention__a_growing_window(query, key, value):
    queries, keys = query.shape[-2], key.shape[-2]
    rows = []
    for q in range(queries):
        seen = keys - queries + q + 1
        rows.append(_softmax(_scores(query[..., q : q + 1, :], key[..., :seen, :])) @ value[..., :seen, :])
    return np.concatenate(rows, axis=-2)


def causal_attention__loops_over_all(query, key, value):
    s = _scores(query, key)
    out = np.zeros((*s.shape[:-1], value.shape[-1]))
    behind = s.shape[-1] - s.shape[-2]
    for *item, q in np.ndindex(s.shape[:-1]):
        row, v = s[*item, q], value[*item]
        e = [math.exp(row[k] - max(row[: q + behind + 1])) if k <= q + behind else 0.0 for k in range(len(row))]
        for k, number in enumerate(e):
            out[*item, q] += number / sum(e) * v[k]
    return out


# test_causal_attention


def test_causal_attention__against_loops(f):
    rng = np.random.default_rng(5)
    q, k, v = rng.normal(size=(3, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 2))
    for i in range(3):
        e = [math.exp(q[i] @ k[j] / math.sqrt(3)) for j in range(i + 2)]
        assert np.allclose(f(q, k, v)[i], sum(e[j] / sum(e) * v[j] for j in range(i + 2)))


def test_causal_attention__by_perturbation(implementation):
    rng = np.random.default_rng(1)
    for queries, keys in ((4, 4), (2, 5)):
        q, k, v = rng.normal(size=(queries, 6)), rng.normal(size=(keys, 6)), rng.normal(size=(keys, 3))
        before = implementation(q, k, v)
        for j in range(keys):
            k2, v2 = k.copy(), v.copy()
            k2[j], v2[j] = k[j] * 2, v[j] + 3
            same = np.isclose(implementation(q, k2, v2), before).all(axis=-1)
            for i in range(queries):
                if same[i] != (j > i + keys - queries):
                    raise ValueError(f"query {i} and key {j}")


class _SentenceRow:
    def __init__(self, length, keys):
        if length > keys:
            raise ValueError("the sentence is longer than there are keys")
        self.real, self.padding = length, keys - length

    def as_list(self):
        return [True for _ in range(self.real)] + [False for _ in range(self.padding)]


def masked_softmax__allowed_scores_alone(scores, mask):
    """Row by row, on the allowed scores alone."""
    scores = np.asarray(scores)
    allowed = np.broadcast_to(mask, scores.shape)
    out = np.zeros_like(scores)
    for where in np.ndindex(*scores.shape[:-1]):
        places = np.flatnonzero(allowed[where])
        if places.size == 0:
            continue
        kept = [float(scores[where + (j,)]) for j in places]
        top = max(kept)
        powers = [math.exp(s - top) for s in kept]
        total = math.fsum(powers)
        for j, p in zip(places, powers):
            out[where + (j,)] = p / total
    return out


def masked_softmax__logarithms(scores, mask):
    """Log space: the log of the sum by logaddexp over what is allowed."""
    allowed = np.broadcast_to(np.asarray(mask, dtype=bool), scores.shape)
    with np.errstate(all="ignore"):
        work = scores.astype(np.float64)
        top = work.max(axis=-1, keepdims=True, where=allowed, initial=-np.inf)
        top = np.nan_to_num(top, neginf=0.0)
        centred = np.where(allowed, work - top, -np.inf)
        log_total = np.logaddexp.reduce(centred, axis=-1, keepdims=True, initial=-np.inf)
        alive = log_total > -np.inf
        weights = np.exp(centred - np.where(alive, log_total, 0.0))
    return weights.astype(scores.dtype)


def padding_mask__rows_of_a_triangle(lengths, keys):
    lengths = np.array(lengths)
    if np.any(lengths > keys):
        raise ValueError(f"lengths {lengths} do not all fit into {keys} keys")
    triangle = np.tri(keys + 1, keys, k=-1, dtype=bool)  # row n holds n times True
    return triangle[lengths][:, np.newaxis, np.newaxis]


def padding_mask__rows_of_a_helper_class(lengths, keys):
    keys = int(keys)
    rows = [_SentenceRow(int(n), keys).as_list() for n in lengths]
    flat = np.array([real for row in rows for real in row], dtype=bool)
    return flat.reshape(len(rows), 1, 1, keys)


def masked_attention__one_pass(query, key, value, mask=None):
    """One pass over the keys; the mean so far is always a mean, so it cannot overflow."""
    scale = 1.0 / math.sqrt(query.shape[-1])
    scores = np.einsum("...qd,...kd->...qk", query, key).astype(np.float64) * scale
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    peak = np.full(scores.shape[:-1], -np.inf)
    total = np.zeros(scores.shape[:-1])
    mean = np.zeros(scores.shape[:-1] + value.shape[-1:])
    for k in range(key.shape[-2]):
        ok = allowed[..., k]
        s = np.where(ok, scores[..., k], -np.inf)
        new_peak = np.maximum(peak, s)
        anchor = np.where(np.isneginf(new_peak), 0.0, new_peak)
        with np.errstate(over="ignore", under="ignore"):
            old_part = total * np.exp(peak - anchor)
            new_part = np.exp(s - anchor)
        total = old_part + new_part
        share = np.divide(new_part, total, out=np.zeros_like(total), where=total > 0)[..., None]
        mean = mean * (1.0 - share) + value[..., k, None, :] * share
        peak = new_peak
    return mean.astype(np.result_type(query, key, value, np.float16) if value.dtype.kind == "f" else np.float64)


def masked_attention__blocked_keys_thrown_away(query, key, value, mask=None):
    """Throw the blocked keys away and call the lesson-02 attention on what is left."""
    lead = query.shape[:-2]
    queries, keys = query.shape[-2], key.shape[-2]
    if mask is None:
        mask = np.array(True)
    assert mask.dtype == bool, "the mask must be boolean"
    mask = np.broadcast_to(mask, lead + (queries, keys))
    result = np.zeros(lead + (queries, value.shape[-1]), dtype=np.result_type(query, key, value, np.float32))
    for place in np.ndindex(*lead, queries):
        batch, i = place[:-1], place[-1]
        looks = mask[batch][i]
        if looks.any():
            one_query = query[batch][i : i + 1]
            result[place] = scaled_dot_product_attention(one_query, key[batch][looks], value[batch][looks])[0]
    return result


def causal_mask__places_from_the_end(queries, keys):
    # number the places from the end: the last query and the last key are both 0
    query_from_end = np.arange(queries - 1, -1, -1).reshape(queries, 1)
    key_from_end = np.arange(keys - 1, -1, -1).reshape(1, keys)
    return np.greater_equal(key_from_end, query_from_end)


def causal_mask__recursion(queries, keys):
    """By recursion: the mask of one query fewer and one key fewer, with a row below and a column on the right."""
    if queries == 0 or keys == 0:
        return np.zeros((queries, keys), dtype=bool)
    mask = np.zeros((queries, keys), dtype=bool)
    mask[:-1, :-1] = causal_mask__recursion(queries - 1, keys - 1)
    mask[-1, :] = True
    return mask


def causal_attention__last_query_first(query, key, value):
    """Each query from the last to the first: cut off the future, then plain attention."""
    queries, keys = query.shape[-2], key.shape[-2]
    if queries > keys:
        raise ValueError("more queries than keys")
    outputs = []
    for back in range(queries):
        here = queries - 1 - back
        seen = keys - back
        weights = attention_weights(query[..., here : here + 1, :], key[..., :seen, :])
        outputs.insert(0, weighted_mean(weights, value[..., :seen, :]))
    return np.concatenate(outputs, axis=-2)


def causal_attention__key_by_key(query, key, value):
    """Key by key, in the order of time: only the queries at or after the key hear of it."""
    queries, features = query.shape[-2:]
    keys = key.shape[-2]
    kind = np.result_type(query, key, value, np.float32)
    lead = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    query, key, value = (np.asarray(t, dtype=np.float64) for t in (query, key, value))
    peak = np.full(lead + (queries, 1), -np.inf)
    total = np.zeros(lead + (queries, 1))
    mean = np.zeros(lead + (queries, value.shape[-1]))
    for j in range(keys):
        start = max(0, j - (keys - queries))
        late = (Ellipsis, slice(start, None), slice(None))
        s = (query[late] * key[..., j : j + 1, :]).sum(axis=-1, keepdims=True) / np.sqrt(features)
        new_peak = np.maximum(peak[late], s)
        with np.errstate(over="ignore", under="ignore"):
            old = total[late] * np.exp(peak[late] - new_peak)
            new = np.exp(s - new_peak)
        share = new / (old + new)
        mean[late] = mean[late] * (1 - share) + share * value[..., j : j + 1, :]
        peak[late] = new_peak
        total[late] = old + new
    return mean.astype(kind)


def masked_softmax__a_billion_row_by_row(scores, mask):
    scores = np.asarray(scores)
    allowed = np.broadcast_to(mask, scores.shape)
    out = np.zeros(scores.shape, dtype=float)
    for where in np.ndindex(*scores.shape[:-1]):
        if not allowed[where].any():
            continue  # nobody to look at: leave the zeros
        row = [float(s) if ok else -1e9 for s, ok in zip(scores[where], allowed[where])]
        top = max(row)
        powers = [math.exp(s - top) for s in row]
        total = math.fsum(powers)
        out[where] = [p / total for p in powers]
    return out


def causal_attention__a_billion(query, key, value):
    s = attention_scores(query, key)
    m = np.tri(*s.shape[-2:], key.shape[-2] - query.shape[-2], dtype=bool)
    return _softmax(np.where(m, s, -1e9)) @ value
