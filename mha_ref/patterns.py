"""What heads do: how far a pattern is that of a known kind of head, how alike two are, and a layer without one."""

from array_api_compat import array_namespace, device

from .heads import merge_heads, mix_heads


def previous_token_score(weights):
    """Return the weight that each head puts on the token right before the query, on average.

    weights: (..., heads, queries, keys), as many queries as keys, at least 2 -> (heads,). The first query is left out.
    Source: Elhage et al., A mathematical framework for transformer circuits (2021).
    """
    xp = array_namespace(weights)
    before = xp.linalg.diagonal(weights, offset=-1)  # (..., heads, queries - 1)
    return _mean_of_each_head(before)


def _mean_of_each_head(x):
    """Average over all axes but that of the heads: (..., heads, queries) -> (heads,)."""
    xp = array_namespace(x)
    others = tuple(axis for axis in range(x.ndim) if axis != x.ndim - 2)
    return xp.mean(x, axis=others)


def behind_copies(tokens):
    """Say which keys lie right behind an earlier copy of the query's token.

    tokens: (batch, queries), integers -> (batch, queries, keys), boolean; the first key lies behind nothing.
    """
    xp = array_namespace(tokens)
    places = xp.arange(tokens.shape[-1], device=device(tokens))
    copies = tokens[:, :, None] == tokens[:, None, :]  # (batch, queries, keys)
    earlier = copies & (places[:, None] > places[None, :])
    nothing = xp.zeros_like(earlier[:, :, :1])  # (batch, queries, 1)
    return xp.concat([nothing, earlier[:, :, :-1]], axis=-1)  # a key further


def induction_score(weights, tokens):
    """Return the weight that each head puts right behind earlier copies of the query's token, on average.

    weights: (batch, heads, queries, keys), tokens: (batch, queries), integers -> (heads,).
    The mean is over all queries of the batch whose token has an earlier copy; there must be one.
    Source: Olsson et al., In-context learning and induction heads (2022).
    """
    xp = array_namespace(weights)
    behind = behind_copies(tokens)  # (batch, queries, keys)
    found = xp.sum(xp.where(behind[:, None, :, :], weights, 0.0), axis=-1)  # (batch, heads, queries)
    asked = xp.astype(xp.any(behind, axis=-1), weights.dtype)  # (batch, queries)
    return xp.sum(found, axis=(0, 2)) / xp.sum(asked)


def without_head(results, w_output, head):
    """Return what a layer makes of its heads' results if one of them contributes nothing.

    results: (batch, heads, tokens, head_size), w_output: (heads · head_size, model_size); head: which, from 0
    -> (batch, tokens, model_size).
    Source: Michel, Levy, Neubig, Are sixteen heads really better than one? (2019), section 2.3.
    """
    return mix_heads(merge_heads(silence(results, head)), w_output)


def silence(results, head):
    """Put zeros in place of one head's results.

    results: (batch, heads, tokens, head_size); head: which, from 0 -> (batch, heads, tokens, head_size).
    """
    xp = array_namespace(results)
    others = xp.arange(results.shape[1], device=device(results)) != head
    return xp.where(others[:, None, None], results, 0.0)


def head_similarity(weights):
    """Return how alike the patterns of every two heads are: the cosine of the angle between them.

    weights: (heads, queries, keys) -> (heads, heads); 1 for equal patterns, 0 for patterns that share no key.
    """
    xp = array_namespace(weights)
    flat = xp.reshape(weights, (weights.shape[0], -1))  # (heads, queries · keys)
    return cosines(flat)


def cosines(rows):
    """Return the cosine of the angle between every two rows.

    rows: (rows, columns) -> (rows, rows).
    """
    xp = array_namespace(rows)
    directions = rows / xp.linalg.vector_norm(rows, axis=-1, keepdims=True)  # (rows, columns)
    return directions @ directions.mT
