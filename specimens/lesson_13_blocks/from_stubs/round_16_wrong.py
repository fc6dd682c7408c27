"""Wrong answers to lesson 13 (round 16)."""

import math

import torch
from mha_ref import attention_scores, log_sum_exp, merge_attention



def nothing_yet(query, value):
    """Attention to no keys at all: an output of zeros, and a log-sum-exp of minus infinity."""
    output = query.new_zeros(*query.shape[:-1], value.shape[-1])  # (..., queries, value_features)
    return output, query.new_full(query.shape[:-1], -math.inf)  # (..., queries)


def log_sum_exp__1(scores, axis=-1):
    return torch.log(torch.exp(scores).sum(dim=axis))


def log_sum_exp__2(scores, axis=-1):
    largest = scores.max(dim=axis, keepdim=True).values
    total = (scores - largest).exp().sum(dim=axis)
    return total.log() + largest.squeeze(axis)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    lse = lse_a + lse_b
    share_a = (lse_a / lse).unsqueeze(-1)
    share_b = (lse_b / lse).unsqueeze(-1)
    return share_a * output_a + share_b * output_b, lse


def merge_attention__2(output_a, lse_a, output_b, lse_b):
    sum_a, sum_b = lse_a.exp(), lse_b.exp()
    total = sum_a + sum_b
    mixed = (sum_a[..., None] * output_a + sum_b[..., None] * output_b) / total[..., None]
    mixed = torch.where((total == 0)[..., None], torch.zeros_like(mixed), mixed)
    return mixed, total.log()


def merge_attention__3(output_a, lse_a, output_b, lse_b):
    largest = torch.maximum(lse_a, lse_b)
    largest = torch.where(largest == -math.inf, torch.zeros_like(largest), largest).detach()
    share_a, share_b = torch.exp(lse_a - largest), torch.exp(lse_b - largest)
    total = share_a + share_b
    empty = total == 0
    total = torch.where(empty, torch.ones_like(total), total)
    output = (share_a[..., None] * output_a + share_b[..., None] * output_b) / total[..., None]
    lse = torch.where(empty, torch.full_like(total, -math.inf), total.log() + largest)
    return output, lse


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    own = torch.arange(queries, device=query.device)[:, None] + keys - queries
    total, count = 0, 0
    for start in range(0, keys, block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        scores = query @ k.transpose(-1, -2) / math.sqrt(query.shape[-1])
        seen = torch.ones(queries, k.shape[-2], dtype=torch.bool, device=query.device)
        if causal:
            seen = torch.arange(start, start + k.shape[-2], device=query.device) <= own
        weights = torch.softmax(scores.masked_fill(~seen, -1e30), dim=-1) * seen
        some = seen.any(dim=-1, keepdim=True).to(query.dtype)
        total = total + weights @ v
        count = count + some
    return total / count


def attention_in_blocks__2(query, key, value, block, causal=False):
    output, lse = nothing_yet(query, value)
    queries = query.shape[-2]
    for start in range(0, key.shape[-2], block):
        k = key[..., start : start + block, :]
        v = value[..., start : start + block, :]
        scores = attention_scores(query, k)
        if causal:
            size = k.shape[-2]
            mask = torch.ones(queries, size, dtype=torch.bool, device=query.device).tril(size - queries)
            scores = scores.masked_fill(~mask, -math.inf)
        part_lse = log_sum_exp(scores)
        safe = torch.where(part_lse == -math.inf, torch.zeros_like(part_lse), part_lse)
        part = torch.exp(scores - safe[..., None]) @ v
        output, lse = merge_attention(output, lse, part, part_lse)
    return output


TRUTH = {
    "log_sum_exp__1": 'Does not subtract the maximum, so large scores overflow to inf and scores far below 0 vanish to -inf.',
    "log_sum_exp__2": 'Subtracts the maximum even where it is -inf; -inf - (-inf) is NaN, so a row of -inf gives NaN instead of -inf.',
    "merge_attention__1": 'Weights the outputs by the log-sum-exps themselves instead of by their exponentials, and adds the logs, which multiplies the sums instead of adding them.',
    "merge_attention__2": 'Takes the exponentials of the lse without shifting them, so sizes like 1000 give inf / inf = NaN and -1000 gives 0 / 0.',
    "merge_attention__3": 'Trusts that a weight of 0 removes an empty part, but 0 times NaN is NaN, so an empty part whose output is NaN spoils the result.',
    "attention_in_blocks__1": 'Attends to each block by itself and averages the outputs, so every block counts the same, no matter how well its keys fit.',
    "attention_in_blocks__2": "Builds the causal mask from the numbers inside the block, as if every block ended at the last query, instead of from the keys' positions in the whole sequence.",
}
