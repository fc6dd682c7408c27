"""Wrong answers to lesson 13 (round 9)."""
import math
import torch
from mha_ref import attention_scores


def log_sum_exp__1(scores, axis=-1):
    largest = scores.amax(dim=axis, keepdim=True).detach()
    largest = torch.where(largest == -math.inf, 0.0, largest)
    total = torch.exp(scores - largest).sum(dim=axis, keepdim=True)
    return (torch.log(total) + largest).squeeze()


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    output_a = torch.where(output_a == math.nan, 0.0, output_a)
    output_b = torch.where(output_b == math.nan, 0.0, output_b)
    largest = torch.maximum(lse_a, lse_b)
    base = torch.where(largest == -math.inf, 0.0, largest)
    share_a, share_b = torch.exp(lse_a - base), torch.exp(lse_b - base)
    total = share_a + share_b
    safe = torch.where(total == 0, 1.0, total)
    output = (share_a / safe)[..., None] * output_a + (share_b / safe)[..., None] * output_b
    lse = torch.where(total == 0, -math.inf, base + torch.log(safe))
    return output, lse


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    shape = query.shape[:-1] + (1,)
    largest = query.new_full(shape, -math.inf)
    total = query.new_zeros(shape)
    result = query.new_zeros(query.shape[:-1] + value.shape[-1:])
    place = torch.arange(keys - queries, keys, device=query.device)[:, None]
    for i in range(keys // block):
        part = slice(i * block, (i + 1) * block)
        scores = attention_scores(query, key[..., part, :])
        if causal:
            key_place = torch.arange(keys, device=query.device)[part]
            scores = scores.masked_fill(key_place > place, -math.inf)
        new = torch.maximum(largest, scores.amax(-1, keepdim=True).detach())
        base = torch.where(new == -math.inf, 0.0, new)
        old_share = torch.exp(largest - base)
        powers = torch.exp(scores - base)
        total = total * old_share + powers.sum(-1, keepdim=True)
        result = result * old_share + powers @ value[..., part, :]
        largest = new
    return result / total


TRUTH = {
    "log_sum_exp__1": "squeeze() without the axis removes all axes of size 1: (2, 1, 4) gives the shape (2,) instead of (2, 1), and (1, 4) gives () instead of (1,); right where no other axis has size 1.",
    "merge_attention__1": "NaN equals nothing, itself included, so that `== math.nan` replaces nothing: where an empty part has lse -inf and output NaN, the result is NaN (0 times NaN); right for all outputs without NaN.",
    "attention_in_blocks__1": "keys // block drops the last, shorter block: wrong numbers where block does not divide keys (the last keys are not seen), NaN (0 / 0) where block is larger than keys; right where it divides them.",
}
