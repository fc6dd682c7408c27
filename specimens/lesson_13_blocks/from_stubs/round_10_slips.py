"""Slips in answers to lesson 13 (round 10)."""

import math

import torch
from mha_ref import log_sum_exp


def log_sum_exp__1(scores, axis=-1):
    highest = scores.detach().amax(dim=axis, keepdim=True)
    highest = torch.where(highest == -math.inf, 0.0, highest)
    scores -= highest
    total = scores.exp().sum(dim=axis)
    return total.log() + highest.squeeze(axis)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    lse = log_sum_exp(torch.stack([lse_a, lse_b]), axis=0)
    safe = torch.where(torch.isneginf(lse), 0.0, lse)
    share_a, share_b = torch.exp(lse_a - safe), torch.exp(lse_b - safe)
    output_a.masked_fill(torch.isneginf(lse_a)[..., None], 0.0)
    output_b.masked_fill(torch.isneginf(lse_b)[..., None], 0.0)
    return share_a[..., None] * output_a + share_b[..., None] * output_b, lse


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    own = torch.arange(keys - queries, keys)[:, None]
    top = torch.full((*query.shape[:-1], 1), -math.inf, dtype=query.dtype)
    total = torch.zeros_like(top)
    output = torch.zeros(*query.shape[:-1], value.shape[-1], dtype=query.dtype)
    for number in range(keys // block):
        places = torch.arange(number * block, (number + 1) * block)
        scores = query @ key[..., places, :].mT / math.sqrt(query.shape[-1])
        if causal:
            scores = scores.masked_fill(places > own, -math.inf)
        new_top = torch.maximum(top, scores.amax(-1, keepdim=True))
        powers = torch.exp(scores - new_top)
        shrink = torch.exp(top - new_top)
        total = total * shrink + powers.sum(-1, keepdim=True)
        output = output * shrink + powers @ value[..., places, :]
        top = new_top
    return output / total


TRUTH = {
    "log_sum_exp__1": "-= writes into the caller's scores, so they are changed; and scores that are a leaf with requires_grad raise a RuntimeError (a leaf Variable that requires grad is being used in an in-place operation). The numbers are right.",
    "merge_attention__1": "masked_fill without underscore returns a new tensor, which is not kept: an empty part with NaN in its output makes the result NaN.",
    "attention_in_blocks__1": "keys // block rounds down, so the keys of the last, incomplete block are left out, and with block > keys the result is 0 / 0, NaN; where block divides keys it is right.",
}
