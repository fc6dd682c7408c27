"""Scaled dot-product attention, step by step.

Source: Vaswani et al., Attention is all you need (2017), equation 1: softmax(QKᵀ / √d_k) V.
"""

import math

from .checks import check_fits
from .masks import causal_mask, masked_softmax
from .weights import softmax


def similarity(query, key):
    """Return one dot product for each query and key.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys).
    """
    return query @ key.mT  # (..., queries, keys)


def scale(scores, features):
    """Divide by √features, the standard deviation of a dot product of so many independent terms.

    scores: (..., queries, keys) -> (..., queries, keys).
    """
    return scores / math.sqrt(features)


def attention_scores(query, key):
    """Return how well each key answers each query, before softmax: QKᵀ / √features.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys).
    """
    return scale(similarity(query, key), query.shape[-1])


def masked_weights(query, key, mask=None):
    """Return how each query shares out its attention over the keys it may look at: rows sum to 1, or to 0 without any.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys).
    """
    scores = attention_scores(query, key)  # (..., queries, keys)
    return softmax(scores) if mask is None else masked_softmax(scores, mask)


def attention_weights(query, key):
    """Return how each query shares out its attention over all keys: each row sums to 1.

    query: (..., queries, features), key: (..., keys, features) -> (..., queries, keys).
    """
    return masked_weights(query, key)


def weighted_mean(weights, values):
    """Return, for each query, the mean of all values, weighted by its row.

    weights: (..., queries, keys), values: (..., keys, features) -> (..., queries, features).
    """
    return weights @ values  # (..., queries, features)


def masked_attention(query, key, value, mask=None):
    """Give each query the weighted mean of the values that it may look at.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features). A query with no allowed key gets zeros.
    """
    check_fits(query, key, value)
    return weighted_mean(masked_weights(query, key, mask), value)  # (..., queries, value_features)


def scaled_dot_product_attention(query, key, value):
    """Return attention where every query may look at every key.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features).
    """
    return masked_attention(query, key, value)


def causal_attention(query, key, value):
    """Return attention that never looks ahead: the last query lines up with the last key.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features)
    -> (..., queries, value_features), with queries <= keys.
    """
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2], like=query))
