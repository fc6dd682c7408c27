"""Wrong answers to lesson 13 (round 15)."""

import math

import torch



def log_sum_exp__1(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    total = (scores - top).exp().sum(dim=axis, keepdim=True)
    return (top + total.log()).squeeze(axis)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    empty_a = torch.isneginf(lse_a)[..., None]
    empty_b = torch.isneginf(lse_b)[..., None]
    share = (lse_a / (lse_a + lse_b))[..., None]
    a = torch.where(empty_a, torch.zeros_like(output_a), output_a)
    b = torch.where(empty_b, torch.zeros_like(output_b), output_b)
    mixed = share * a + (1 - share) * b
    output = torch.where(empty_a, b, torch.where(empty_b, a, mixed))
    return output, torch.logaddexp(lse_a, lse_b)


def merge_attention__2(output_a, lse_a, output_b, lse_b):
    both_empty = torch.isneginf(lse_a) & torch.isneginf(lse_b)
    lses = torch.stack([lse_a, lse_b], dim=-1)
    safe = lses.masked_fill(both_empty[..., None], 0.0)
    shares = safe.softmax(dim=-1).masked_fill(both_empty[..., None], 0.0)
    output = shares[..., :1] * output_a + shares[..., 1:] * output_b
    lse = torch.logsumexp(safe, dim=-1).masked_fill(both_empty, -math.inf)
    return output, lse


def merge_attention__3(output_a, lse_a, output_b, lse_b):
    output_a = output_a.masked_fill((lse_a == -math.inf)[..., None], 0)
    output_b = output_b.masked_fill((lse_b == -math.inf)[..., None], 0)
    top = torch.maximum(lse_a, lse_b)
    a, b = torch.exp(lse_a - top), torch.exp(lse_b - top)
    total = a + b
    output = (a[..., None] * output_a + b[..., None] * output_b) / total[..., None]
    return output, top + total.log()


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    own = torch.arange(keys - queries, keys, device=query.device)[:, None]
    top = query.new_full((*query.shape[:-1], 1), -math.inf)
    total = torch.zeros_like(top)
    output = query.new_zeros((*query.shape[:-1], value.shape[-1]))
    for number in range(keys // block):
        start, end = number * block, (number + 1) * block
        scores = query @ key[..., start:end, :].transpose(-2, -1) / math.sqrt(query.shape[-1])
        if causal:
            scores = scores.masked_fill(torch.arange(start, end, device=query.device) > own, -math.inf)
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        shrink = torch.exp(top - new_top)
        powers = torch.exp(scores - new_top)
        total = total * shrink + powers.sum(dim=-1, keepdim=True)
        output = output * shrink + powers @ value[..., start:end, :]
        top = new_top
    return output / total


def attention_in_blocks__2(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    top = torch.full(query.shape[:-1] + (1,), -math.inf, dtype=query.dtype, device=query.device)
    numerator, denominator = 0, 0
    for start in range(0, keys, block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        scores = torch.einsum("...qf,...kf->...qk", query, k) / query.shape[-1] ** 0.5
        if causal:
            q_place = torch.arange(queries, device=query.device) + keys - queries
            k_place = torch.arange(k.shape[-2], device=query.device) + start
            scores = scores.masked_fill(k_place[None, :] > q_place[:, None], -math.inf)
        top = torch.maximum(top, scores.max(dim=-1, keepdim=True).values)
        powers = (scores - top).exp()
        numerator = numerator + powers @ v
        denominator = denominator + powers.sum(dim=-1, keepdim=True)
    return numerator / denominator


def attention_in_blocks__3(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    own = torch.arange(keys - queries, keys, device=query.device).unsqueeze(1)
    top, total, output = None, None, None
    for start in range(0, keys, block):
        part = scores[..., start : start + block]
        if causal:
            later = torch.arange(start, start + part.shape[-1], device=query.device) > own
            part = part.masked_fill(later, -math.inf)
        highest = part.amax(dim=-1, keepdim=True)
        new_top = highest if top is None else torch.maximum(top, highest)
        powers = (part - new_top).exp()
        mixed = powers @ value[..., start : start + block, :]
        if top is None:
            total, output = powers.sum(dim=-1, keepdim=True), mixed
        else:
            factor = (top - new_top).exp()
            total = total * factor + powers.sum(dim=-1, keepdim=True)
            output = output * factor + mixed
        top = new_top
    return output / total


TRUTH = {
    "log_sum_exp__1": 'Where all scores of a row are -inf, so is their maximum, and -inf minus -inf is NaN instead of the demanded -inf.',
    "merge_attention__1": 'The parts are weighted in proportion to their lse, which is a logarithm, instead of to exp(lse), so the shares are wrong and may even be negative.',
    "merge_attention__2": 'An empty part gets the share 0, but its output is still multiplied and added, and 0 times NaN is NaN.',
    "merge_attention__3": 'With two empty parts the maximum is -inf and -inf minus -inf is NaN, so both results are NaN instead of zeros and -inf.',
    "attention_in_blocks__1": 'Only keys // block whole blocks are visited, so the keys that are left over at the end are never seen, and none at all where block is larger than keys.',
    "attention_in_blocks__2": 'When a later block brings a larger maximum, what was summed up so far is not multiplied by exp(old maximum - new maximum), so earlier blocks count for too much.',
    "attention_in_blocks__3": 'All scores are computed at once before they are cut into blocks, so there is a tensor with a number for each pair of a query and a key, which blocks are there to avoid.',
}
