"""Slips in answers to lesson 12 (round 18)."""

import torch


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(0, size, 2, device=x.device)
    angle = positions[:, None] / base ** (j / size)
    cos, sin = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
    out = x.clone()
    even, odd = out[..., 0::2], out[..., 1::2]
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out


TRUTH = {
    "apply_rotary__1": 'even is a view of out, so the line for the odd columns already reads the turned even columns instead of the old ones.',
}
