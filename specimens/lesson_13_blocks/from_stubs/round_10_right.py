"""Right answers to lesson 13 (round 10)."""

import math

import torch
from mha_ref import merge_attention


def log_sum_exp__1(scores, axis=-1):
    lowest = torch.finfo(scores.dtype).min
    highest = torch.full_like(scores.detach().select(axis, 0), lowest)
    total = torch.zeros_like(highest)
    for score in scores.unbind(axis):
        peak = torch.maximum(highest, score.detach())
        total = total * (highest - peak).exp() + (score - peak).exp()
        highest = peak
    empty = total == 0
    return torch.where(empty, -math.inf, torch.where(empty, 1.0, total).log() + highest)


def merge_attention__1(output_a, lse_a, output_b, lse_b):
    def filled(output, lse):
        return output.masked_fill(torch.isneginf(lse).unsqueeze(-1), 0.0)

    output_a, output_b = filled(output_a, lse_a), filled(output_b, lse_b)
    nothing = torch.isneginf(lse_a) & torch.isneginf(lse_b)
    first = lse_a >= lse_b
    big = torch.where(first, lse_a, lse_b).masked_fill(nothing, 0.0)
    small = torch.where(first, lse_b, lse_a).masked_fill(nothing, 0.0)
    ratio = torch.exp(small - big)
    share = (1 / (1 + ratio))[..., None]
    front = first[..., None]
    strong, weak = torch.where(front, output_a, output_b), torch.where(front, output_b, output_a)
    output = strong * share + weak * (ratio[..., None] * share)
    return [output, (big + torch.log1p(ratio)).masked_fill(nothing, -math.inf)]


def test_merge_attention__1(merge_attention):
    generator = torch.Generator().manual_seed(5)

    def call(*parts):
        before = [part.detach().clone() for part in parts]
        try:
            output, lse = merge_attention(*parts)
            shapes = output.shape == parts[0].shape and lse.shape == parts[1].shape
        except Exception as error:
            raise AssertionError(f"it does not run: {error}") from error
        assert shapes, "other shapes than the inputs"
        for old, new in zip(before, parts):
            assert torch.equal(old.nan_to_num(-123.0), new.detach().nan_to_num(-123.0)), "an input was changed"
        return output, lse

    def near(found, wanted):
        found, wanted = found.detach().double(), wanted.detach().double()
        return torch.allclose(found, wanted, rtol=1e-4, atol=1e-4)

    class Part:
        """The scores and values of some keys; + puts them side by side."""

        def __init__(self, scores, values):
            self.scores, self.values = scores, values

        def __add__(self, other):
            return Part(torch.cat([self.scores, other.scores], -1), torch.cat([self.values, other.values], -2))

        def solved(self):
            scores = self.scores.double()
            output = scores.softmax(-1) @ self.values.double()
            return output.to(self.values.dtype), scores.logsumexp(-1).to(self.values.dtype)

    def part(*front, keys, shift=0.0, spread=1.0):
        scores = torch.randn(*front, 4, keys, generator=generator) * spread + shift
        return Part(scores, torch.randn(*front, keys, 3, generator=generator))

    # both parts, in every size, against the attention to the joined keys
    for front in [(), (2,), (2, 3)]:
        for shift in [0.0, 90.0, 1000.0, -90.0, -1000.0]:
            a, b, c = part(*front, keys=1, shift=shift), part(*front, keys=5, shift=shift), part(*front, keys=2, shift=shift)
            for left, right in [(a, b), (b, a), (b, c)]:
                output, lse = call(*left.solved(), *right.solved())
                wanted = (left + right).solved()
                assert near(output, wanted[0]), "the output is not that of both parts"
                assert near(lse, wanted[1]), "the lse is not that of both parts"
            # associative
            one = call(*call(*a.solved(), *b.solved()), *c.solved())
            two = call(*a.solved(), *call(*b.solved(), *c.solved()))
            assert near(one[0], two[0]) and near(one[1], two[1]), "not associative"
            assert near(one[0], (a + b + c).solved()[0]), "three parts in a row go wrong"
    # very unlike parts
    for far in [300.0, 5000.0]:
        a, b = part(keys=3, shift=far), part(keys=3, shift=-far)
        for left, right in [(a, b), (b, a)]:
            output, lse = call(*left.solved(), *right.solved())
            assert near(output, a.solved()[0]) and near(lse, a.solved()[1]), "the strong part has to win"
    # empty parts, query by query
    output, lse = part(2, keys=4).solved()
    for junk in [0.0, 7.0, math.nan]:
        holes = torch.tensor([True, False, True, False]).expand(lse.shape)
        other_output, other_lse = part(2, keys=3).solved()
        wanted = call(output, lse, other_output, other_lse)
        gap_output, gap_lse = other_output.clone(), other_lse.clone()
        gap_output[holes], gap_lse[holes] = junk, -math.inf
        wanted_output, wanted_lse = wanted[0].detach().clone(), wanted[1].detach().clone()
        wanted_output[holes], wanted_lse[holes] = output[holes], lse[holes]
        for parts in [(output, lse, gap_output, gap_lse), (gap_output, gap_lse, output, lse)]:
            found = call(*parts)
            assert near(found[0], wanted_output) and near(found[1], wanted_lse), "an empty part counts"
        found = call(gap_output, gap_lse, gap_output.clone(), gap_lse.clone())
        assert (found[0][holes] == 0).all(), "two empty parts have to give zeros"
        assert (found[1][holes] == -math.inf).all(), "two empty parts have to give -inf"
    # gradients
    parts = [tensor.clone().requires_grad_() for p in (part(keys=2), part(keys=3)) for tensor in p.solved()]
    found = call(*parts)
    assert found[0].requires_grad and found[1].requires_grad, "gradients stop here"
    factors = torch.randn(found[0].shape, generator=generator), torch.randn(found[1].shape, generator=generator)
    grads = torch.autograd.grad(sum((f * x).sum() for f, x in zip(factors, found)), parts, allow_unused=True)
    copies = [p.detach().clone().requires_grad_() for p in parts]
    weights = torch.stack([copies[1], copies[3]]).softmax(0)[..., None]
    mine = weights[0] * copies[0] + weights[1] * copies[2], torch.logaddexp(copies[1], copies[3])
    wanted = torch.autograd.grad(sum((f * x).sum() for f, x in zip(factors, mine)), copies)
    for grad, right in zip(grads, wanted):
        assert grad is not None and near(grad, right), "a gradient is missing or wrong"


