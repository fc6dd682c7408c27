"""Several heads: project, split, attend, merge, mix.

Weights multiply from the right, y = x @ w; heads are consecutive blocks of columns.
Source: Vaswani et al., Attention is all you need (2017), section 3.2.2.
"""

from array_api_compat import array_namespace

from .attention import masked_attention
from .checks import check_alike, check_sequences, head_size_of


def project(query, key, value, w_query, w_key, w_value):
    """Return three learned views, each made by a matrix of its own.

    query: (..., queries, model_size); key, value: (..., keys, model_size); w_query, w_key, w_value: (model_size, size)
    -> (..., queries, size) and twice (..., keys, size).
    """
    return query @ w_query, key @ w_key, value @ w_value  # (..., queries, size), twice (..., keys, size)


def attention_head(x, w_query, w_key, w_value, mask=None):
    """Return one head of self-attention with learned projections.

    x: (..., tokens, model_size); w_query, w_key: (model_size, head_size); w_value: (model_size, value_size)
    -> (..., tokens, value_size).
    """
    check_alike(x=x, w_query=w_query, w_key=w_key, w_value=w_value, mask=mask)
    projected = project(x, x, x, w_query, w_key, w_value)  # three of (..., tokens, head_size or value_size)
    return masked_attention(*projected, mask)


def split_heads(x, heads):
    """Cut every token into consecutive blocks of columns, one for each head.

    x: (..., tokens, model_size) -> (..., heads, tokens, head_size); ValueError unless heads divide model_size.
    """
    *batch, tokens, model_size = x.shape
    xp = array_namespace(x)
    columns = xp.reshape(x, (*batch, tokens, heads, head_size_of(model_size, heads)))
    return xp.moveaxis(columns, -2, -3)  # (..., heads, tokens, head_size)


def merge_heads(x):
    """Put the heads' blocks side by side again.

    x: (..., heads, tokens, head_size) -> (..., tokens, heads · head_size).
    """
    *batch, heads, tokens, head_size = x.shape
    xp = array_namespace(x)
    return xp.reshape(xp.moveaxis(x, -3, -2), (*batch, tokens, heads * head_size))  # (..., tokens, model_size)


def concatenate_heads(*each):
    """Put the results of several heads side by side.

    each: (..., tokens, head_size), for every head one -> (..., tokens, heads · head_size).
    """
    return array_namespace(*each).concat(each, axis=-1)  # (..., tokens, heads · head_size)


def fuse_heads(weights):
    """Put the heads' matrices side by side, each a block of columns, so that one product projects into all heads.

    weights: (heads, model_size, head_size) -> (model_size, heads · head_size).
    """
    return merge_heads(weights)  # (model_size, heads · head_size): the rows of a matrix are its "tokens"


def mix_heads(merged, w_output):
    """Let the heads' results meet.

    merged: (..., tokens, heads · head_size), w_output: (heads · head_size, model_size) -> (..., tokens, model_size).
    """
    return merged @ w_output  # (..., tokens, model_size)


def multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask=None):
    """Return self-attention with several heads, one after another; their results are mixed side by side.

    x: (..., tokens, model_size); w_query, w_key, w_value: (heads, model_size, head_size);
    w_output: (heads · head_size, model_size); mask: broadcastable to (..., tokens, tokens), for every head the same
    -> (..., tokens, model_size).
    """
    check_alike(x=x, w_query=w_query, w_key=w_key, w_value=w_value, w_output=w_output, mask=mask)
    heads, model_size, size = w_query.shape
    head_size_of(model_size, heads, size)  # at least one
    each = []
    for head in range(heads):
        each.append(attention_head(x, w_query[head, ...], w_key[head, ...], w_value[head, ...], mask))
    return mix_heads(concatenate_heads(*each), w_output)


def attend_by_heads(query, key, value, heads, mask=None):
    """Split what is projected, let each head attend, and merge.

    query: (..., queries, model_size); key, value: (..., keys, model_size);
    mask: broadcastable to (..., heads, queries, keys) -> (..., queries, model_size).
    """
    each = masked_attention(split_heads(query, heads), split_heads(key, heads), split_heads(value, heads), mask)
    return merge_heads(each)  # (..., queries, model_size)


def multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Attend with several heads at once, each on its own block of columns, then mix.

    query: (batch, queries, model_size); key, value: (batch, keys, model_size);
    w_query, w_key, w_value, w_output: (model_size, model_size); mask: broadcastable to (batch, heads, queries, keys)
    -> (batch, queries, model_size).
    """
    check_sequences(query, key, value)
    weights = dict(w_query=w_query, w_key=w_key, w_value=w_value, w_output=w_output)
    check_alike(query=query, key=key, value=value, **weights, mask=mask)
    projected = project(query, key, value, w_query, w_key, w_value)
    return mix_heads(attend_by_heads(*projected, heads, mask), w_output)


def cross_attention(x, memory, w_query, w_key, w_value, w_output, heads, mask=None):
    """Attend with queries from one sequence to keys and values from another.

    x: (batch, queries, model_size), memory: (batch, keys, model_size);
    w_query, w_key, w_value, w_output: (model_size, model_size); mask: broadcastable to (batch, heads, queries, keys)
    -> (batch, queries, model_size).
    """
    return multi_head_attention(x, memory, memory, w_query, w_key, w_value, w_output, heads, mask)
