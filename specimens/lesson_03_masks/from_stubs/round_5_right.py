import math
from functools import reduce

import numpy as np
from mha_ref import attention_scores, attention_weights, scaled_dot_product_attention, softmax, weighted_mean


def masked_softmax__1(scores, mask):
    wide = np.where(mask, scores, -np.inf).astype(np.float64)
    if wide.shape[-1] == 0:
        return np.zeros_like(scores)
    with np.errstate(over="ignore", invalid="ignore"):
        top = wide.max(axis=-1, keepdims=True)
        wide = wide - np.where(np.isfinite(top), top, 0.0)
    log_total = np.logaddexp.reduce(wide, axis=-1, keepdims=True)
    log_total[np.isneginf(log_total)] = 0.0
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(wide - log_total).astype(scores.dtype)


class _Row:
    """One row of scores, with the keys that it may look at."""

    def __init__(self, numbers, allowed):
        self.pairs = [(j, float(s)) for j, (s, ok) in enumerate(zip(numbers, allowed)) if ok]

    def fill(self, target):
        if not self.pairs:
            return
        top = max(s for _, s in self.pairs)
        parts = [(j, math.exp(s - top)) for j, s in self.pairs]
        total = math.fsum(p for _, p in parts)
        for j, p in parts:
            target[j] = p / total


def masked_softmax__2(scores, mask):
    keys = scores.shape[-1]
    result = np.zeros(scores.shape, dtype=scores.dtype)
    allowed = np.logical_and(mask, np.ones(scores.shape, dtype=bool))
    for place in np.ndindex(scores.shape[:-1]):
        _Row(scores[place], allowed[place]).fill(result[place])
    return result


def padding_mask__1(lengths, keys):
    counts = [int(n) for n in np.asarray(lengths).tolist()]
    too_long = [n for n in counts if n > keys]
    if too_long:
        raise ValueError(f"lengths {too_long} do not fit into {keys} keys")
    answer = np.full((len(counts), 1, 1, keys), False)
    for sentence, n in zip(answer, counts):
        sentence[0, 0, :n] = True
    return answer


def masked_attention__1(query, key, value, mask=None):
    kind = np.result_type(query, key, value)
    if kind.kind != "f":
        kind = np.dtype(np.float64)
    q = np.array(query, dtype=np.float64) / math.sqrt(query.shape[-1])
    k = np.array(key, dtype=np.float64)
    v = np.array(value, dtype=np.float64)
    scores = np.einsum("...id,...jd->...ij", q, k)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)

    # streaming over the keys: a mean that moves towards each new value by its share
    lead = scores.shape[:-1]
    top = np.full(lead, -np.inf)
    total = np.zeros(lead)
    mean = np.zeros(lead + (v.shape[-1],))
    for j in range(scores.shape[-1]):
        s = scores[..., j]
        ok = allowed[..., j]
        new_top = np.where(ok, np.maximum(top, s), top)
        with np.errstate(invalid="ignore", over="ignore"):
            keep = np.where(total > 0, np.exp(top - new_top), 0.0)
            gain = np.where(ok, np.exp(s - new_top), 0.0)
        total = total * keep + gain
        share = np.divide(gain, total, out=np.zeros_like(total), where=ok)[..., None]
        mean = mean * (1 - share) + v[..., None, j, :] * share
        top = new_top
    return mean.astype(kind)


def causal_mask__1(queries, keys):
    # built from the last query upwards: each row is the one below it, moved left by one
    row = [True] * keys
    rows = []
    for _ in range(queries):
        rows.insert(0, row)
        row = row[1:] + [False] if keys else row
    return np.array(rows, dtype=np.bool_).reshape((queries, keys))


def causal_attention__1(query, key, value):
    def step(n):
        """Outputs of the first n queries, as a list."""
        if n == 0:
            return []
        seen = key.shape[-2] - query.shape[-2] + n
        one = scaled_dot_product_attention(query[..., n - 1:n, :], key[..., :seen, :], value[..., :seen, :])
        return step(n - 1) + [one]

    return np.concatenate(step(query.shape[-2]), axis=-2)


def causal_attention__2(query, key, value):
    number_of_queries, features = query.shape[-2], query.shape[-1]
    number_of_keys = key.shape[-2]
    assert number_of_queries <= number_of_keys, "more queries than keys"
    ahead = np.arange(number_of_keys)[None, :] - np.arange(number_of_queries)[:, None] > number_of_keys - number_of_queries
    scores = attention_scores(query, key)
    visible = np.where(ahead, -np.inf, scores)
    visible = visible - np.max(visible, axis=-1, keepdims=True)
    weights = np.exp(visible)
    weights /= weights.sum(axis=-1)[..., np.newaxis]
    result = np.zeros(weights.shape[:-1] + (value.shape[-1],), dtype=np.result_type(weights, value))
    for j in range(number_of_keys):
        # before this row the key is still in the future: leave those outputs alone
        start = max(0, j - (number_of_keys - number_of_queries))
        result[..., start:, :] += weights[..., start:, j, None] * value[..., j, None, :]
    return result


WHY = {
    "masked_softmax__1": "log-sum-exp in float64 with logaddexp.reduce over where(mask, scores, -inf) less its maximum, cast back",
    "masked_softmax__2": "pure Python rows in a helper class, only the allowed keys are looked at, math.fsum",
    "padding_mask__1": "loop over Python integers, slices into an array of False",
    "masked_attention__1": "online softmax over the keys in float64, running mean that moves by shares (never overflows), cast back",
    "causal_mask__1": "lists, built from the last row upwards by moving the row left",
    "causal_attention__1": "recursion over the queries, each asks a slice of the keys with scaled_dot_product_attention",
    "causal_attention__2": "difference of two aranges as mask, sum over keys in a loop that leaves earlier outputs alone",
}
