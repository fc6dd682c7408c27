"""Slips in answers to lesson 13 (round 15)."""

import math

import torch



def log_sum_exp__1(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    total = torch.exp(scores - top).sum(dim=axis, keepdim=True)
    return (total.log() + top).squeeze()


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    empty_a, empty_b = lse_a == -math.inf, lse_b == -math.inf
    both = empty_a & empty_b
    lse = torch.logaddexp(lse_a.masked_fill(both, 0), lse_b.masked_fill(both, 0))
    share_a = torch.exp(lse_a - lse)[..., None]
    share_b = torch.exp(lse_a - lse)[..., None]
    output_a = output_a.masked_fill(empty_a[..., None], 0)
    output_b = output_b.masked_fill(empty_b[..., None], 0)
    return share_a * output_a + share_b * output_b, lse.masked_fill(both, -math.inf)


TRUTH = {
    "log_sum_exp__1": 'squeeze() without the axis also removes every other axis of size 1, so the shape is wrong for a single row.',
    "merge_attention__1": 'In the copied line for share_b the lse of part a was left in place, so both shares are those of part a.',
}
