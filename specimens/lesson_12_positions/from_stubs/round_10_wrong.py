"""Wrong answers to lesson 12 (round 10)."""

import math

import torch


def sinusoidal_positions__1(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    position = torch.arange(tokens, dtype=torch.float32)
    for column in range(model_size):
        # every column j has its own angle, position / 10000^(j / model_size)
        angle = position / 10000 ** (column / model_size)
        table[:, column] = angle.sin() if column % 2 == 0 else angle.cos()
    return table


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    speed = base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angle = (positions.double()[:, None] * speed).repeat_interleave(2, -1)  # the same angle for both columns of a pair
    first, second = x.chunk(2, -1)
    turned = torch.cat([-second, first], -1)  # a quarter turn
    return (x * angle.cos() + turned * angle.sin()).to(x.dtype)


def apply_rotary__2(x, positions, base=10000.0):
    # only distances matter, so that the first token may as well stand at 0, and its angles stay small
    steps = positions - positions[0]
    angle = torch.outer(steps.double(), base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1]))
    cos, sin = angle.cos(), angle.sin()
    even, odd = x[..., 0::2], x[..., 1::2]
    result = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)
    return result.flatten(-2).to(x.dtype)


def test_apply_rotary__1(apply_rotary):
    torch.manual_seed(0)
    query, key = torch.randn(2, 3, 6, 8)
    positions = torch.arange(6)
    turned_query, turned_key = apply_rotary(query, positions), apply_rotary(key, positions)
    assert turned_query.shape == query.shape
    # a turn keeps lengths
    assert torch.allclose(turned_query.norm(dim=-1), query.norm(dim=-1), atol=1e-4)
    # query and key at the same position: the distance is 0, so the score is the one without a turn
    plain = (query * key).sum(-1)
    assert torch.allclose((turned_query * turned_key).sum(-1), plain, atol=1e-4)
    # and at position 0 nothing is turned at all
    assert torch.allclose(turned_query[:, 0], query[:, 0], atol=1e-5)


def test_apply_rotary__2(apply_rotary):
    generator = torch.Generator().manual_seed(3)
    query, key = torch.randn(1, 8, generator=generator), torch.randn(1, 8, generator=generator)

    def score(query_position, key_position):
        a = apply_rotary(query, torch.tensor([query_position]))
        b = apply_rotary(key, torch.tensor([key_position]))
        return float((a * b).sum())

    for distance in range(5):
        wanted = score(distance, 0)
        for start in (1, 4, 10):
            assert math.isclose(score(start + distance, start), wanted, abs_tol=1e-3)
            # the distance alone, whichever of the two comes first
            assert math.isclose(score(start, start + distance), wanted, abs_tol=1e-3)
    assert not math.isclose(score(3, 0), score(0, 0), abs_tol=1e-3)


def alibi_bias__1(heads, queries, keys):
    slopes = torch.tensor([2 ** (-8 * h / heads) for h in range(1, heads + 1)])
    # within a row softmax sees differences only, so that one row of distances will do for all queries
    back = torch.arange(keys - 1, -1, -1, dtype=torch.float32)
    return (-slopes[:, None, None] * back).expand(heads, queries, keys)


def alibi_bias__2(heads, queries, keys):
    slope = torch.pow(0.5, torch.arange(1.0, heads + 1))  # 1/2, 1/4, 1/8 ...
    own = torch.arange(queries) + keys - queries
    distance = (own[:, None] - torch.arange(keys)[None, :]).clamp(min=0)
    return -torch.einsum("h,qk->hqk", slope, distance.float())


def window_mask__1(queries, keys, window):
    own = torch.arange(keys - queries, keys).unsqueeze(1)
    key = torch.arange(keys).unsqueeze(0)
    # the text is cut into windows; a query sees the keys of its window, up to itself
    return (key // window == own // window) & (key <= own)


TRUTH = {
    "sinusoidal_positions__1": "the cosine in column j + 1 gets an angle of its own, 10000^((j + 1) / model_size), instead of that of its sine; shows from position 1 on, for every model_size",
    "apply_rotary__1": "angles for neighbouring pairs, but the quarter turn joins column j with column j + size / 2; shows from size 4 on at positions other than 0",
    "apply_rotary__2": "positions are counted from the first one, so that a cached continuation at positions [5, 6, 7] is turned as [0, 1, 2]; shows whenever positions[0] is not 0",
    "test_apply_rotary__1": "checks lengths, distance 0 and position 0 only: wrong versions pass that do not turn at all, turn the wrong way, turn by position squared or with wrong pairs",
    "test_apply_rotary__2": "demands that the score is the same for distance d and -d: the docstring asks for no such thing, and a right version fails",
    "alibi_bias__1": "counts the distance from the last query for all rows, since softmax would not see the difference: the bias at a query's own position is not 0; shows with 2 or more queries",
    "alibi_bias__2": "slopes 1/2, 1/4, 1/8 ... whatever the number of heads: right for 8 heads only, shows with 1, 2, 4 or 16",
    "window_mask__1": "cuts the text into blocks of the window's size, so that a query at the start of a block sees itself alone; shows with 6 queries, 6 keys and window 3, and is right only for window 1 or keys <= window",
}
