"""Wrong answers to lesson 13 (round 11)."""

import math

import torch


def log_sum_exp__1(scores, axis=-1):
    m = scores.max(dim=axis, keepdim=True).values
    s = (scores - m).exp().sum(dim=axis, keepdim=True)
    return (m + s.log()).squeeze(axis)


def log_sum_exp__2(scores, axis=-1):
    m = torch.amax(scores, dim=axis, keepdim=True)
    m = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    return torch.log(torch.sum(torch.exp(scores - m), dim=axis))


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    position = torch.arange(keys - queries, keys)
    total, weight = 0, 0
    for first in range(0, keys, block):
        k, v = key[..., first : first + block, :], value[..., first : first + block, :]
        scores = query @ k.mT / math.sqrt(query.shape[-1])
        if causal:
            hidden = torch.arange(first, first + k.shape[-2]) > position[:, None]
            scores = scores.masked_fill(hidden, -1e9)
        # each block counts by how many keys it has
        total = total + torch.softmax(scores, dim=-1) @ v * k.shape[-2]
        weight = weight + k.shape[-2]
    return total / weight


def attention_in_blocks__2(query, key, value, block, causal=False):
    *front, queries, features = query.shape
    keys = key.shape[-2]
    result = query.new_zeros(*front, queries, value.shape[-1])
    total = query.new_zeros(*front, queries, 1)
    for start in range(0, keys, block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        scores = query @ k.transpose(-1, -2) / features**0.5
        if causal:
            q_at = torch.arange(queries).unsqueeze(1)
            k_at = torch.arange(start, start + k.shape[-2])
            scores = scores.masked_fill(k_at > q_at + keys - queries, -torch.inf)
        e = torch.exp(scores)
        result = result + e @ v
        total = total + e.sum(dim=-1, keepdim=True)
    return result / total


TRUTH = {
    "log_sum_exp__1": "a row of minus infinity alone: -inf - -inf is NaN",
    "log_sum_exp__2": "the maximum that was subtracted is not added again",
    "attention_in_blocks__1": "a mean of the blocks' results by their number of keys: the blocks' own sums of exponentials are what counts; a block hidden by causal counts too",
    "attention_in_blocks__2": "no maximum is subtracted: exp overflows, or vanishes for rows far below zero",
}
