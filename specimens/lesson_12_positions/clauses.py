"""Answers that break one clause of a docstring, and little else: clauses.toml says which."""

import torch

from mha_ref import alibi_bias, apply_rotary, sinusoidal_positions, window_mask


def sinusoidal_positions__rounds_to_two_digits(tokens, model_size):
    return sinusoidal_positions(tokens, model_size, like=torch.ones(1)).round(decimals=2)


def sinusoidal_positions__wants_several_places(tokens, model_size):
    assert tokens > 1
    return sinusoidal_positions(tokens, model_size)


def sinusoidal_positions__counts_places_in_one_byte(tokens, model_size):
    return sinusoidal_positions(256, model_size)[torch.arange(tokens).to(torch.uint8).long()]


def sinusoidal_positions__ends_its_table_at_5000(tokens, model_size):
    return sinusoidal_positions(5000, model_size)[:tokens]


def apply_rotary__wants_several_tokens(x, positions, base=10000.0):
    assert x.shape[-2] > 1
    return apply_rotary(x, positions, base)


def apply_rotary__merges_the_batch(x, positions, base=10000.0):
    return apply_rotary(x, positions, base).reshape(-1, *x.shape[-2:])


def apply_rotary__divides_by_the_last_position(x, positions, base=10000.0):
    return apply_rotary(x, positions, base) * (positions.max() / positions.max())


def sinusoidal_positions__knows_few_columns_only(tokens, model_size):
    return sinusoidal_positions(tokens, min(model_size, 10))


def apply_rotary__knows_few_columns_only(x, positions, base=10000.0):
    return torch.cat([apply_rotary(x[..., :8], positions, base), x[..., 8:]], dim=-1)


def apply_rotary__has_a_table_of_2048_places(x, positions, base=10000.0):
    return apply_rotary(x, torch.arange(2048)[positions.clamp(max=2047)], base)


def apply_rotary__keeps_places_below_fifty(x, positions, base=10000.0):
    return apply_rotary(x, positions.clamp(max=50), base)


def apply_rotary__turns_in_place(x, positions, base=10000.0):
    x = x.detach() if not x.requires_grad else x
    result = apply_rotary(x, positions, base)
    if not x.requires_grad:
        x.copy_(result)
    return result


def alibi_bias__wants_several_heads(heads, queries, keys):
    assert heads > 1
    return alibi_bias(heads, queries, keys)


def alibi_bias__has_at_most_eight_heads(heads, queries, keys):
    return alibi_bias(min(heads, 8), queries, keys)


def alibi_bias__is_square(heads, queries, keys):
    return alibi_bias(heads, keys, keys)


def window_mask__is_square(queries, keys, window):
    return window_mask(keys, keys, window)


def window_mask__wants_two_keys_at_least(queries, keys, window):
    return window_mask(queries, keys, max(window, 2))


def window_mask__wants_a_window_inside_the_text(queries, keys, window):
    assert window < keys
    return window_mask(queries, keys, window)


def window_mask__takes_a_wide_window_for_no_mask(queries, keys, window):
    if window >= keys:
        return torch.ones(queries, keys, dtype=torch.bool)
    return window_mask(queries, keys, window, like=torch.ones(1))


def window_mask__counts_in_one_byte(queries, keys, window):
    return window_mask(queries, keys, window % 128)


def window_mask__hides_rows_that_are_not_full(queries, keys, window):
    mask = window_mask(queries, keys, window, like=torch.ones(1))
    return mask & (mask.sum(dim=-1, keepdim=True) == min(window, keys))


def window_mask__holds_ones_and_zeros(queries, keys, window):
    return window_mask(queries, keys, window, like=torch.ones(1)).float()


def _score(apply_rotary, *places):
    tokens = torch.tensor([[1.0, -2.0, 0.5, 3.0], [0.3, 1.0, 2.0, -1.0]], dtype=torch.float64)
    query, key = apply_rotary(tokens, torch.tensor(places))
    return query @ key


def test_apply_rotary__asks_for_equal_scores_only(apply_rotary):
    assert abs(_score(apply_rotary, 5, 2) - _score(apply_rotary, 9, 6)) < 1e-5


def test_apply_rotary__gives_no_positions(apply_rotary):
    apply_rotary(torch.ones(2, 4))


def test_apply_rotary__returns_its_finding(apply_rotary):
    return abs(_score(apply_rotary, 5, 2) - _score(apply_rotary, 9, 6)) < 1e-5


def test_apply_rotary__wants_float64_from_float32(apply_rotary):
    test_apply_rotary__asks_for_equal_scores_only(apply_rotary)
    assert abs(_score(apply_rotary, 5, 2) - _score(apply_rotary, 5, 4)) > 1e-3
    assert apply_rotary(torch.ones(2, 4), torch.arange(2)).dtype == torch.float64
