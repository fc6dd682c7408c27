"""Wrong answers to lesson 03, as learners write them: exercise, what the judge should name, style."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from mha_ref import (
    attention_scores,
    attention_weights,
    masked_softmax,
    scaled_dot_product_attention,
    softmax,
    weighted_mean,
)


def _softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _scores(query, key):
    return query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])


def _masked(scores, mask):
    if mask is None:
        return _softmax(scores)
    return np.nan_to_num(_softmax(np.where(mask, scores, -np.inf)))


def _check(lengths, keys):
    if (lengths < 0).any() or (lengths > keys).any():
        raise ValueError("a length does not fit")


_masks_made = {}


# masked_softmax


def masked_softmax__turns_the_mask_round__fills_where_true(scores, mask):
    s = np.copy(scores)
    s[np.broadcast_to(mask, s.shape)] = -1e9
    return _softmax(s)


def masked_softmax__turns_the_mask_round__torch_habit(scores, mask):
    s = torch.from_numpy(scores).masked_fill(torch.from_numpy(mask), -torch.inf)
    return s.softmax(dim=-1).nan_to_num(0).numpy()


def masked_softmax__turns_the_mask_round__times_minus_a_billion(scores, mask):
    return _softmax(scores + mask * -1e9)


def masked_softmax__zeroes_after_softmax__where(scores, mask):
    return np.where(mask, _softmax(scores), 0.0)


def masked_softmax__zeroes_after_softmax__loops(scores, mask):
    w = _softmax(scores)
    mask = np.broadcast_to(mask, w.shape)
    for place in np.ndindex(w.shape):
        if not mask[place]:
            w[place] = 0
    return w


def masked_softmax__fills_with_zero__multiplies_the_scores(scores, mask):
    return _softmax(scores * mask)


def masked_softmax__fills_with_zero__a_billionth(scores, mask):
    return _softmax(np.where(mask, scores, -1e-9))


def masked_softmax__ignores_the_mask__drops_the_result(scores, mask):
    np.where(mask, scores, -np.inf)
    return _softmax(scores)


def masked_softmax__ignores_the_mask__masked_fill_of_torch(scores, mask):
    s = torch.from_numpy(scores)
    s.masked_fill(torch.from_numpy(~mask), float("-inf"))
    return torch.softmax(s, -1).numpy()


def masked_softmax__adds_the_mask_as_numbers__as_floats(scores, mask):
    return _softmax(scores - (1 - mask.astype(float)))


def masked_softmax__makes_nan_of_infinity__zero_times_infinity(scores, mask):
    return _softmax(scores + (1 - mask) * -np.inf)


def masked_softmax__makes_nan_of_infinity__plus_infinity(scores, mask):
    filled = np.where(mask, scores, float("inf"))
    return _softmax(filled)


def masked_softmax__fills_after_softmax__minus_infinity(scores, mask):
    w = _softmax(scores)
    w[np.broadcast_to(mask, w.shape) == 0] = -np.inf
    return w


def masked_softmax__forgets_the_softmax_of_masked_scores__additive(scores, mask):
    return scores + np.where(mask, 0, -np.inf)


def masked_softmax__forgets_to_normalise__where(scores, mask):
    return np.where(mask, np.exp(scores), 0.0)


def masked_softmax__runs_softmax_again_after_zeroing__to_renormalise(scores, mask):
    w = np.where(mask, _softmax(scores), 0)
    w = np.exp(w)
    return w / w.sum(-1, keepdims=True)


def masked_softmax__collects_the_allowed_scores__boolean_index(scores, mask):
    kept = np.exp(scores[mask])
    return kept / kept.sum()


def masked_softmax__drops_whole_rows__finds_dead_rows_with_all(scores, mask):
    dead = ~np.all(mask, axis=-1, keepdims=True)
    return np.where(dead, 0.0, _masked(scores, mask))


def masked_softmax__leaves_dead_rows_nan__divides_by_zero(scores, mask):
    s = np.where(mask, scores, -np.inf)
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def masked_softmax__leaves_dead_rows_nan__guards_the_sum_only(scores, mask):
    s = np.where(mask, scores, -np.inf)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def masked_softmax__spreads_dead_rows_evenly__smallest_number(scores, mask):
    return _softmax(np.where(mask, scores, np.finfo(scores.dtype).min))


def masked_softmax__spreads_dead_rows_evenly__nan_to_one_share(scores, mask):
    return np.nan_to_num(_softmax(np.where(mask, scores, -np.inf)), nan=1 / scores.shape[-1])


def masked_softmax__unmasks_dead_rows__adds_a_billion(scores, mask):
    return _softmax(scores + (1.0 - mask) * -1e9)


def masked_softmax__unmasks_dead_rows__skips_them(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    out = _softmax(scores)
    for place in np.ndindex(scores.shape[:-1]):
        if mask[place].any():
            out[place] = _softmax(np.where(mask[place], scores[place], -np.inf))
    return out


def masked_softmax__takes_the_maximum_of_blocked_scores__renormalises(scores, mask):
    w = _softmax(scores) * mask
    total = w.sum(axis=-1, keepdims=True)
    return w / np.where(total == 0, 1, total)


def masked_softmax__takes_a_score_of_zero_for_blocked__product(scores, mask):
    kept = scores * mask
    kept[kept == 0] = -np.inf
    return np.nan_to_num(_softmax(kept))


def masked_softmax__reason_property__asks_the_scores_for_the_mask(scores, mask):
    filled = np.where(mask, scores, -np.inf)
    return np.nan_to_num(_softmax(np.where(scores, filled, 0.0)))


def masked_softmax__fills_with_a_number_that_scores_reach__ten_thousand(scores, mask):
    w = _softmax(np.where(mask, scores, -1e4))
    return np.where(mask.any(axis=-1, keepdims=True), w, 0)


def masked_softmax__lowers_blocked_scores_too_little__minus_a_thousand(scores, mask):
    return _softmax(scores - 1e3 * ~mask) * mask.any(axis=-1, keepdims=True)


def masked_softmax__takes_the_maximum_of_blocked_scores__lowers_too_little(scores, mask):
    return _softmax(scores - 100.0 * ~mask) * mask


def masked_softmax__takes_exponentials_of_unshifted_scores__exp_times_mask(scores, mask):
    e = np.exp(scores) * mask
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


def masked_softmax__normalises_over_the_last_but_one_axis__after_a_right_mask(scores, mask):
    s = np.where(mask, scores, -np.inf)
    e = np.exp(s - s.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


def masked_softmax__gives_the_row_to_the_fill__minus_a_hundred(scores, mask):
    return _softmax(np.where(mask, scores, -100)) * mask


def masked_softmax__gives_the_row_to_the_fill__minus_ten_thousand(scores, mask):
    s = scores.copy()
    s[np.broadcast_to(~mask, s.shape)] = -1e4
    return _softmax(s) * mask


def masked_softmax__multiplies_by_the_mask_before_and_after__minus_ten(scores, mask):
    return np.where(mask, _softmax(np.where(mask, scores, -10.0)), 0)


def masked_softmax__leaves_dead_rows_nan__divides_by_what_is_left(scores, mask):
    w = _softmax(scores) * mask
    return w / w.sum(axis=-1, keepdims=True)


def masked_softmax__shares_masked_scores_over_the_queries__dead_rows_handled(scores, mask):
    s = np.where(mask, scores, -np.inf)
    top = s.max(axis=-2, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=-2, keepdims=True)
    return e / np.where(total == 0, 1, total)


def masked_softmax__shares_masked_scores_over_the_queries__axis_zero(scores, mask):
    s = np.where(mask, scores, -1e9)
    e = np.exp(s - s.max(axis=0))
    return e / e.sum(axis=0) * mask


def masked_softmax__reason_mutated__fills_its_input(scores, mask):
    np.putmask(scores, np.broadcast_to(~mask, scores.shape), -np.inf)
    return np.nan_to_num(_softmax(scores))


def masked_softmax__reason_property__small_number_in_the_sum(scores, mask):
    w = _softmax(scores) * mask
    return w / (w.sum(axis=-1, keepdims=True) + 0.01)


def masked_softmax__reason_raised__indexes_with_the_small_mask(scores, mask):
    s = scores.copy()
    s[~mask] = -np.inf
    return np.nan_to_num(_softmax(s))


def masked_softmax__reason_raised__asks_an_array_for_its_truth(scores, mask):
    return _softmax(scores) if mask else np.zeros(scores.shape)


def masked_softmax__reason_type__forgets_the_return(scores, mask):
    _masked(scores, mask)


def masked_softmax__looks_for_dead_rows_from_the_front__from_the_front(scores, mask):
    w = _softmax(np.where(mask, scores, -np.inf))
    return np.where(mask.any(axis=1, keepdims=True), w, 0)


def masked_softmax__looks_for_dead_rows_from_the_front__a_billion_times_any(scores, mask):
    return _softmax(np.where(mask, scores, -1e9)) * mask.any(axis=1, keepdims=True)


def masked_softmax__looks_for_dead_columns__last_but_one(scores, mask):
    return np.where(mask.any(axis=-2, keepdims=True), _softmax(np.where(mask, scores, -np.inf)), 0)


def masked_softmax__looks_for_dead_rows_from_the_front__loop(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    w = _softmax(np.where(mask, scores, -np.inf))
    for i, row in enumerate(mask):
        if not row.any():
            w[i] = 0
    return w


def masked_softmax__loses_the_axis_of_the_answer__where(scores, mask):
    w = _softmax(np.where(mask, scores, -np.inf))
    return np.where(mask.any(axis=-1), w, 0)


def masked_softmax__loses_the_axis_of_the_answer__product(scores, mask):
    return _softmax(np.where(mask, scores, -1e9)) * mask.any(axis=-1)


def masked_softmax__loses_the_axis_of_the_answer__axis_one(scores, mask):
    alive = np.any(mask, axis=1)
    return np.where(alive, _softmax(np.where(mask, scores, -np.inf)), 0.0)


def masked_softmax__leaves_dead_rows_nan__equals_nan(scores, mask):
    w = _softmax(np.where(mask, scores, -np.inf))
    w[w == np.nan] = 0
    return w


def masked_softmax__forgets_to_keep_the_axis__in_the_sum(scores, mask):
    e = np.where(mask, np.exp(scores), 0)
    return e / e.sum(axis=-1)


# padding_mask


def padding_mask__true_marks_padding__greater_or_equal(lengths, keys):
    _check(lengths, keys)
    return (np.arange(keys) >= lengths[:, None])[:, None, None, :]


def padding_mask__true_marks_padding__without_a_check(lengths, keys):
    m = np.ones((len(lengths), 1, 1, keys), bool)
    for row, n in zip(m, lengths, strict=True):
        row[..., :n] = False
    return m


def padding_mask__allows_one_too_many__less_or_equal(lengths, keys):
    _check(lengths, keys)
    return np.arange(keys) <= lengths[:, None, None, None]


def padding_mask__allows_one_too_few__counts_from_one(lengths, keys):
    _check(lengths, keys)
    return np.arange(1, keys + 1) < lengths[:, None, None, None]


def padding_mask__has_no_axes_for_heads_and_queries__loops(lengths, keys):
    _check(lengths, keys)
    return np.array([[k < n for k in range(keys)] for n in lengths])


def padding_mask__has_no_axis_for_heads__one_none(lengths, keys):
    _check(lengths, keys)
    return np.arange(keys)[None, None, :] < lengths[:, None, None]


def padding_mask__puts_the_new_axes_in_front__habit_from_causal(lengths, keys):
    _check(lengths, keys)
    m = np.arange(keys) < lengths.reshape(-1, 1)
    return m[np.newaxis, np.newaxis, :, :]


def padding_mask__masks_queries_instead_of_keys__reshape(lengths, keys):
    _check(lengths, keys)
    return (np.arange(keys) < lengths[:, None]).reshape(-1, 1, keys, 1)


def padding_mask__masks_queries_and_keys__outer(lengths, keys):
    _check(lengths, keys)
    real = np.arange(keys) < lengths[:, None]
    return np.einsum("bi,bj->bij", real, real)[:, None].astype(bool)


def padding_mask__repeats_the_mask_for_every_query__tile(lengths, keys):
    _check(lengths, keys)
    return np.tile((np.arange(keys) < lengths[:, None])[:, None, None, :], (1, 1, keys, 1))


def padding_mask__stops_at_the_longest_length__max(lengths, keys):
    _check(lengths, keys)
    return np.arange(np.max(lengths)) < lengths[:, None, None, None]


def padding_mask__marks_one_position_only__one_hot(lengths, keys):
    _check(lengths, keys)
    return np.eye(keys + 1, dtype=bool)[lengths][:, None, None, :keys]


def padding_mask__padding_as_numbers__zeros_and_ones(lengths, keys):
    _check(lengths, keys)
    m = np.zeros((len(lengths), 1, 1, keys))
    for n, length in enumerate(lengths):
        m[n, ..., :length] = 1
    return m


def padding_mask__padding_as_numbers_to_add__additive(lengths, keys):
    _check(lengths, keys)
    padding = np.arange(keys) >= lengths[:, None, None, None]
    m = np.zeros(padding.shape)
    m[padding] = -1e9
    return m


def padding_mask__refuses_a_full_length__strict_assert(lengths, keys):
    assert (lengths < keys).all()
    return np.arange(keys) < lengths[:, None, None, None]


def padding_mask__refuses_an_empty_sentence__positive_only(lengths, keys):
    for n in lengths:
        if n <= 0 or n > keys:
            raise ValueError(n)
    return np.arange(keys) < lengths[:, None, None, None]


def padding_mask__accepts_lengths_that_do_not_fit__plain(lengths, keys):
    return np.arange(keys) < lengths[:, None, None, None]


def padding_mask__accepts_lengths_that_do_not_fit__slices(lengths, keys):
    m = np.zeros((lengths.shape[0], 1, 1, keys), dtype=bool)
    for n in range(len(lengths)):
        m[n, 0, 0, : lengths[n]] = True
    return m


def padding_mask__puts_positions_in_rows__habit(lengths, keys):
    _check(lengths, keys)
    return (np.arange(keys)[:, None] < lengths)[None, None]


def padding_mask__puts_positions_in_rows__two_axes(lengths, keys):
    _check(lengths, keys)
    return np.array([[k < n for n in lengths] for k in range(keys)])


def padding_mask__compares_lengths_with_positions_in_pairs__plain(lengths, keys):
    _check(lengths, keys)
    return np.arange(keys) < lengths


def padding_mask__compares_lengths_with_positions_in_pairs__new_axes_in_front(lengths, keys):
    _check(lengths, keys)
    return (np.arange(keys) < lengths)[None, None, None, :]


def padding_mask__reason_raised__forgets_the_new_axis(lengths, keys):
    _check(lengths, keys)
    return (np.arange(keys) < lengths)[:, None, None, :]


# masked_attention


def masked_attention__mixes_the_keys__copy_and_paste(query, key, value, mask=None):
    w = _masked(_scores(query, key), mask)
    return np.einsum("...qk,...kd->...qd", w, key)


def masked_attention__zeroes_after_softmax__times_mask(query, key, value, mask=None):
    w = _softmax(_scores(query, key))
    if mask is not None:
        w = w * mask
    return w @ value


def masked_attention__turns_the_mask_round__torch_convention(query, key, value, mask=None):
    s = _scores(query, key)
    if mask is not None:
        s = np.where(mask, -1e9, s)
    return _softmax(s) @ value


def masked_attention__ignores_the_mask__forgot_to_pass_it(query, key, value, mask=None):
    return _softmax(_scores(query, key)) @ value


def masked_attention__needs_a_mask__method_of_none(query, key, value, mask=None):
    return _masked(_scores(query, key), mask.astype(bool)) @ value


def masked_attention__reads_no_mask_as_nothing_allowed__where_none(query, key, value, mask=None):
    s = np.where(mask, _scores(query, key), -np.inf)
    top = s.max(axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total) @ value


def masked_attention__reads_no_mask_as_nothing_allowed__where_none_nan(query, key, value, mask=None):
    s = np.where(mask, _scores(query, key), -np.inf)
    w = _softmax(s)
    return (w if mask is None else np.nan_to_num(w)) @ value


def masked_attention__is_causal_without_a_mask__default_mask(query, key, value, mask=None):
    if mask is None:
        mask = np.tril(np.ones((query.shape[-2], key.shape[-2]), bool))
    return _masked(_scores(query, key), mask) @ value


def masked_attention__forgets_to_scale__otherwise_fine(query, key, value, mask=None):
    return _masked(query @ key.mT, mask) @ value


def masked_attention__spreads_dead_rows_evenly__minus_a_billion(query, key, value, mask=None):
    s = _scores(query, key)
    if mask is not None:
        s = np.where(mask, s, -1e9)
    return _softmax(s) @ value


def masked_attention__takes_a_score_of_zero_for_blocked__masked_fill(query, key, value, mask=None):
    scores = torch.from_numpy(_scores(query, key))
    if mask is not None:
        scores = scores * torch.from_numpy(mask)
        scores = scores.masked_fill(scores == 0, -torch.inf)
    return torch.nan_to_num(scores.softmax(dim=-1)).numpy() @ value


def masked_attention__leaves_dead_rows_nan__infinity(query, key, value, mask=None):
    s = _scores(query, key)
    if mask is not None:
        s = s + np.where(mask, 0, -np.inf)
    return _softmax(s) @ value


def masked_attention__uses_the_mask_of_the_first_item__one_mask(query, key, value, mask=None):
    if mask is not None and mask.ndim == 4:
        mask = mask[0]
    return _masked(_scores(query, key), mask) @ value


def masked_attention__forgets_the_softmax__zeroed_scores(query, key, value, mask=None):
    s = _scores(query, key)
    return (s if mask is None else s * mask) @ value


def masked_attention__scales_by_the_value_size__value_shape(query, key, value, mask=None):
    return _masked(query @ key.mT / value.shape[-1] ** 0.5, mask) @ value


def masked_attention__adds_the_query_back__residual(query, key, value, mask=None):
    return query + _masked(_scores(query, key), mask) @ value


def masked_attention__forgets_to_scale__and_turns_the_mask_round(query, key, value, mask=None):
    s = query @ key.mT
    return _softmax(s if mask is None else np.where(mask, -np.inf, s)) @ value


def masked_attention__counts_tokens_from_the_front__ones(query, key, value, mask=None):
    if mask is None:
        mask = np.ones((query.shape[0], key.shape[0]), dtype=bool)
    return _masked(_scores(query, key), mask) @ value


def masked_attention__counts_tokens_from_the_front__len(query, key, value, mask=None):
    mask = np.full((len(query), len(key)), True) if mask is None else mask
    return _masked(_scores(query, key), mask) @ value


def masked_attention__makes_a_square_mask_of_none__queries(query, key, value, mask=None):
    if mask is None:
        mask = np.ones((query.shape[-2], query.shape[-2]), dtype=bool)
    return _masked(_scores(query, key), mask) @ value


def masked_attention__looks_for_dead_rows_from_the_front__inline(query, key, value, mask=None):
    s = _scores(query, key)
    if mask is None:
        return _softmax(s) @ value
    w = _softmax(np.where(mask, s, -np.inf))
    return np.where(mask.any(axis=1, keepdims=True), w, 0) @ value


def masked_attention__looks_for_dead_rows_from_the_front__loop(query, key, value, mask=None):
    w = _softmax(_scores(query, key) if mask is None else np.where(mask, _scores(query, key), -np.inf))
    for i, row in enumerate([] if mask is None else np.broadcast_to(mask, w.shape)):
        if not row.any():
            w[i] = 0
    return w @ value


def masked_attention__reason_type__returns_the_weights_too(query, key, value, mask=None):
    w = _masked(_scores(query, key), mask)
    return w @ value, w


# causal_mask


def causal_mask__starts_at_the_top_left__tril(queries, keys):
    return np.tril(np.ones((queries, keys), dtype=bool))


def causal_mask__starts_at_the_top_left__loops(queries, keys):
    return np.array([[k <= q for k in range(keys)] for q in range(queries)])


def causal_mask__starts_at_the_top_left__first_rows_of_a_square(queries, keys):
    size = max(queries, keys)
    return np.tri(size, size, dtype=bool)[:queries, :keys]


def causal_mask__true_means_blocked__greater(queries, keys):
    return np.arange(keys)[None] > np.arange(queries)[:, None] + keys - queries


def causal_mask__blocked_above_the_diagonal_from_the_top_left__triu(queries, keys):
    return np.triu(np.ones((queries, keys)), 1) == 1


def causal_mask__does_not_see_itself__strict(queries, keys):
    return np.arange(keys) < np.arange(keys - queries, keys)[:, None]


def causal_mask__sees_one_token_ahead__range(queries, keys):
    m = np.zeros((queries, keys), dtype=bool)
    for q in range(queries):
        for k in range(max(0, q + keys - queries + 2)):
            if k < keys:
                m[q, k] = True
    return m


def causal_mask__sees_only_itself_from_the_top_left__eye(queries, keys):
    return np.identity(max(queries, keys))[:queries, :keys].astype(bool)


def causal_mask__transposes_the_causal_mask__rows_and_columns(queries, keys):
    rows, columns = np.arange(queries), np.arange(keys)
    return columns[:, None] <= rows + keys - queries


def causal_mask__holds_ones_and_zeros__integers(queries, keys):
    return np.tril(np.ones((queries, keys), dtype=int), keys - queries)


def causal_mask__holds_numbers_to_add__triu_of_infinities(queries, keys):
    return np.triu(np.full((queries, keys), -np.inf), keys - queries + 1)


def causal_mask__has_axes_for_batch_and_heads__reshape(queries, keys):
    return np.tri(queries, keys, keys - queries, dtype=bool).reshape(1, 1, queries, keys)


def causal_mask__never_shifts_to_the_left__max(queries, keys):
    shift = max(keys - queries, 0)
    return np.arange(keys) <= np.arange(queries)[:, None] + shift


def causal_mask__is_square_of_keys__tri_of_keys(queries, keys):
    return np.tri(keys, dtype=bool)


def causal_mask__shifts_the_diagonal_the_wrong_way__tril(queries, keys):
    return np.tril(np.ones((queries, keys)), k=queries - keys).astype(bool)


def causal_mask__shifts_to_the_right_only__abs(queries, keys):
    return np.tril(np.ones((queries, keys), bool), abs(queries - keys))


def causal_mask__hands_the_sizes_over_in_exchanged_order__tri(queries, keys):
    return np.tri(keys, queries, k=keys - queries, dtype=bool)


def causal_mask__turns_a_table_of_exchanged_sizes__tri(queries, keys):
    return np.tri(keys, queries, k=keys - queries, dtype=bool).T


def causal_mask__ends_a_slice_below_zero__loop(queries, keys):
    mask = np.full((queries, keys), False)
    for q in range(queries):
        mask[q, : keys - queries + q + 1] = True
    return mask


def causal_mask__starts_at_the_top_left__with_floats(queries, keys):
    return np.tril(np.ones((queries, keys)))


# causal_attention


def causal_attention__forgets_the_causal_mask__plain(q, k, v):
    return _softmax(_scores(q, k)) @ v


def causal_attention__starts_at_the_top_left__torch_is_causal(q, k, v):
    return F.scaled_dot_product_attention(*(torch.from_numpy(x) for x in (q, k, v)), is_causal=True)


def causal_attention__starts_at_the_top_left__tril(query, key, value):
    s = _scores(query, key)
    return _softmax(np.where(np.tril(np.ones(s.shape[-2:])) == 1, s, -np.inf)) @ value


def causal_attention__true_means_blocked__fills_the_triangle(query, key, value):
    s = _scores(query, key)
    past = np.tri(*s.shape[-2:], s.shape[-1] - s.shape[-2], dtype=bool)
    return _masked(s, ~past) @ value


def causal_attention__zeroes_after_softmax__tril_of_weights(q, k, v):
    w = _softmax(_scores(q, k))
    return np.tril(w, k.shape[-2] - q.shape[-2]) @ v


def causal_attention__fills_with_zero__tril_of_scores(q, k, v):
    return _softmax(np.tril(_scores(q, k), k.shape[-2] - q.shape[-2])) @ v


def causal_attention__sees_one_token_ahead__triu_of_two(query, key, value):
    s = _scores(query, key)
    future = np.triu(np.ones(s.shape[-2:], bool), s.shape[-1] - s.shape[-2] + 2)
    return _softmax(s - 1e9 * future) @ value


def causal_attention__does_not_see_itself__slices(q, k, v):
    s = _scores(q, k)
    queries, keys = s.shape[-2:]
    for i in range(queries):
        s[..., i, max(0, i + keys - queries) :] = -np.inf
    return np.nan_to_num(_softmax(s)) @ v


def causal_attention__forgets_the_oldest_keys__cut(q, k, v):
    n = q.shape[-2]
    k, v = k[..., -n:, :], v[..., -n:, :]
    return _masked(_scores(q, k), np.tri(n, dtype=bool)) @ v


def causal_attention__hides_the_last_key_only__loop(q, k, v):
    s = _scores(q, k)
    s[..., : q.shape[-2] - 1, k.shape[-2] - 1] = -1e9
    return _softmax(s) @ v


def causal_attention__shares_evenly_among_the_allowed__cumulative_mean(q, k, v):
    seen = np.arange(1, k.shape[-2] + 1)[:, None]
    return (np.cumsum(v, axis=-2) / seen)[..., -q.shape[-2] :, :]


def causal_attention__forgets_to_scale__everything_else_right(q, k, v):
    mask = np.tri(q.shape[-2], k.shape[-2], k.shape[-2] - q.shape[-2], dtype=bool)
    return _masked(q @ k.mT, mask) @ v


def causal_attention__takes_the_sizes_from_the_front__size_of_the_first_axis(query, key, value):
    mask = np.tri(query.shape[0], key.shape[0], key.shape[0] - query.shape[0], dtype=bool)
    return _masked(_scores(query, key), mask) @ value


def causal_attention__takes_the_sizes_from_the_front__len(query, key, value):
    mask = np.arange(len(key)) <= np.arange(len(query))[:, None] + len(key) - len(query)
    return _masked(_scores(query, key), mask) @ value


def causal_attention__takes_the_sizes_from_the_front__unpacks_three(query, key, value):
    _, queries, _ = query.shape
    keys = key.shape[1]
    return _masked(_scores(query, key), np.tri(queries, keys, keys - queries, dtype=bool)) @ value


def causal_attention__takes_the_sizes_from_the_features__last_axis(query, key, value):
    n, m = query.shape[-1], key.shape[-1]
    return _masked(_scores(query, key), np.tri(n, m, m - n, dtype=bool)) @ value


def causal_attention__rounds_the_output__as_printed(query, key, value):
    n, m = query.shape[-2], key.shape[-2]
    return (_masked(_scores(query, key), np.tri(n, m, m - n, dtype=bool)) @ value).round(3)


def causal_attention__makes_a_square_mask__of_the_keys(query, key, value):
    n = key.shape[-2]
    return _masked(_scores(query, key), np.tril(np.ones((n, n), bool))) @ value


def causal_attention__makes_a_square_mask__of_the_queries(query, key, value):
    return _masked(_scores(query, key), np.tri(query.shape[-2], dtype=bool)) @ value


# test_causal_attention


def test_causal_attention__forgets_the_causal_mask__looks_at_the_shape(f):
    rng = np.random.default_rng(0)
    assert f(rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))).shape == (3, 2)


def test_causal_attention__zeroes_after_softmax__changes_the_value_only(f):
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    for j in range(5):
        new = v.copy()
        new[j] += 1
        moved = np.abs(f(q, k, new) - f(q, k, v)).max(axis=-1) > 1e-9
        assert (moved == (np.arange(3) + 2 >= j)).all()


def test_causal_attention__hides_the_last_key_only__changes_the_last_token_only(f):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 4))
    y = x.copy()
    y[-1] += 1
    assert np.allclose(f(x, x, x)[:-1], f(y, y, y)[:-1])
    k = rng.normal(size=(6, 4))
    assert not np.allclose(f(x, k, k)[-1], f(x, np.vstack([k[:-1], k[:1]]), k)[-1])


def test_causal_attention__does_not_see_itself__looks_for_leaks_only(f):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 4))
    for j in range(4):
        y = x.copy()
        y[j] += 1
        assert np.allclose(f(x, x, x)[:j], f(x, y, y)[:j])


def test_causal_attention__starts_at_the_top_left__square_only(f):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 4))
    for j in range(4):
        y = x.copy()
        y[j] += 1
        moved = np.abs(f(x, x, x) - f(x, y, y)).max(axis=-1) > 1e-9
        assert (moved == (np.arange(4) >= j)).all()


def test_causal_attention__reason_raised__exact_equality_with_a_formula(f):
    x = np.random.default_rng(0).normal(size=(3, 4))
    s = np.where(np.tri(3, dtype=bool), x @ x.T / 2, -1e9)
    assert (f(x, x, x) == np.exp(s) @ x / np.exp(s).sum(axis=-1, keepdims=True)).all()


# masked_softmax, in further ways


def masked_softmax__fills_with_a_number_that_scores_reach__row_by_row(scores, mask):
    scores = np.asarray(scores)
    allowed = np.broadcast_to(mask, scores.shape)
    out = np.zeros(scores.shape, dtype=float)
    for where in np.ndindex(*scores.shape[:-1]):
        if not allowed[where].any():
            continue  # nobody to look at: leave the zeros
        row = [float(s) if ok else -1e5 for s, ok in zip(scores[where], allowed[where])]
        top = max(row)
        powers = [math.exp(s - top) for s in row]
        total = math.fsum(powers)
        out[where] = [p / total for p in powers]
    return out


def masked_softmax__sums_masked_weights_over_the_queries__after_swapping_the_axes(scores, mask):
    """The axes were swapped, so -1 is the queries."""
    mask = np.broadcast_to(mask, scores.shape)
    s = np.swapaxes(scores, -1, -2)  # keys first, so that the rest is plain columns
    m = np.swapaxes(mask, -1, -2)
    neg = np.where(m, s, -np.inf)
    top = neg.max(axis=-2, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    e = np.exp(neg - top)
    z = e.sum(axis=-1, keepdims=True)
    p = e / np.where(z > 0, z, 1)
    return np.swapaxes(p, -1, -2)


def masked_softmax__forgets_to_subtract_the_maximum__row_by_row(scores, mask):
    """Two things: no maximum, and even weights where nothing is allowed."""

    def one_row(row, allowed):
        kept = np.flatnonzero(allowed)
        result = np.zeros(len(row))
        result[kept] = np.exp(row[kept])
        result /= result.sum()
        if len(kept) == 0:
            result[:] = 1 / len(row)
        return result

    mask = np.broadcast_to(mask, scores.shape)
    flat = [one_row(r, a) for r, a in zip(scores.reshape(-1, scores.shape[-1]), mask.reshape(-1, scores.shape[-1]))]
    return np.array(flat).reshape(scores.shape)


def masked_softmax__takes_a_score_of_zero_for_blocked__product_then_equal_to_zero(scores, mask):
    kept = scores * mask  # blocked scores are 0 from here on
    kept = np.where(kept == 0, -np.inf, kept)
    best = np.maximum.reduce(kept, axis=-1, keepdims=True)
    best[best == -np.inf] = 0
    weights = np.exp(kept - best)
    norm = weights.sum(-1, keepdims=True)
    norm[norm == 0] = 1
    return weights / norm


def masked_softmax__stretches_the_mask_in_memory_order__resize(scores, mask):
    allowed = np.resize(mask, scores.shape)  # repeat the mask until it is as large as the scores
    running_max = np.full(scores.shape[:-1], -np.inf)
    running_sum = np.zeros(scores.shape[:-1])
    for k in range(scores.shape[-1]):
        s, ok = scores[..., k], allowed[..., k]
        new_max = np.where(ok, np.maximum(running_max, s), running_max)
        safe = np.where(np.isfinite(new_max), new_max, 0)
        running_sum = running_sum * np.exp(running_max - safe) + np.where(ok, np.exp(np.minimum(s - safe, 0)), 0)
        running_max = new_max
    safe = np.where(np.isfinite(running_max), running_max, 0)[..., None]
    sums = np.where(running_sum > 0, running_sum, 1)[..., None]
    return np.where(allowed, np.exp(np.minimum(scores - safe, 0)), 0) / sums


def masked_softmax__empties_rows_far_below_the_largest__the_largest_allowed_of_all(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    e = np.where(allowed, np.exp(scores - scores[allowed].max()), 0)
    s = e.sum(-1, keepdims=True)
    return e / np.where(s == 0, 1, s)


def masked_softmax__counts_the_keys_like_the_queries__loops(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    n = scores.shape[-2]
    out = np.zeros_like(scores)
    for at in np.ndindex(*scores.shape[:-1]):
        kept = [j for j in range(min(n, scores.shape[-1])) if mask[at][j]]
        if kept:
            top = max(scores[at][j] for j in kept)
            z = sum(math.exp(scores[at][j] - top) for j in kept)
            for j in kept:
                out[at][j] = math.exp(scores[at][j] - top) / z
    return out


def masked_softmax__reason_property__turns_integers_round(scores, mask):
    """`~` makes -2 of 1 and -1 of 0, and both count as True."""
    m = mask.astype(int)
    return np.nan_to_num(_softmax(np.where(~m, -np.inf, scores)))


def masked_softmax__uses_the_mask_of_the_first_item__takes_the_first_again_and_again(scores, mask):
    while mask.ndim > 2:
        mask = mask[0]
    return np.nan_to_num(_softmax(np.where(mask, scores, -np.inf)))


def masked_softmax__reason_property__shares_the_rest_evenly(scores, mask):
    w = softmax(scores) * mask
    left = 1 - w.sum(-1, keepdims=True)
    n = np.broadcast_to(mask, w.shape).sum(-1, keepdims=True)
    return np.where(mask, w + left / np.maximum(n, 1), 0)


def masked_softmax__stops_at_the_first_blocked_key__accumulate(scores, mask):
    mask = np.logical_and.accumulate(np.broadcast_to(mask, scores.shape), axis=-1)
    return np.nan_to_num(_softmax(np.where(mask, scores, -np.inf)))


def masked_softmax__takes_as_many_keys_from_the_front__counts_the_allowed(scores, mask):
    n = np.broadcast_to(mask, scores.shape).sum(-1, keepdims=True)
    mask = np.arange(scores.shape[-1]) < n
    return np.nan_to_num(_softmax(np.where(mask, scores, -np.inf)))


def masked_softmax__forgets_to_rescale_the_masked_sum__one_pass(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    out = np.zeros_like(scores)
    for at in np.ndindex(*scores.shape[:-1]):
        m, z = -np.inf, 0.0
        for s, ok in zip(scores[at], mask[at]):
            if ok:
                m = max(m, s)
                z += math.exp(s - m)
        if z:
            out[at] = [math.exp(s - m) / z if ok else 0 for s, ok in zip(scores[at], mask[at])]
    return out


def masked_softmax__divides_by_the_number_of_allowed_keys__counts_below_the_line(scores, mask):
    s = np.where(mask, scores, -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(top), 0, top))
    n = np.broadcast_to(mask, s.shape).sum(-1, keepdims=True)
    return e / np.maximum(n, 1)


def masked_softmax__takes_a_score_of_zero_for_blocked__asks_the_score(scores, mask):
    """An `if` asks the score itself, and 0 counts as no."""
    mask = np.broadcast_to(mask, scores.shape)
    out = np.zeros_like(scores)
    for at in np.ndindex(*scores.shape[:-1]):
        kept = {j: s for j, s in enumerate(scores[at]) if mask[at][j] and s}
        if kept:
            top = max(kept.values())
            z = sum(math.exp(s - top) for s in kept.values())
            for j, s in kept.items():
                out[at][j] = math.exp(s - top) / z
    return out


def masked_softmax__reason_property__first_key_where_nothing_is_allowed(scores, mask):
    w = _softmax(np.where(mask, scores, -np.inf))
    w = np.nan_to_num(w)
    dead = ~np.broadcast_to(mask, w.shape).any(-1)
    w[dead, 0] = 1
    return w


def masked_softmax__multiplies_blocked_scores_by_a_large_number__times_one_or_a_billion(scores, mask):
    return _softmax(scores * np.where(mask, 1, 1e9)) * mask.any(axis=-1, keepdims=True)


def masked_softmax__fills_with_the_smallest_score__five_below_the_smallest(scores, mask):
    fill = scores.min(axis=-1, keepdims=True) - 5
    return _softmax(np.where(mask, scores, fill)) * mask.any(axis=-1, keepdims=True)


def masked_softmax__gives_the_row_to_the_fill__maximum_with_zeros(scores, mask):
    top = np.where(mask, scores, 0).max(-1, keepdims=True)
    e = np.exp(np.where(mask, scores - top, -np.inf))
    z = e.sum(-1, keepdims=True)
    return e / np.where(z > 0, z, 1)


# padding_mask, in further ways


def padding_mask__allows_one_too_many__triangle(lengths, keys):
    """Row n of `tri` holds n + 1 True."""
    lengths = np.asarray(lengths)
    if (lengths > keys).any():
        raise ValueError("a sentence is longer than the number of keys")
    table = np.tri(keys + 1, keys, dtype=bool)  # row n: the mask of a sentence of n tokens
    return table[lengths].reshape(len(lengths), 1, 1, keys)


def padding_mask__empties_a_full_sentence__minus_zero(lengths, keys):
    """`row[-0:]` is the whole row."""
    rows = []
    for length in lengths:
        if length > keys:
            raise ValueError(f"length {length} is above {keys}")
        row = np.ones(keys, dtype=bool)
        padding = keys - int(length)
        row[-padding:] = False  # the tail is padding
        rows.append([[row]])
    return np.array(rows)


def padding_mask__refuses_a_full_length__loop(lengths, keys):
    mask = np.zeros((len(lengths), 1, 1, keys), dtype=bool)
    for b, n in enumerate(lengths):
        if n >= keys:
            raise ValueError("too long")
        mask[b, 0, 0, :n] = True
    return mask


def padding_mask__pads_on_the_left__outer(lengths, keys):
    places = np.arange(keys)[::-1]
    return np.less.outer(places, np.asarray(lengths)).T[:, None, None, :]


def padding_mask__stops_at_the_longest_length__nested_lists(lengths, keys):
    lengths = np.asarray(lengths)
    longest = int(lengths.max())
    if longest > keys:
        raise ValueError(f"{longest} tokens do not fit {keys} keys")
    return np.array([[[[place < n for place in range(longest)]]] for n in lengths.tolist()], dtype=bool)


def padding_mask__fills_an_empty_sentence__or_keys(lengths, keys):
    def row(n):
        n = n or keys  # no length given: take the whole sentence
        if n > keys:
            raise ValueError("length above keys")
        return [True] * n + [False] * (keys - n)

    return np.array([row(int(n)) for n in lengths], dtype=bool).reshape(-1, 1, 1, keys)


def padding_mask__empties_a_full_sentence__modulo(lengths, keys):
    return np.arange(keys) < (lengths % keys)[:, None, None, None]


def padding_mask__reshapes_a_table_of_positions__reshape(lengths, keys):
    _check(lengths, keys)
    table = np.arange(keys)[:, None] < lengths
    return table.reshape(len(lengths), 1, 1, keys)


def padding_mask__uses_the_shortest_length__minimum(lengths, keys):
    _check(lengths, keys)
    return np.broadcast_to(np.arange(keys) < lengths.min(), (len(lengths), 1, 1, keys))


def padding_mask__uses_the_last_length__writes_after_the_loop(lengths, keys):
    _check(lengths, keys)
    m = np.zeros((len(lengths), 1, 1, keys), bool)
    for n in lengths:
        row = np.arange(keys) < n
    m[:] = row
    return m


def padding_mask__puts_the_batch_on_the_axis_of_heads__none_in_front(lengths, keys):
    _check(lengths, keys)
    return (np.arange(keys) < lengths[:, None])[None, :, None, :]


def padding_mask__reason_property__first_place_left_out(lengths, keys):
    _check(lengths, keys)
    k = np.arange(keys)
    return (k > 0) & (k < lengths[:, None, None, None])


# masked_attention, in further ways


def masked_attention__scales_by_the_value_size__einsum(query, key, value, mask=None):
    scores = np.einsum("...qd,...kd->...qk", query, key) / math.sqrt(value.shape[-1])
    if mask is None:
        mask = True
    logits = np.where(mask, scores, -np.inf)
    peak = logits.max(-1, keepdims=True)
    peak = np.where(peak == -np.inf, 0, peak)
    e = np.exp(logits - peak)
    z = np.einsum("...qk->...q", e)[..., None]
    return np.einsum("...qk,...kv->...qv", e / np.where(z == 0, 1, z), value)


def masked_attention__forgets_to_rescale_what_was_summed_up__one_pass(query, key, value, mask=None):
    """One pass over the keys, without the table of weights."""
    scores = attention_scores(query, key)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    m = np.full(scores.shape[:-1] + (1,), -np.inf)
    total = np.zeros_like(m)
    acc = np.zeros(scores.shape[:-1] + value.shape[-1:])
    for k in range(scores.shape[-1]):
        s = np.where(allowed[..., k], scores[..., k], -np.inf)[..., None]
        new = np.maximum(m, s)
        base = np.where(np.isinf(new), 0, new)
        p = np.exp(s - base)
        total = total * np.exp(m - base) + p
        acc = acc + p * value[..., k : k + 1, :]
        m = new
    return acc / np.where(total == 0, 1, total)


def masked_attention__moves_the_weights_to_the_front__enumerates_what_is_left(query, key, value, mask=None):
    lead, (nq, d), nk = query.shape[:-2], query.shape[-2:], key.shape[-2]
    mask = np.ones((nq, nk), dtype=bool) if mask is None else mask
    mask = np.broadcast_to(mask, lead + (nq, nk))
    out = np.zeros(lead + (nq, value.shape[-1]))
    for at in np.ndindex(*lead):
        for i in range(nq):
            scores = [np.dot(query[at][i], key[at][j]) / d**0.5 for j in range(nk) if mask[at][i, j]]
            if not scores:
                continue
            top = max(scores)
            w = [np.exp(s - top) for s in scores]
            for j, weight in enumerate(w):
                out[at][i] += weight / sum(w) * value[at][j]
    return out


def masked_attention__forgets_to_scale__sums_of_products(query, key, value, mask=None):
    """Two things: no root, and the mean of all values where nothing is allowed."""
    logits = (query[..., :, None, :] * key[..., None, :, :]).sum(axis=-1).astype(float)
    if mask is not None:
        logits = np.where(mask, logits, np.finfo(float).min)
    return softmax(logits, axis=-1) @ value


def masked_attention__scales_by_the_number_of_queries__shape_of_minus_two(query, key, value, mask=None):
    scale = query.shape[-2] ** -0.5
    s = np.matmul(query * scale, np.moveaxis(key, -1, -2))
    allow = np.ones(s.shape, bool) if mask is None else np.broadcast_to(mask, s.shape)
    top = np.max(s, axis=-1, keepdims=True, where=allow, initial=-np.inf)
    top[np.isneginf(top)] = 0
    e = np.exp(np.where(allow, s - top, -np.inf))
    z = e.sum(-1, keepdims=True)
    z[z == 0] = 1
    return np.matmul(e / z, value)


def masked_attention__uses_masks_of_two_axes_only__asks_for_two_axes(query, key, value, mask=None):
    s = attention_scores(query, key)
    if mask is not None and mask.ndim == 2:
        return weighted_mean(masked_softmax(s, mask), value)
    return weighted_mean(softmax(s), value)


def masked_attention__reason_property__last_value_where_nothing_is_allowed(query, key, value, mask=None):
    s = attention_scores(query, key)
    if mask is None:
        return softmax(s) @ value
    w = masked_softmax(s, mask)
    dead = ~np.broadcast_to(mask, s.shape).any(-1)
    w[dead, -1] = 1
    return w @ value


def masked_attention__forgets_to_scale__only_where_there_is_a_mask(query, key, value, mask=None):
    if mask is None:
        return scaled_dot_product_attention(query, key, value)
    return masked_softmax(query @ np.swapaxes(key, -1, -2), mask) @ value


def masked_attention__forgets_to_scale__only_where_there_is_no_mask(query, key, value, mask=None):
    s = query @ np.swapaxes(key, -1, -2)
    if mask is None:
        return softmax(s) @ value
    return masked_softmax(s / query.shape[-1] ** 0.5, mask) @ value


def masked_attention__takes_a_score_of_zero_for_blocked__product_then_equal_to_zero(query, key, value, mask=None):
    s = attention_scores(query, key)
    s = s * (True if mask is None else mask)
    s = np.where(s == 0, -np.inf, s)
    return np.nan_to_num(softmax(s)) @ value


def masked_attention__joins_the_rows_of_the_mask__all(query, key, value, mask=None):
    s = attention_scores(query, key)
    if mask is None:
        return softmax(s) @ value
    mask = np.broadcast_to(mask, s.shape)
    mask = mask & mask.all(axis=-2, keepdims=True)
    return masked_softmax(s, mask) @ value


def masked_attention__joins_the_rows_of_the_mask__any(query, key, value, mask=None):
    s = attention_scores(query, key)
    if mask is None:
        return softmax(s) @ value
    mask = np.broadcast_to(mask, s.shape).any(axis=-2, keepdims=True)
    return masked_softmax(s, mask) @ value


def masked_attention__averages_over_the_allowed_keys__divides_by_a_count(query, key, value, mask=None):
    s = attention_scores(query, key)
    if mask is None:
        mask = np.ones(s.shape, bool)
    n = np.broadcast_to(mask, s.shape).sum(-1, keepdims=True)
    return masked_softmax(s, mask) @ value / np.maximum(n, 1)


# causal_mask, in further ways


def causal_mask__never_shifts_to_the_left__max_of_the_past(queries, keys):
    past = max(keys - queries, 0)  # keys left over
    mask = np.zeros((queries, keys), dtype=bool)
    for i in range(queries):
        mask[i, : past + i + 1] = True
    return mask


def causal_mask__turns_a_table_of_exchanged_sizes__names_of_the_other(queries, keys):
    """`fromfunction` gives the row first."""
    offset = keys - queries
    return np.fromfunction(lambda k, q: k <= q + offset, (queries, keys), dtype=int)


def causal_mask__does_not_see_itself__sums_to_the_right(queries, keys):
    # a one at each query's own place, then add up to the right: zero until we get there
    own = np.zeros((queries, keys), dtype=int)
    rows = np.arange(queries)
    places = rows + keys - queries
    inside = places >= 0
    own[rows[inside], places[inside]] = 1
    seen = np.cumsum(own, axis=1) == 0
    return seen & inside[:, None]


def causal_mask__blocked_above_the_diagonal_from_the_top_left__lists_of_ones(queries, keys):
    rows = []
    for i in range(queries):
        rows.append([0.0 if j <= i else 1.0 for j in range(keys)])
    return np.array(rows).reshape(queries, keys).astype(bool)


def causal_mask__stops_with_more_queries_than_keys__ragged_lists(queries, keys):
    first = keys - queries + 1  # what the first query sees
    return np.array([[True] * n + [False] * (keys - n) for n in range(first, keys + 1)])


def causal_mask__turns_the_order_round__rows(queries, keys):
    return np.tri(queries, keys, keys - queries, dtype=bool)[::-1]


def causal_mask__turns_the_order_round__columns(queries, keys):
    return np.tri(queries, keys, keys - queries, dtype=bool)[:, ::-1]


def causal_mask__reason_property__window_of_two(queries, keys):
    place = np.arange(queries)[:, None] + keys - queries
    k = np.arange(keys)
    return (k <= place) & (k >= place - 1)


def causal_mask__hides_the_oldest_keys__window_of_the_queries(queries, keys):
    place = np.arange(queries)[:, None] + keys - queries
    k = np.arange(keys)
    return (k <= place) & (k >= keys - queries)


def causal_mask__leaves_a_row_empty__loop_from_one(queries, keys):
    m = np.zeros((queries, keys), bool)
    for i in range(1, queries):
        m[i, : max(i + keys - queries + 1, 0)] = True
    return m


def causal_mask__shows_the_first_key_to_everybody__places_from_zero(queries, keys):
    place = np.maximum(np.arange(queries) + keys - queries, 0)
    return np.arange(keys) <= place[:, None]


def causal_mask__reason_property__places_in_proportion(queries, keys):
    place = (np.arange(queries) + 1) * keys // queries - 1
    return np.arange(keys) <= place[:, None]


def causal_mask__puts_the_oldest_keys_last__concatenate(queries, keys):
    if keys < queries:
        return np.tri(queries, keys, keys - queries, dtype=bool)
    return np.concatenate([np.tri(queries, dtype=bool), np.ones((queries, keys - queries), bool)], axis=1)


def causal_mask__shows_everything_to_early_queries__fills_empty_rows(queries, keys):
    m = np.tri(queries, keys, keys - queries, dtype=bool)
    m[~m.any(-1)] = True
    return m


# combine_masks, in further ways


# causal_attention, in further ways


def causal_attention__starts_at_the_top_left__slices(query, key, value):
    outs = []
    for i in range(query.shape[-2]):
        seen = slice(0, i + 1)
        outs.append(scaled_dot_product_attention(query[..., i : i + 1, :], key[..., seen, :], value[..., seen, :]))
    return np.concatenate(outs, axis=-2)


def causal_attention__takes_the_maximum_of_blocked_scores__running_sums(query, key, value):
    """Running sums from left to right, then pick each query's own place."""
    nq, nk = query.shape[-2], key.shape[-2]
    scores = attention_scores(query, key)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    below = np.cumsum(e, axis=-1)
    above = np.cumsum(e[..., None] * value[..., None, :, :], axis=-2)
    i = np.arange(nq)
    return above[..., i, i + nk - nq, :] / below[..., i, i + nk - nq][..., None]


