"""Wrong answers to lesson 12 (round 9)."""
import torch


def sinusoidal_positions__1(tokens, model_size):
    positions = torch.arange(tokens)[:, None]
    even = torch.arange(0, model_size, 2)
    table = torch.zeros_like(positions).repeat(1, model_size)
    angles = positions / 10000 ** (even / model_size)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)
    return table


def apply_rotary__1(x, positions, base=10000.0):
    size = x.shape[-1]
    j = torch.arange(0, size, 2, device=x.device)
    angles = (positions[:, None] / base ** (j / size)).to(x.dtype)
    cos, sin = angles.cos(), angles.sin()
    first, second = x[..., 0::2], x[..., 1::2]
    first = first * cos - second * sin
    second = first * sin + second * cos
    return torch.stack([first, second], dim=-1).reshape(x.shape)


def test_apply_rotary__1(apply_rotary):
    torch.manual_seed(0)
    query = torch.randn(1, 8, dtype=torch.float64)
    key = torch.randn(1, 8, dtype=torch.float64)

    def score(query_place, key_place, **options):
        turned_query = apply_rotary(query, torch.tensor([query_place]), **options)
        turned_key = apply_rotary(key, torch.tensor([key_place]), **options)
        return (turned_query * turned_key).sum()

    for options in {}, {"base": 100.0}:
        assert (torch.isclose(score(i + 3, i, **options), score(3, 0, **options)) for i in range(1, 20))
        assert (not torch.isclose(score(i, 0, **options), score(0, 0, **options)) for i in range(1, 5))


def alibi_bias__1(heads, queries, keys):
    number = torch.arange(1, heads + 1)
    slopes = 2.0 ** -8 * number / heads
    query_place = torch.arange(keys - queries, keys)[:, None]
    key_place = torch.arange(keys)[None, :]
    return -slopes[:, None, None] * (query_place - key_place)


TRUTH = {
    "sinusoidal_positions__1": "zeros_like of integer positions makes an integer table, so that all sines and cosines are cut to 0 or 1: dtype int64, with 1 in the cosines of position 0 (and wherever a value is exactly 1), and 0 nearly everywhere else.",
    "apply_rotary__1": "`first` is overwritten before `second` is computed from it: the odd columns are wrong at every position but 0; (1, 0) at position 1 becomes (0.5403, 0.4546) instead of (0.5403, 0.8415).",
    "test_apply_rotary__1": "Each assert holds a generator, without all( ): it is always true, and never even run, so that apply_rotary is not called once and every version passes.",
    "alibi_bias__1": "The exponent lacks brackets, so 2 ** -8 is multiplied by h / heads: slopes 1/512 and 1/256 instead of 1/16 and 1/256 for two heads; right for the last head only, so for heads=1.",
}
