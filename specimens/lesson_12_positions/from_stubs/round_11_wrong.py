"""Wrong answers to lesson 12 (round 11)."""

import math

import torch


def sinusoidal_positions__1(tokens, model_size):
    half = model_size // 2
    rates = 10000.0 ** (-torch.arange(half) / half)
    angles = torch.arange(tokens).unsqueeze(1) * rates
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


def sinusoidal_positions__2(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    for position in range(tokens):
        for j in range(0, model_size, 2):
            angle = position / 10000 ** (2 * j / model_size)
            table[position, j] = math.sin(angle)
            table[position, j + 1] = math.cos(angle)
    return table


def apply_rotary__1(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    rates = base ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = positions[:, None] * rates
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)


def apply_rotary__2(x, positions, base=10000.0):
    size = x.shape[-1]
    pairs = torch.arange(size // 2, dtype=x.dtype)
    angles = torch.outer(positions.to(x.dtype), base ** (-pairs / size))
    turn = torch.polar(torch.ones_like(angles), angles)
    points = torch.view_as_complex(x.reshape(*x.shape[:-1], size // 2, 2).contiguous())
    return torch.view_as_real(points * turn).flatten(-2)


def alibi_bias__1(heads, queries, keys):
    slopes = torch.tensor([2 ** (-8 * h / heads) for h in range(heads)])
    distance = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * distance


def alibi_bias__2(heads, queries, keys):
    bias = torch.zeros(heads, queries, keys)
    for h in range(heads):
        slope = 2.0 ** (-8 * (h + 1) / heads)
        for q in range(queries):
            for k in range(keys):
                bias[h, q, k] = -slope * abs(q - k)
    return bias


TRUTH = {
    "sinusoidal_positions__1": "all sines first, then all cosines, not side by side",
    "sinusoidal_positions__2": "j counts columns by twos already: the exponent is doubled",
    "apply_rotary__1": "pairs column j with column j + size / 2, not with its neighbour",
    "apply_rotary__2": "the exponent is the pair's number over the size, half of what it should be: the columns j = 2 · pair",
    "alibi_bias__1": "heads are counted from 0: the slopes belong to the head before, and the first one is 1",
    "alibi_bias__2": "the first query lines up with the first key: with more keys than queries, distances are too small or on the other side",
}