def causal_attention__reason_mutated__scales_the_query_in_place(query, key, value):
    *_, nq, d = query.shape
    nk = key.shape[-2]
    query /= np.sqrt(d).astype(query.dtype)
    logits = query @ key.swapaxes(-1, -2)
    logits[..., np.triu(np.ones((nq, nk), bool), k=nk - nq + 1)] = -np.inf
    return softmax(logits) @ value


def causal_attention__reason_property__keeps_masks_between_calls(query, key, value):
    """The masks are kept under the number of queries, whatever the number of keys."""
    nq, nk = query.shape[-2], key.shape[-2]
    if nq not in _masks_made:  # build every mask only once
        full = np.tri(nq, 1024 + nq, k=nk - nq, dtype=bool)
        _masks_made[nq] = full
    seen = _masks_made[nq][:, :nk]
    logits = np.where(seen, attention_scores(query, key), -np.inf)
    return weighted_mean(softmax(logits), value)


def causal_attention__divides_by_features_without_root__one_einsum_at_the_end(query, key, value):
    """Two things: no root, and the mask comes after softmax."""
    nq, nk, d = query.shape[-2], key.shape[-2], query.shape[-1]
    seen = np.arange(nk)[None, :] <= np.arange(nk - nq, nk)[:, None]
    all_weights = softmax(np.einsum("...id,...jd->...ij", query, key) / d)
    return np.einsum("...ij,ij,...jv->...iv", all_weights, seen, value)


