"""Wrong answers to lesson 11 (round 11)."""

import torch
from mha_ref import masked_attention, masked_softmax


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).tril()
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    new = key.shape[-2]
    keys = key if past_key is None else torch.cat((past_key, key), -2)
    values = value if past_value is None else torch.cat((past_value, value), -2)
    mask = torch.arange(keys.shape[-2]) <= torch.arange(new)[:, None] + keys.shape[-2] - new
    output = masked_attention(query, keys, values, mask)
    return output, key, value


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    numbers = batch * layers * tokens * kv_heads * head_size
    return numbers * bytes_per_number


def cache_bytes__2(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    total = 0
    for kept in range(1, tokens + 1):  # every step keeps all tokens so far
        total += 2 * layers * kv_heads * head_size * kept * batch * bytes_per_number
    return total


def grouped_query_attention__1(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    groups = key.shape[1]
    q = query.view(batch, heads // groups, groups, queries, features)
    scores = torch.einsum("brgqf,bgkf->brgqk", q, key) / features**0.5
    scores = scores.reshape(batch, heads, queries, -1)
    if mask is None:
        mask = torch.ones(1, dtype=torch.bool)
    weights = masked_softmax(scores, mask).reshape(batch, heads // groups, groups, queries, -1)
    return torch.einsum("brgqk,bgkv->brgqv", weights, value).reshape(batch, heads, queries, -1)


def grouped_query_attention__2(query, key, value, mask=None):
    heads, kv_heads = query.shape[1], key.shape[1]
    all_heads = query.shape[:2] + (query.shape[2], key.shape[2])
    mask = torch.ones(all_heads, dtype=torch.bool) if mask is None else mask.expand(all_heads)
    results = []
    for head in range(heads):
        shared = head // kv_heads
        results.append(masked_attention(query[:, head], key[:, shared], value[:, shared], mask[:, head]))
    return torch.stack(results, dim=1)


TRUTH = {
    "attend_with_cache__1": "the mask lines up the first new token with the oldest key: new tokens do not see most of the past, nor themselves",
    "attend_with_cache__2": "only the new keys and values are returned: the past is lost for the next call",
    "cache_bytes__1": "keys or values are counted, not both",
    "cache_bytes__2": "adds up the caches after each step, though the last one replaces the others",
    "grouped_query_attention__1": "heads are dealt out: head h uses key-value head h modulo kv_heads, not its neighbours' one",
    "grouped_query_attention__2": "divides by the number of key-value heads where it should divide by the size of a group: the wrong head, or none that exists",
}
