"""Right answers in the idiom of well-known public implementations, written anew from understanding."""

import math

import torch
from einops import rearrange, repeat


def sinusoidal_positions__as_in_d2l(tokens, model_size):
    P = torch.zeros((1, tokens, model_size))
    X = torch.arange(tokens, dtype=torch.float32).reshape(-1, 1)
    X = X / torch.pow(10000, torch.arange(0, model_size, 2, dtype=torch.float32) / model_size)
    P[:, :, 0::2] = torch.sin(X)
    P[:, :, 1::2] = torch.cos(X)
    return P[0]


def apply_rotary__as_in_gpt_j(x, positions, base=10000.0):
    """Every two: the neighbours are stacked, and cosines and sines are repeated for both."""
    inv_freq = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1]))
    angles = torch.einsum("i,j->ij", positions.float(), inv_freq)
    sin, cos = (torch.repeat_interleave(t, 2, dim=-1) for t in (angles.sin(), angles.cos()))
    rotated = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
    return (x * cos) + (rotated * sin)


def apply_rotary__as_in_x_transformers(x, positions, base=10000.0):
    inv_freq = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1]))
    freqs = repeat(torch.einsum("i,j->ij", positions.type_as(inv_freq), inv_freq), "n d -> n (d r)", r=2)
    halves = rearrange(x, "... (d r) -> ... d r", r=2)
    x1, x2 = halves.unbind(dim=-1)
    turned = rearrange(torch.stack((-x2, x1), dim=-1), "... d r -> ... (d r)")
    return x * freqs.cos() + turned * freqs.sin()


def apply_rotary__as_in_llama(x, positions, base=10000.0):
    """The first Llama: neighbours as complex numbers."""
    freqs = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2)[: (x.shape[-1] // 2)].float() / x.shape[-1]))
    angles = torch.outer(positions.float(), freqs)
    freqs_cis = torch.polar(torch.ones_like(angles), angles)
    x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(x_ * freqs_cis).flatten(x.ndim - 1).type_as(x)


def alibi_bias__as_in_the_paper(heads, queries, keys):
    """The slopes as a power of a power, the places as a row, and what our contract asks besides: 0 at one's own."""
    start = 2 ** (-(2 ** -(math.log2(heads) - 3)))
    slopes = torch.tensor([start * start**i for i in range(heads)])
    row = slopes[:, None, None] * torch.arange(keys)[None, None, :].expand(heads, -1, -1)
    return row - slopes[:, None, None] * torch.arange(keys - queries, keys)[:, None]


def window_mask__as_in_mistral(queries, keys, window):
    tensor = torch.full((keys, keys), fill_value=1)
    mask = torch.tril(tensor, diagonal=0)
    mask = torch.triu(mask, diagonal=-window + 1)
    return mask[keys - queries :].bool()
