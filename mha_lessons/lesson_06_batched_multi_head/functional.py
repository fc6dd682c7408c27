"""The layer of lesson 06 as a pure function of its inputs and weights, like every other reference.

So misconceptions about its steps are found in it, and a class inherits what is known of the functions in it.
Weights are (in, out), as in mha_ref.
"""

from mha_ref import attend_by_heads, masked_weights, mix_heads, project, split_heads


def default_sequences(query, key=None, value=None):
    """Take keys from the query's sequence, and values from that of the keys, unless there are others.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size) or None -> all three.
    """
    key = query if key is None else key
    return query, key, key if value is None else value


def add_biases(query, key, value, b_query=None, b_key=None, b_value=None):
    """Add a bias to each projection, or none to any.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size); b_query, b_key, b_value: (model_size)
    -> all three.
    """
    return (query, key, value) if b_query is None else (query + b_query, key + b_key, value + b_value)


def add_output_bias(mixed, b_output=None):
    """Add the last projection's bias, where there is one. mixed: (batch, queries, model_size) -> the same."""
    return mixed if b_output is None else mixed + b_output


def give_weights(out, weights):
    """Return the output and, beside it, the weights of every head: (batch, heads, queries, keys)."""
    return out, weights


def returned_weights(query, key, heads, mask=None):
    """Return what each head makes of its queries and keys: (batch, heads, queries, keys)."""
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
    """Compute what `MultiHeadAttention` computes.

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