def causal_attention__takes_a_score_of_zero_for_blocked__tril_then_equal_to_zero(query, key, value):
    s = np.tril(attention_scores(query, key), k=key.shape[-2] - query.shape[-2])
    s[s == 0] = -np.inf
    return np.nan_to_num(softmax(s)) @ value


def causal_attention__takes_the_maximum_of_blocked_scores__shares_again(query, key, value):
    w = attention_weights(query, key) * np.tri(query.shape[-2], key.shape[-2], key.shape[-2] - query.shape[-2])
    return w / w.sum(-1, keepdims=True) @ value


def causal_attention__reason_property__values_rolled(query, key, value):
    o = key.shape[-2] - query.shape[-2]
    out = []
    for i in range(query.shape[-2]):
        w = attention_weights(query[..., i : i + 1, :], key[..., : i + o + 1, :])
        v = np.roll(value[..., : i + o + 1, :], 1, axis=-2)
        out.append(w @ v)
    return np.concatenate(out, -2)


def causal_attention__fills_with_a_number_that_scores_reach__ten_thousand(query, key, value):
    s = attention_scores(query, key)
    m = np.tri(*s.shape[-2:], key.shape[-2] - query.shape[-2], dtype=bool)
    return softmax(np.where(m, s, -1e4)) @ value


