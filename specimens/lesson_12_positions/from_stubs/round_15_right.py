"""Right answers to lesson 12 (round 15)."""

import torch



def sinusoidal_positions__1(tokens, model_size):
    j = torch.arange(0, model_size, 2, dtype=torch.float64)
    angles = torch.outer(torch.arange(tokens, dtype=torch.float64), 10000.0 ** (-j / model_size))
    circle = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(circle).flip(-1).flatten(1).float()


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(0, size, 2, dtype=torch.float64, device=x.device)
    angles = torch.outer(positions.to(torch.float64), float(base) ** (-j / size))
    c, s = angles.cos(), angles.sin()
    turn = torch.stack((c, -s, s, c), dim=-1).unflatten(-1, (2, 2)).to(x.dtype)
    pairs = x.unflatten(-1, (size // 2, 2))
    return torch.einsum("tpij,...tpj->...tpi", turn, pairs).flatten(-2)


def alibi_bias__1(heads, queries, keys):
    seen = torch.ones(queries, keys, dtype=torch.float64).tril(keys - queries)
    distance = seen.flip(-1).cumsum(dim=-1).flip(-1) - 1
    slopes = torch.full((heads,), 2.0 ** (-8 / heads), dtype=torch.float64).cumprod(dim=0)
    return -torch.tensordot(slopes, distance, dims=0).float()


def window_mask__1(queries, keys, window):
    everything = torch.ones(queries, keys, dtype=torch.bool)
    newest = keys - queries
    return everything.tril(newest) ^ everything.tril(newest - window)


WHY = {
    "sinusoidal_positions__1": 'The angles become complex numbers of length 1; their imaginary and real parts are the sine and the cosine, and a flip puts the sine first.',
    "apply_rotary__1": 'A real matrix of two by two is built for each position and pair, and one einsum multiplies each pair, a column vector, with its matrix.',
    "alibi_bias__1": 'The distance is not a difference of positions: it is the number of allowed keys to the right, by a cumulative sum of the flipped causal mask; the slopes are a cumulative product.',
    "window_mask__1": 'The band is what one triangle has and a smaller one has not, by an exclusive or of two tril; no positions are compared.',
}
