"""Right answers to lesson 11 (round 14)."""

import torch
from mha_ref import masked_attention
import torch.nn.functional as F


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    keys = key if past_key is None else torch.cat((past_key, key), dim=-2)
    values = value if past_value is None else torch.cat((past_value, value), dim=-2)
    past = keys.shape[-2] - query.shape[-2]
    mask = torch.ones(query.shape[-2], keys.shape[-2], dtype=torch.bool, device=query.device).tril(past)
    return F.scaled_dot_product_attention(query, keys, values, attn_mask=mask), keys, values


def grouped_query_attention__1(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    kv_heads, keys = key.shape[1:3]
    grouped = query.unflatten(1, (kv_heads, -1))
    if mask is not None:
        mask = mask.expand(batch, heads, queries, keys).unflatten(1, (kv_heads, -1))
    shared = [part.unsqueeze(2).expand(-1, -1, heads // kv_heads, -1, -1) for part in (key, value)]
    return masked_attention(grouped, *shared, mask).flatten(1, 2)


WHY = {
    "attend_with_cache__1": "It gives torch's fused attention a mask that lines up at the bottom right.",
    "grouped_query_attention__1": "The query heads of a group get an axis of their own; keys and values are broadcast to it.",
}
