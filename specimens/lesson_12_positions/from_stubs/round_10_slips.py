"""Slips in answers to lesson 12 (round 10)."""

import torch


def sinusoidal_positions__1(tokens, model_size):
    positions = torch.arange(tokens)[:, None]
    columns = torch.arange(0, model_size, 2)
    angles = positions / 10000 ** (columns / model_size)
    table = positions.new_zeros(tokens, model_size)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    speeds = base ** (-torch.arange(0, size, 2, dtype=x.dtype) / size)
    angles = positions[:, None] * speeds
    turned = x.clone()
    first, second = turned[..., 0::2], turned[..., 1::2]
    turned[..., 0::2] = first * angles.cos() - second * angles.sin()
    turned[..., 1::2] = first * angles.sin() + second * angles.cos()
    return turned


def alibi_bias__1(heads, queries, keys):
    own = torch.arange(keys - queries, keys)[:, None]
    distance = own - torch.arange(keys)
    numbers = torch.arange(1, heads + 1)[:, None, None]
    slopes = 2**-8 * numbers / heads
    return -slopes * distance


TRUTH = {
    "sinusoidal_positions__1": "new_zeros takes over the integers of the positions, so all sines and cosines are cut to whole numbers: a table of int64, nearly all zeros.",
    "apply_rotary__1": "first is a view of the copy, and the first assignment overwrites it before the second one uses it: the odd columns are wrong at every position but 0 (by little for slow pairs), and so are the gradients.",
    "alibi_bias__1": "** binds more strongly than *: the slopes are h / (256 · heads) and not 2^(-8h / heads), so all slopes but the last, which is right, are wrong (the first of 8 heads: 0.0005 instead of 0.5).",
}
