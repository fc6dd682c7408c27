"""Wrong answers to lesson 12 (round 14)."""

import math

import torch
from mha_ref import apply_rotary


def sinusoidal_positions__1(tokens, model_size):
    pair = torch.arange(model_size // 2)
    angle = torch.arange(tokens)[:, None] / 10000 ** (pair / model_size)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    rate = base ** (-torch.arange(0, size, 2, device=x.device) / size)
    angle = (positions[:, None] * rate).to(x.dtype)
    turn = torch.polar(torch.ones_like(angle), -angle)
    z = torch.view_as_complex(x.contiguous().reshape(*x.shape[:-1], size // 2, 2))
    return torch.view_as_real(z * turn).flatten(-2)


def apply_rotary__2(x, positions, base=10000.0):
    j = torch.arange(0, x.shape[-1], 2, device=x.device)
    theta = positions.unsqueeze(-1) * torch.exp(-math.log(10000.0) * j / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = torch.stack((a * theta.cos() - b * theta.sin(), a * theta.sin() + b * theta.cos()), dim=-1)
    return turned.reshape(x.shape).to(x.dtype)


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


def window_mask__1(queries, keys, window):
    q = torch.arange(queries).unsqueeze(1) + keys - queries
    k = torch.arange(keys).unsqueeze(0)
    return (q - k).abs() < window


def test_apply_rotary__1(apply_rotary):
    torch.manual_seed(0)
    q, k = torch.randn(1, 8), torch.randn(1, 8)

    def score(p, q_position):
        a = apply_rotary(q, torch.tensor([p]))
        b = apply_rotary(k, torch.tensor([q_position]))
        return (a * b).sum()

    for p in range(4):
        for shift in range(1, 5):
            assert torch.isclose(score(p, p + 2), score(p + shift, p + 2 + shift), atol=1e-5)


TRUTH = {
    "sinusoidal_positions__1": "The exponent is the pair's number over model_size, and should be the even column's number: the angles fall half as fast.",
    "apply_rotary__1": "It turns from column j + 1 towards column j: the angle is negative.",
    "apply_rotary__2": "It ignores `base` and always uses 10000.",
    "alibi_bias__1": "Heads are counted from 0, so all slopes belong to the head before: the first is 1.",
    "alibi_bias__2": "The first query lines up with the first key, so with more keys than queries the distances are wrong.",
    "window_mask__1": "The window also reaches forward: keys after the query are allowed.",
    "test_apply_rotary__1": "It only demands that equal distances give equal scores, so a version that ignores positions passes.",
}
