"""Wrong answers to lesson 01, as learners write them: exercise, what the judge should name, style."""

import math

import numpy as np
import torch


def _right(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax__forgets_to_subtract_the_maximum__formula(scores, axis=-1):
    return scores - np.log(np.sum(np.exp(scores), axis=axis, keepdims=True))


def log_softmax__forgets_to_subtract_the_maximum__log_of_the_naive_one(scores, axis=-1):
    e = np.exp(scores)
    return np.log(e / e.sum(axis, keepdims=True))


def log_softmax__takes_the_log_of_softmax__own_softmax(scores, axis=-1):
    return np.log(_right(scores, axis=axis))


def log_softmax__keeps_the_log_finite_with_a_small_number__clip(scores, axis=-1):
    return np.log(np.clip(_right(scores, axis), 1e-12, 1))


def log_softmax__keeps_the_log_finite_with_a_small_number__the_smallest(scores, axis=-1):
    return np.log(np.maximum(_right(scores, axis), 1e-300))


def log_softmax__log_sums_along_a_fixed_axis__builtin_sum(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return z - np.log(sum(np.exp(z)))


def log_softmax__log_sums_along_a_fixed_axis__last(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))


def log_softmax__subtracts_the_largest_of_all__no_axis(scores, axis=-1):
    z = scores - scores.max()
    return z - np.log(np.exp(z).sum(axis, keepdims=True))


def log_softmax__log_forgets_to_keep_the_axis__np_sum(scores, axis=-1):
    z = scores - np.max(scores, axis=axis, keepdims=True)
    return z - np.log(np.sum(np.exp(z), axis=axis))


def log_softmax__subtracts_the_maximum_in_the_sum_only__max_not_given_back(scores, axis=-1):
    m = scores.max(axis, keepdims=True)
    return scores - np.log(np.exp(scores - m).sum(axis, keepdims=True))


def log_softmax__sums_the_logs__log_of_each(scores, axis=-1):
    return scores - np.log(np.exp(scores)).sum(axis, keepdims=True)


def log_softmax__sums_the_logs__of_the_shifted(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return z - np.sum(np.log(np.exp(z)), axis=axis, keepdims=True)


def log_softmax__sums_the_logs__half_shifted(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return z - np.log(np.exp(scores)).sum(axis=axis, keepdims=True)


def log_softmax__log_sums_over_all_rows__formula(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return z - np.log(np.sum(np.exp(z)))


def log_softmax__log_changes_the_default_axis__first(scores, axis=0):
    return np.log(_right(scores, axis))


def log_softmax__log_changes_the_default_axis__as_in_numpy(scores, axis=None):
    return scores - np.log(np.exp(scores).sum(axis=axis, keepdims=True))


def log_softmax__answers_in_another_base__log10(scores, axis=-1):
    return np.log10(_right(scores, axis))


def log_softmax__answers_in_another_base__log2(scores, axis=-1):
    return np.log2(_right(scores, axis))


def log_softmax__turns_the_sign_of_the_log__loss(scores, axis=-1):
    m = scores.max(axis, keepdims=True)
    return m + np.log(np.exp(scores - m).sum(axis, keepdims=True)) - scores


def log_softmax__forgets_the_log__own_softmax(scores, axis=-1):
    return _right(scores, axis)


def log_softmax__counts_one_more_inside_the_log__log1p(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return z - np.log1p(np.exp(z).sum(axis, keepdims=True))


def log_softmax__averages_inside_the_log__np_mean(scores, axis=-1):
    z = scores - scores.max(axis, keepdims=True)
    return z - np.log(np.exp(z).mean(axis, keepdims=True))


def log_softmax__log_ignores_the_axis__torch(scores, axis=-1):
    return torch.log_softmax(torch.from_numpy(scores), dim=-1)


def log_softmax__reason_mutated__in_place(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=axis, keepdims=True))


def softmax_with_temperature__ignores_the_temperature__after_exp(scores, temperature, axis=-1):
    e = np.exp(scores - scores.max(axis, keepdims=True)) / temperature
    return e / e.sum(axis, keepdims=True)


def softmax_with_temperature__ignores_the_temperature__added(scores, temperature, axis=-1):
    return _right(scores - temperature, axis)


def softmax_with_temperature__multiplies_by_the_temperature__power(scores, temperature, axis=-1):
    w = _right(scores, axis) ** temperature
    return w / w.sum(axis, keepdims=True)


def softmax_with_temperature__divides_the_weights_by_the_temperature__at_the_end(scores, temperature, axis=-1):
    return _right(scores, axis) / temperature


def softmax_with_temperature__tempers_the_weights__twice(scores, temperature, axis=-1):
    return _right(_right(scores, axis) / temperature, axis)


def softmax_with_temperature__forgets_to_hand_the_axis_on__own_softmax(scores, temperature, axis=-1):
    return _right(scores / temperature)


def softmax_with_temperature__divides_by_the_temperature_twice__max_and_exp(scores, temperature, axis=-1):
    z = scores / temperature
    return _right(z / temperature, axis)


def softmax_with_temperature__rounds_the_quotient_down__two_slashes(scores, temperature, axis=-1):
    return _right(scores // temperature, axis)


def softmax_with_temperature__multiplies_the_weights_by_the_temperature__in_the_sum(scores, temperature, axis=-1):
    e = np.exp(scores - scores.max(axis, keepdims=True))
    return e / (e / temperature).sum(axis, keepdims=True)


def softmax_with_temperature__reason_raised__temperature_as_the_axis(scores, temperature, axis=-1):
    return _right(scores / temperature, temperature)


def softmax_with_temperature__raises_the_weights_to_a_power__normalised_again(scores, temperature, axis=-1):
    w = _right(scores, axis) ** (1 / temperature)
    return w / w.sum(axis, keepdims=True)


def softmax_with_temperature__subtracts_the_undivided_maximum__one_line(scores, temperature, axis=-1):
    e = np.exp(scores / temperature - scores.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax_with_temperature__forgets_to_subtract_the_maximum__formula(scores, temperature, axis=-1):
    e = np.exp(scores / temperature)
    return e / e.sum(axis, keepdims=True)


def softmax_with_temperature__turns_the_sign__boltzmann(scores, temperature, axis=-1):
    return _right(-scores / temperature, axis)


def softmax_with_temperature__tempers_one_side_of_the_fraction__one_line(scores, temperature, axis=-1):
    return np.exp(scores / temperature) / np.exp(scores).sum(axis=axis, keepdims=True)


def softmax_with_temperature__temperature_changes_the_default_axis__from_memory(scores, temperature, axis=0):
    return _right(scores / temperature, axis)


def log_softmax__keeps_the_log_finite_with_a_small_number__python_loops(scores, axis=-1):
    def lane(row):
        top = max(row)
        e = [math.exp(s - top) for s in row]
        total = sum(e)
        return np.array([math.log(x / total + 1e-12) for x in e])

    return np.apply_along_axis(lane, axis, np.asarray(scores, dtype=np.float64)).astype(scores.dtype)


def log_softmax__counts_one_more_inside_the_log__log1p_of_the_sum(scores, axis=-1):
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    return shifted - np.log1p(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def log_softmax__takes_the_maximum_with_the_wrong_sign__minus_in_the_wrong_place(scores, axis=-1):
    m = np.max(scores, axis=axis, keepdims=True)
    lse = np.log(np.exp(scores - m).sum(axis=axis, keepdims=True)) - m
    return scores - lse


def log_softmax__takes_the_sum_in_another_logarithm__and_always_the_last_axis(scores, axis=-1):
    centred = scores - scores.max(axis=-1)[..., None]
    return centred - np.log2(np.exp(centred).sum(axis=-1)[..., None])


def log_softmax__reason_property__blocks_of_eight(scores, axis=-1):
    x = np.moveaxis(scores, axis, 0).astype(np.float64)
    x = x - x.max(axis=0)
    block = min(8, len(x))
    total = 0.0
    for b in range(len(x) // block):
        total = total + np.exp(x[b * block : (b + 1) * block]).sum(axis=0)
    return np.moveaxis(x - np.log(np.maximum(total, 1e-300)), 0, axis).astype(scores.dtype)


def log_softmax__reason_property__floor_of_minus_fifty(scores, axis=-1):
    """Nothing falls below -50."""
    m = scores.max(axis=axis, keepdims=True)
    return np.maximum(scores - m - np.log(np.exp(scores - m).sum(axis=axis, keepdims=True)), -50)


def log_softmax__log_leaves_one_score_out_of_the_sum__from_the_second_on(scores, axis=-1):
    """The sum begins with the second score."""
    x = np.moveaxis(scores, axis, 0)
    x = x - x.max(0)
    return np.moveaxis(x - np.log(np.exp(x[1:]).sum(0)), 0, axis)


def log_softmax__log_puts_the_axis_back_at_the_end__none_at_the_end(scores, axis=-1):
    """The axis comes back at the end."""
    s = scores - scores.max(axis=axis, keepdims=True)
    return s - np.log(np.exp(s).sum(axis=axis))[..., None]


def log_softmax__reason_property__minus_a_billion(scores, axis=-1):
    """Where the weight is 0, a number of our own."""
    s = scores - scores.max(axis=axis, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(axis=axis, keepdims=True)
    return np.where(p > 0, np.log(p), -1e9)


def log_softmax__log_loses_the_sign_of_the_axis__minus_axis(scores, axis=-1):
    """The axis has lost its sign."""
    s = scores - scores.max(axis=-axis, keepdims=True)
    return s - np.log(np.exp(s).sum(axis=-axis, keepdims=True))


def log_softmax__log_leaves_the_axis_at_the_end__moveaxis(scores, axis=-1):
    """Moved to the end, and not back."""
    x = np.moveaxis(scores, axis, -1)
    s = x - x.max(-1, keepdims=True)
    return s - np.log(np.exp(s).sum(-1, keepdims=True))


def log_softmax__takes_the_log_of_softmax_twice__twice(scores, axis=-1):
    """Softmax of softmax, and the logarithm of that."""

    def sm(x):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    return np.log(sm(sm(scores)))


def log_softmax__reason_property__cumulative(scores, axis=-1):
    """The logarithm of the sum so far."""
    s = scores - scores.max(axis=axis, keepdims=True)
    return s - np.log(np.cumsum(np.exp(s), axis=axis))


def softmax_with_temperature__divides_the_weights_by_the_temperature__einsum(scores, temperature, axis=-1):
    x = np.moveaxis(scores, axis, -1)
    e = np.exp(x - x.max(-1, keepdims=True))
    p = np.einsum("...i,...->...i", e, 1 / e.sum(-1))
    return np.moveaxis(p / temperature, -1, axis)


def softmax_with_temperature__raises_the_weights_to_a_power__sharpened(scores, temperature, axis=-1):
    def plain(s):
        e = np.exp(s - s.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    # sharpening: p^(1/T), normalised again
    p = plain(scores.astype(np.float64)) ** (1.0 / temperature)
    return p / p.sum(axis=axis, keepdims=True)


def softmax_with_temperature__multiplies_by_the_temperature__slices(scores, temperature, axis=-1):
    heated = np.asarray(scores, dtype=float) * temperature
    slices = [np.take(heated, i, axis=axis) for i in range(heated.shape[axis])]
    top = slices[0]
    for s in slices[1:]:
        top = np.maximum(top, s)
    es = [np.exp(s - top) for s in slices]
    total = sum(es)
    return np.stack([e / total for e in es], axis=axis)


def softmax_with_temperature__tempers_one_side_of_the_fraction__the_sum_alone(scores, temperature, axis=-1):
    z = scores / temperature
    z = z - np.max(z, axis=axis, keepdims=True)
    s = scores - np.max(scores, axis=axis, keepdims=True)
    num = np.exp(s)
    den = np.exp(z).sum(axis=axis, keepdims=True)
    return num / den


def softmax_with_temperature__forgets_to_hand_the_axis_on__in_place(scores, temperature, axis=-1):
    scores /= temperature
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_with_temperature__reason_property__blended_with_even_weights(scores, temperature, axis=-1):
    def soft(s):
        e = np.exp(s - s.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    if temperature <= 1:
        return soft(scores / temperature)
    # hot: fade over to even weights
    cold = 1 / temperature
    return cold * soft(scores) + (1 - cold) / scores.shape[axis]


def softmax_with_temperature__takes_the_temperature_as_the_base__power(scores, temperature, axis=-1):
    """The temperature stands in the place of e."""
    e = temperature ** (scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__cuts_the_temperature_at_one__max_with_one(scores, temperature, axis=-1):
    """No temperature below 1."""
    s = scores / max(temperature, 1)
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__reason_property__plus_a_millionth(scores, temperature, axis=-1):
    """A small number against a division by 0."""
    s = scores / (temperature + 1e-6)
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__divides_the_scores_by_their_number__and_the_count(scores, temperature, axis=-1):
    """The scores are divided by their number, too."""
    s = scores / (temperature * scores.shape[axis])
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__reason_property__argmax_when_cold(scores, temperature, axis=-1):
    """Below 0.3 the best score gets all."""
    if temperature < 0.3:
        return (scores == scores.max(axis=axis, keepdims=True)).astype(float)
    s = scores / temperature
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__rounds_the_temperature__one_floor_divided(scores, temperature, axis=-1):
    """One over the temperature, rounded down."""
    s = scores * (1 // temperature)
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__loses_the_sign_of_the_axis__minus_axis(scores, temperature, axis=-1):
    """The axis has lost its sign."""
    s = scores / temperature
    e = np.exp(s - s.max(axis=-axis, keepdims=True))
    return e / e.sum(axis=-axis, keepdims=True)


def log_softmax__subtracts_the_largest_of_a_part__first(scores, axis=-1):
    shifted = scores - np.take(scores, [0], axis=axis)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def log_softmax__keeps_the_log_finite_with_a_small_number__eps(scores, axis=-1):
    return np.log(np.maximum(_right(scores, axis), np.finfo(np.float64).eps))


def softmax_with_temperature__reshapes_in_place_of_moving_back__moved(scores, temperature, axis=-1):
    return _right(np.moveaxis(scores / temperature, axis, -1)).reshape(scores.shape)
