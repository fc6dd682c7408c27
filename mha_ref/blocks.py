"""Attention block by block: parts of the keys are attended to one after the other, and never held all at once."""

from array_api_compat import array_namespace, device

from .attention import scale
from .checks import check_block, check_fits
from .masks import library_and_device


def log_sum_exp(scores, axis=-1):
    """Return the logarithm of the sum of all exponentials along `axis`; where all scores are -inf, -inf.

    scores: (...) -> the same shape without that axis.
    Source: Goodfellow et al., Deep Learning (2016), section 4.1.
    """
    xp = array_namespace(scores)
    largest = xp.max(scores, axis=axis, keepdims=True)
    total = xp.sum(xp.exp(scores - finite_or_zero(largest)), axis=axis)  # -inf minus -inf would be NaN
    return xp.log(xp.where(total > 0, total, 1.0)) + xp.squeeze(largest, axis=axis)


def finite_or_zero(lse):
    """Return the same numbers, with 0 in place of -inf.

    lse: (...) -> (...), the same shape.
    """
    xp = array_namespace(lse)
    return xp.where(lse != -xp.inf, lse, 0.0)


def merge_attention(output_a, lse_a, output_b, lse_b):
    """Join the attention of the same queries to two parts of the keys.

    output_a, output_b: (..., queries, value_features); lse_a, lse_b: (..., queries), log-sum-exp of each part's scores
    -> (..., queries, value_features), then (..., queries): what attention to both parts together gives.
    A part with -inf is empty, and its output does not count; two empty parts give zeros and -inf.
    Source: Dao et al., FlashAttention (2022), section 3.1.
    """
    xp = array_namespace(lse_a)
    lse = log_sum_exp(xp.stack([lse_a, lse_b], axis=-1))  # (..., queries)
    first = share_of_part(lse_a, lse) * without_empty(output_a, lse_a)  # (..., queries, value_features)
    second = share_of_part(lse_b, lse) * without_empty(output_b, lse_b)  # (..., queries, value_features)
    return first + second, lse


def share_of_part(lse_part, lse):
    """Return how much of its attention each query gives to one part of the keys.

    lse_part, lse: (..., queries) -> (..., queries, 1).
    """
    return array_namespace(lse).exp(lse_part - finite_or_zero(lse))[..., None]  # (..., queries, 1)


def without_empty(output, lse):
    """Return zeros in place of whatever is there for queries of an empty part.

    output: (..., queries, value_features), lse: (..., queries) -> (..., queries, value_features).
    """
    xp = array_namespace(output)
    return xp.where(lse[..., None] != -xp.inf, output, 0.0)


def block_mask(queries, keys, start, stop, like=None):
    """Return the columns `start` to `stop` of the causal mask, made without the others.

    The last query lines up with the last key.
    Four sizes -> (queries, stop - start), boolean, in the library and on the device of `like` (None: NumPy).
    """
    xp, where = library_and_device(like)
    rows = xp.arange(keys - queries, keys, device=where)[:, None]  # (queries, 1)
    return xp.arange(start, stop, device=where)[None, :] <= rows  # (queries, stop - start)


def partial_attention(query, key, value, mask=None):
    """Return attention to one part of the keys, and the log-sum-exp of its scores, with which parts are merged.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features), then (..., queries). A query with no allowed key gets zeros and -inf.
    """
    xp = array_namespace(query)
    scores = scale(query @ key.mT, query.shape[-1])  # (..., queries, keys)
    if mask is not None:
        scores = xp.where(mask, scores, -xp.inf)
    lse = log_sum_exp(scores)  # (..., queries)
    weights = xp.exp(scores - finite_or_zero(lse)[..., None])  # (..., queries, keys)
    return weights @ value, lse  # (..., queries, value_features), (..., queries)


def attention_in_blocks(query, key, value, block, causal=False):
    """Return attention, with no more than `block` keys at a time.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features). causal: no query looks ahead, and the last query lines up with the last key.
    A block of fewer than one key, or sizes that do not fit, are a ValueError.
    Source: Rabe, Staats, Self-attention does not need O(n²) memory (2021), section 2.
    """
    check_fits(query, key, value)
    check_block(block)
    xp, queries, keys = array_namespace(query), query.shape[-2], key.shape[-2]
    like = dict(dtype=query.dtype, device=device(query))
    output = xp.zeros((*query.shape[:-1], value.shape[-1]), **like)  # (..., queries, value_features)
    lse = xp.full(query.shape[:-1], -xp.inf, **like)  # (..., queries)
    for start in range(0, keys, block):
        stop = min(start + block, keys)
        mask = block_mask(queries, keys, start, stop, like=query) if causal else None  # (queries, stop - start)
        part = partial_attention(query, key[..., start:stop, :], value[..., start:stop, :], mask)
        output, lse = merge_attention(output, lse, *part)
    return output
