"""Wrong answers to lesson 13 (round 19)."""

import math

import torch

from mha_ref import attention_scores, log_sum_exp, masked_softmax, merge_attention


def log_sum_exp__1(scores, axis=-1):
    top = scores.max().detach()
    if top == -math.inf:
        top = torch.zeros_like(top)
    total = (scores - top).exp().sum(dim=axis)
    some = total > 0
    safe = torch.where(some, total, 1.0)
    return torch.where(some, safe.log() + top, -math.inf)


def log_sum_exp__2(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    total = torch.exp(scores - top).sum(dim=axis, keepdim=True)
    return (top + torch.log(total)).squeeze(axis)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    none_a, none_b = lse_a == -math.inf, lse_b == -math.inf
    raw_a = torch.where(none_a, 0.0, torch.where(none_b, 1.0, lse_a))
    raw_b = torch.where(none_b, 0.0, torch.where(none_a, 1.0, lse_b))
    total = raw_a + raw_b
    total = torch.where(total == 0, 1.0, total)
    output_a = torch.where(none_a[..., None], 0.0, output_a)
    output_b = torch.where(none_b[..., None], 0.0, output_b)
    output = (raw_a / total)[..., None] * output_a + (raw_b / total)[..., None] * output_b
    return output, lse


def merge_attention__2(output_a, lse_a, output_b, lse_b):
    top = torch.maximum(lse_a, lse_b)
    top = torch.where(top == -math.inf, 0.0, top)
    a, b = torch.exp(lse_a - top), torch.exp(lse_b - top)
    total = a + b
    divisor = torch.where(total == 0, 1.0, total)
    output = (a / divisor)[..., None] * output_a + (b / divisor)[..., None] * output_b
    return output, top + torch.log(total)


def merge_attention__3(output_a, lse_a, output_b, lse_b):
    empty_a, empty_b = torch.isneginf(lse_a), torch.isneginf(lse_b)
    safe_a = lse_a.masked_fill(empty_a, 0.0)
    safe_b = lse_b.masked_fill(empty_b, 0.0)
    share_a = torch.sigmoid(safe_a - safe_b)
    share_a = share_a.masked_fill(empty_b, 1.0).masked_fill(empty_a, 0.0)
    share_b = torch.sigmoid(safe_b - safe_a)
    share_b = share_b.masked_fill(empty_a, 1.0).masked_fill(empty_b, 0.0)
    output_a = output_a.masked_fill(empty_a[..., None], 0.0)
    output_b = output_b.masked_fill(empty_b[..., None], 0.0)
    output = share_a[..., None] * output_a + share_b[..., None] * output_b
    lse = (safe_a + safe_b).masked_fill(empty_a & empty_b, -math.inf)
    return output, lse


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])
    lse = query.new_full(query.shape[:-1], -math.inf)
    position = torch.arange(queries, device=query.device)[:, None] + keys - queries
    for start in range(0, keys, block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        scores = attention_scores(query, k)
        if causal:
            mask = torch.arange(k.shape[-2], device=query.device) <= position
        else:
            mask = torch.ones(queries, k.shape[-2], dtype=torch.bool, device=query.device)
        part = masked_softmax(scores, mask) @ v
        part_lse = log_sum_exp(scores.masked_fill(~mask, -math.inf))
        output, lse = merge_attention(output, lse, part, part_lse)
    return output


def attention_in_blocks__2(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    block = min(block, keys)
    own = torch.arange(keys - queries, keys, device=query.device)[:, None]
    output = torch.zeros(*query.shape[:-1], value.shape[-1], dtype=query.dtype, device=query.device)
    lse = torch.full(query.shape[:-1], -math.inf, dtype=query.dtype, device=query.device)
    for number in range(keys // block):
        part = slice(number * block, (number + 1) * block)
        scores = attention_scores(query, key[..., part, :])
        mask = torch.ones(queries, block, dtype=torch.bool, device=query.device)
        if causal:
            mask = torch.arange(part.start, part.stop, device=query.device) <= own
        result = masked_softmax(scores, mask) @ value[..., part, :]
        result_lse = log_sum_exp(scores.masked_fill(~mask, -math.inf))
        output, lse = merge_attention(output, lse, result, result_lse)
    return output


def attention_in_blocks__3(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    place = torch.arange(keys - queries, keys, device=query.device)[:, None]
    top = query.new_full((*query.shape[:-1], 1), -math.inf)
    total, mixed = 0.0, 0.0
    for start in range(0, keys, block):
        stop = min(start + block, keys)
        scores = attention_scores(query, key[..., start:stop, :])
        if causal:
            later = torch.arange(start, stop, device=query.device) > place
            scores = scores.masked_fill(later, -math.inf)
        top = torch.maximum(top, scores.amax(dim=-1, keepdim=True).detach())
        exps = torch.exp(scores - top)
        total = total + exps.sum(dim=-1, keepdim=True)
        mixed = mixed + exps @ value[..., start:stop, :]
    return mixed / total


TRUTH = {
    "log_sum_exp__1": 'The maximum of the whole tensor is subtracted instead of that of each row, so a row far below the largest score vanishes and becomes -inf.',
    "log_sum_exp__2": 'A row whose scores are all -inf has a maximum of -inf, and -inf minus -inf is NaN, so the result is NaN instead of -inf.',
    "merge_attention__1": 'The outputs are weighted in proportion to the log-sum-exps themselves instead of to their exponentials.',
    "merge_attention__2": 'The output of an empty part is only multiplied by a weight of 0, and 0 times NaN is NaN, so an empty part whose output is NaN spoils the result.',
    "merge_attention__3": 'The two log-sum-exps are added, which is the logarithm of the product of the sums and not of their sum.',
    "attention_in_blocks__1": 'The causal mask of a block counts its keys from 0 again, so queries see keys of later blocks that come after them.',
    "attention_in_blocks__2": 'The number of blocks is rounded down, so the keys left over after the last full block are never looked at.',
    "attention_in_blocks__3": 'When a block raises the running maximum, the sums of the blocks before are not scaled down, so older keys weigh too much.',
}
