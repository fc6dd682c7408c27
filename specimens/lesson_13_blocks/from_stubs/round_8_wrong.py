"""Wrong answers to lesson 13, attention in blocks (round 8)."""

import math

import torch


def log_sum_exp__1(scores, axis=-1):
    top = scores.max()
    if torch.isinf(top):
        top = torch.zeros_like(top)
    return top + torch.log(torch.exp(scores - top).sum(dim=axis))


def log_sum_exp__2(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True).detach()
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    total = torch.exp(scores - top).sum(dim=axis)
    return torch.log(total + 1e-9) + top.squeeze(axis)


def log_sum_exp__3(scores, axis=-1):
    top = scores.amax(axis, keepdim=True)
    top = top.masked_fill(top == -math.inf, 0.0)
    result = top + (scores - top).exp().sum(axis, keepdim=True).log()
    return result.squeeze()


def log_sum_exp__4(scores, axis=-1):
    finite = scores.masked_fill(scores.isinf(), 0.0)
    size = finite.abs().amax(dim=axis, keepdim=True)
    return (scores - size).exp().sum(dim=axis).log() + size.squeeze(axis)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    top = torch.maximum(lse_a, lse_b)
    top = torch.where(top == -math.inf, torch.zeros_like(top), top)
    a, b = torch.exp(lse_a - top), torch.exp(lse_b - top)
    total = a + b
    safe = torch.where(total == 0, torch.ones_like(total), total)
    output = (a / safe).unsqueeze(-1) * output_a + (b / safe).unsqueeze(-1) * output_b
    return output, top + torch.log(total)


def merge_attention__2(output_a, lse_a, output_b, lse_b):
    output_a = torch.where(lse_a[..., None] == -math.inf, 0.0, output_a)
    output_b = torch.where(lse_b[..., None] == -math.inf, 0.0, output_b)
    lse_a, lse_b = lse_a.clamp(min=-1e9), lse_b.clamp(min=-1e9)
    lse = torch.logaddexp(lse_a, lse_b)
    output = (lse_a - lse).exp()[..., None] * output_a + (lse_b - lse).exp()[..., None] * output_b
    return output, lse


def merge_attention__3(output_a, lse_a, output_b, lse_b):
    a, b = lse_a.exp()[..., None], lse_b.exp()[..., None]
    output_a = output_a.masked_fill(a == 0, 0)
    output_b = output_b.masked_fill(b == 0, 0)
    total = a + b
    output = (a * output_a + b * output_b) / total.masked_fill(total == 0, 1)
    return output, total.squeeze(-1).log()


def merge_attention__4(output_a, lse_a, output_b, lse_b):
    empty_a, empty_b = lse_a == -math.inf, lse_b == -math.inf
    output_a = output_a.masked_fill(empty_a[..., None], 0.0)
    output_b = output_b.masked_fill(empty_b[..., None], 0.0)
    lse = torch.logaddexp(lse_a, lse_b)
    share = torch.sigmoid(lse_a - lse_b)
    share = torch.where(empty_a & empty_b, torch.zeros_like(share), share)[..., None]
    return torch.lerp(output_a, output_b, share), lse


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    place = torch.arange(queries, device=query.device)[:, None] + keys - queries
    best = total = result = None
    for start in range(0, keys, block):
        k, v = key[..., start:start + block, :], value[..., start:start + block, :]
        scores = query @ k.mT / math.sqrt(query.shape[-1])
        if causal:
            here = torch.arange(start, start + k.shape[-2], device=query.device)
            scores = scores.masked_fill(here > place, -math.inf)
        top = scores.amax(-1, keepdim=True)
        if best is None:
            best = top
            e = (scores - best).exp()
            total, result = e.sum(-1, keepdim=True), e @ v
            continue
        new = torch.maximum(best, top)
        e = (scores - new).exp()
        result = result * (best - new).exp() + e @ v
        total = total + e.sum(-1, keepdim=True)
        best = new
    return result / total


