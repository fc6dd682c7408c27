"""Wrong answers to lesson 12 (round 15)."""

import math

import torch
from mha_ref import apply_rotary, shift



def sinusoidal_positions__1(tokens, model_size):
    j = torch.arange(0, model_size, 2)
    angles = torch.arange(tokens)[:, None] / 10000 ** (j / model_size)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def sinusoidal_positions__2(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    for position in range(tokens):
        for pair in range(model_size // 2):
            angle = position / 10000 ** (pair / model_size)
            table[position, 2 * pair] = math.sin(angle)
            table[position, 2 * pair + 1] = math.cos(angle)
    return table


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    exponents = torch.arange(0, size, 2, device=x.device, dtype=torch.float64) / size
    angles = positions[:, None] / base ** exponents
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def apply_rotary__2(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(0, size, 2, device=x.device, dtype=torch.float64)
    angles = torch.outer(positions.double(), base ** (-j / size))
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((even * c + odd * s, odd * c - even * s), dim=-1)
    return turned.flatten(-2)


def apply_rotary__3(x, positions, base=10000.0):
    tokens, size = x.shape[-2:]
    place = torch.arange(tokens, device=x.device, dtype=torch.float64)
    columns = []
    for j in range(0, size, 2):
        angle = place / base ** (j / size)
        c, s = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
        a, b = x[..., j], x[..., j + 1]
        columns += [a * c - b * s, a * s + b * c]
    return torch.stack(columns, dim=-1)


def test_apply_rotary__1(apply_rotary):
    torch.manual_seed(0)
    x = torch.randn(2, 6, 8, dtype=torch.float64)
    turned = apply_rotary(x, torch.arange(6))
    assert turned.shape == x.shape
    assert torch.allclose(turned.norm(dim=-1), x.norm(dim=-1))


def test_apply_rotary__2(apply_rotary):
    generator = torch.Generator().manual_seed(1)
    query = torch.randn(1, 8, generator=generator, dtype=torch.float64)
    key = torch.randn(1, 8, generator=generator, dtype=torch.float64)
    expected = (query * key).sum()
    for place in (0, 1, 5, 100):
        at = torch.tensor([place])
        score = (apply_rotary(query, at) * apply_rotary(key, at)).sum()
        assert torch.allclose(score, expected), f"the score changed at position {place}"


def test_apply_rotary__3(apply_rotary):
    torch.manual_seed(0)
    query, key = torch.randn(5, 16), torch.randn(5, 16)
    positions = torch.arange(5)
    near = apply_rotary(query, positions) @ apply_rotary(key, positions).T
    for shift in (1, 7, 50):
        far = apply_rotary(query, positions + shift) @ apply_rotary(key, positions + shift).T
        assert torch.equal(near, far)
    assert not torch.allclose(near, query @ key.T)


def alibi_bias__1(heads, queries, keys):
    slopes = 2.0 ** (-8 * torch.arange(heads) / heads)
    own = torch.arange(keys - queries, keys)
    distance = own[:, None] - torch.arange(keys)[None, :]
    return -slopes[:, None, None] * distance


def alibi_bias__2(heads, queries, keys):
    bias = torch.empty(heads, queries, keys)
    for h in range(1, heads + 1):
        slope = 2 ** (-8 * h / heads)
        for q in range(queries):
            for k in range(keys):
                bias[h - 1, q, k] = -slope * (q - k)
    return bias


def window_mask__1(queries, keys, window):
    own = torch.arange(queries)[:, None] + keys - queries
    back = own - torch.arange(keys)[None, :]
    return (back >= 0) & (back <= window)


def window_mask__2(queries, keys, window):
    rows = []
    for q in range(keys - queries, keys):
        rows.append([abs(q - k) < window for k in range(keys)])
    return torch.tensor(rows)


TRUTH = {
    "sinusoidal_positions__1": 'All sines are put into the first half of the columns and all cosines into the second, instead of sine and cosine of one angle side by side.',
    "sinusoidal_positions__2": 'The exponent is the number of the pair, 0, 1, 2 ..., over model_size instead of the even column j = 0, 2, 4 ... over model_size, so the angles of all later pairs are too large.',
    "apply_rotary__1": 'Column j is paired with column j + size / 2, as in some well-known models, instead of neighbouring columns.',
    "apply_rotary__2": 'The signs of the sines are swapped, so each pair is turned from column j + 1 towards column j; the scores still depend on distance alone, but the numbers are not the ones demanded.',
    "apply_rotary__3": 'The given positions are not used; the tokens are counted from 0 instead, so a later piece of a text, or a shuffled one, is turned as if it were the beginning.',
    "test_apply_rotary__1": 'Only the shape and the lengths of the vectors are tested and never a score, so every version that turns by some wrong angle, or does not turn at all, passes.',
    "test_apply_rotary__2": 'Query and key always stand at the same position, so only distance 0 is tested; versions that turn by a wrong angle, even by one that does not grow evenly with the position, pass.',
    "test_apply_rotary__3": 'The scores of moved queries and keys must be equal to the last bit, but turning by other angles rounds differently, so a right version fails.',
    "alibi_bias__1": 'The heads are counted from 0 instead of from 1, so the first head gets the slope 1 and every other one the slope of the head before it.',
    "alibi_bias__2": "The first query is lined up with the first key instead of the last with the last, so with more keys than queries all distances are wrong and the bias at a query's own position is not 0.",
    "window_mask__1": "Keys up to `window` steps back are allowed besides the query's own, so each query sees window + 1 keys instead of window.",
    "window_mask__2": 'The absolute distance is compared, so the window opens to both sides and a query also sees keys that come after it.',
}
