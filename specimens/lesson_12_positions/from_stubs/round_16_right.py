"""Right answers to lesson 12 (round 16)."""

import math

import torch
from mha_ref import apply_rotary, shift



def score(apply_rotary, p, q):
    """The dot product of a query at position p and a key at position q, both turned by this version of apply_rotary."""
    torch.manual_seed(0)
    query, key = apply_rotary(torch.randn(2, 8), torch.tensor([p, q]))
    return query @ key


def sinusoidal_positions__1(tokens, model_size):
    j = torch.arange(0, model_size, 2, dtype=torch.float64)
    angles = torch.arange(tokens, dtype=torch.float64)[:, None] * 10000.0 ** (-j / model_size)
    points = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(points).flip(-1).flatten(-2).float()


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(0, size, 2, device=x.device, dtype=torch.float64)
    angles = positions.to(x.device).double()[:, None] / base ** (j / size)
    c, s = angles.cos(), angles.sin()
    upper, lower = torch.stack([c, -s], dim=-1), torch.stack([s, c], dim=-1)
    turn = torch.stack([upper, lower], dim=-2).to(x.dtype)
    pairs = x.reshape(*x.shape[:-1], size // 2, 2)
    return torch.einsum("tpij,...tpj->...tpi", turn, pairs).reshape(x.shape)


def test_apply_rotary__1(apply_rotary):
    def slow(row, position, base):
        turned, size = [], len(row)
        for j in range(0, size, 2):
            angle = position / base ** (j / size)
            a, b = row[j], row[j + 1]
            turned.append(a * math.cos(angle) - b * math.sin(angle))
            turned.append(a * math.sin(angle) + b * math.cos(angle))
        return turned

    for p, q, shift in [(0, 0, 9), (3, 0, 5), (0, 4, 7), (7, 2, 30)]:
        gap = score(apply_rotary, p, q) - score(apply_rotary, p + shift, q + shift)
        assert abs(float(gap)) < 1e-2, "the score changes although the distance does not"

    torch.manual_seed(1)
    for shape, places, base in [
        ((4, 6), [0, 1, 2, 3], 10000.0),
        ((3, 8), [11, 2, 5], 10000.0),
        ((2, 3, 8), [4, 5, 6], 100.0),
        ((2, 2, 5, 4), [9, 0, 3, 3, 20], 10000.0),
    ]:
        x = torch.randn(shape)
        before = x.clone()
        positions = torch.tensor(places)
        result = apply_rotary(x, positions) if base == 10000.0 else apply_rotary(x, positions, base=base)
        assert result.shape == x.shape, "another shape"
        assert torch.equal(x, before), "x was changed"
        assert positions.tolist() == places, "the positions were changed"
        rows = before.reshape(-1, len(places), shape[-1]).tolist()
        wanted = torch.tensor([[slow(r, p, base) for r, p in zip(item, places)] for item in rows])
        far = (result.detach().double() - wanted.reshape(shape).double()).abs().max()
        assert float(far) < 1e-3, "turned by another angle, or in other pairs"

    x = torch.randn(3, 4, requires_grad=True)
    result = apply_rotary(x, torch.arange(3))
    assert result.requires_grad, "no gradient"
    result.sum().backward()
    assert x.grad is not None, "no gradient reaches x"


def alibi_bias__1(heads, queries, keys):
    before = keys - queries
    return torch.tensor(
        [
            [[-(2.0 ** (-8.0 * h / heads)) * (before + q - k) for k in range(keys)] for q in range(queries)]
            for h in range(1, heads + 1)
        ]
    )


WHY = {
    "sinusoidal_positions__1": 'Takes cosine and sine as real and imaginary parts of complex numbers, and swaps them with flip.',
    "apply_rotary__1": 'Builds a 2 by 2 rotation matrix for each token and pair and multiplies with einsum.',
    "test_apply_rotary__1": 'Besides the scores, compares every number with a slow version in plain Python floats, also for unordered positions, another base and further axes.',
    "alibi_bias__1": 'Writes every number in nested list comprehensions of plain Python, and makes one tensor of them at the end.',
}
