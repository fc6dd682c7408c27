"""Wrong answers to lesson 12 (round 18)."""

import torch


def sinusoidal_positions__1(tokens, model_size):
    position = torch.arange(tokens, dtype=torch.float32).unsqueeze(1)
    i = torch.arange(0, model_size, 2, dtype=torch.float32)
    angle = position / 10000 ** (2 * i / model_size)
    table = torch.zeros(tokens, model_size)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table


def apply_rotary__1(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    speed = base ** (-torch.arange(half, dtype=x.dtype, device=x.device) / half)
    angle = positions.to(x.dtype)[:, None] * speed
    cos, sin = angle.cos(), angle.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)


def alibi_bias__1(heads, queries, keys):
    h = torch.arange(heads)
    slope = 2.0 ** (-8.0 * h / heads)
    query_at = torch.arange(queries) + keys - queries
    distance = query_at[:, None] - torch.arange(keys)[None, :]
    return -slope[:, None, None] * distance


def window_mask__1(queries, keys, window):
    at = torch.arange(keys - queries, keys).unsqueeze(1)
    key = torch.arange(keys).unsqueeze(0)
    not_after = key <= at
    near = at - key <= window
    return not_after & near


def apply_rotary__2(x, positions, base=10000.0):
    tokens, size = x.shape[-2:]
    place = torch.arange(tokens, dtype=x.dtype, device=x.device)
    j = torch.arange(0, size, 2, dtype=x.dtype, device=x.device)
    angle = place[:, None] / base ** (j / size)
    c, s = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * c - odd * s, even * s + odd * c), dim=-1).flatten(-2)


TRUTH = {
    "sinusoidal_positions__1": 'Doubles the exponent: the formula from the article, 2i / model_size, is used with i as the column although i counts the pairs.',
    "apply_rotary__1": 'Pairs column j with column j + size / 2, as in some other libraries, instead of neighbouring columns.',
    "alibi_bias__1": 'The heads are counted from 0 in the slopes, so the first head gets slope 1 and every slope is that of the head before it.',
    "window_mask__1": 'The window counts the keys before the query and leaves out its own, so a query sees one key more than the window holds.',
    "apply_rotary__2": 'Ignores positions and turns by the index of the token in x, which is wrong whenever the positions are not 0, 1, 2 and so on.',
}
