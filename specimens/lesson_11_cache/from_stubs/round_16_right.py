"""Right answers to lesson 11 (round 16)."""

import math

import torch
from mha_ref import masked_softmax



def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    keys = torch.cat([k for k in (past_key, key) if k is not None], dim=-2)
    values = torch.cat([v for v in (past_value, value) if v is not None], dim=-2)
    new = query.shape[-2]
    past = keys.shape[-2] - new
    rows = []
    for n in range(new):
        seen = slice(0, past + n + 1)
        scores = query[..., n : n + 1, :] @ keys[..., seen, :].transpose(-2, -1)
        weights = (scores / query.shape[-1] ** 0.5).softmax(dim=-1)
        rows.append(weights @ values[..., seen, :])
    return torch.cat(rows, dim=-2), keys, values


def repeat_heads__1(x, repeats):
    copies = torch.arange(x.shape[-3] * repeats, device=x.device)
    return x.index_select(x.dim() - 3, copies // repeats)


def grouped_query_attention__1(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    kv_heads, keys = key.shape[1], key.shape[2]
    grouped = query.reshape(batch, kv_heads, heads // kv_heads, queries, features)
    scores = torch.einsum("bngqf,bnkf->bngqk", grouped, key) / math.sqrt(features)
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        allowed = torch.broadcast_to(mask, (batch, heads, queries, keys)).reshape(scores.shape)
        weights = masked_softmax(scores, allowed)
    return torch.einsum("bngqk,bnkv->bngqv", weights, value).flatten(1, 2)


WHY = {
    "attend_with_cache__1": 'Needs no mask: each new token attends to a slice of the keys that ends with itself.',
    "repeat_heads__1": 'Picks the heads with an index made by floor division.',
    "grouped_query_attention__1": 'Repeats nothing: the queries get a group axis, and einsum shares keys and values along it.',
}
