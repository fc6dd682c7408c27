"""Wrong answers to lesson 11 (round 14)."""

import torch
from autograder.outline import ours
from mha_ref import masked_attention

causal_mask = ours("causal_mask")  # as in the notebook: a tensor


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    mask = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool, device=query.device).tril()
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        new = query.shape[-2]
        return masked_attention(query, key, value, causal_mask(new, new).to(query.device)), key, value
    keys, values = torch.cat((past_key, key), -2), torch.cat((past_value, value), -2)
    return masked_attention(query, keys, values), keys, values


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    kept = tokens - 1
    return 2 * layers * batch * kept * kv_heads * head_size * bytes_per_number


def repeat_heads__1(x, repeats):
    return torch.cat([x] * repeats, dim=-3)


def grouped_query_attention__1(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    kv_heads = key.shape[1]
    q = query.view(batch, heads // kv_heads, kv_heads, queries, features)
    if mask is not None:
        mask = mask.expand(batch, heads, queries, key.shape[2]).reshape(batch, heads // kv_heads, kv_heads, queries, -1)
    out = masked_attention(q, key.unsqueeze(1).expand(-1, heads // kv_heads, -1, -1, -1), value.unsqueeze(1).expand(-1, heads // kv_heads, -1, -1, -1), mask)
    return out.reshape(batch, heads, queries, -1)


def grouped_query_attention__2(query, key, value, mask=None):
    group = query.shape[1] // key.shape[1]
    shape = (query.shape[0], query.shape[1], query.shape[2], key.shape[2])
    mask = torch.ones(shape, dtype=torch.bool, device=query.device) if mask is None else mask.expand(shape)
    outputs = []
    for kv in range(key.shape[1]):
        for h in range(group):
            allowed = mask[:, kv * group]
            outputs.append(masked_attention(query[:, kv * group + h], key[:, kv], value[:, kv], allowed))
    return torch.stack(outputs, dim=1)


TRUTH = {
    "attend_with_cache__1": "The triangle starts at the top left: the first new query sees only the oldest key.",
    "attend_with_cache__2": "Only the first call has a mask: several new tokens in a later call see those after them.",
    "cache_bytes__1": "It leaves out the newest token (tokens - 1); all tokens are kept.",
    "repeat_heads__1": "The order is 0, 1, 0, 1 and not 0, 0, 1, 1.",
    "grouped_query_attention__1": "It cuts heads into (group, kv_heads), so head h uses key-value head h % kv_heads, not its neighbour's.",
    "grouped_query_attention__2": "All query heads of a group use the mask of the first head in the group.",
}
