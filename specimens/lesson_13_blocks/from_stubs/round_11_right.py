"""Right answers to lesson 13 (round 11)."""

import torch


def attention_in_blocks__1(query, key, value, block, causal=False):
    query = query / query.shape[-1] ** 0.5
    queries, keys = query.shape[-2], key.shape[-2]
    m = query.new_full(query.shape[:-1], -torch.inf)
    s = torch.zeros_like(m)
    out = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for k in range(keys):  # one key at a time is allowed too
        score = (query * key[..., None, k, :]).sum(-1)
        if causal:
            sees = torch.arange(keys - queries, keys) >= k
            score = torch.where(sees, score, -torch.inf)
        top = torch.maximum(m, score)
        safe = torch.where(torch.isinf(top), 0, top)
        old, new = (m - safe).exp(), (score - safe).exp()
        s = s * old + new
        out = out * old[..., None] + new[..., None] * value[..., None, k, :]
        m = top
    return out / s[..., None]


WHY = {"attention_in_blocks__1": "One key at a time, whatever the block, with a running maximum."}