def attention_in_blocks__2(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    block = min(block, keys)
    last = torch.arange(keys - queries, keys, device=query.device)[:, None]
    lses, outputs = [], []
    for b in range(keys // block):
        k = key[..., b * block:(b + 1) * block, :]
        v = value[..., b * block:(b + 1) * block, :]
        scores = query @ k.mT * query.shape[-1] ** -0.5
        if causal:
            where = torch.arange(b * block, (b + 1) * block, device=query.device)
            scores = scores.masked_fill(where > last, -1e30)
        lse = torch.logsumexp(scores, -1, keepdim=True)
        lses.append(lse)
        outputs.append((scores - lse).exp() @ v)
    shares = torch.softmax(torch.cat(lses, -1), -1)
    return sum(shares[..., i:i + 1] * o for i, o in enumerate(outputs))


def attention_in_blocks__3(query, key, value, block, causal=False):
    n = query.shape[-2]
    place = torch.arange(n, device=query.device).unsqueeze(1)
    best = query.new_full((*query.shape[:-1], 1), -math.inf)
    total = torch.zeros_like(best)
    result = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for start in range(0, key.shape[-2], block):
        k, v = key[..., start:start + block, :], value[..., start:start + block, :]
        scores = query @ k.transpose(-1, -2) / query.shape[-1] ** 0.5
        if causal:
            here = start + torch.arange(k.shape[-2], device=query.device)
            scores = scores.masked_fill(here > place, -math.inf)
        new = torch.maximum(best, scores.amax(-1, keepdim=True))
        e, old = (scores - new).exp(), (best - new).exp()
        result, total, best = result * old + e @ v, total * old + e.sum(-1, keepdim=True), new
    return result / total


def attention_in_blocks__4(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    hidden = torch.zeros(queries, keys, dtype=torch.bool, device=query.device)
    if causal:
        hidden = torch.ones_like(hidden).triu(keys - queries + 1)
    best = query.new_full((*query.shape[:-1], 1), -math.inf)
    total = torch.zeros_like(best)
    result = query.new_zeros(*query.shape[:-1], value.shape[-1])
    for k, v, h in zip(key.split(block, -2), value.split(block, -2), hidden.split(block, -1)):
        scores = (query @ k.mT / math.sqrt(query.shape[-1])).masked_fill(h, -math.inf)
        new = torch.maximum(best, scores.amax(-1, keepdim=True))
        e, old = (scores - new).exp(), (best - new).exp()
        result, total, best = result * old + e @ v, total * old + e.sum(-1, keepdim=True), new
    return result / total


def attention_in_blocks__5(query, key, value, block, causal=False):
    front, (queries, features) = query.shape[:-2], query.shape[-2:]
    q = query.reshape(-1, queries, features)
    k_all = key.reshape(-1, *key.shape[-2:])
    v_all = value.reshape(-1, *value.shape[-2:])
    keys = k_all.shape[1]
    q /= math.sqrt(features)
    best = q.new_full((q.shape[0], queries, 1), -math.inf)
    total, result = torch.zeros_like(best), q.new_zeros(q.shape[0], queries, v_all.shape[-1])
    for start in range(0, keys, block):
        stop = min(start + block, keys)
        scores = torch.bmm(q, k_all[:, start:stop].transpose(1, 2))
        if causal:
            late = torch.ones(queries, stop - start, dtype=torch.bool, device=q.device)
            scores = scores.masked_fill(late.triu(keys - queries - start + 1), -math.inf)
        new = torch.maximum(best, scores.amax(-1, keepdim=True))
        e, old = (scores - new).exp(), (best - new).exp()
        result = result * old + torch.bmm(e, v_all[:, start:stop])
        total = total * old + e.sum(-1, keepdim=True)
        best = new
    return (result / total).reshape(*front, queries, -1)


TRUTH = {
    "log_sum_exp__1": "One maximum for the whole tensor: rows far below the largest score vanish to -inf.",
    "log_sum_exp__2": "1e-9 inside the logarithm: a row of -inf gives about -20.7, not -inf.",
    "log_sum_exp__3": "squeeze() without an axis takes away every axis of size 1, not only `axis`.",
    "log_sum_exp__4": "Shifts by the largest absolute value: scores far below 0 all vanish and the result is -inf.",
    "merge_attention__1": "The output of an empty part is multiplied by 0 and not replaced: NaN times 0 is NaN.",
    "merge_attention__2": "Clamped at -1e9: for two empty parts the log-sum-exp is about -1e9, not -inf.",
    "merge_attention__3": "exp of the log-sum-exp as it is: overflows or vanishes when it is far from 0.",
    "merge_attention__4": "The shares are swapped: lerp goes towards b as the share of a grows.",
    "attention_in_blocks__1": "When the maximum grows, the result is rescaled but the total is not.",
    "attention_in_blocks__2": "keys // block: the last keys are lost when block does not divide them.",
    "attention_in_blocks__3": "Causal counts queries from key 0: with fewer queries than keys, the last query is not at the last key.",
    "attention_in_blocks__4": "Makes the mask for all queries and keys at once, a tensor with as many numbers as there are pairs.",
    "attention_in_blocks__5": "reshape gives a view, and /= then scales the caller's query (or raises where it needs gradients).",
}
