"""Right answers to lesson 11 (round 18)."""

import torch


def repeat_heads__1(x, repeats):
    heads = x.shape[-3]
    which = torch.arange(heads * repeats, device=x.device) // repeats
    return x.index_select(x.dim() - 3, which)


WHY = {
    "repeat_heads__1": 'Right: indexing with head numbers, each of which appears several times.',
}