def attention_in_blocks__1(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    scaled = query * query.shape[-1] ** -0.5
    own = torch.arange(keys - queries, keys, device=query.device)[:, None]
    leaf = min(block, max(1, keys // 2))

    def part(first, end):
        if end - first > leaf:
            half = first + (end - first) // 2
            return merge_attention(*part(first, half), *part(half, end))
        scores = scaled @ key[..., first:end, :].mT
        if causal:
            hidden = torch.arange(first, end, device=query.device) > own
            blind = hidden.all(-1)
            scores = scores.masked_fill(hidden & ~blind[:, None], -math.inf)
        peak = scores.detach().amax(-1, keepdim=True)
        powers = (scores - peak).exp()
        total = powers.sum(-1, keepdim=True)
        lse = (total.log() + peak).squeeze(-1)
        output = powers @ value[..., first:end, :] / total
        if causal:
            lse = lse.masked_fill(blind, -math.inf)
        return output, lse

    return part(0, keys)[0]


WHY = {
    "log_sum_exp__1": "One pass in a loop over unbind, with a running maximum that starts at the lowest finite number, and a running sum; an empty row gets -inf by where.",
    "merge_attention__1": "The stronger part is sorted to the front, the weaker one enters as a ratio of at most 1 with log1p; masked_fill for empty parts; a list is returned.",
    "test_merge_attention__1": "A small class Part joins keys with +, the test compares with attention to the joined keys in double precision; errors of the function become AssertionErrors; gradients too.",
    "attention_in_blocks__1": "Recursion: the keys are halved until a leaf has at most `block` keys (and at most half of all keys, so no tensor has all pairs even for a huge block), leaves are joined with merge_attention.",
}
