"""The layers that learners write as classes, as pure functions of inputs and weights.

So the judge can bend them like every other reference, and a class inherits what is known of the functions in it.
Weights are (in, out), as in mha_ref.
"""

from array_api_compat import array_namespace

from mha_ref import attend_by_heads, masked_weights, mix_heads, project, split_heads


def default_sequences(query, key=None, value=None):
    """Keys come from the query's sequence, and values from that of the keys, unless there are others.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size) or None -> all three.
    """
    key = query if key is None else key
    return query, key, key if value is None else value


def add_biases(query, key, value, b_query=None, b_key=None, b_value=None):
    """Each projection has a bias of its own, or none has.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size); b_query, b_key, b_value: (model_size)
    -> all three.
    """
    return (query, key, value) if b_query is None else (query + b_query, key + b_key, value + b_value)


def add_output_bias(mixed, b_output=None):
    """The last projection's bias, where there is one. mixed: (batch, queries, model_size) -> the same."""
    return mixed if b_output is None else mixed + b_output


def give_weights(out, weights):
    """The output and, beside it, the weights of every head: (batch, heads, queries, keys)."""
    return out, weights


def returned_weights(query, key, heads, mask=None):
    """What each head makes of its queries and keys: (batch, heads, queries, keys)."""
    return masked_weights(split_heads(query, heads), split_heads(key, heads), mask)


def multi_head_layer(
    query,
    heads,
    w_query,
    w_key,
    w_value,
    w_output,
    key=None,
    value=None,
    mask=None,
    return_weights=False,
    b_query=None,
    b_key=None,
    b_value=None,
    b_output=None,
):
    """What `MultiHeadAttention` computes.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size);
    w_query, w_key, w_value, w_output: (model_size, model_size); b_query, b_key, b_value, b_output: (model_size);
    mask: broadcastable to (batch, heads, queries, keys) -> (batch, queries, model_size).
    """
    query, key, value = default_sequences(query, key, value)
    projected = project(query, key, value, w_query, w_key, w_value)
    query, key, value = add_biases(*projected, b_query, b_key, b_value)
    out = add_output_bias(mix_heads(attend_by_heads(query, key, value, heads, mask), w_output), b_output)
    if not return_weights:
        return out
    return give_weights(out, returned_weights(query, key, heads, mask))


def normalise(x):
    """Layer normalisation: each token gets mean 0 and variance 1 over its features.

    x: (..., tokens, model_size) -> (..., tokens, model_size).
    Source: Ba, Kiros, Hinton, Layer normalization (2016).
    """
    xp = array_namespace(x)
    centred = x - xp.mean(x, axis=-1, keepdims=True)
    return centred / xp.sqrt(xp.mean(centred**2, axis=-1, keepdims=True) + 1e-5)


def feed_forward(x, w_widen, b_widen, w_narrow, b_narrow):
    """Each token by itself: wider, what is negative to zero, and back.

    x: (..., tokens, model_size); w_widen: (model_size, hidden_size), b_widen: (hidden_size);
    w_narrow: (hidden_size, model_size), b_narrow: (model_size) -> (..., tokens, model_size).
    """
    wide = x @ w_widen + b_widen
    return wide * (wide > 0) @ w_narrow + b_narrow


def add_back(x, change):
    """The residual connection: what a part found is added to what was there.

    x, change: (batch, tokens, model_size) -> (batch, tokens, model_size).
    """
    return x + change


def by_name(weights, biases):
    """The weights and biases of four projections, by the names of a layer's parameters."""
    names = ("query", "key", "value", "output")
    return {f"w_{n}": w for n, w in zip(names, weights)} | {f"b_{n}": b for n, b in zip(names, biases)}


def attend_to_itself(x, heads, weights, biases, mask=None):
    """Multi-head self-attention. x: (batch, tokens, model_size) -> the same; weights, biases: of the projections."""
    return multi_head_layer(query=x, heads=heads, mask=mask, **by_name(weights, biases))


def attend_to_memory(x, memory, heads, weights, biases, mask=None):
    """Multi-head cross-attention. x: (batch, tokens, model_size) -> the same; weights, biases: of the projections."""
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
    """What `DecoderLayer` computes.

    x: (batch, targets, model_size), memory: (batch, sources, model_size);
    self_weights, cross_weights: (4, model_size, model_size); self_biases, cross_biases: (4, model_size);
    w_widen: (model_size, hidden_size), b_widen: (hidden_size); w_narrow: (hidden_size, model_size),
    b_narrow: (model_size); self_mask: broadcastable to (batch, heads, targets, targets),
    memory_mask: broadcastable to (batch, heads, targets, sources) -> (batch, targets, model_size).
    """
    x = add_back(x, attend_to_itself(normalise(x), heads, self_weights, self_biases, self_mask))
    x = add_back(x, attend_to_memory(normalise(x), memory, heads, cross_weights, cross_biases, memory_mask))
    return add_back(x, feed_forward(normalise(x), w_widen, b_widen, w_narrow, b_narrow))
