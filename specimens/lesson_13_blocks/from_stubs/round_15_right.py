"""Right answers to lesson 13 (round 15)."""

import math

import torch



def log_sum_exp__1(scores, axis=-1):
    from functools import reduce

    slices = scores.unbind(dim=axis)
    top = reduce(torch.maximum, [part.detach() for part in slices])
    empty = torch.isneginf(top)
    top = top.masked_fill(empty, 0.0)
    total = sum(torch.exp(part - top) for part in slices)
    return (total.masked_fill(empty, 1.0).log() + top).masked_fill(empty, -math.inf)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    empty_a, empty_b = torch.isneginf(lse_a), torch.isneginf(lse_b)
    nothing = empty_a & empty_b
    a, b = lse_a.masked_fill(nothing, 0.0), lse_b.masked_fill(nothing, 0.0)
    output = sum(
        torch.sigmoid(lead).unsqueeze(-1) * part.masked_fill(empty.unsqueeze(-1), 0.0)
        for lead, part, empty in ((a - b, output_a, empty_a), (b - a, output_b, empty_b))
    )
    return output, torch.logaddexp(a, b).masked_fill(nothing, -math.inf)


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, features = query.shape[-2:]
    keys = key.shape[-2]
    own = torch.arange(keys - queries, keys, device=query.device).unsqueeze(-1)

    def blocks():
        for start in range(0, keys, block):
            end = min(start + block, keys)
            scores = query @ key[..., start:end, :].transpose(-2, -1) / math.sqrt(features)
            if causal:
                later = torch.arange(start, end, device=query.device) > own
                scores = scores.masked_fill(later, -math.inf)
            yield scores, value[..., start:end, :]

    top = None
    with torch.no_grad():
        for scores, _ in blocks():
            best = scores.amax(dim=-1, keepdim=True)
            top = best if top is None else torch.maximum(top, best)

    above, below = 0.0, 0.0
    for scores, values in blocks():
        powers = torch.exp(scores - top)
        above = above + powers @ values
        below = below + powers.sum(dim=-1, keepdim=True)
    return above / below


WHY = {
    "log_sum_exp__1": "The axis is unbound into a tuple of slices; the maximum is folded with reduce and the sum is Python's own sum, so no axis argument is used but once.",
    "merge_attention__1": 'The share of a part is the sigmoid of the difference of the two lse, so no exponential, maximum or division is written.',
    "attention_in_blocks__1": 'It goes through the blocks twice, by a generator: first for the largest score of each query alone, then for plain sums, so nothing is ever rescaled or merged.',
}
