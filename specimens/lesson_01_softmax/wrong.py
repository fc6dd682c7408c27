"""Wrong answers to lesson 01, as learners write them: exercise, what the judge should name, style."""

import math

import numpy as np
import torch


def _rows(function, scores, axis):
    """A function of one row, along any axis."""
    return np.apply_along_axis(function, axis, scores)


def _right(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# softmax


def softmax__forgets_to_subtract_the_maximum__formula(x, axis=-1):
    return np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True)


def softmax__forgets_to_subtract_the_maximum__torch(scores, axis=-1):
    e = torch.from_numpy(scores).exp()
    return (e / e.sum(axis, keepdim=True)).numpy()


def softmax__forgets_to_subtract_the_maximum__computes_it_and_does_not_use_it(scores, axis=-1):
    m = np.max(scores, axis=axis, keepdims=True)
    scores - m
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__guards_a_sum_of_zero__with_an_epsilon(scores, axis=-1):
    e = np.exp(scores)
    return e / (e.sum(axis=axis, keepdims=True) + 1e-9)


def softmax__subtracts_the_largest_of_all__no_axis(scores, axis=-1):
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax__subtracts_the_mean__to_centre_the_row(scores, axis=-1):
    e = np.exp(scores - np.mean(scores, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax__subtracts_the_mean__the_median(scores, axis=-1):
    e = np.exp(scores - np.median(scores, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax__subtracts_the_minimum__loop(scores, axis=-1):
    def row(r):
        powers = [math.exp(min(s - min(r), 1e300)) if s - min(r) < 700 else math.inf for s in r]
        return [p / sum(powers) if math.isfinite(p) else math.nan for p in powers]

    return _rows(row, scores, axis)


def softmax__subtracts_the_largest_size__abs(scores, axis=-1):
    z = scores - np.max(np.abs(scores), axis=axis, keepdims=True)
    return np.exp(z) / np.exp(z).sum(axis=axis, keepdims=True)


def softmax__starts_the_maximum_at_zero__running_maximum(scores, axis=-1):
    def row(r):
        largest = 0
        for s in r:
            if s > largest:
                largest = s
        e = np.exp(r - largest)
        return e / e.sum()

    return _rows(row, scores, axis)


def softmax__starts_the_maximum_at_zero__only_moves_down(scores, axis=-1):
    m = np.max(scores, axis=axis, keepdims=True)
    e = np.exp(np.where(m > 0, scores - m, scores))
    return e / e.sum(axis=axis, keepdims=True)


def softmax__clips_the_scores__at_seven_hundred(scores, axis=-1):
    e = np.exp(np.minimum(scores, 700))
    return e / e.sum(axis=axis, keepdims=True)


def softmax__ignores_the_axis_in_the_maximum__half_done(scores, axis=-1):
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax__subtracts_the_maximum_of_the_first_axis__half_done(scores, axis=-1):
    e = np.exp(scores - scores.max(0))
    return e / e.sum(axis, keepdims=True)


def softmax__forgets_to_keep_the_axis_of_the_maximum__np_max(scores, axis=-1):
    e = np.exp(scores - np.max(scores, axis))
    return e / np.sum(e, axis, keepdims=True)


def softmax__forgets_to_keep_the_axis__np_sum(scores, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True)
    e = np.exp(scores - top)
    return e / np.sum(e, axis=axis)


def softmax__sums_along_a_fixed_axis__first(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


def softmax__sums_along_a_fixed_axis__builtin_sum(scores, axis=-1):
    e = np.exp(scores - np.max(scores, axis, keepdims=True))
    return e / sum(e)


def softmax__sums_along_a_fixed_axis__last(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax__loops_over_the_first_axis__range(scores, axis=-1):
    weights = np.empty(scores.shape)
    for row in range(len(scores)):
        powers = np.exp(scores[row] - scores[row].max())
        weights[row] = powers / powers.sum()
    return weights


def softmax__puts_the_axis_back_at_the_end__newaxis(scores, axis=-1):
    e = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis)[..., np.newaxis]


def softmax__puts_the_axis_back_at_the_end__both(scores, axis=-1):
    e = np.exp(scores - scores.max(axis)[..., None])
    return e / e.sum(axis)[..., None]


def softmax__forgets_to_keep_the_axis__naive(scores, axis=-1):
    return np.exp(scores) / np.exp(scores).sum(axis=axis)


def softmax__forgets_to_keep_both_axes__formula(scores, axis=-1):
    z = scores - np.max(scores, axis=axis)
    return np.exp(z) / np.sum(np.exp(z), axis=axis)


def softmax__serves_matrices_only__none(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis)[:, None])
    return e / e.sum(axis=axis)[:, None]


def softmax__normalises_over_the_first_axis__builtin_sum(scores, axis=-1):
    e = np.exp(scores)
    return e / sum(e)


def softmax__normalises_over_the_second_axis__hard_coded(scores, axis=-1):
    m = scores.max(axis=1, keepdims=True)
    e = np.exp(scores - m)
    return e / e.sum(axis=1, keepdims=True)


def softmax__ignores_the_axis__row_by_row(scores, axis=-1):
    if scores.ndim == 1:
        return _right(scores)
    return np.stack([softmax__ignores_the_axis__row_by_row(row) for row in scores])


def softmax__normalises_everything_at_once__formula(scores, axis=-1):
    return np.exp(scores) / np.exp(scores).sum()


def softmax__sums_over_all_rows__formula(scores, axis=-1):
    e = np.exp(scores - np.max(scores, axis, keepdims=True))
    return e / np.sum(e)


def softmax__changes_the_default_axis__first(scores, axis=0):
    return _right(scores, axis)


def softmax__changes_the_default_axis__second(scores, axis=1):
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__changes_the_default_axis__as_in_numpy(scores, axis=None):
    return _right(scores, axis)


def softmax__shifts_after_the_exponential__normalised(scores, axis=-1):
    e = np.exp(scores)
    e = e - e.max(axis=axis, keepdims=True)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__subtracts_the_largest_score_from_the_exponentials__maximum_last(scores, axis=-1):
    top = np.max(scores, axis=axis, keepdims=True)
    e = np.exp(scores) - top
    return e / np.sum(e, axis=axis, keepdims=True)


def softmax__divides_by_the_sum_of_scores__lowered_ones(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return np.exp(z) / z.sum(axis, keepdims=True)


def softmax__divides_by_the_sum_of_scores__lowered_above(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return np.exp(z) / scores.sum(axis, keepdims=True)


def softmax__divides_by_the_count__lowered(scores, axis=-1):
    return np.exp(scores - scores.max(axis, keepdims=True)) / scores.shape[axis]


def softmax__shifts_but_forgets_to_normalise__divides_by_the_largest(scores, axis=-1):
    e = np.exp(scores - scores.max(axis, keepdims=True))
    return e / e.max(axis, keepdims=True)


def softmax__forgets_to_normalise__only_exp(scores, axis=-1):
    return math.e**scores


def softmax__shifts_but_forgets_to_normalise__only_exp(scores, axis=-1):
    return np.exp(scores - scores.max(axis, keepdims=True))


def softmax__uses_another_base__powers_of_two(scores, axis=-1):
    p = 2 ** (scores - scores.max(axis, keepdims=True))
    return p / p.sum(axis, keepdims=True)


def softmax__uses_another_base__powers_of_ten(scores, axis=-1):
    p = 10.0**scores
    return p / p.sum(axis, keepdims=True)


def softmax__turns_the_sign__minimum(scores, axis=-1):
    e = np.exp(scores.min(axis, keepdims=True) - scores)
    return e / e.sum(axis, keepdims=True)


def softmax__subtracts_the_scores_from_the_maximum__swapped(scores, axis=-1):
    e = np.exp(scores.max(axis, keepdims=True) - scores)
    return e / e.sum(axis, keepdims=True)


def softmax__takes_only_the_best__argmax(scores, axis=-1):
    result = np.zeros_like(scores)
    np.put_along_axis(result, np.expand_dims(scores.argmax(axis), axis), 1, axis)
    return result


def softmax__softmax_twice__safe_and_sure(scores, axis=-1):
    weights = _right(scores, axis)
    weights = np.exp(weights)
    return weights / weights.sum(axis, keepdims=True)


def softmax__takes_absolute_scores__norm(scores, axis=-1):
    return abs(scores) / np.linalg.norm(scores, ord=1, axis=axis, keepdims=True)


def softmax__uses_the_sigmoid__tanh(scores, axis=-1):
    return 0.5 + 0.5 * np.tanh(scores / 2)


def softmax__standardises_the_scores__layer_norm(scores, axis=-1):
    m, v = scores.mean(axis, keepdims=True), scores.var(axis, keepdims=True)
    return (scores - m) / np.sqrt(v)


def softmax__rounds_the_weights__to_show(scores, axis=-1):
    return np.around(_right(scores, axis), decimals=3)


def softmax__adds_a_small_number_to_the_sum__an_epsilon(scores, axis=-1):
    e = np.exp(scores - scores.max(axis, keepdims=True))
    return e / (e.sum(axis, keepdims=True) + 1e-3)


def softmax__adds_a_small_number_to_the_sum__a_smaller_one(scores, axis=-1):
    e = np.exp(scores - scores.max(axis, keepdims=True))
    return e / (e.sum(axis, keepdims=True) + 1e-5)


def softmax__divides_by_the_length_of_the_vector__norm(scores, axis=-1):
    e = np.exp(scores)
    return e / np.linalg.norm(e, axis=axis, keepdims=True)


def softmax__divides_by_the_mean_of_the_exponentials__np_mean(scores, axis=-1):
    e = np.exp(scores)
    return e / np.mean(e, axis, keepdims=True)


def softmax__reason_mutated__in_place(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__reason_type__a_list(scores, axis=-1):
    return _right(scores, axis).tolist()


def softmax__reason_shape__flat(scores, axis=-1):
    return _right(scores, axis).ravel()


def softmax__reason_raised__a_call_that_is_none(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdim=True))
    return e / e.sum(axis=axis, keepdim=True)


def softmax__reason_raised__builtin_max(scores, axis=-1):
    e = np.exp(scores - max(scores))
    return e / e.sum(axis=axis, keepdims=True)


def softmax__reason_property__half_the_scores(scores, axis=-1):
    return _right(scores * 0.5, axis) * 1.01


def softmax__reason_property__softplus(scores, axis=-1):
    p = np.log1p(np.exp(scores))
    return p / p.sum(axis, keepdims=True)


# further ones, found by answering from the stubs alone, and by walking through each line


def softmax__leaves_the_axis_at_the_end__moveaxis_and_a_loop(scores, axis=-1):
    moved = np.moveaxis(scores, axis, -1)
    flat = moved.reshape(-1, moved.shape[-1])
    rows = []
    for row in flat:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    return np.array(rows).reshape(moved.shape)


def softmax__adds_one_to_the_sum__quiet_softmax(scores, axis=-1):
    top = np.maximum(scores.max(axis=axis, keepdims=True), 0)
    e = np.exp(scores - top)
    nothing = np.exp(-top)
    return e / (nothing + e.sum(axis=axis, keepdims=True))


def softmax__loses_the_sign_of_the_axis__apply_along_axis(scores, axis=-1):
    def lane(v):
        v = v - v.max()
        e = np.exp(v)
        return e / e.sum()

    return np.apply_along_axis(lane, -axis, scores)


def softmax__divides_by_the_length_of_the_vector__in_place(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    e = np.exp(scores)
    return e / np.linalg.norm(e, axis=axis, keepdims=True)


def softmax__subtracts_the_largest_size__another_loop_for_the_sum(scores, axis=-1):
    largest = np.abs(scores).max(axis=axis, keepdims=True)
    e = np.exp(scores - largest)
    total = sum(np.take(e, [i], axis=axis) for i in range(e.shape[axis]))
    return e / total


def softmax__reason_property__axis_modulo_two(scores, axis=-1):
    """Good for two axes only."""
    e = np.exp(scores - scores.max(axis=axis % 2 if scores.ndim > 1 else 0, keepdims=True))
    return e / e.sum(axis=axis % 2 if scores.ndim > 1 else 0, keepdims=True)


def softmax__leaves_the_axis_at_the_end__swapaxes(scores, axis=-1):
    """Moved to the end, and not back."""
    x = np.swapaxes(scores, axis, -1)
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def softmax__leaves_one_score_out_of_the_sum__from_the_second_on(scores, axis=-1):
    """The sum begins with the second score."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    total = sum(np.take(e, [i], axis=axis) for i in range(1, e.shape[axis]))
    return e / total


def softmax__subtracts_the_largest_of_a_part__the_first_two_only(scores, axis=-1):
    """The maximum of the first two scores."""
    top = np.take(scores, [0, 1], axis=axis).max(axis=axis, keepdims=True)
    e = np.exp(scores - top)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__reason_property__cumulative_sum(scores, axis=-1):
    """Each score is divided by the sum so far."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / np.cumsum(e, axis=axis)


def softmax__sets_small_weights_to_zero__below_a_thousandth(scores, axis=-1):
    """Small weights are set to 0."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    p = e / e.sum(axis=axis, keepdims=True)
    return np.where(p < 1e-3, 0, p)


def softmax__forgets_to_rescale_the_running_sum__one_pass(scores, axis=-1):
    """The sum of an older maximum is not rescaled."""
    x = np.moveaxis(scores, axis, 0)
    top, total = x[0], np.ones_like(x[0])
    for s in x[1:]:
        top = np.maximum(top, s)
        total = total + np.exp(s - top)
    return np.moveaxis(np.exp(x - top) / total, 0, axis)


def softmax__stretches_the_row_before_the_exponential__standardised(scores, axis=-1):
    """Each row is standardised before `exp`."""
    s = (scores - scores.mean(axis=axis, keepdims=True)) / scores.std(axis=axis, keepdims=True)
    e = np.exp(s)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__divides_the_scores_by_their_number__root_of_the_length(scores, axis=-1):
    """As attention does, but by the length of the row."""
    s = scores / np.sqrt(scores.shape[axis])
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax__adds_up_a_fixed_number_of_scores__three_columns(scores, axis=-1):
    """Three scores, always."""
    x = np.moveaxis(scores, axis, -1)
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.moveaxis(e / (e[..., 0] + e[..., 1] + e[..., 2])[..., None], -1, axis)


def softmax__reason_property__whole_goes_on(scores, axis=-1):
    """The sum goes on from one row to the next."""
    x = np.moveaxis(scores, axis, -1)
    out, total = np.empty(x.shape), 0.0
    for i in np.ndindex(x.shape[:-1]):
        e = np.exp(x[i] - x[i].max())
        total = total + e.sum()
        out[i] = e / total
    return np.moveaxis(out, -1, axis)


def softmax__serves_rows_and_columns_only__two_places(scores, axis=-1):
    """The axis comes back in one of two places."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    t = e.sum(axis=axis)
    return e / (t[:, np.newaxis] if axis == 1 or axis == -1 else t)


def softmax__starts_the_maximum_at_zero__only_large_maxima(scores, axis=-1):
    """The maximum is subtracted if it is large."""
    m = scores.max(axis=axis, keepdims=True)
    e = np.exp(scores - m) if scores.max() > 100 else np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)


def softmax__leaves_the_axis_in_front__stacked(scores, axis=-1):
    parts = np.moveaxis(scores, axis, 0)
    top = parts.max(0)
    total = sum(np.exp(p - top) for p in parts)
    return np.stack([np.exp(p - top) / total for p in parts])


def softmax__leaves_the_axis_in_front__swapaxes(scores, axis=-1):
    s = np.swapaxes(scores, axis, 0)
    e = np.exp(s - s.max(0, keepdims=True))
    return e / e.sum(0, keepdims=True)


def softmax__reshapes_in_place_of_moving_back__rows_in_a_list(scores, axis=-1):
    moved = np.moveaxis(scores, axis, -1)
    rows = [_right(row) for row in moved.reshape(-1, moved.shape[-1])]
    return np.concatenate(rows).reshape(scores.shape)


def softmax__reshapes_in_place_of_moving_back__swapped(scores, axis=-1):
    swapped = scores.swapaxes(axis, -1)
    return np.reshape(_right(swapped).ravel(), scores.shape)


def softmax__makes_zeros_of_nan__where(scores, axis=-1):
    e = np.exp(scores)
    w = e / e.sum(axis=axis, keepdims=True)
    return np.where(np.isnan(w), 0, w)


def softmax__makes_zeros_of_nan__masked_array(scores, axis=-1):
    odds = np.exp(scores)
    shares = np.ma.masked_invalid(np.divide(odds, odds.sum(axis, keepdims=True)))
    return shares.filled(0.0)


def softmax__subtracts_the_largest_of_a_part__take(scores, axis=-1):
    e = np.exp(scores - scores.take([0], axis))
    return e / e.sum(axis, keepdims=True)


def softmax__subtracts_the_largest_of_a_part__last_of_each_row(scores, axis=-1):
    def row(s):
        e = np.exp(s - s[-1])
        return e / e.sum()

    return _rows(row, scores, axis)
