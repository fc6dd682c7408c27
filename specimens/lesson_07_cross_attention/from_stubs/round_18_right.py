"""Right answers to lesson 07 (round 18)."""

import torch


def combine_masks__1(first, second):
    masks = [mask for mask in (first, second) if mask is not None]
    if len(masks) == 2:
        return torch.logical_and(*masks)
    return masks[0] if masks else None


WHY = {
    "combine_masks__1": 'Right: the masks that are not None are collected first.',
}
