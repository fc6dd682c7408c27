"""The way back through attention: for each step forward, what it makes of the gradient that arrives at its result."""

from array_api_compat import array_namespace

from .attention import masked_weights, scale
from .checks import check_fits


def weighted_mean_backward(weights, values, grad_output):
    """Return the gradients of the weights and of the values, where that of their weighted means is `grad_output`.

    weights: (..., queries, keys), values: (..., keys, features), grad_output: (..., queries, features)
    -> (..., queries, keys), then (..., keys, features).
    """
    return grad_output @ values.mT, weights.mT @ grad_output  # (..., queries, keys), (..., keys, features)


def softmax_backward(weights, grad_output):
    """Return the gradient of the scores, where that of softmax's weights is `grad_output`.

    weights: (..., queries, keys), grad_output: (..., queries, keys) -> (..., queries, keys).
    Each weight moves with its own score, and against the weighted mean of the row.
    Source: Bridle, Probabilistic interpretation of feedforward classification network outputs (1990).
    """
    mean = array_namespace(weights).sum(weights * grad_output, axis=-1, keepdims=True)  # (..., queries, 1)
    return weights * (grad_output - mean)  # (..., queries, keys)


def scale_backward(grad_output, features):
    """Return the gradient of what was divided by √features: divided as well.

    grad_output: (..., queries, keys) -> (..., queries, keys).
    """
    return scale(grad_output, features)


def similarity_backward(query, key, grad_output):
    """Return the gradients of queries and keys, where that of their dot products is `grad_output`.

    query: (..., queries, features), key: (..., keys, features), grad_output: (..., queries, keys)
    -> (..., queries, features), then (..., keys, features).
    """
    return grad_output @ key, grad_output.mT @ query  # (..., queries, features), (..., keys, features)


def attention_backward(query, key, value, grad_output, mask=None):
    """Return the gradients of query, key and value, where that of attention's output is `grad_output`.

    query: (..., queries, features), key: (..., keys, features), value: (..., keys, value_features),
    grad_output: (..., queries, value_features)
    -> (..., queries, features), then (..., keys, features), then (..., keys, value_features).
    The axes in front are the same for all. A query with no allowed key gets zeros.
    Source: Dao et al., FlashAttention (2022), appendix B.2.
    """
    check_fits(query, key, value)
    weights = masked_weights(query, key, mask)  # (..., queries, keys)
    grad_weights, grad_value = weighted_mean_backward(weights, value, grad_output)
    grad_scores = scale_backward(softmax_backward(weights, grad_weights), query.shape[-1])  # (..., queries, keys)
    grad_query, grad_key = similarity_backward(query, key, grad_scores)
    return grad_query, grad_key, grad_value
