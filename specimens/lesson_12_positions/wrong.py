"""Wrong answers to lesson 12, as learners write them: exercise, what the judge should name, style."""

import math

import numpy as np
import torch

# sinusoidal_positions


def _angles(tokens, model_size, base=10000.0):
    return torch.arange(tokens)[:, None] / base ** (torch.arange(0, model_size, 2).double() / model_size)


def sinusoidal_positions__puts_one_half_behind_the_other__tensor2tensor(tokens, model_size):
    angles = _angles(tokens, model_size)
    return torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1)


def sinusoidal_positions__exchanges_the_two_of_a_pair__slices(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    table[:, 0::2] = torch.cos(_angles(tokens, model_size))
    table[:, 1::2] = torch.sin(_angles(tokens, model_size))
    return table


def sinusoidal_positions__gives_every_column_a_speed_of_its_own__loops(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    for place in range(tokens):
        for column in range(model_size):
            wave = math.cos if column % 2 else math.sin
            table[place, column] = wave(place / 10000 ** (column / model_size))
    return table


def sinusoidal_positions__counts_pairs_instead_of_columns__range_of_half(tokens, model_size):
    angles = torch.arange(tokens)[:, None] / 10000 ** (torch.arange(model_size // 2) / model_size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def sinusoidal_positions__doubles_the_columns__two_i_of_even_i(tokens, model_size):
    table = torch.zeros(tokens, model_size)
    for i in range(0, model_size, 2):
        angle = torch.arange(tokens) / 10000 ** (2 * i / model_size)
        table[:, i], table[:, i + 1] = angle.sin(), angle.cos()
    return table


def sinusoidal_positions__counts_places_from_one__arange(tokens, model_size):
    angles = torch.arange(1, tokens + 1)[:, None] / 10000 ** (torch.arange(0, model_size, 2) / model_size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def sinusoidal_positions__takes_another_base__a_zero_less(tokens, model_size):
    angles = _angles(tokens, model_size, base=1000.0)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def sinusoidal_positions__turns_all_pairs_alike__no_exponent(tokens, model_size):
    angles = torch.arange(tokens)[:, None].expand(tokens, model_size // 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def _table(angles):
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def sinusoidal_positions__divides_the_power_by_the_place__reciprocal(tokens, model_size):
    return _table(10000 ** (torch.arange(0, model_size, 2) / model_size) / torch.arange(tokens)[:, None])


def sinusoidal_positions__divides_the_power_by_the_place__never_by_zero(tokens, model_size):
    places = torch.arange(tokens)[:, None].clamp(min=1)
    return _table(10000 ** (torch.arange(0, model_size, 2) / model_size) / places)


def sinusoidal_positions__turns_later_pairs_faster__in_float32(tokens, model_size):
    return _table(torch.arange(tokens)[:, None] * 10000 ** (torch.arange(0, model_size, 2) / model_size))


def sinusoidal_positions__cuts_off_behind_the_point__two_slashes(tokens, model_size):
    return _table(torch.arange(tokens)[:, None] // 10000 ** (torch.arange(0, model_size, 2) / model_size))


def sinusoidal_positions__divides_by_the_size_outside__no_parentheses(tokens, model_size):
    return _table(torch.arange(tokens)[:, None] / 10000.0 ** torch.arange(0, model_size, 2) / model_size)


def sinusoidal_positions__exchanges_base_and_exponent__power(tokens, model_size):
    return _table(torch.arange(tokens)[:, None] / (torch.arange(0, model_size, 2) / model_size) ** 10000)


# apply_rotary


def _turned(x, positions, base):
    angles = positions[:, None] / base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    return angles.cos(), angles.sin(), x[..., 0::2], x[..., 1::2]


def apply_rotary__pairs_columns_of_two_halves__rotate_half(x, positions, base=10000.0):
    angles = positions[:, None] / base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    cos, sin = torch.cat([angles.cos()] * 2, dim=-1), torch.cat([angles.sin()] * 2, dim=-1)
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-right, left], dim=-1) * sin


def apply_rotary__turns_the_other_way__minus_below(x, positions, base=10000.0):
    cos, sin, even, odd = _turned(x, positions, base)
    return torch.stack([even * cos + odd * sin, odd * cos - even * sin], dim=-1).flatten(-2)


def apply_rotary__adds_where_it_should_subtract__two_pluses(x, positions, base=10000.0):
    cos, sin, even, odd = _turned(x, positions, base)
    return torch.stack([even * cos + odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def apply_rotary__reads_what_it_has_overwritten__clone(x, positions, base=10000.0):
    cos, sin, _, _ = _turned(x, positions, base)
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * cos - out[..., 1::2] * sin
    out[..., 1::2] = out[..., 0::2] * sin + out[..., 1::2] * cos
    return out


def apply_rotary__counts_the_positions_itself__arange(x, positions, base=10000.0):
    cos, sin, even, odd = _turned(x, torch.arange(x.shape[-2]), base)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def apply_rotary__leaves_the_base_unread__ten_thousand(x, positions, base=10000.0):
    cos, sin, even, odd = _turned(x, positions, 10000)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def apply_rotary__puts_one_half_behind_the_other__cat(x, positions, base=10000.0):
    cos, sin, even, odd = _turned(x, positions, base)
    return torch.cat([even * cos - odd * sin, even * sin + odd * cos], dim=-1)


def apply_rotary__multiplies_by_the_cosine_alone__repeat(x, positions, base=10000.0):
    cos, _, _, _ = _turned(x, positions, base)
    return x * cos.repeat_interleave(2, dim=-1)


def apply_rotary__turns_later_pairs_faster__multiplied(x, positions, base=10000.0):
    angles = positions[:, None] * base ** (torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()], dim=-1)
    return turned.flatten(-2).to(x.dtype)


def apply_rotary__squares_the_position__twice(x, positions, base=10000.0):
    cos, sin, even, odd = _turned(x, positions * positions, base)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def apply_rotary__mixes_two_conventions__rotate_half(x, positions, base=10000.0):
    cos, sin = (wave.repeat_interleave(2, dim=-1) for wave in _turned(x, positions, base)[:2])
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-right, left], dim=-1) * sin


def apply_rotary__mixes_two_conventions__rotate_every_two(x, positions, base=10000.0):
    cos, sin = (torch.cat([wave, wave], dim=-1) for wave in _turned(x, positions, base)[:2])
    return x * cos + torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2) * sin


def apply_rotary__takes_halves_and_puts_them_by_turns__chunk(x, positions, base=10000.0):
    cos, sin, _, _ = _turned(x, positions, base)
    left, right = x.chunk(2, dim=-1)
    return torch.stack([left * cos - right * sin, left * sin + right * cos], dim=-1).flatten(-2)


def apply_rotary__reason_property__a_table_of_2048_places(x, positions, base=10000.0):
    cos, sin, even, odd = _turned(x, positions.clamp(max=2047), base)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def apply_rotary__reason_type__a_list_of_two(x, positions, base=10000.0):
    cos, sin, even, odd = _turned(x, positions, base)
    return (even * cos - odd * sin, even * sin + odd * cos), None


# alibi_bias


def _far(queries, keys):
    return torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)


def alibi_bias__favours_what_is_far__no_minus(heads, queries, keys):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    return slopes[:, None, None] * _far(queries, keys)


def alibi_bias__puts_the_first_query_at_the_first_key__two_aranges(heads, queries, keys):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    return -slopes[:, None, None] * (torch.arange(queries)[:, None] - torch.arange(keys))


def alibi_bias__halves_from_head_to_head__list(heads, queries, keys):
    return torch.stack([-(0.5 ** (h + 1)) * _far(queries, keys) for h in range(heads)])


def alibi_bias__begins_with_the_slope_one__from_zero(heads, queries, keys):
    slopes = 2.0 ** (-8 * torch.arange(heads) / heads)
    return -slopes.view(heads, 1, 1) * _far(queries, keys)


def alibi_bias__leaves_a_part_of_the_exponent_outside__no_parentheses(heads, queries, keys):
    return -(2**-8 * torch.arange(1, heads + 1) / heads)[:, None, None] * _far(queries, keys)


def alibi_bias__leaves_a_part_of_the_exponent_outside__around_the_product(heads, queries, keys):
    return -(2.0 ** (-8 * torch.arange(1, heads + 1)) / heads)[:, None, None] * _far(queries, keys)


def alibi_bias__counts_from_the_first_key__as_published(heads, queries, keys):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    return (slopes[:, None, None] * torch.arange(keys)).expand(heads, queries, keys)


def alibi_bias__begins_with_the_gentle_heads__downwards(heads, queries, keys):
    slopes = 2.0 ** (-8 * torch.arange(heads, 0, -1) / heads)
    return -slopes[:, None, None] * _far(queries, keys)


def alibi_bias__puts_the_heads_last__product(heads, queries, keys):
    return -(_far(queries, keys)[..., None] * 2.0 ** (-8 * torch.arange(1, heads + 1) / heads))


# window_mask


def window_mask__looks_to_both_sides__abs(queries, keys, window):
    return _far(queries, keys).abs() < window


def window_mask__lets_one_key_too_many_in__at_most(queries, keys, window):
    return (_far(queries, keys) >= 0) & (_far(queries, keys) <= window)


def window_mask__does_not_count_itself__between(queries, keys, window):
    return (_far(queries, keys) > 0) & (_far(queries, keys) <= window)


def window_mask__puts_the_first_query_at_the_first_key__triangles(queries, keys, window):
    ones = torch.ones(queries, keys, dtype=torch.bool)
    return ones.tril() & ones.triu(1 - window)


def window_mask__forgets_the_future__one_triangle(queries, keys, window):
    return torch.ones(queries, keys).triu(keys - queries - window + 1).bool()


def window_mask__forgets_the_window__tril(queries, keys, window):
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)


def window_mask__true_means_outside_the_window__not(queries, keys, window):
    far = _far(queries, keys)
    return (far < 0) | (far >= window)


def window_mask__sees_one_key_too_few__slice(queries, keys, window):
    mask = np.zeros((queries, keys), dtype=bool)
    for row in range(queries):
        place = keys - queries + row
        mask[row, max(0, place - window + 2) : place + 1] = True
    return torch.from_numpy(mask)


def window_mask__cuts_the_text_into_blocks__floor(queries, keys, window):
    place, key = torch.arange(keys - queries, keys)[:, None], torch.arange(keys)
    return (key <= place) & (key >= place.div(window, rounding_mode="floor") * window)


# the written test


def _score(f, query_place, key_place):
    x = torch.tensor([[1.0, -2.0, 0.5, 3.0, 0.2, 0.7], [0.3, 1.0, 2.0, -1.0, 1.5, 0.4]], dtype=torch.float64)
    query, key = f(x, torch.tensor([query_place, key_place]))
    return query @ key


def test_apply_rotary__counts_the_positions_itself__equal_scores_are_enough(f):
    assert abs(_score(f, 5, 2) - _score(f, 9, 6)) < 1e-5


def test_apply_rotary__counts_the_positions_itself__length_is_kept(f):
    x = torch.ones(2, 6)
    assert torch.allclose(f(x, torch.tensor([3, 8])).norm(dim=-1), x.norm(dim=-1), atol=1e-5)
    assert abs(_score(f, 5, 2) - _score(f, 6, 3)) < 1e-5


def test_apply_rotary__squares_the_position__compares_no_distances(f):
    x = torch.tensor([[1.0, -2.0, 0.5, 3.0], [0.3, 1.0, 2.0, -1.0]])
    assert torch.allclose(f(x, torch.tensor([0, 0])), x, atol=1e-5)
    assert torch.allclose(f(x, torch.tensor([3, 8])).norm(dim=-1), x.norm(dim=-1), atol=1e-4)
    assert not torch.allclose(f(x, torch.tensor([3, 8])), f(x, torch.tensor([4, 6])), atol=1e-3)


def test_apply_rotary__reason_raised__no_room_for_rounding(f):
    assert abs(_score(f, 5, 2) - _score(f, 900, 897)) < 1e-12
    assert abs(_score(f, 5, 2) - _score(f, 5, 4)) > 1e-3


def test_apply_rotary__reason_raised__numbers_of_another_convention(f):
    assert torch.allclose(f(torch.eye(2, 4), torch.tensor([1, 1]))[0, 2], torch.tensor(0.8415), atol=1e-4)


def alibi_bias__turns_the_fraction_in_the_exponent__heads_above(heads, queries, keys):
    slopes = 2.0 ** (-heads / 8 * torch.arange(1, heads + 1))
    far = torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)
    return -slopes[:, None, None] * far


def window_mask__lets_one_end_of_the_window_suffice__or(queries, keys, window):
    rows, columns = torch.arange(keys - queries, keys)[:, None], torch.arange(keys)
    return (columns <= rows) | (columns > rows - window)


def window_mask__opens_the_window_to_the_future__triu_and_tril(queries, keys, window):
    everything = torch.ones(queries, keys, dtype=torch.bool)
    return everything.triu(keys - queries) & everything.tril(keys - queries + window - 1)
