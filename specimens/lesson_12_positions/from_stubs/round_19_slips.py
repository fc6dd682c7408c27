"""Slips in answers to lesson 12 (round 19)."""

import torch


def sinusoidal_positions__1(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    position = torch.arange(tokens).float()[:, None]
    angle = position / 10000 ** (torch.arange(0, model_size, 2).float() / model_size)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.sin(angle)
    return table


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(0, size, 2, device=x.device)
    angle = positions[:, None] / base ** (j / size)
    cos, sin = torch.cos(angle), torch.sin(angle)
    out = x
    out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return out


def alibi_bias__1(heads, queries, keys):
    slopes = [2 ** (-8 * h / heads) for h in range(1, heads + 1)]
    distance = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -slopes * distance


TRUTH = {
    "sinusoidal_positions__1": 'The line of the odd columns was copied and still says sin instead of cos.',
    "apply_rotary__1": 'out = x is no copy, so x itself is overwritten, and the odd columns are computed from even ones that are already turned.',
    "alibi_bias__1": 'slopes is a Python list, and a list has no minus sign in front: -slopes raises a TypeError.',
}
