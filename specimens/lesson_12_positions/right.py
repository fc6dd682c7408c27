"""Right answers to lesson 12, as learners write them: exercise, style."""

import math

import numpy as np
import torch

# sinusoidal_positions


def sinusoidal_positions__loops(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    for place in range(tokens):
        for j in range(0, model_size, 2):
            table[place, j] = math.sin(place / 10000 ** (j / model_size))
            table[place, j + 1] = math.cos(place / 10000 ** (j / model_size))
    return table


def sinusoidal_positions__slices(tokens, model_size):
    pe = torch.zeros(tokens, model_size)
    position = torch.arange(0, tokens, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, model_size, 2).float() * (-math.log(10000.0) / model_size))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


def sinusoidal_positions__numpy(tokens, model_size):
    column = np.arange(model_size)
    angle = np.arange(tokens)[:, None] / 10000 ** ((column // 2 * 2) / model_size)
    return np.where(column % 2, np.cos(angle), np.sin(angle))


def sinusoidal_positions__a_cosine_is_a_sine_that_is_ahead(tokens, model_size):
    speeds = (10000.0 ** -(torch.arange(0, model_size, 2).double() / model_size)).repeat_interleave(2)
    ahead = torch.tensor([0.0, math.pi / 2], dtype=torch.float64).repeat(model_size // 2)
    return torch.sin(torch.outer(torch.arange(tokens).double(), speeds) + ahead)


def sinusoidal_positions__complex_numbers(tokens, model_size):
    angles = torch.outer(
        torch.arange(tokens).double(), 10000 ** (-torch.arange(0, model_size, 2).double() / model_size)
    )
    hands = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(hands).flip(-1).reshape(tokens, model_size)


def sinusoidal_positions__one_list_of_rows(tokens, model_size):
    waves = (math.sin, math.cos)
    rows = [[waves[c % 2](p / 10000 ** ((c - c % 2) / model_size)) for c in range(model_size)] for p in range(tokens)]
    return torch.tensor(rows, dtype=torch.float64)


def sinusoidal_positions__float32_exponents_and_a_float64_result(tokens, model_size):
    exponents = np.arange(0, model_size, 2, dtype=np.float32) / model_size
    angles = np.arange(tokens)[:, None] / np.float32(10000) ** exponents
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(tokens, model_size).astype(np.float64)


def sinusoidal_positions__float64_in_the_end(tokens, model_size):
    angles = torch.arange(tokens)[:, None] / 10000 ** (torch.arange(0, model_size, 2) / model_size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).double()


# apply_rotary


def apply_rotary__matrices(x, positions, base=10000.0):
    angles = positions[:, None] * base ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1])
    cos, sin = angles.cos(), angles.sin()
    turns = torch.stack([cos, -sin, sin, cos], dim=-1).unflatten(-1, (2, 2)).to(x.dtype)
    pairs = x.unflatten(-1, (-1, 2)).unsqueeze(-1)
    return (turns @ pairs).flatten(-3)


def apply_rotary__complex_numbers(x, positions, base=10000.0):
    speeds = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    turns = torch.polar(torch.ones(len(positions), len(speeds)), positions[:, None] * speeds)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns).flatten(-2).type_as(x)


def apply_rotary__fills_a_new_tensor(x, positions, base=10000.0):
    out = torch.empty_like(x)
    for j in range(0, x.shape[-1], 2):
        angle = positions / base ** (j / x.shape[-1])
        cos, sin = torch.cos(angle), torch.sin(angle)
        out[..., j] = x[..., j] * cos - x[..., j + 1] * sin
        out[..., j + 1] = x[..., j] * sin + x[..., j + 1] * cos
    return out


def apply_rotary__a_partner_beside_each_column(x, positions, base=10000.0):
    angles = torch.outer(positions.float(), base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1]))
    angles = angles.repeat_interleave(2, dim=-1)
    partner = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).reshape(x.shape)
    return x * angles.cos() + partner * angles.sin()


def apply_rotary__by_halves_and_back(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    there = torch.cat([x[..., 0::2], x[..., 1::2]], dim=-1)
    freqs = 1.0 / (base ** (torch.arange(0, half).float() / half))
    emb = torch.cat([torch.outer(positions.float(), freqs)] * 2, dim=-1)
    rotated = torch.cat([-there[..., half:], there[..., :half]], dim=-1)
    there = there * emb.cos() + rotated * emb.sin()
    return torch.stack([there[..., :half], there[..., half:]], dim=-1).flatten(-2)


def apply_rotary__length_and_direction(x, positions, base=10000.0):
    angles = positions[:, None] / base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    even, odd = x[..., ::2], x[..., 1::2]
    length, direction = torch.hypot(even, odd), torch.atan2(odd, even) + angles
    return torch.stack([length * direction.cos(), length * direction.sin()], dim=-1).flatten(-2)


def apply_rotary__one_token_after_the_other(x, positions, base=10000.0):
    rows = []
    for t, place in enumerate(positions.tolist()):
        columns = []
        for j in range(0, x.shape[-1], 2):
            angle = place * base ** (-j / x.shape[-1])
            a, b = x[..., t, j], x[..., t, j + 1]
            columns += [a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)]
        rows.append(torch.stack(columns, dim=-1))
    return torch.stack(rows, dim=-2)


