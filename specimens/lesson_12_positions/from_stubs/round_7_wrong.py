import math

import torch


# ---------------------------------------------------------------- sinusoidal_positions

def _angles(tokens, model_size):
    place = torch.arange(tokens, dtype=torch.float64)[:, None]
    return place / 10000.0 ** (torch.arange(0, model_size, 2, dtype=torch.float64) / model_size)


def sinusoidal_positions__1(tokens, model_size):
    angle = _angles(tokens, model_size)
    return torch.cat([angle.sin(), angle.cos()], dim=1).float()


def sinusoidal_positions__2(tokens, model_size):
    place = torch.arange(tokens, dtype=torch.float64)[:, None]
    i = torch.arange(0, model_size, 2, dtype=torch.float64)
    angle = place / 10000.0 ** (2 * i / model_size)
    table = torch.zeros(tokens, model_size)
    table[:, 0::2] = angle.sin().float()
    table[:, 1::2] = angle.cos().float()
    return table


def sinusoidal_positions__3(tokens, model_size):
    place = torch.arange(tokens, dtype=torch.float64)[:, None]
    column = torch.arange(model_size, dtype=torch.float64)
    angle = place / 10000.0 ** (column / model_size)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos()).float()


def sinusoidal_positions__4(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    for place in range(1, tokens + 1):
        for j in range(0, model_size, 2):
            angle = place / 10000 ** (j / model_size)
            table[place - 1, j] = math.sin(angle)
            table[place - 1, j + 1] = math.cos(angle)
    return table


def sinusoidal_positions__5(tokens, model_size):
    pairs = model_size // 2
    # from 1 down to 1/10000, evenly on the logarithmic scale
    rate = torch.logspace(0, -4, pairs, dtype=torch.float64)
    angle = torch.arange(tokens, dtype=torch.float64)[:, None] * rate
    return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(tokens, model_size).float()


def sinusoidal_positions__6(tokens, model_size):
    # one table for all texts, the caller gets as many rows as needed
    angle = _angles(512, model_size)
    table = torch.stack([angle.sin(), angle.cos()], dim=2).reshape(512, model_size).float()
    return table[:tokens]


def sinusoidal_positions__7(tokens, model_size):
    table = torch.arange(tokens).unsqueeze(1).repeat(1, model_size)
    angle = table[:, 0::2] / 10000.0 ** (torch.arange(0, model_size, 2) / model_size)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table


# ---------------------------------------------------------------- apply_rotary

def _cos_sin(x, positions, base):
    size = x.shape[-1]
    rate = base ** (-torch.arange(0, size, 2, device=x.device, dtype=torch.float64) / size)
    angle = positions.double()[:, None] * rate
    return angle.cos().to(x.dtype), angle.sin().to(x.dtype)


def apply_rotary__1(x, positions, base=10000.0):
    cos, sin = _cos_sin(x, positions, base)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


def apply_rotary__2(x, positions, base=10000.0):
    cos, sin = _cos_sin(x, positions, base)
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * cos - out[..., 1::2] * sin
    out[..., 1::2] = out[..., 0::2] * sin + out[..., 1::2] * cos
    return out


def apply_rotary__3(x, positions, base=10000.0):
    cos, sin = _cos_sin(x, positions, base)
    cos = torch.cat([cos, cos], dim=-1)
    sin = torch.cat([sin, sin], dim=-1)
    quarter_turn = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * cos + quarter_turn * sin


def apply_rotary__4(x, positions, base=10000.0):
    # only differences of positions matter, so begin at 0
    cos, sin = _cos_sin(x, positions - positions[0], base)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


def apply_rotary__5(x, positions, base=10000.0):
    size = x.shape[-1]
    rate = 1.0 / base ** (torch.arange(0, size, 2, device=x.device).float() / size)
    angle = torch.outer(positions.float(), rate)
    turn = torch.polar(torch.ones_like(angle), angle)
    points = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(points * turn).flatten(-2)


def apply_rotary__6(x, positions, base=10000.0):
    size = x.shape[-1]
    # everything in the dtype of x, so that nothing is promoted
    rate = base ** (-torch.arange(0, size, 2, device=x.device, dtype=x.dtype) / size)
    angle = positions.to(x.dtype)[:, None] * rate
    cos, sin = angle.cos(), angle.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


def apply_rotary__7(x, positions, base=10000.0):
    cos, sin = _cos_sin(x, positions, base)
    a, b = x[..., 0::2], x[..., 1::2]
    x[..., 0::2], x[..., 1::2] = a * cos - b * sin, a * sin + b * cos
    return x


# ---------------------------------------------------------------- alibi_bias

def alibi_bias__1(heads, queries, keys):
    slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)
    distance = torch.arange(queries)[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * distance


def alibi_bias__2(heads, queries, keys):
    slopes = 2.0 ** (-8.0 * torch.arange(heads) / heads)
    distance = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * distance


def alibi_bias__3(heads, queries, keys):
    # 1/2, 1/4, 1/8, ...
    slopes = 0.5 ** torch.arange(1, heads + 1)
    distance = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * distance


def alibi_bias__4(heads, queries, keys):
    slopes = torch.tensor([2.0 ** (-8 * h // heads) for h in range(1, heads + 1)])
    distance = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * distance


def alibi_bias__5(heads, queries, keys):
    # softmax ignores what is the same for a whole row, so the key's place is enough
    slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)
    return (slopes[:, None, None] * torch.arange(keys)).repeat(1, queries, 1)


def alibi_bias__6(heads, queries, keys):
    slopes = torch.linspace(2 ** (-8 / heads), 2 ** -8, heads)
    distance = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * distance


def alibi_bias__7(heads, queries, keys):
    slopes = 2.0 ** (-8.0 * torch.arange(1, heads + 1) / heads)
    query = torch.arange(queries) + (keys - queries) + 1
    distance = (query[:, None] - torch.arange(keys)).clamp(min=0)
    return -slopes[:, None, None] * distance


# ---------------------------------------------------------------- window_mask

def window_mask__1(queries, keys, window):
    mask = torch.zeros(queries, keys, dtype=torch.bool)
    for i in range(queries):
        here = keys - queries + i
        mask[i, here - window + 1:here + 1] = True
    return mask


def window_mask__2(queries, keys, window):
    ones = torch.ones(queries, keys, dtype=torch.bool)
    return ones.tril(diagonal=keys - queries) & ones.triu(diagonal=1 - window)


def window_mask__3(queries, keys, window):
    here = torch.arange(keys - queries, keys)[:, None]
    start = (here - window + 1).clamp(min=0)
    key = torch.arange(keys)
    return (key >= start) & (key < start + window)


def window_mask__4(queries, keys, window):
    here = torch.arange(keys - queries, keys)[:, None]
    key = torch.arange(keys)
    newest = key >= keys - window
    return newest & (key <= here)


def window_mask__5(queries, keys, window):
    here = torch.arange(keys - queries, keys)[:, None]
    key = torch.arange(keys)
    return (here // window == key // window) & (key <= here)


def window_mask__6(queries, keys, window):
    ones = torch.ones(queries, keys)
    offset = keys - queries
    return ones.tril(offset) * ones.triu(offset - window + 1)


def window_mask__7(queries, keys, window):
    here = torch.arange(keys - queries, keys)[:, None]
    key = torch.arange(keys)
    return (key <= here) & (key >= here - window)


TRUTH = {
    "sinusoidal_positions__1": "All sines in the first half of the columns and all cosines in the second, instead of side by side.",
    "sinusoidal_positions__2": "j counts columns already, and is doubled once more, so the angles fall twice as fast.",
    "sinusoidal_positions__3": "The odd columns have an angle of their own, with the exponent (j + 1) / model_size, instead of their neighbour's.",
    "sinusoidal_positions__4": "The places are counted from 1.",
    "sinusoidal_positions__5": "The last pair reaches 1 / 10000: the exponents go up to 1 instead of (model_size - 2) / model_size.",
    "sinusoidal_positions__6": "The table has 512 rows, so for more tokens rows are missing.",
    "sinusoidal_positions__7": "The table has an integer dtype, so sines and cosines are cut to -1, 0 and 1.",
    "apply_rotary__1": "The pairs are the columns j and j + size / 2, not neighbours.",
    "apply_rotary__2": "The odd columns are computed from even columns that have already been turned.",
    "apply_rotary__3": "The cosines are repeated block after block instead of twice each, so the two columns of a pair have different angles.",
    "apply_rotary__4": "The positions are shifted to begin at 0.",
    "apply_rotary__5": "Everything is rounded to float32: a float64 x comes back as float32, with float32 precision.",
    "apply_rotary__6": "Positions and angles are rounded to the dtype of x: in bfloat16 or float16 large positions are wrong by whole radians.",
    "apply_rotary__7": "x itself is overwritten (and a leaf that needs gradients is refused).",
    "alibi_bias__1": "The first query is put at the first key, not the last at the last, which is wrong where there are fewer queries than keys.",
    "alibi_bias__2": "The heads are counted from 0, so the first slope is 1.",
    "alibi_bias__3": "The slopes are those of 8 heads, whatever the number of heads.",
    "alibi_bias__4": "The exponent is rounded down to an integer, wrong for every other head with 16 heads.",
    "alibi_bias__5": "Only the key's place is counted, so the bias at a query's own place is not 0 (the same softmax, but not the bias asked for).",
    "alibi_bias__6": "The slopes fall linearly from the first to the last instead of by the same factor.",
    "alibi_bias__7": "The queries are put one place too far, so the own place has minus one slope instead of 0.",
    "window_mask__1": "The beginning of the slice gets negative for queries with few keys, and Python counts it from the end: such rows are empty or wrong.",
    "window_mask__2": "The lower edge of the band lacks the offset keys - queries, so with fewer queries than keys the window is too long.",
    "window_mask__3": "A query with fewer keys than the window sees as many as the window holds, also keys that come after it.",
    "window_mask__4": "All queries share the newest keys of the whole text instead of the newest up to their own place.",
    "window_mask__5": "Fixed blocks instead of a window that moves with the query.",
    "window_mask__6": "The mask is floating 0 and 1 instead of boolean.",
    "window_mask__7": "One key too many: the window plus the own place.",
}
