"""Wrong answers to lesson 11 (round 19)."""

import math

import torch

from autograder.outline import ours
from mha_ref import attention_scores, masked_softmax, repeat_heads, scale, softmax

causal_mask = ours("causal_mask")  # in a lesson in torch: a tensor


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    scores = attention_scores(query, key)
    mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
    return masked_softmax(scores, mask) @ value, key, value


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    keys = key if past_key is None else torch.cat((past_key, key), dim=-2)
    values = value if past_value is None else torch.cat((past_value, value), dim=-2)
    weights = softmax(attention_scores(query, keys))  # all of the past is allowed: no mask
    return weights @ values, keys, values


def attend_with_cache__3(query, key, value, past_key=None, past_value=None):
    all_keys, all_values = key, value
    if past_key is not None:
        all_keys = torch.cat([past_key, key], dim=-2)
        all_values = torch.cat([past_value, value], dim=-2)
    new, total = query.shape[-2], all_keys.shape[-2]
    allowed = causal_mask(new, total).to(query.device)
    weights = masked_softmax(attention_scores(query, all_keys), allowed)
    return weights @ all_values, key, value


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    total = 0
    for kept in range(1, tokens + 1):
        total += 2 * layers * kept * kv_heads * head_size * batch * bytes_per_number
    return total


def cache_bytes__2(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    numbers = layers * batch * tokens * kv_heads * head_size
    numbers *= 2  # keys and values
    return numbers * bytes_per_number / 1024**2


def repeat_heads__1(x, repeats):
    copies = [x for _ in range(repeats)]
    return torch.cat(copies, dim=-3)


def repeat_heads__2(x, repeats):
    return torch.repeat_interleave(x, 1 + repeats, dim=-3)


def grouped_query_attention__1(query, key, value, mask=None):
    heads, kv_heads = query.shape[1], key.shape[1]
    which = torch.arange(heads, device=query.device) % kv_heads
    key, value = key[:, which], value[:, which]
    scores = attention_scores(query, key)
    if mask is None:
        return softmax(scores) @ value
    return masked_softmax(scores, mask) @ value


def grouped_query_attention__2(query, key, value, mask=None):
    repeats = query.shape[1] // key.shape[1]
    key = repeat_heads(key, repeats)
    value = repeat_heads(value, repeats)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    return scores.softmax(dim=-1) @ value


def grouped_query_attention__3(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    repeats = heads // key.shape[1]
    scale = (heads * features) ** -0.5
    scores = query @ repeat_heads(key, repeats).transpose(-2, -1) * scale
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    return masked_softmax(scores, mask) @ repeat_heads(value, repeats)


TRUTH = {
    "attend_with_cache__1": 'The causal mask lines up the first new token with the oldest key, so after a past no new token sees itself.',
    "attend_with_cache__2": 'Nothing is masked, so of several new tokens in one call the earlier ones see the later ones.',
    "attend_with_cache__3": 'Only the new keys and values are returned instead of all so far, so the next call has forgotten the older ones.',
    "cache_bytes__1": 'It adds up the cache of every step from the first token to the last, although each token is kept once and the cache only grows.',
    "cache_bytes__2": 'The result is divided by 1024 squared, so it is in mebibytes and not in bytes.',
    "repeat_heads__1": 'The whole list of heads is repeated one after the other (0, 1, 0, 1) instead of each head right after itself (0, 0, 1, 1).',
    "repeat_heads__2": 'Each head gets `repeats` copies in addition to itself, so it appears repeats + 1 times in the result.',
    "grouped_query_attention__1": 'Query head h uses key-value head h modulo kv_heads, so it is not neighbouring heads that share keys and values.',
    "grouped_query_attention__2": 'Blocked scores become -1e9 before an ordinary softmax, so a query whose keys are all blocked gets the mean of all values instead of zeros.',
    "grouped_query_attention__3": 'The scores are divided by the root of heads times features instead of by the root of features, so the weights are too even.',
}
