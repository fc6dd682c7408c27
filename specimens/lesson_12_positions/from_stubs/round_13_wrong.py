"""Wrong answers to lesson 12 (round 13)."""

import torch


def sinusoidal_positions__1(tokens, model_size):
    position = torch.arange(tokens)[:, None] / tokens
    rates = 10000 ** (-torch.arange(0, model_size, 2) / model_size)
    return torch.stack([(position * rates).sin(), (position * rates).cos()], -1).flatten(1)


def sinusoidal_positions__2(tokens, model_size):
    columns = torch.arange(model_size)
    angles = torch.arange(tokens)[:, None] / 10000 ** (columns / model_size)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    rates = base ** (-torch.arange(0, size, 2, dtype=x.dtype) / size)
    angles = (positions[:, None] * rates).repeat_interleave(2, dim=-1)
    return x * angles.cos() + x * angles.sin()


def apply_rotary__2(x, positions, base=10000.0):
    size = x.shape[-1]
    rates = base ** (-torch.arange(0, size, 2, dtype=x.dtype) / size)
    angles = positions[:, None] * rates
    cos, sin = angles.cos(), angles.sin()
    turned = x.clone()
    turned[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    turned[..., 1::2] = turned[..., 0::2] * sin + x[..., 1::2] * cos
    return turned


TRUTH = {
    "sinusoidal_positions__1": "positions are divided by the number of tokens",
    "sinusoidal_positions__2": "each column has an exponent of its own: the cosine of an odd column has another angle than its sine",
    "apply_rotary__1": "each column is multiplied by cos + sin of its angle: no partner takes part",
    "apply_rotary__2": "the second column uses the first one after it has been turned",
}
