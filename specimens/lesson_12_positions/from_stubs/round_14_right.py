"""Right answers to lesson 12 (round 14)."""

import torch
from mha_ref import apply_rotary


def apply_rotary__1(x, positions, base=10000.0):
    j = torch.arange(0, x.shape[-1], 2, device=x.device, dtype=torch.float64)
    angle = positions.to(torch.float64)[:, None] / base ** (j / x.shape[-1])
    point = torch.complex(x[..., 0::2].double(), x[..., 1::2].double())
    turned = point * torch.exp(1j * angle)
    return torch.stack((turned.real, turned.imag), dim=-1).flatten(-2).to(x.dtype)


def test_apply_rotary__1(apply_rotary):
    generator = torch.Generator().manual_seed(5)
    query, key = torch.randn(2, 1, 6, generator=generator)

    def score(p, q):
        return (apply_rotary(query, torch.tensor([p])) @ apply_rotary(key, torch.tensor([q])).mT).item()

    for p, q in [(0, 0), (2, 0), (0, 3), (1, 4)]:
        for further in (1, 2, 5):
            assert abs(score(p, q) - score(p + further, q + further)) < 1e-5
    assert abs(score(3, 0) - score(0, 0)) > 1e-3
    assert abs(score(3, 0) - score(0, 3)) > 1e-3


WHY = {
    "apply_rotary__1": "Pairs are complex numbers, multiplied by exp(i · angle), in float64.",
    "test_apply_rotary__1": "Equal distances give equal scores for many pairs, another distance another score, and a length that stays.",
}
