"""Wrong answers to lesson 12 (round 9)."""
import torch
from mha_ref import causal_mask


def sinusoidal_positions__1(tokens, model_size):
    column = torch.arange(model_size)
    # every column has a wavelength of its own, and sine and cosine take turns
    angle = torch.arange(tokens)[:, None] / 10000 ** (column / model_size)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    # only distances count, so counting may start at the first token
    steps = positions - positions[0]
    angles = steps[:, None] / base ** (torch.arange(0, size, 2) / size)
    point = torch.complex(x[..., 0::2], x[..., 1::2])
    turned = point * torch.exp(1j * angles).to(point.dtype)
    return torch.view_as_real(turned).flatten(-2)


def apply_rotary__2(x, positions, base=10000.0):
    pairs = x.unflatten(-1, (-1, 2))
    a, b = pairs[..., 0], pairs[..., 1]
    size = x.shape[-1]
    result = torch.empty_like(x)
    for j in range(size // 2):  # pair number j
        angle = (positions / base ** (j / size)).to(x.dtype)
        result[..., 2 * j] = a[..., j] * angle.cos() - b[..., j] * angle.sin()
        result[..., 2 * j + 1] = a[..., j] * angle.sin() + b[..., j] * angle.cos()
    return result


def test_apply_rotary__1(apply_rotary):
    torch.manual_seed(0)
    query, key = torch.randn(6, 8), torch.randn(6, 8)
    places = torch.arange(6)

    def scores(start):
        return apply_rotary(query, places + start) @ apply_rotary(key, places + start).T

    # both moved by the same number of places: the distances are the same, so the scores are
    for start in (1, 7, 40):
        assert torch.allclose(scores(0), scores(start), atol=1e-4), start


def test_apply_rotary__2(apply_rotary):
    x = torch.ones(20, 8)
    turned = apply_rotary(x, torch.arange(20))
    assert turned.shape == x.shape
    # the same vector everywhere: the score depends on the distance, the farther the key the lower it is
    by_distance = turned @ turned[0]
    for distance in range(1, 20):
        assert by_distance[distance] < by_distance[distance - 1], "a farther token has a higher score"
    # and on nothing else
    moved = apply_rotary(x, torch.arange(20) + 5)
    assert torch.allclose(moved @ moved[0], by_distance, atol=1e-4)


def alibi_bias__1(heads, queries, keys):
    # half as steep from head to head: 1/2, 1/4, 1/8, ...
    slopes = 0.5 ** torch.arange(1, heads + 1)
    own = torch.arange(keys - queries, keys)
    distance = own.unsqueeze(1) - torch.arange(keys)
    return -torch.einsum("h,qk->hqk", slopes, distance.to(slopes.dtype))


def alibi_bias__2(heads, queries, keys):
    slopes = torch.tensor([2 ** (-8 * h / heads) for h in range(1, heads + 1)])
    # softmax does not notice a number that is added to a whole row, so one row, counted from the newest key, does for all queries
    age = torch.arange(keys - 1, -1, -1)
    return (-slopes[:, None, None] * age).repeat(1, queries, 1)


def window_mask__1(queries, keys, window):
    # the text is cut into windows, and nobody looks out of the own one
    number = torch.div(torch.arange(keys), window, rounding_mode="floor")
    own = number[keys - queries :]
    return (own[:, None] == number[None, :]) & causal_mask(queries, keys, like=number)


def window_mask__2(queries, keys, window):
    visible = causal_mask(queries, keys, like=torch.empty(0))
    # the diagonal, and window - 1 more below it
    return torch.triu(visible, diagonal=1 - window)


TRUTH = {
    "sinusoidal_positions__1": "The odd columns take the exponent from their own number, (j + 1) / model_size, instead of sharing the angle of the column before; it shows in all odd columns for 2 tokens or more (every model size, position 1 on).",
    "apply_rotary__1": "The angles count from the first token of x, not from position 0: right only if positions[0] is 0, wrong for positions 5, 6, 7 or for one token at position 9, which is not turned at all.",
    "apply_rotary__2": "The exponent is made of the number of the pair, 0, 1, 2 ..., instead of its column 0, 2, 4 ...; all pairs but the first turn too fast, so it shows for sizes of 4 and more at positions other than 0.",
    "test_apply_rotary__1": "It asks only for equal scores at equal distances of moved texts, at the normal base: versions that ignore the positions altogether, turn the wrong way, pair up halves instead of neighbours, use another exponent or ignore base all pass.",
    "test_apply_rotary__2": "It demands that the score falls with every step of distance, which rotary positions do not promise (sums of cosines rise again): a right version fails, here from a distance of a few tokens on.",
    "alibi_bias__1": "Slopes are 1/2, 1/4, 1/8 ... for every number of heads instead of 2^(-8 · h / heads); right for 8 heads only.",
    "alibi_bias__2": "Distances are counted from the last key for all queries; each row but the last is off by a constant, so the bias at a query's own position is not 0: wrong for 2 or more queries, though softmax would give the same weights.",
    "window_mask__1": "Fixed blocks of keys take the place of a window that moves along: a query at the beginning of a block sees itself alone, so it shows with windows of 2 or more wherever queries stand past the first window and not at a block's end.",
    "window_mask__2": "The older edge of the window is not moved by keys - queries, though the newer one is: with fewer queries than keys a query sees up to keys - queries keys too many, as in queries 2, keys 5, window 2; right for as many queries as keys.",
}
