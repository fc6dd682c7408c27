"""Wrong answers to lesson 12 (round 19)."""

import torch


def sinusoidal_positions__1(tokens, model_size):
    position = torch.arange(tokens, dtype=torch.float32)[:, None]
    j = torch.arange(0, model_size, 2, dtype=torch.float32)
    angle = position / 10000 ** (j / model_size)
    return torch.cat([angle.sin(), angle.cos()], dim=-1)


def sinusoidal_positions__2(tokens, model_size):
    position = torch.arange(tokens).float().unsqueeze(1)
    column = torch.arange(model_size).float()
    angles = position * 10000.0 ** (-column / model_size)
    even = torch.arange(model_size) % 2 == 0
    return torch.where(even, torch.sin(angles), torch.cos(angles))


def apply_rotary__1(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    j = torch.arange(half, device=x.device, dtype=x.dtype) * 2
    angle = positions[:, None].to(x.dtype) / base ** (j / x.shape[-1])
    cos, sin = angle.cos(), angle.sin()
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def apply_rotary__2(x, positions, base=10000.0):
    size = x.shape[-1]
    pair = torch.arange(size // 2, device=x.device, dtype=x.dtype)
    angle = torch.outer(positions.to(x.dtype), base ** (-pair / size))
    cos, sin = torch.cos(angle), torch.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return turned.flatten(-2)


def alibi_bias__1(heads, queries, keys):
    slope = torch.tensor([2.0 ** (-8 * h / heads) for h in range(heads)])
    query_position = torch.arange(queries) + keys - queries
    distance = query_position[:, None] - torch.arange(keys)[None, :]
    return -slope[:, None, None] * distance


def alibi_bias__2(heads, queries, keys):
    slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)
    distance = torch.arange(queries).unsqueeze(1) - torch.arange(keys).unsqueeze(0)
    return torch.einsum("h,qk->hqk", -slopes, distance.float())


def window_mask__1(queries, keys, window):
    q = torch.arange(keys - queries, keys)[:, None]
    k = torch.arange(keys)[None, :]
    return (q // window == k // window) & (k <= q)


def window_mask__2(queries, keys, window):
    offset = keys - queries
    mask = torch.zeros(queries, keys, dtype=torch.bool)
    for i in range(queries):
        own = i + offset
        mask[i, max(0, own - window) : own + 1] = True
    return mask


TRUTH = {
    "sinusoidal_positions__1": 'All sines are in the first half of the columns and all cosines in the second half, instead of side by side in turn.',
    "sinusoidal_positions__2": 'The cosine in column j + 1 has an angle of its own, with j + 1 in the exponent, instead of the angle of the sine beside it.',
    "apply_rotary__1": 'Column j is paired with column j + size / 2 instead of with its neighbour j + 1.',
    "apply_rotary__2": 'The exponent is the number of the pair divided by size instead of the column divided by size, so it is only half as large as it should be.',
    "alibi_bias__1": 'The heads are counted from 0 in the slopes, so each head has the slope that belongs to the head before it and the first has a slope of 1.',
    "alibi_bias__2": 'The first query is lined up with the first key instead of the last with the last, so the distances are too small wherever there are more keys than queries.',
    "window_mask__1": 'The keys are cut into fixed chunks of `window`, and a query sees only its own chunk, so one at the start of a chunk sees just itself.',
    "window_mask__2": "The query's own key is not counted, so a query sees `window` keys before it and itself, one key too many.",
}