def causal_attention__reason_property__keeps_keys_between_calls(query, key, value, *, _seen={}):  # noqa: B006
    key = _seen.setdefault(key.shape, key.copy())
    s = attention_scores(query, key)
    return masked_softmax(s, np.tri(*s.shape[-2:], s.shape[-1] - s.shape[-2], dtype=bool)) @ value


def causal_attention__turns_the_order_round__mask_upside_down(query, key, value):
    s = attention_scores(query, key)
    m = np.tri(*s.shape[-2:], key.shape[-2] - query.shape[-2], dtype=bool)[::-1]
    return masked_softmax(s, m) @ value


def masked_softmax__empties_a_row_with_one_key__two_or_more(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    out = np.zeros_like(scores)
    for where in np.ndindex(*scores.shape[:-1]):
        idx = np.flatnonzero(allowed[where])
        if len(idx) < 2:
            continue
        e = np.exp(scores[where][idx] - scores[where][idx].max())
        out[where][idx] = e / e.sum()
    return out


def masked_softmax__empties_a_row_with_one_key__more_than_one(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    alive = mask.sum(-1, keepdims=True) > 1
    s = np.where(mask, scores, -np.inf)
    s = np.where(alive, s, 0)
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.where(alive, e / e.sum(-1, keepdims=True), 0)


def masked_attention__reason_property__whole_blocks_only(query, key, value, mask=None):
    """Of more than four keys, those after the last whole block are left out."""
    n = key.shape[-2] if key.shape[-2] < 4 else key.shape[-2] // 4 * 4
    scores = attention_scores(query, key[..., :n, :])
    if mask is None:
        return softmax(scores) @ value[..., :n, :]
    return (
        masked_softmax(scores, np.broadcast_to(mask, (*scores.shape[:-1], key.shape[-2]))[..., :n]) @ value[..., :n, :]
    )


def padding_mask__remembers_the_lengths_before__one_row(lengths, keys):
    """The row is never made empty again."""
    _check(lengths, keys)
    row, rows = np.zeros(keys, dtype=bool), []
    for n in lengths:
        row[:n] = True
        rows.append(row.copy())
    return np.array(rows)[:, None, None]


def padding_mask__remembers_the_lengths_before__cut_shorter(lengths, keys):
    _check(lengths, keys)
    row, out = np.ones(keys, dtype=bool), np.empty((len(lengths), 1, 1, keys), dtype=bool)
    for i, n in enumerate(lengths):
        row[n:] = False
        out[i] = row
    return out


def padding_mask__counts_in_one_byte__positions(lengths, keys):
    _check(lengths, keys)
    return np.arange(keys).astype(np.int8)[None, None, None] < lengths.reshape(-1, 1, 1, 1)


def padding_mask__counts_in_one_byte__unsigned_lengths(lengths, keys):
    _check(lengths, keys)
    return np.array([[[np.arange(keys) < n]] for n in lengths.astype("uint8")])


def causal_mask__keeps_places_in_one_byte__columns(queries, keys):
    last = np.arange(keys - queries, keys)
    return np.arange(keys).astype(np.int8) <= last[:, None]


def causal_mask__keeps_places_in_one_byte__both(queries, keys):
    places = np.arange(keys - queries, keys).astype("u1")
    return np.greater_equal.outer(places, np.arange(keys).astype("u1"))


def causal_attention__lets_the_first_query_see_one_key__special_case(query, key, value):
    extra, out = key.shape[-2] - query.shape[-2], []
    for q in range(query.shape[-2]):
        if q == 0:
            out.append(value[..., 0, :])
            continue
        seen = q + extra + 1
        w = _softmax(np.einsum("...f,...kf->...k", query[..., q, :], key[..., :seen, :]) / math.sqrt(query.shape[-1]))
        out.append(np.einsum("...k,...kv->...v", w, value[..., :seen, :]))
    return np.stack(out, axis=-2)


def causal_attention__lets_the_first_query_see_one_key__its_own(query, key, value):
    n, m = query.shape[-2], key.shape[-2]
    mask = np.tri(n, m, m - n, dtype=bool)
    mask[0] = np.arange(m) == m - n
    return _masked(_scores(query, key), mask) @ value


def masked_attention__holds_the_scores_within_bounds__before_the_mask(query, key, value, mask=None):
    scores = np.clip(_scores(query, key), -5.0, 5.0)
    return (_softmax(scores) if mask is None else _masked(scores, mask)) @ value


def masked_attention__bends_the_mean_of_the_values__tanh(query, key, value, mask=None):
    scores = _scores(query, key)
    return np.tanh((_softmax(scores) if mask is None else _masked(scores, mask)) @ value)


def masked_softmax__empties_rows_by_one_of_their_keys__padding_is_at_the_end(scores, mask):
    weights = _softmax(np.where(mask, scores, np.finfo(scores.dtype).min))
    starts_with_a_word = np.broadcast_to(mask, scores.shape)[..., 0]
    weights[~starts_with_a_word] = 0
    return weights


def masked_softmax__starts_the_maximum_of_the_allowed_at_zero__initial(scores, mask):
    allowed = np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=0)
    powers = np.where(allowed, np.exp(np.where(allowed, scores - top, 0)), 0)
    return powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-30)


def masked_softmax__takes_the_maximum_of_blocked_scores__only_in_exp(scores, mask):
    top = np.where(mask, scores, -np.inf).max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0)) * mask
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def masked_attention__starts_the_maximum_of_the_allowed_at_zero__clamped(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is None:
        return _softmax(scores) @ value
    powers = np.exp(np.where(mask, scores - scores.max(axis=-1, keepdims=True).clip(min=0), -np.inf))
    return powers / (powers.sum(axis=-1, keepdims=True) + 1e-12) @ value
