"""Slips in answers to lesson 12 (round 15)."""

import torch



def sinusoidal_positions__1(tokens, model_size):
    angles = torch.arange(tokens)[:, None] / 10000 ** (torch.arange(0, model_size, 2) / model_size)
    table = torch.zeros(tokens, model_size)
    table[:, 0::2] = torch.cos(angles)
    table[:, 1::2] = torch.sin(angles)
    return table


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    columns = list(x.unbind(dim=-1))
    for j in range(0, size, 2):
        angle = positions.double() / base ** (j / size)
        c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        columns[j] = columns[j] * c - columns[j + 1] * s
        columns[j + 1] = columns[j] * s + columns[j + 1] * c
    return torch.stack(columns, dim=-1)


def window_mask__1(queries, keys, window):
    own = torch.arange(keys - queries, keys)[:, None]
    places = torch.arange(keys)[None, :]
    return places <= own & places > own - window


TRUTH = {
    "sinusoidal_positions__1": 'The even columns get the cosine and the odd ones the sine, the wrong way round.',
    "apply_rotary__1": 'The even column is overwritten before the odd one is computed from it, so the second line uses the turned number in place of the old one.',
    "window_mask__1": '& binds more tightly than <= and >, and the parentheses around the two comparisons are missing, so Python reads one chained comparison and stops with an error about the truth value of a tensor.',
}
