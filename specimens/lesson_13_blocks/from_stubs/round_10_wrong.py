"""Wrong answers to lesson 13 (round 10)."""

import math

import torch
from mha_ref import log_sum_exp


def log_sum_exp__1(scores, axis=-1):
    # subtracting a number and adding it back changes nothing, so one number does for all rows
    top = scores.max().detach()
    if torch.isinf(top):
        return scores.sum(axis)
    return torch.log(torch.exp(scores - top).sum(dim=axis)) + top


def log_sum_exp__2(scores, axis=-1):
    # the score farthest from 0 is the dangerous one
    sizes = torch.where(torch.isneginf(scores), 0.0, scores).abs()
    shift = sizes.amax(dim=axis, keepdim=True).detach()
    return (torch.exp(scores - shift).sum(dim=axis, keepdim=True).log() + shift).squeeze(axis)


def log_sum_exp__3(scores, axis=-1):
    highest = torch.amax(scores, dim=axis, keepdim=True)
    highest = torch.nan_to_num(highest, neginf=0.0)
    total = torch.exp(scores - highest).sum(dim=axis, keepdim=True)
    # a sum of nothing would be log(0): a tiny number keeps it finite and changes no other row
    return torch.squeeze(torch.log(total + 1e-9) + highest, dim=axis)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    lse = log_sum_exp(torch.stack([lse_a, lse_b]), axis=0)
    # a share is the part by the whole: what each part's lse is of both together
    size_a = torch.where(lse_a == -math.inf, 0.0, lse_a)
    size_b = torch.where(lse_b == -math.inf, 0.0, lse_b)
    both = size_a + size_b
    both = torch.where(both == 0, 1.0, both)
    output_a = torch.where((lse_a == -math.inf)[..., None], 0.0, output_a)
    output_b = torch.where((lse_b == -math.inf)[..., None], 0.0, output_b)
    return (size_a / both)[..., None] * output_a + (size_b / both)[..., None] * output_b, lse


def merge_attention__2(output_a, lse_a, output_b, lse_b):
    parts = torch.stack((lse_a, lse_b), dim=-1)
    lse = log_sum_exp(parts)
    shares = torch.nan_to_num(torch.exp(parts - lse[..., None]))
    output = torch.einsum("...q,...qv->...qv", shares[..., 0], output_a)
    output = output + torch.einsum("...q,...qv->...qv", shares[..., 1], output_b)
    return torch.nan_to_num(output), lse  # what came from an empty part is NaN, and becomes 0


def merge_attention__3(output_a, lse_a, output_b, lse_b):
    # attention is a sum over keys, so two parts add up: bring them to the same scale, then add
    top = torch.maximum(lse_a, lse_b)
    safe = torch.where(torch.isneginf(top), 0.0, top)
    factors = torch.exp(lse_a - safe), torch.exp(lse_b - safe)
    output = torch.zeros_like(output_a)
    for factor, part in zip(factors, (output_a, output_b)):
        factor = factor.unsqueeze(-1)
        output = output + torch.where(factor > 0, factor * part, 0.0)
    return output, safe + torch.log(factors[0] + factors[1])


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    own = torch.arange(queries) + keys - queries
    top = torch.full(query.shape[:-1], -math.inf, dtype=query.dtype)
    total, output = torch.zeros_like(top), 0.0
    for start in range(0, keys, block):
        scores = query @ key[..., start : start + block, :].transpose(-2, -1) / math.sqrt(query.shape[-1])
        if causal:  # a query skips the blocks that begin after it, and looks at the others
            scores = scores.masked_fill((start > own)[:, None], -math.inf)
        new_top = torch.maximum(top, scores.amax(-1))
        shrink = torch.exp(top - new_top)
        powers = torch.exp(scores - new_top[..., None])
        total = total * shrink + powers.sum(-1)
        output = output * shrink[..., None] + powers @ value[..., start : start + block, :]
        top = new_top
    return output / total[..., None]


def attention_in_blocks__2(query, key, value, block, causal=False):
    # the products are made for `block` keys at a time; softmax needs a whole row, so it comes at the end
    *front, queries, features = query.shape
    pieces = [query @ part.mT / features**0.5 for part in key.split(block, dim=-2)]
    scores = torch.cat(pieces, dim=-1)
    if causal:
        keys = scores.shape[-1]
        seen = torch.ones(queries, keys, dtype=torch.bool).tril(diagonal=keys - queries)
        scores = scores.masked_fill(~seen, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return sum(w @ v for w, v in zip(weights.split(block, dim=-1), value.split(block, dim=-2)))


TRUTH = {
    "log_sum_exp__1": "One maximum is taken over the whole tensor, so a row more than about 104 (float32) below the best row vanishes to -inf, as for [[0, 0], [-1000, -1000]].",
    "log_sum_exp__2": "The shift is the largest absolute value and not the largest score, so rows of very negative scores vanish: [-1000, -1001] gives -inf instead of -999.7.",
    "log_sum_exp__3": "A row in which all scores are -inf gives log(1e-9), about -20.7, instead of -inf; other rows are right.",
    "merge_attention__1": "The shares are lse / (sum of both lse) and not of their exponentials, so the output is wrong for nearly all inputs with two different lse (for 1 and 3 it is 0.25 instead of 0.12); the lse is right.",
    "merge_attention__2": "The NaN of an empty part is multiplied by 0 and added before it is repaired, so the whole row becomes 0 and the other part is lost; shows where an lse is -inf and its output is NaN.",
    "merge_attention__3": "The outputs are weighed by exp(lse - max) and added, but never divided by the sum of the factors, so the output is too large for any two parts that both count (twice the mean for equal lse).",
    "attention_in_blocks__1": "causal is decided for whole blocks: inside the block that holds its own position a query sees later keys too; shows with causal=True and block > 1 (unless the own position is the last of its block).",
    "attention_in_blocks__2": "The scores of all blocks are joined into one (queries, keys) tensor before softmax, so tensors with as many numbers as pairs are made; the values are right.",
}
