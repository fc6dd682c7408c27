"""The decoder layer of lesson 07 as a pure function of its inputs and weights, like every other reference.

Weights are (in, out), as in mha_ref.
"""

from array_api_compat import array_namespace

from mha_lessons.lesson_06_batched_multi_head.functional import multi_head_layer


def normalise(x):
    """Give each token mean 0 and variance 1 over its features: layer normalisation.

    x: (..., tokens, model_size) -> (..., tokens, model_size).
    Source: Ba, Kiros, Hinton, Layer normalization (2016).
    """
    xp = array_namespace(x)
    centred = x - xp.mean(x, axis=-1, keepdims=True)
    return centred / xp.sqrt(xp.mean(centred**2, axis=-1, keepdims=True) + 1e-5)


def feed_forward(x, w_widen, b_widen, w_narrow, b_narrow):
    """Make each token wider, set what is negative to zero, and make it narrow again.

    x: (..., tokens, model_size); w_widen: (model_size, hidden_size), b_widen: (hidden_size);
    w_narrow: (hidden_size, model_size), b_narrow: (model_size) -> (..., tokens, model_size).
    """
    wide = x @ w_widen + b_widen  # (..., tokens, hidden_size)
    return wide * (wide > 0) @ w_narrow + b_narrow  # (..., tokens, model_size)


def add_back(x, change):
    """Add what a part found to what was there: the residual connection.

    x, change: (batch, tokens, model_size) -> (batch, tokens, model_size).
    """
    return x + change


def by_name(weights, biases):
    """Return the weights and biases of four projections by the names of a layer's parameters."""
    names = ("query", "key", "value", "output")
    return {f"w_{n}": w for n, w in zip(names, weights)} | {f"b_{n}": b for n, b in zip(names, biases)}


def attend_to_itself(x, heads, weights, biases, mask=None):
    """Attend to itself with several heads. x: (batch, tokens, model_size) -> the same; weights, biases: four each."""
    return multi_head_layer(query=x, heads=heads, mask=mask, **by_name(weights, biases))


def attend_to_memory(x, memory, heads, weights, biases, mask=None):
    """Attend to the memory with several heads. x: (batch, tokens, model_size) -> the same; weights, biases: four."""
    return multi_head_layer(query=x, heads=heads, key=memory, mask=mask, **by_name(weights, biases))


def decoder_layer(
    x,
    memory,
    heads,
    self_weights,
    self_biases,
    cross_weights,
    cross_biases,
    w_widen,
    b_widen,
    w_narrow,
    b_narrow,
    self_mask=None,
    memory_mask=None,
):
    """Compute what `DecoderLayer` computes.

    x: (batch, targets, model_size), memory: (batch, sources, model_size);
    self_weights, cross_weights: (4, model_size, model_size); self_biases, cross_biases: (4, model_size);
    w_widen: (model_size, hidden_size), b_widen: (hidden_size); w_narrow: (hidden_size, model_size),
    b_narrow: (model_size); self_mask: broadcastable to (batch, heads, targets, targets),
    memory_mask: broadcastable to (batch, heads, targets, sources) -> (batch, targets, model_size).
    """
    x = add_back(x, attend_to_itself(normalise(x), heads, self_weights, self_biases, self_mask))
    x = add_back(x, attend_to_memory(normalise(x), memory, heads, cross_weights, cross_biases, memory_mask))
    return add_back(x, feed_forward(normalise(x), w_widen, b_widen, w_narrow, b_narrow))
