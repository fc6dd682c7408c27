"""Wrong answers to lesson 07 (round 9)."""
import torch


def combine_masks__1(first, second):
    return first and second


def translate_greedily__1(model, sources, start, steps):
    targets = torch.full((len(sources), 1), start, device=sources.device)
    for _ in range(steps):
        logits = model(sources, targets)
        best = logits[:, -1].argmax(dim=-1, keepdim=True)
        targets = torch.cat([targets, best], dim=1)
        return targets[:, 1:]


TRUTH = {
    "combine_masks__1": "Python's `and` in place of `&`: a first mask with more than one element stops with RuntimeError: Boolean value of Tensor with more than one value is ambiguous; for first None the result is None although second is a mask.",
    "translate_greedily__1": "The return is indented too far, inside the loop: whatever steps is, one token is written, shape (batch, 1); right for steps=1 only, and None for steps=0.",
}
