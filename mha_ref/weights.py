"""From scores to weights: softmax and its relatives."""

from array_api_compat import array_namespace


def shift(scores, axis):
    """Subtract the largest score along `axis`, so that exp cannot overflow.

    scores: (...) -> (...), the same shape; the largest becomes 0.
    Source: Goodfellow et al., Deep Learning (2016), section 4.1.
    """
    if scores.shape[axis] == 0:
        return scores
    return scores - array_namespace(scores).max(scores, axis=axis, keepdims=True)


def softmax(scores, axis=-1):
    """Return positive weights that sum to 1 along `axis`: exp(s) / sum(exp(s)).

    scores: (...) -> (...), the same shape.
    Source: Bridle, Probabilistic interpretation of feedforward classification network outputs (1990).
    """
    xp = array_namespace(scores)
    weights = xp.exp(shift(scores, axis))
    return weights / xp.sum(weights, axis=axis, keepdims=True)


def log_softmax(scores, axis=-1):
    """Return the logarithm of softmax, without ever taking the log of zero.

    scores: (...) -> (...), the same shape; s - log(sum(exp(s))), computed from shifted scores.
    """
    xp = array_namespace(scores)
    shifted = shift(scores, axis)
    return shifted - xp.log(xp.sum(xp.exp(shifted), axis=axis, keepdims=True))


def softmax_with_temperature(scores, temperature, axis=-1):
    """Return softmax of scores / temperature: below 1 more peaked, above 1 flatter.

    scores: (...) -> (...), the same shape; temperature: a number above 0, else ValueError.
    Source: Hinton, Vinyals, Dean, Distilling the knowledge in a neural network (2015), equation 1.
    """
    if not temperature > 0:  # so that NaN is refused too
        raise ValueError(f"temperature {temperature} must be above 0")
    return softmax(scores / temperature, axis)
