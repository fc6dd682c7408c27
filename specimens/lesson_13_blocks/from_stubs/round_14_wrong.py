"""Wrong answers to lesson 13 (round 14)."""

import torch
from mha_ref import attention_scores, softmax


def log_sum_exp__1(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    rest = torch.nan_to_num((scores - top).exp()).sum(dim=axis)
    return torch.nan_to_num(top.squeeze(axis) + rest.log())


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    total = lse_a + lse_b
    share = (lse_a / total)[..., None]
    lse = torch.logaddexp(lse_a, lse_b)
    return share * output_a + (1 - share) * output_b, lse


def merge_attention__2(output_a, lse_a, output_b, lse_b):
    shares = torch.stack((lse_a, lse_b), dim=-1)
    empty = torch.isneginf(shares)
    none = empty.all(dim=-1, keepdim=True)
    shares = torch.where(none, 0, shares).softmax(dim=-1).masked_fill(empty, 0)
    outputs = torch.stack((output_a, output_b), dim=-1).masked_fill(empty.unsqueeze(-2), 0)
    return (outputs * shares.unsqueeze(-2)).sum(dim=-1), lse_a + lse_b


def attention_in_blocks__1(query, key, value, block, causal=False):
    n, m = query.shape[-2], key.shape[-2]
    parts = []
    for k, v, i in zip(key.split(block, -2), value.split(block, -2), range(0, m, block)):
        scores = attention_scores(query, k)
        if causal:
            future = torch.arange(i, i + k.shape[-2]) > torch.arange(m - n, m)[:, None]
            scores = scores.masked_fill(future.to(scores.device), -1e9)
        parts.append(softmax(scores) @ v)
    return sum(parts) / len(parts)


def attention_in_blocks__2(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    positions = torch.arange(queries, device=query.device)[:, None]
    top = query.new_full((*query.shape[:-1], 1), -1e30)
    total = torch.zeros_like(top)
    mixed = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for start in range(0, keys, block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        scores = attention_scores(query, k)
        if causal:
            here = torch.arange(start, start + k.shape[-2], device=query.device)
            scores = scores.masked_fill(here > positions, -torch.inf)
        higher = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        old, new = (top - higher).exp(), (scores - higher).exp()
        total = total * old + new.sum(dim=-1, keepdim=True)
        mixed = mixed * old + new @ v
        top = higher
    return mixed / total


TRUTH = {
    "log_sum_exp__1": "nan_to_num also turns a result of -inf into the lowest float; a row of -inf should give -inf.",
    "merge_attention__1": "The shares are the log-sum-exps themselves, over their sum; it should be their exponentials.",
    "merge_attention__2": "The two log-sum-exps are added; their exponentials should be.",
    "attention_in_blocks__1": "Every block gets a softmax of its own, and the results are averaged with equal shares.",
    "attention_in_blocks__2": "The causal mask lines the first query up with the first key (no keys - queries), so with fewer queries too much is hidden.",
}
