"""Wrong answers to lesson 13 (round 12)."""

import torch


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    a, b = lse_a.exp().unsqueeze(-1), lse_b.exp().unsqueeze(-1)
    return (output_a * a + output_b * b) / (a + b), (lse_a.exp() + lse_b.exp()).log()


def merge_attention__2(output_a, lse_a, output_b, lse_b):
    output = (output_a.nan_to_num() + output_b.nan_to_num()) / 2
    return output, torch.logaddexp(lse_a, lse_b)


def merge_attention__3(output_a, lse_a, output_b, lse_b):
    share = lse_a / (lse_a + lse_b)
    share = share[..., None]
    return share * output_a + (1 - share) * output_b, torch.logaddexp(lse_a, lse_b)


def merge_attention__4(output_a, lse_a, output_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    a, b = torch.exp(lse_a - lse), torch.exp(lse_b - lse)
    return a[..., None] * output_a + b[..., None] * output_b, lse


TRUTH = {
    "merge_attention__1": "exponentials without a maximum: they overflow or vanish for a large or a very low lse; empty parts that are NaN count",
    "merge_attention__2": "a plain mean: both parts count alike, whatever their lse is",
    "merge_attention__3": "shares in proportion to the logarithms, not to their exponentials",
    "merge_attention__4": "an empty part with NaN counts (0 times NaN), and two empty parts give NaN (-inf minus -inf)",
}
