"""Wrong answers to lesson 12 (round 16)."""

import math

import torch
from mha_ref import apply_rotary



def score(apply_rotary, p, q):
    """The dot product of a query at position p and a key at position q, both turned by this version of apply_rotary."""
    torch.manual_seed(0)
    query, key = apply_rotary(torch.randn(2, 8), torch.tensor([p, q]))
    return query @ key


def sinusoidal_positions__1(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    for position in range(tokens):
        for j in range(0, model_size, 2):
            angle = position / 10000 ** (2 * j / model_size)
            table[position, j] = math.sin(angle)
            table[position, j + 1] = math.cos(angle)
    return table


def sinusoidal_positions__2(tokens, model_size):
    position = torch.arange(tokens)[:, None]
    j = torch.arange(0, model_size, 2)
    angles = position / 10000 ** (j / model_size)
    return torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1)


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(0, size, 2, device=x.device)
    angles = positions[:, None] / base ** (j / size)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., : size // 2], x[..., size // 2 :]
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def apply_rotary__2(x, positions, base=10000.0):
    tokens, size = x.shape[-2:]
    places = torch.arange(tokens, device=x.device, dtype=x.dtype)
    rates = base ** (-torch.arange(0, size, 2, device=x.device, dtype=x.dtype) / size)
    angles = torch.outer(places, rates)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
    return turned.flatten(-2)


def apply_rotary__3(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(size, device=x.device, dtype=x.dtype)
    angles = positions.to(x.dtype)[:, None] / base ** (j / size)
    cos, sin = torch.cos(angles), torch.sin(angles)
    partner = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * cos + partner * sin


def test_apply_rotary__1(apply_rotary):
    for p, q in [(0, 3), (2, 7), (5, 1)]:
        there = score(apply_rotary, p, q)
        back = score(apply_rotary, q, p)
        assert torch.isclose(there, back, atol=1e-4), f"{p}, {q}: the distance is the same"


def test_apply_rotary__2(apply_rotary):
    reference = score(apply_rotary, 0, 0)
    for position in (1, 2, 10, 50):
        same = score(apply_rotary, position, position)
        assert (same - reference).abs() < 1e-3, "distance 0 must give the same score everywhere"


def alibi_bias__1(heads, queries, keys):
    slopes = 2.0 ** (-8 * torch.arange(heads) / heads)
    own = torch.arange(keys - queries, keys)
    distance = own[:, None] - torch.arange(keys)[None, :]
    return -slopes[:, None, None] * distance


def alibi_bias__2(heads, queries, keys):
    bias = torch.zeros(heads, queries, keys)
    for h in range(heads):
        slope = 2 ** (-8 * (h + 1) / heads)
        for q in range(queries):
            for k in range(keys):
                bias[h, q, k] = -slope * (q - k)
    return bias


def window_mask__1(queries, keys, window):
    own = torch.arange(queries)[:, None] + keys - queries
    distance = own - torch.arange(keys)
    return (distance >= 0) & (distance <= window)


def window_mask__2(queries, keys, window):
    own = torch.arange(keys - queries, keys)
    place = torch.arange(keys)
    return (own[:, None] - place[None, :]).abs() < window


TRUTH = {
    "sinusoidal_positions__1": 'Doubles the even column number once more, so the exponent is 2j / model_size for the column j and the waves get longer twice as fast.',
    "sinusoidal_positions__2": 'Puts all sines into the first half of the columns and all cosines into the second half, instead of sine and cosine side by side.',
    "apply_rotary__1": 'Pairs column j with column j + size / 2 (first half with second half) instead of with its neighbour.',
    "apply_rotary__2": 'Uses the row number 0, 1, 2, ... as the position and ignores `positions`, so tokens that start later, or are not in order, are turned by wrong angles.',
    "apply_rotary__3": 'Gives each column its own angle, the odd one a slightly smaller angle than its even neighbour, so a pair is not turned as one point, and lengths change.',
    "test_apply_rotary__1": 'Demands the same score for a key before and a key after the query at the same distance, but the sign of the distance matters, so a right version fails.',
    "test_apply_rotary__2": 'Compares only scores of equal positions, where every version that turns both by the same angle passes, even one that does not turn at all or that ignores the positions.',
    "alibi_bias__1": 'Counts the heads from 0 in the exponent, so the first slope is 1 and every head has the slope of the one before it.',
    "alibi_bias__2": "Lines up the first query with the first key instead of the last with the last, so with more keys than queries the distances are wrong and the bias at a query's own position is not 0.",
    "window_mask__1": 'Allows distances up to `window`, its end included, so each query sees window + 1 keys, because it does not count its own as one of them.',
    "window_mask__2": 'Takes the absolute distance, so the window also reaches to keys after the query.',
}
