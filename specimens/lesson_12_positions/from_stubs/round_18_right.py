"""Right answers to lesson 12 (round 18)."""

import torch


def sinusoidal_positions__1(tokens, model_size):
    speed = 10000.0 ** (-torch.arange(0, model_size, 2, dtype=torch.float64) / model_size)
    angle = torch.outer(torch.arange(tokens, dtype=torch.float64), speed)
    points = torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(points).flip(-1).flatten(1).float()


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    pairs = torch.view_as_complex(x.double().unflatten(-1, (size // 2, 2)).contiguous())
    speed = base ** (-torch.arange(0, size, 2, dtype=torch.float64, device=x.device) / size)
    angle = positions.double()[:, None] * speed
    turned = pairs * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def window_mask__1(queries, keys, window):
    ones = torch.ones(queries, keys, dtype=torch.bool)
    own = keys - queries
    return ones.tril(own).triu(own - window + 1)


WHY = {
    "sinusoidal_positions__1": 'Right: complex numbers, whose imaginary part is the sine and whose real part is the cosine.',
    "apply_rotary__1": 'Right: each pair of columns is a complex number, and turning it is a multiplication.',
    "window_mask__1": 'Right: tril cuts off what comes after the query, triu what is too old.',
}
