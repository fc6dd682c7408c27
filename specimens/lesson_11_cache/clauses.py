"""Answers that break one clause of a docstring, and little else: clauses.toml says which."""

from mha_ref import attend_with_cache, cache_bytes, grouped_query_attention, repeat_heads


def attend_with_cache__knows_two_axes_only(query, key, value, past_key=None, past_value=None):
    _tokens, _features = query.shape
    return attend_with_cache(query, key, value, past_key, past_value)


def attend_with_cache__knows_four_axes_only(query, key, value, past_key=None, past_value=None):
    _batch, _heads, _tokens, _features = query.shape
    return attend_with_cache(query, key, value, past_key, past_value)


def attend_with_cache__wants_one_new_token(query, key, value, past_key=None, past_value=None):
    assert past_key is None or query.shape[-2] == 1
    return attend_with_cache(query, key, value, past_key, past_value)


def attend_with_cache__wants_several_new_tokens(query, key, value, past_key=None, past_value=None):
    assert query.shape[-2] > 1
    return attend_with_cache(query, key, value, past_key, past_value)


def attend_with_cache__wants_a_past(query, key, value, past_key=None, past_value=None):
    assert past_key is not None
    return attend_with_cache(query, key, value, past_key, past_value)


def cache_bytes__counts_in_32_bits(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return cache_bytes(layers, tokens, kv_heads, head_size, batch, bytes_per_number) % 2**32


def repeat_heads__wants_two_texts(x, repeats):
    assert x.ndim < 4 or len(x) > 1
    return repeat_heads(x, repeats)


def repeat_heads__wants_two_copies(x, repeats):
    assert repeats > 1
    return repeat_heads(x, repeats)


def grouped_query_attention__wants_two_texts(query, key, value, mask=None):
    assert len(query) > 1
    return grouped_query_attention(query, key, value, mask)


def grouped_query_attention__wants_two_queries(query, key, value, mask=None):
    assert query.shape[-2] > 1
    return grouped_query_attention(query, key, value, mask)


def grouped_query_attention__wants_two_heads_of_keys(query, key, value, mask=None):
    assert key.shape[-3] > 1
    return grouped_query_attention(query, key, value, mask)
