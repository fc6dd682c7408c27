"""Right answers to lesson 06 (round 14)."""

import torch


def split_heads__1(x, heads):
    if x.shape[-1] % heads:
        raise ValueError("no")
    return torch.stack(x.tensor_split(heads, dim=-1), dim=1)


WHY = {
    "split_heads__1": "It stacks slices of columns on a new axis.",
}
