"""Wrong answers to lesson 09, as learners write them: exercise, what the judge should name, style."""

import torch
import torch.nn.functional as F


def _right(scores, axis=-1):
    e = torch.exp(scores - scores.amax(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax__forgets_to_subtract_the_maximum__formula(scores, axis=-1):
    return scores - torch.log(torch.sum(torch.exp(scores), axis=axis, keepdims=True))


def log_softmax__forgets_to_subtract_the_maximum__log_of_the_naive_one(scores, axis=-1):
    e = torch.exp(scores)
    return torch.log(e / e.sum(axis, keepdims=True))


def log_softmax__takes_the_log_of_softmax__own_softmax(scores, axis=-1):
    return torch.log(_right(scores, axis=axis))


def log_softmax__keeps_the_log_finite_with_a_small_number__clip(scores, axis=-1):
    return torch.log(torch.clamp(_right(scores, axis), 1e-12, 1))


def log_softmax__keeps_the_log_finite_with_a_small_number__the_smallest(scores, axis=-1):
    return torch.log(_right(scores, axis).clamp(min=1e-300))


def log_softmax__log_sums_along_a_fixed_axis__builtin_sum(scores, axis=-1):
    z = scores - scores.amax(axis, keepdims=True)
    return z - torch.log(sum(torch.exp(z)))


def log_softmax__log_sums_along_a_fixed_axis__last(scores, axis=-1):
    z = scores - scores.amax(axis, keepdims=True)
    return z - torch.log(torch.exp(z).sum(axis=-1, keepdims=True))


def log_softmax__subtracts_the_largest_of_all__no_axis(scores, axis=-1):
    z = scores - scores.max()
    return z - torch.log(torch.exp(z).sum(axis, keepdims=True))


def log_softmax__log_forgets_to_keep_the_axis__np_sum(scores, axis=-1):
    z = scores - torch.amax(scores, axis=axis, keepdims=True)
    return z - torch.log(torch.sum(torch.exp(z), axis=axis))


def log_softmax__subtracts_the_maximum_in_the_sum_only__max_not_given_back(scores, axis=-1):
    m = scores.amax(axis, keepdims=True)
    return scores - torch.log(torch.exp(scores - m).sum(axis, keepdims=True))


def log_softmax__sums_the_logs__log_of_each(scores, axis=-1):
    return scores - torch.log(torch.exp(scores)).sum(axis, keepdims=True)


def log_softmax__sums_the_logs__of_the_shifted(scores, axis=-1):
    z = scores - scores.amax(axis, keepdims=True)
    return z - torch.sum(torch.log(torch.exp(z)), axis=axis, keepdims=True)


def log_softmax__sums_the_logs__half_shifted(scores, axis=-1):
    z = scores - scores.amax(axis, keepdims=True)
    return z - torch.log(torch.exp(scores)).sum(axis=axis, keepdims=True)


def log_softmax__log_sums_over_all_rows__formula(scores, axis=-1):
    z = scores - scores.amax(axis, keepdims=True)
    return z - torch.log(torch.sum(torch.exp(z)))


def log_softmax__log_changes_the_default_axis__first(scores, axis=0):
    return torch.log(_right(scores, axis))


def log_softmax__log_changes_the_default_axis__as_in_numpy(scores, axis=None):
    return scores - torch.log(torch.exp(scores).sum(axis=axis, keepdims=True))


def log_softmax__answers_in_another_base__log10(scores, axis=-1):
    return torch.log10(_right(scores, axis))


def log_softmax__answers_in_another_base__log2(scores, axis=-1):
    return torch.log2(_right(scores, axis))


def log_softmax__turns_the_sign_of_the_log__loss(scores, axis=-1):
    m = scores.amax(axis, keepdims=True)
    return m + torch.log(torch.exp(scores - m).sum(axis, keepdims=True)) - scores


def log_softmax__forgets_the_log__own_softmax(scores, axis=-1):
    return _right(scores, axis)


def log_softmax__counts_one_more_inside_the_log__log1p(scores, axis=-1):
    z = scores - scores.amax(axis, keepdims=True)
    return z - torch.log1p(torch.exp(z).sum(axis, keepdims=True))


def log_softmax__averages_inside_the_log__np_mean(scores, axis=-1):
    z = scores - scores.amax(axis, keepdims=True)
    return z - torch.log(torch.exp(z).mean(axis, keepdims=True))


def log_softmax__log_ignores_the_axis__torch(scores, axis=-1):
    return torch.log_softmax(scores, dim=-1)


def log_softmax__reason_mutated__in_place(scores, axis=-1):
    scores -= scores.amax(axis=axis, keepdims=True)
    return scores - torch.log(torch.exp(scores).sum(axis=axis, keepdims=True))


def softmax_with_temperature__ignores_the_temperature__after_exp(scores, temperature, axis=-1):
    e = torch.exp(scores - scores.amax(axis, keepdims=True)) / temperature
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
    e = torch.exp(scores - scores.amax(axis, keepdims=True))
    return e / (e / temperature).sum(axis, keepdims=True)


def softmax_with_temperature__reason_raised__temperature_as_the_axis(scores, temperature, axis=-1):
    return _right(scores / temperature, temperature)


def softmax_with_temperature__raises_the_weights_to_a_power__normalised_again(scores, temperature, axis=-1):
    w = _right(scores, axis) ** (1 / temperature)
    return w / w.sum(axis, keepdims=True)


def softmax_with_temperature__subtracts_the_undivided_maximum__one_line(scores, temperature, axis=-1):
    e = torch.exp(scores / temperature - scores.amax(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax_with_temperature__forgets_to_subtract_the_maximum__formula(scores, temperature, axis=-1):
    e = torch.exp(scores / temperature)
    return e / e.sum(axis, keepdims=True)


def softmax_with_temperature__turns_the_sign__boltzmann(scores, temperature, axis=-1):
    return _right(-scores / temperature, axis)


def softmax_with_temperature__tempers_one_side_of_the_fraction__one_line(scores, temperature, axis=-1):
    return torch.exp(scores / temperature) / torch.exp(scores).sum(axis=axis, keepdims=True)


def softmax_with_temperature__temperature_changes_the_default_axis__from_memory(scores, temperature, axis=0):
    return _right(scores / temperature, axis)


def log_softmax__keeps_the_log_finite_with_a_small_number__python_loops(scores, axis=-1):
    def lane(row):
        top = max(row)
        e = [torch.exp(s - top) for s in row]
        total = sum(e)
        return torch.stack([torch.log(x / total + 1e-12) for x in e])

    rows = scores.movedim(axis, -1)
    return torch.stack([lane(row) for row in rows.reshape(-1, rows.shape[-1])]).reshape(rows.shape).movedim(-1, axis)


def log_softmax__counts_one_more_inside_the_log__log1p_of_the_sum(scores, axis=-1):
    shifted = scores - torch.amax(scores, axis=axis, keepdims=True)
    return shifted - torch.log1p(torch.sum(torch.exp(shifted), axis=axis, keepdims=True))


def log_softmax__takes_the_maximum_with_the_wrong_sign__minus_in_the_wrong_place(scores, axis=-1):
    m = torch.amax(scores, axis=axis, keepdims=True)
    lse = torch.log(torch.exp(scores - m).sum(axis=axis, keepdims=True)) - m
    return scores - lse


def log_softmax__takes_the_sum_in_another_logarithm__and_always_the_last_axis(scores, axis=-1):
    centred = scores - scores.amax(axis=-1)[..., None]
    return centred - torch.log2(torch.exp(centred).sum(axis=-1)[..., None])


def log_softmax__reason_property__blocks_of_eight(scores, axis=-1):
    x = torch.moveaxis(scores, axis, 0).double()
    x = x - x.amax(axis=0)
    block = min(8, len(x))
    total = 0.0
    for b in range(len(x) // block):
        total = total + torch.exp(x[b * block : (b + 1) * block]).sum(axis=0)
    return torch.moveaxis(x - torch.log(total.clamp(min=1e-300)), 0, axis).to(scores.dtype)


def log_softmax__reason_property__floor_of_minus_fifty(scores, axis=-1):
    """Nothing falls below -50."""
    m = scores.amax(axis=axis, keepdims=True)
    return (scores - m - torch.log(torch.exp(scores - m).sum(axis=axis, keepdims=True))).clamp(min=-50)


def log_softmax__log_leaves_one_score_out_of_the_sum__from_the_second_on(scores, axis=-1):
    """The sum begins with the second score."""
    x = torch.moveaxis(scores, axis, 0)
    x = x - x.amax(0)
    return torch.moveaxis(x - torch.log(torch.exp(x[1:]).sum(0)), 0, axis)


def log_softmax__log_puts_the_axis_back_at_the_end__none_at_the_end(scores, axis=-1):
    """The axis comes back at the end."""
    s = scores - scores.amax(axis=axis, keepdims=True)
    return s - torch.log(torch.exp(s).sum(axis=axis))[..., None]


def log_softmax__reason_property__minus_a_billion(scores, axis=-1):
    """Where the weight is 0, a number of our own."""
    s = scores - scores.amax(axis=axis, keepdims=True)
    p = torch.exp(s) / torch.exp(s).sum(axis=axis, keepdims=True)
    return torch.where(p > 0, torch.log(p), -1e9)


def log_softmax__log_loses_the_sign_of_the_axis__minus_axis(scores, axis=-1):
    """The axis has lost its sign."""
    s = scores - scores.amax(axis=-axis, keepdims=True)
    return s - torch.log(torch.exp(s).sum(axis=-axis, keepdims=True))


def log_softmax__log_leaves_the_axis_at_the_end__moveaxis(scores, axis=-1):
    """Moved to the end, and not back."""
    x = torch.moveaxis(scores, axis, -1)
    s = x - x.amax(-1, keepdims=True)
    return s - torch.log(torch.exp(s).sum(-1, keepdims=True))


def log_softmax__takes_the_log_of_softmax_twice__twice(scores, axis=-1):
    """Softmax of softmax, and the logarithm of that."""

    def sm(x):
        e = torch.exp(x - x.amax(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    return torch.log(sm(sm(scores)))


def log_softmax__reason_property__cumulative(scores, axis=-1):
    """The logarithm of the sum so far."""
    s = scores - scores.amax(axis=axis, keepdims=True)
    return s - torch.log(torch.cumsum(torch.exp(s), axis=axis))


def softmax_with_temperature__divides_the_weights_by_the_temperature__einsum(scores, temperature, axis=-1):
    x = torch.moveaxis(scores, axis, -1)
    e = torch.exp(x - x.amax(-1, keepdims=True))
    p = torch.einsum("...i,...->...i", e, 1 / e.sum(-1))
    return torch.moveaxis(p / temperature, -1, axis)


def softmax_with_temperature__raises_the_weights_to_a_power__sharpened(scores, temperature, axis=-1):
    def plain(s):
        e = torch.exp(s - s.amax(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    # sharpening: p^(1/T), normalised again
    p = plain(scores.double()) ** (1.0 / temperature)
    return p / p.sum(axis=axis, keepdims=True)


def softmax_with_temperature__multiplies_by_the_temperature__slices(scores, temperature, axis=-1):
    heated = scores * temperature
    slices = [heated.select(axis, i) for i in range(heated.shape[axis])]
    top = slices[0]
    for s in slices[1:]:
        top = torch.maximum(top, s)
    es = [torch.exp(s - top) for s in slices]
    total = sum(es)
    return torch.stack([e / total for e in es], axis=axis)


def softmax_with_temperature__tempers_one_side_of_the_fraction__the_sum_alone(scores, temperature, axis=-1):
    z = scores / temperature
    z = z - torch.amax(z, axis=axis, keepdims=True)
    s = scores - torch.amax(scores, axis=axis, keepdims=True)
    num = torch.exp(s)
    den = torch.exp(z).sum(axis=axis, keepdims=True)
    return num / den


def softmax_with_temperature__forgets_to_hand_the_axis_on__in_place(scores, temperature, axis=-1):
    scores /= temperature
    e = torch.exp(scores - scores.amax(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_with_temperature__reason_property__blended_with_even_weights(scores, temperature, axis=-1):
    def soft(s):
        e = torch.exp(s - s.amax(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    if temperature <= 1:
        return soft(scores / temperature)
    # hot: fade over to even weights
    cold = 1 / temperature
    return cold * soft(scores) + (1 - cold) / scores.shape[axis]


def softmax_with_temperature__takes_the_temperature_as_the_base__power(scores, temperature, axis=-1):
    """The temperature stands in the place of e."""
    e = temperature ** (scores - scores.amax(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__cuts_the_temperature_at_one__max_with_one(scores, temperature, axis=-1):
    """No temperature below 1."""
    s = scores / max(temperature, 1)
    e = torch.exp(s - s.amax(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__reason_property__plus_a_millionth(scores, temperature, axis=-1):
    """A small number against a division by 0."""
    s = scores / (temperature + 1e-6)
    e = torch.exp(s - s.amax(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__divides_the_scores_by_their_number__and_the_count(scores, temperature, axis=-1):
    """The scores are divided by their number, too."""
    s = scores / (temperature * scores.shape[axis])
    e = torch.exp(s - s.amax(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__reason_property__argmax_when_cold(scores, temperature, axis=-1):
    """Below 0.3 the best score gets all."""
    if temperature < 0.3:
        return (scores == scores.amax(axis=axis, keepdims=True)).double()
    s = scores / temperature
    e = torch.exp(s - s.amax(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__rounds_the_temperature__one_floor_divided(scores, temperature, axis=-1):
    """One over the temperature, rounded down."""
    s = scores * (1 // temperature)
    e = torch.exp(s - s.amax(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def softmax_with_temperature__loses_the_sign_of_the_axis__minus_axis(scores, temperature, axis=-1):
    """The axis has lost its sign."""
    s = scores / temperature
    e = torch.exp(s - s.amax(axis=-axis, keepdims=True))
    return e / e.sum(axis=-axis, keepdims=True)


def log_softmax__subtracts_the_largest_of_a_part__first(scores, axis=-1):
    shifted = scores - scores.narrow(axis, 0, 1)
    return shifted - torch.log(torch.exp(shifted).sum(axis=axis, keepdims=True))


def log_softmax__keeps_the_log_finite_with_a_small_number__eps(scores, axis=-1):
    return torch.log(_right(scores, axis).clamp(min=torch.finfo(torch.float64).eps))


def softmax_with_temperature__reshapes_in_place_of_moving_back__moved(scores, temperature, axis=-1):
    return _right(torch.moveaxis(scores / temperature, axis, -1)).reshape(scores.shape)


def next_token_loss__asks_for_the_same_token__cross_entropy(model, tokens):
    inputs = tokens[:, :-1]
    return F.cross_entropy(model(inputs).flatten(0, 1), inputs.flatten())


def next_token_loss__asks_for_the_token_before__slices_exchanged(model, tokens):
    targets, inputs = tokens[:, :-1], tokens[:, 1:]
    return F.cross_entropy(model(inputs).transpose(1, 2), targets)


def next_token_loss__asks_two_places_ahead__shifted_twice(model, tokens):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    logits = model(inputs)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten())


def next_token_loss__leaves_the_last_place_untrained__like_hugging_face(model, tokens):
    tokens = tokens[:, :-1]
    logits = model(tokens)
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1))


def next_token_loss__shows_the_model_one_token_too_many__drops_logits(model, tokens):
    logits = model(tokens)[:, :-1]
    return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


def next_token_loss__judges_the_last_place_alone__as_in_generation(model, tokens):
    logits = model(tokens[:, :-1])[:, -1]
    return F.cross_entropy(logits, tokens[:, -1])


def next_token_loss__turns_the_sign_of_the_loss__gather(model, tokens):
    return model(tokens[:, :-1]).log_softmax(-1).gather(-1, tokens[:, 1:, None]).mean()


def next_token_loss__takes_the_logits_as_they_are__nll_loss(model, tokens):
    return F.nll_loss(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())


def next_token_loss__takes_softmax_twice__before_cross_entropy(model, tokens):
    weights = model(tokens[:, :-1]).softmax(dim=-1)
    return F.cross_entropy(weights.flatten(0, 1), tokens[:, 1:].flatten())


def next_token_loss__takes_softmax_over_the_places__dim_1(model, tokens):
    logs = torch.log_softmax(model(tokens[:, :-1]), dim=1)
    return -logs.gather(2, tokens[:, 1:].unsqueeze(2)).mean()


def next_token_loss__forgets_the_logarithm__nll_of_probabilities(model, tokens):
    weights = model(tokens[:, :-1]).softmax(dim=-1)
    return F.nll_loss(weights.flatten(0, 1), tokens[:, 1:].flatten())


def next_token_loss__takes_the_log_of_the_mean__mean_inside(model, tokens):
    weights = model(tokens[:, :-1]).softmax(dim=-1)
    return -weights.gather(-1, tokens[:, 1:, None]).mean().log()


def next_token_loss__sums_the_losses__reduction(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten(), reduction="sum")


def next_token_loss__sums_over_the_places_of_a_row__divides_by_rows(model, tokens):
    logs = model(tokens[:, :-1]).log_softmax(-1)
    return -logs.gather(-1, tokens[:, 1:, None]).sum() / len(tokens)


def next_token_loss__divides_by_the_vocabulary_too__one_hot_mean(model, tokens):
    logits = model(tokens[:, :-1])
    answers = F.one_hot(tokens[:, 1:], logits.shape[-1])
    return -(answers * logits.log_softmax(-1)).mean()


def next_token_loss__returns_a_loss_for_each_place__reduction_none(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]).mT, tokens[:, 1:], reduction="none")


def next_token_loss__measures_in_bits__log2(model, tokens):
    weights = model(tokens[:, :-1]).softmax(dim=-1)
    return -weights.gather(-1, tokens[:, 1:, None]).log2().mean()


def next_token_loss__takes_the_logits_as_they_are__log_forgotten(model, tokens):
    logits = model(tokens[:, :-1])
    return -logits.gather(-1, tokens[:, 1:, None]).mean()


def next_token_loss__reason_property__detached(model, tokens):
    with torch.no_grad():
        return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())


def next_token_loss__reason_raised__view_of_three_axes(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]), tokens[:, 1:])


def sample__always_takes_the_likeliest__argmax(logits, temperature, uniform):
    return logits.argmax(dim=-1)


def sample__always_takes_the_likeliest__of_probabilities(logits, temperature, uniform):
    return (logits / max(temperature, 1e-6)).softmax(-1).argmax(-1)


def _thrown(weights, uniform):
    passed = (weights.cumsum(-1) <= uniform[:, None]).sum(-1)
    last = torch.where(weights > 0, torch.arange(weights.shape[-1]), 0).amax(-1)
    return torch.minimum(passed, last)


def sample__draws_at_temperature_1__softmax_of_the_logits(logits, temperature, uniform):
    return logits.argmax(-1) if temperature == 0 else _thrown(logits.softmax(-1), uniform)


def sample__draws_with_hot_and_cold_exchanged__times(logits, temperature, uniform):
    return logits.argmax(-1) if temperature == 0 else _thrown((logits * temperature).softmax(-1), uniform)


def sample__divides_probabilities_by_the_temperature__after_softmax(logits, temperature, uniform):
    return logits.argmax(-1) if temperature == 0 else _thrown(logits.softmax(-1) / temperature, uniform)


def sample__forgets_the_cumulative_sum__compares(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    return ((logits / temperature).softmax(-1) > uniform[:, None]).int().argmax(-1)


def sample__takes_the_likeliest_where_no_single_one_exceeds__loop(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    chosen = []
    for row, number in zip((logits / temperature).softmax(-1), uniform):
        above = torch.nonzero(row > number).flatten()
        chosen.append(above[0] if len(above) else row.argmax())
    return torch.stack(chosen)


def sample__takes_the_token_before__last_that_is_passed(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    return (_thrown((logits / temperature).softmax(-1), uniform) - 1).clamp(min=0)


def sample__takes_the_token_behind__counts_one_more(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    return (_thrown((logits / temperature).softmax(-1), uniform) + 1).clamp(max=logits.shape[-1] - 1)


def sample__sums_from_the_last_token__flips_the_number(logits, temperature, uniform):
    return logits.argmax(-1) if temperature == 0 else _thrown((logits / temperature).softmax(-1), 1 - uniform)


def sample__sums_over_the_batch__dim_0(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    ends = (logits / temperature).softmax(-1).cumsum(dim=0)
    return (ends > uniform[:, None]).int().argmax(-1)


def sample__sorts_and_loses_the_numbers__descending(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    weights = (logits / temperature).softmax(-1).sort(dim=-1, descending=True).values
    return _thrown(weights, uniform)


def sample__sorts_the_likeliest_first__as_for_top_p(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    weights, order = (logits / temperature).softmax(-1).sort(dim=-1, descending=True)
    return order.gather(-1, _thrown(weights, uniform)[:, None])[:, 0]


def sample__draws_all_rows_by_the_first_number__index(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    return _thrown((logits / temperature).softmax(-1), uniform[0].expand(len(logits)))


def sample__reason_property__no_softmax(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    ends = (logits / temperature).cumsum(-1)
    exceeds = ends > uniform[:, None]
    return torch.where(exceeds.any(-1), exceeds.int().argmax(-1), logits.shape[-1] - 1)


def sample__takes_the_unlikeliest_at_zero__argmin(logits, temperature, uniform):
    return logits.argmin(-1) if temperature == 0 else _thrown((logits / temperature).softmax(-1), uniform)


def sample__takes_zero_for_one__or(logits, temperature, uniform):
    return _thrown((logits / (temperature or 1)).softmax(-1), uniform)


def sample__draws_what_cannot_come__search_from_the_left(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    weights = (logits / temperature).softmax(-1)
    last = torch.where(weights > 0, torch.arange(weights.shape[-1]), 0).amax(-1)
    return torch.minimum(torch.searchsorted(weights.cumsum(-1), uniform[:, None])[:, 0], last)


def sample__takes_token_0_where_none_exceeds__argmax(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    return ((logits / temperature).softmax(-1).cumsum(-1) > uniform[:, None]).int().argmax(-1)


def sample__takes_the_last_token_where_none_exceeds__clamp(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(-1)
    passed = ((logits / temperature).softmax(-1).cumsum(-1) <= uniform[:, None]).sum(-1)
    return passed.clamp(max=logits.shape[-1] - 1)


def generate__shows_the_model_everything__nothing_cut(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = torch.cat([tokens, choose(model(tokens)[:, -1])[:, None]], dim=1)
    return tokens


def generate__shows_the_beginning_of_the_text__slice(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = torch.cat([tokens, choose(model(tokens[:, :context])[:, -1])[:, None]], dim=1)
    return tokens


def generate__shows_one_token_too_few__off_by_one(model, tokens, steps, context, choose):
    for _ in range(steps):
        window = tokens[:, -context + 1 :] if context > 1 else tokens[:, -1:]
        tokens = torch.cat([tokens, choose(model(window)[:, -1])[:, None]], dim=1)
    return tokens


def generate__shows_the_last_token_only__as_with_a_cache(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = torch.cat([tokens, choose(model(tokens[:, -1:])[:, -1])[:, None]], dim=1)
    return tokens


def generate__shows_the_prompt_only__prompt(model, tokens, steps, context, choose):
    text = tokens
    for _ in range(steps):
        text = torch.cat([text, choose(model(tokens[:, -context:])[:, -1])[:, None]], dim=1)
    return text


def generate__returns_what_was_written_alone__as_in_lesson_07(model, tokens, steps, context, choose):
    prompt = tokens.shape[1]
    for _ in range(steps):
        tokens = torch.cat([tokens, choose(model(tokens[:, -context:])[:, -1])[:, None]], dim=1)
    return tokens[:, prompt:]


def generate__cuts_the_text_itself__same_name(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = tokens[:, -context:]
        tokens = torch.cat([tokens, choose(model(tokens)[:, -1])[:, None]], dim=1)
    return tokens


def generate__never_asks_choose__argmax(model, tokens, steps, context, choose):
    for _ in range(steps):
        following = model(tokens[:, -context:])[:, -1].argmax(dim=-1)
        tokens = torch.cat([tokens, following[:, None]], dim=1)
    return tokens


def generate__lets_it_choose_from_probabilities__softmax(model, tokens, steps, context, choose):
    for _ in range(steps):
        weights = model(tokens[:, -context:])[:, -1].softmax(dim=-1)
        tokens = torch.cat([tokens, choose(weights)[:, None]], dim=1)
    return tokens


def generate__reads_the_first_place__index_0(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = torch.cat([tokens, choose(model(tokens[:, -context:])[:, 0])[:, None]], dim=1)
    return tokens


def generate__writes_a_token_too_few__range(model, tokens, steps, context, choose):
    for _ in range(1, steps):
        tokens = torch.cat([tokens, choose(model(tokens[:, -context:])[:, -1])[:, None]], dim=1)
    return tokens


def generate__writes_until_the_text_is_that_long__while(model, tokens, steps, context, choose):
    while tokens.shape[1] < steps:
        tokens = torch.cat([tokens, choose(model(tokens[:, -context:])[:, -1])[:, None]], dim=1)
    return tokens[:, :steps]


def generate__puts_new_tokens_in_front__cat(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = torch.cat([choose(model(tokens[:, -context:])[:, -1])[:, None], tokens], dim=1)
    return tokens


def generate__continues_all_texts_like_the_first__index(model, tokens, steps, context, choose):
    for _ in range(steps):
        following = choose(model(tokens[:, -context:])[:1, -1])
        tokens = torch.cat([tokens, following.expand(len(tokens))[:, None]], dim=1)
    return tokens


def generate__leaves_the_positions_to_choose__all_at_once(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = torch.cat([tokens, choose(model(tokens[:, -context:]))], dim=1)
    return tokens


def generate__reason_raised__one_axis_short(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = torch.cat([tokens, choose(model(tokens[:, -context:])[:, -1])], dim=1)
    return tokens


def generate__writes_all_tokens_from_one_call__one_call(model, tokens, steps, context, choose):
    logits = model(tokens[:, -context:])
    found = [choose(logits[:, max(n - steps, -logits.shape[1])]) for n in range(steps)]
    return torch.cat([tokens, torch.stack(found, dim=1)], dim=1)


def log_softmax__reason_property__ends_at_minus_5000(scores, axis=-1):
    return torch.log_softmax(scores, dim=axis).clamp(min=-5000)


def log_softmax__starts_the_maximum_at_zero__from_minus_50000(scores, axis=-1):
    best = scores.amax(dim=axis, keepdim=True).clamp(min=-50_000)
    return scores - best - torch.exp(scores - best).sum(dim=axis, keepdim=True).log()


def next_token_loss__asks_for_the_token_before__exchanged(model, tokens):
    return F.cross_entropy(model(tokens[:, 1:]).flatten(0, 1), tokens[:, :-1].flatten())


def next_token_loss__asks_for_the_same_token__all_of_them(model, tokens):
    return F.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())


def next_token_loss__asks_for_the_same_token__all_but_the_first(model, tokens):
    return F.cross_entropy(model(tokens[:, 1:]).mT, tokens[:, 1:])


def next_token_loss__reason_raised__targets_of_two_axes(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:])


def next_token_loss__goes_through_exponentials__log_of_softmax(model, tokens):
    weights = model(tokens[:, :-1]).softmax(dim=-1)
    return -weights.log().gather(-1, tokens[:, 1:, None]).mean()


def next_token_loss__goes_through_exponentials__sum_of_exp(model, tokens):
    logits = model(tokens[:, :-1])
    right = logits.gather(-1, tokens[:, 1:, None])[..., 0]
    return (logits.exp().sum(-1).log() - right).mean()


def next_token_loss__keeps_the_loss_finite_with_a_small_number__added(model, tokens):
    weights = model(tokens[:, :-1]).softmax(dim=-1)
    return -(weights.gather(-1, tokens[:, 1:, None]) + 1e-9).log().mean()


def next_token_loss__keeps_the_loss_finite_with_a_small_number__clamp(model, tokens):
    weights = model(tokens[:, :-1]).softmax(dim=-1)
    return -weights.gather(-1, tokens[:, 1:, None]).clamp(min=1e-8).log().mean()


def next_token_loss__returns_the_perplexity__exp(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]).mT, tokens[:, 1:]).exp()


def next_token_loss__smooths_the_labels__option(model, tokens):
    return F.cross_entropy(model(tokens[:, :-1]).mT, tokens[:, 1:], label_smoothing=0.1)


def sample__draws_from_bare_exponentials__counts(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    powers = torch.exp(logits / temperature)
    return _thrown(powers / powers.sum(dim=-1, keepdim=True), uniform)


def sample__divides_by_a_temperature_of_zero__no_case(logits, temperature, uniform):
    return _thrown((logits / temperature).softmax(-1), uniform)


def sample__divides_by_a_temperature_of_zero__first_that_exceeds(logits, temperature, uniform):
    weights = (logits / temperature).softmax(-1)
    exceeds = weights.cumsum(-1) > uniform[:, None]
    last = (weights > 0).long().cumsum(-1).argmax(-1)
    return torch.where(exceeds.any(-1), exceeds.int().argmax(-1), last)


def sample__reason_raised__argmax_of_a_comparison(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    return ((logits / temperature).softmax(-1).cumsum(-1) > uniform[:, None]).argmax(-1)


def sample__counts_past_the_vocabulary__all_that_are_passed(logits, temperature, uniform):
    if temperature == 0:
        return logits.argmax(dim=-1)
    return ((logits / temperature).softmax(-1).cumsum(-1) <= uniform[:, None]).sum(-1)


def generate__leaves_the_positions_to_choose__a_new_axis(model, tokens, steps, context, choose):
    for _ in range(steps):
        tokens = torch.cat([tokens, choose(model(tokens[:, -context:]))[:, None]], dim=1)
    return tokens


def generate__shows_only_what_is_new__as_with_a_cache(model, tokens, steps, context, choose):
    text = tokens
    for _ in range(steps):
        tokens = choose(model(tokens[:, -context:])[:, -1])[:, None]
        text = torch.cat([text, tokens], dim=1)
    return text


def generate__ends_at_token_0__break(model, tokens, steps, context, choose):
    for _ in range(steps):
        new = choose(model(tokens[:, -context:])[:, -1])
        tokens = torch.cat([tokens, new[:, None]], dim=1)
        if (new == 0).all():
            break
    return tokens


def generate__ends_at_token_0__filled_up(model, tokens, steps, context, choose):
    over = torch.zeros(len(tokens), dtype=torch.bool)
    for _ in range(steps):
        new = torch.where(over, 0, choose(model(tokens[:, -context:])[:, -1]))
        over = over | (new == 0)
        tokens = torch.cat([tokens, new[:, None]], dim=1)
    return tokens


def _writes(tokens, steps, following):
    for _ in range(steps):
        tokens = torch.cat([tokens, following(tokens)[:, None]], dim=1)
    return tokens


def generate__takes_one_text_out_of_the_batch__last(model, tokens, steps, context, choose):
    return _writes(tokens, steps, lambda text: choose(model(text[:, -context:])[-1]))


def generate__takes_one_text_out_of_the_batch__first(model, tokens, steps, context, choose):
    return _writes(tokens, steps, lambda text: choose(model(text[:, -context:])[0]))


def generate__reads_the_last_number_of_each_place__two_colons(model, tokens, steps, context, choose):
    return _writes(tokens, steps, lambda text: choose(model(text[:, -context:])[:, :, -1]))


def generate__reads_the_place_before_the_last__minus_two(model, tokens, steps, context, choose):
    return _writes(tokens, steps, lambda text: choose(model(text[:, -context:])[:, min(context, text.shape[1]) - 2]))


def softmax_with_temperature__divides_the_temperature_by_the_scores__swapped(scores, temperature, axis=-1):
    if not temperature > 0:
        raise ValueError
    return (temperature / scores).softmax(axis)
