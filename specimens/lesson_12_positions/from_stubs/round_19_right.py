"""Right answers to lesson 12 (round 19)."""

import math

import torch


def sinusoidal_positions__1(tokens, model_size):
    j = torch.arange(0, model_size, 2, dtype=torch.float64)
    frequency = torch.exp(-math.log(10000) * j / model_size)
    angle = torch.outer(torch.arange(tokens, dtype=torch.float64), frequency)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(0, size, 2, dtype=torch.float64, device=x.device)
    angle = positions.double()[:, None] * base ** (-j / size)
    cos, sin = angle.cos(), angle.sin()
    matrices = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2).to(x.dtype)
    pairs = x.unflatten(-1, (-1, 2))
    return torch.einsum("tpoi,...tpi->...tpo", matrices, pairs).flatten(-2)


def alibi_bias__1(heads, queries, keys):
    distance = torch.tensor([[float(q + keys - queries - k) for k in range(keys)] for q in range(queries)])
    factor = 2.0 ** (-8.0 / heads)
    layers, slope = [], 1.0
    for _ in range(heads):
        slope *= factor
        layers.append(-slope * distance)
    return torch.stack(layers)


def window_mask__1(queries, keys, window):
    everything = torch.ones(queries, keys, dtype=torch.bool)
    offset = keys - queries
    return everything.tril(offset) ^ everything.tril(offset - window)


WHY = {
    "sinusoidal_positions__1": 'Right: stacked on a last axis and flattened, with powers computed as exponentials of logarithms.',
    "apply_rotary__1": 'Right: each pair is multiplied by a 2 by 2 rotation matrix.',
    "alibi_bias__1": 'Right: one head after the other, each slope made from the one before by a constant factor.',
    "window_mask__1": 'Right: the exclusive or of two triangles, of which one is contained in the other.',
}
