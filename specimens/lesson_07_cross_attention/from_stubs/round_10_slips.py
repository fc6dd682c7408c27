"""Slips in answers to lesson 07 (round 10)."""

import torch


def combine_masks__1(first, second):
    if first is None:
        return second
    if second is None:
        return first
    return first and second


def translate_greedily__1(model, sources, start, steps):
    targets = torch.full((sources.shape[0], 1), start, dtype=torch.long, device=sources.device)
    for _ in range(steps):
        logits = model(sources, targets)
        best = logits[:, -1].argmax(dim=-1, keepdim=True)
        targets = torch.cat([targets, best], dim=1)
        return targets[:, 1:]


TRUTH = {
    "combine_masks__1": "`and` between tensors asks for one truth: RuntimeError 'Boolean value of Tensor with more than one value is ambiguous'; right where one mask is None",
    "translate_greedily__1": "the return is inside the loop: one token is written whatever steps says, shape (batch, 1); with steps = 0 the result is None",
}