# alibi_bias


def alibi_bias__loops(heads, queries, keys):
    bias = torch.zeros(heads, queries, keys)
    for h in range(heads):
        for q in range(queries):
            for k in range(keys):
                bias[h, q, k] = -(2 ** (-8 * (h + 1) / heads)) * (q + keys - queries - k)
    return bias


def alibi_bias__distance_without_a_sign(heads, queries, keys):
    slopes = torch.pow(2.0, -8.0 / heads * torch.arange(1, heads + 1))
    distance = (torch.arange(keys)[None] - (torch.arange(queries) + keys - queries)[:, None]).abs()
    return -slopes.view(-1, 1, 1) * distance


def alibi_bias__zero_in_the_future(heads, queries, keys):
    far = (torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)).clamp(min=0)
    return torch.stack([far * -(2.0 ** (-8 * h / heads)) for h in range(1, heads + 1)])


def alibi_bias__minus_infinity_in_the_future(heads, queries, keys):
    far = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    first = 2 ** (-8 / heads)
    bias = torch.stack([-(first**h) * far for h in range(1, heads + 1)])
    return bias.masked_fill(far < 0, float("-inf"))


def alibi_bias__last_rows_of_a_square(heads, queries, keys):
    place = np.arange(keys)
    square = place[None, :] - place[:, None]
    start = 2 ** (-(2 ** -(math.log2(heads) - 3)))
    slopes = np.array([start * start**i for i in range(heads)])
    return torch.from_numpy((slopes[:, None, None] * square)[:, keys - queries :])


def alibi_bias__einsum(heads, queries, keys):
    far = (torch.arange(keys)[None, :] - torch.arange(keys - queries, keys)[:, None]).float()
    return torch.einsum("h,qk->hqk", 0.5 ** (8 * torch.arange(1, heads + 1) / heads), far)


# window_mask


def window_mask__two_triangles(queries, keys, window):
    ones = torch.ones(queries, keys, dtype=torch.bool)
    return ones.tril(keys - queries) & ones.triu(keys - queries - window + 1)


def window_mask__difference_of_triangles(queries, keys, window):
    return np.tri(queries, keys, keys - queries, dtype=bool) ^ np.tri(
        queries, keys, keys - queries - window, dtype=bool
    )


def window_mask__row_by_row(queries, keys, window):
    mask = torch.zeros(queries, keys, dtype=torch.bool)
    for row in range(queries):
        place = keys - queries + row
        mask[row, max(0, place - window + 1) : place + 1] = True
    return mask


def window_mask__chain_of_comparisons(queries, keys, window):
    places = range(keys - queries, keys)
    return torch.tensor([[place - window < key <= place for key in range(keys)] for place in places])


def window_mask__of_a_square(queries, keys, window):
    q, k = torch.meshgrid(torch.arange(keys), torch.arange(keys), indexing="ij")
    return torch.logical_and(k <= q, k + window > q)[-queries:]


def window_mask__in_a_range(queries, keys, window):
    back = torch.arange(queries).unsqueeze(1) + (keys - queries) - torch.arange(keys).unsqueeze(0)
    return back.clamp(0, window - 1) == back


# the written test


def test_apply_rotary__all_distances(f):
    generator = torch.Generator().manual_seed(3)
    q, k = torch.randn(2, 6, generator=generator, dtype=torch.float64)
    places = torch.arange(7)
    queries, keys = f(q.expand(7, 6), places), f(k.expand(7, 6), places)
    scores = queries @ keys.T
    for offset in range(-6, 7):
        diagonal = scores.diagonal(offset)
        assert torch.allclose(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-5)
    whole = f(torch.stack([q, k]), torch.tensor([6, 2]))
    assert torch.allclose(whole[0] @ whole[1], scores[4, 0], atol=1e-5)
    assert abs(scores[4, 0] - scores[0, 0]) > 1e-4
    assert torch.allclose(scores[0, 0], q @ k, atol=1e-5)


def test_apply_rotary__everything_moves(implementation):
    x = torch.linspace(-2, 3, 24, dtype=torch.float64).reshape(4, 6).sin()
    here, there = implementation(x, torch.tensor([0, 2, 5, 9])), implementation(x, torch.tensor([7, 9, 12, 16]))
    mixed = implementation(x, torch.tensor([0, 1, 5, 9]))
    assert torch.allclose(here @ here.T, there @ there.T, atol=1e-5)
    assert not torch.allclose(here @ here.T, mixed @ mixed.T, atol=1e-3)
