import math

import torch


# ---------------------------------------------------------------- sinusoidal_positions

def sinusoidal_positions__1(tokens, model_size):
    place = torch.arange(tokens, dtype=torch.float64)
    rate = 10000.0 ** (-torch.arange(0, model_size, 2, dtype=torch.float64) / model_size)
    angle = torch.outer(place, rate)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).to(torch.get_default_dtype())


def sinusoidal_positions__2(tokens, model_size):
    table = torch.empty(tokens, model_size)
    for place in range(tokens):
        for column in range(model_size):
            even = column - column % 2
            angle = place / math.pow(10000, even / model_size)
            table[place, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table


# ---------------------------------------------------------------- apply_rotary

def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    rate = base ** (-torch.arange(0, size, 2, device=x.device, dtype=torch.float64) / size)
    angle = positions.to(torch.float64)[:, None] * rate
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def apply_rotary__2(x, positions, base=10000.0):
    # a point in the plane is a complex number, turning is multiplying by exp(i * angle)
    work = torch.float64 if x.dtype == torch.float64 else torch.float32
    size = x.shape[-1]
    angles = torch.tensor(
        [[p / base ** (j / size) for j in range(0, size, 2)] for p in positions.tolist()],
        dtype=torch.float64, device=x.device,
    ).reshape(len(positions), size // 2)
    turn = torch.complex(angles.cos().to(work), angles.sin().to(work))
    points = torch.view_as_complex(x.to(work).reshape(*x.shape[:-1], size // 2, 2).contiguous())
    return torch.view_as_real(points * turn).reshape(x.shape).to(x.dtype)


# ---------------------------------------------------------------- alibi_bias

def alibi_bias__1(heads, queries, keys):
    slopes = torch.pow(2.0, -8.0 * torch.arange(1, heads + 1) / heads)
    place = torch.arange(keys - queries, keys)
    distance = place[:, None] - torch.arange(keys)[None, :]
    return -slopes[:, None, None] * distance


def alibi_bias__2(heads, queries, keys):
    bias = torch.zeros(heads, queries, keys)
    for h in range(heads):
        slope = 2 ** (-8 * (h + 1) / heads)
        for back_query in range(queries):               # 0 is the last query, at the last key
            query_at = keys - 1 - back_query
            for distance in range(query_at + 1):
                bias[h, queries - 1 - back_query, query_at - distance] = -distance * slope
    return bias


# ---------------------------------------------------------------- window_mask

def window_mask__1(queries, keys, window):
    back = torch.arange(keys - queries, keys).unsqueeze(1) - torch.arange(keys)
    return (back >= 0) & (back < window)


def window_mask__2(queries, keys, window):
    mask = torch.zeros((queries, keys), dtype=torch.bool)
    for i in range(queries):
        end = keys - queries + i + 1
        mask[i, max(0, end - window):end] = True
    return mask


WHY = {
    "sinusoidal_positions__1": "One angle per pair of columns, sine and cosine stacked behind it and flattened; computed in double, rounded once.",
    "sinusoidal_positions__2": "Each number by itself, with the math module; an odd column takes the angle of its left neighbour.",
    "apply_rotary__1": "Rotation written out for even and odd columns, with cosine and sine rounded to the dtype of x only at the end.",
    "apply_rotary__2": "Each pair as a complex number times exp(i * angle); half precision is worked in float32 and rounded back.",
    "alibi_bias__1": "Outer difference of the places, with the queries at the end of the keys; later keys get a positive bias, which may be anything.",
    "alibi_bias__2": "Three loops, counted back from the last query at the last key; later keys keep 0.",
    "window_mask__1": "How far back each key is: at least 0 and less than the window.",
    "window_mask__2": "A slice per row, whose beginning is never below 0.",
}
