"""Wrong answers to lesson 13 (round 18)."""

import torch

from mha_ref import attention_scores, masked_softmax


def log_sum_exp__1(scores, axis=-1):
    top = scores.max()
    if top == float("-inf"):
        top = torch.zeros_like(top)
    return top + torch.log(torch.sum(torch.exp(scores - top), dim=axis))


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    empty_a, empty_b = lse_a == float("-inf"), lse_b == float("-inf")
    output_a = output_a.masked_fill(empty_a[..., None], 0.0)
    output_b = output_b.masked_fill(empty_b[..., None], 0.0)
    top = torch.maximum(lse_a, lse_b)
    top = top.masked_fill(empty_a & empty_b, 0.0)
    share_a = torch.exp(lse_a - top)
    share_b = torch.exp(lse_b - top)
    output = share_a[..., None] * output_a + share_b[..., None] * output_b
    lse = top + torch.log(share_a + share_b)
    return output, lse


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    at = torch.arange(queries, device=query.device) + keys - queries
    largest = torch.full_like(query[..., :1], float("-inf"))
    total = torch.zeros_like(query[..., :1])
    mixed = 0.0
    for start in range(0, keys, block):
        k = key[..., start : start + block, :]
        v = value[..., start : start + block, :]
        scores = attention_scores(query, k)
        if causal:
            where = torch.arange(start, start + k.shape[-2], device=query.device)
            scores = scores.masked_fill(where[None, :] > at[:, None], float("-inf"))
        largest = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
        e = torch.exp(scores - largest)
        total = total + e.sum(dim=-1, keepdim=True)
        mixed = mixed + e @ v
    return mixed / total


def attention_in_blocks__2(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    summed, seen = 0.0, 0.0
    for start in range(0, keys, block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        position = torch.arange(start, start + k.shape[-2], device=query.device)
        own = torch.arange(keys - queries, keys, device=query.device)
        if causal:
            allowed = position[None, :] <= own[:, None]
        else:
            allowed = torch.ones(queries, k.shape[-2], dtype=torch.bool, device=query.device)
        summed = summed + masked_softmax(attention_scores(query, k), allowed) @ v
        seen = seen + allowed.any(dim=-1, keepdim=True).to(query.dtype)
    return summed / seen


TRUTH = {
    "log_sum_exp__1": 'Subtracts one maximum of the whole tensor instead of the maximum of each row, so a row far below the largest score vanishes to -inf.',
    "merge_attention__1": 'Forgets to divide the shares exp(lse - max) by their sum, so the shares of the two parts do not sum to 1 and the output is too large.',
    "attention_in_blocks__1": 'When a later block brings a larger maximum, the sums from the blocks before are not rescaled to it, so early blocks count too much.',
    "attention_in_blocks__2": "Each block gets a softmax of its own and the blocks' outputs are averaged with equal shares, as if every block had the same sum of exponentials.",
}
