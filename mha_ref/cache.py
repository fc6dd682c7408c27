"""What is kept while a model writes, and heads that share it."""

from array_api_compat import array_namespace

from .attention import causal_attention, masked_attention


def append_tokens(past, new):
    """Return what was kept with the newest tokens behind it; `past` is None if nothing was kept.

    past: (..., past, features), new: (..., new, features) -> (..., past + new, features).
    """
    return new if past is None else array_namespace(new).concat([past, new], axis=-2)


def attend_with_cache(query, key, value, past_key=None, past_value=None):
    """Attend from the newest tokens to all tokens so far, and return the keys and values to keep.

    query: (..., new, features), key: (..., new, features), value: (..., new, value_features),
    past_key: (..., past, features), past_value: (..., past, value_features)
    -> (..., new, value_features), then (..., past + new, features), then (..., past + new, value_features).
    Source: Shazeer, Fast transformer decoding: one write-head is all you need (2019), section 2.3.
    """
    keys, values = append_tokens(past_key, key), append_tokens(past_value, value)
    return causal_attention(query, keys, values), keys, values


def repeat_heads(x, repeats):
    """Return each head several times in a row.

    x: (..., heads, tokens, features) -> (..., heads · repeats, tokens, features).
    """
    return array_namespace(x).repeat(x, repeats, axis=-3)


def grouped_query_attention(query, key, value, mask=None):
    """Attend in heads of which several neighbours share one head of keys and values.

    query: (..., heads, queries, features), key: (..., kv_heads, keys, features),
    value: (..., kv_heads, keys, value_features) -> (..., heads, queries, value_features).
    ValueError unless kv_heads divide heads.
    Source: Ainslie et al., GQA: training generalized multi-query transformer models (2023).
    """
    heads, kv_heads = query.shape[-3], key.shape[-3]
    if heads % kv_heads:
        raise ValueError(f"{heads} heads of queries do not divide among {kv_heads} heads of keys")
    key = repeat_heads(key, heads // kv_heads)  # (..., heads, keys, features)
    value = repeat_heads(value, heads // kv_heads)  # (..., heads, keys, value_features)
    return masked_attention(query, key, value, mask)


def cache_bytes(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    """Return the memory of all keys and values that are kept: one of each, in every layer, for every token.

    Source: Pope et al., Efficiently scaling transformer inference (2022), section 3.3.
    """
    return 2 * layers * batch * tokens * kv_heads * head_size * bytes_per_number
