"""Wrong answers to lesson 13: exercise, what the judge must find, style."""

import math

import torch

# log_sum_exp


def log_sum_exp__sums_without_the_maximum__three_calls(scores, axis=-1):
    return scores.exp().sum(dim=axis).log()


def log_sum_exp__loses_the_maximum__as_in_softmax(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True).nan_to_num(neginf=0)
    return torch.log(torch.exp(scores - top).sum(dim=axis))


def log_sum_exp__makes_nan_of_a_row_of_minus_infinity__textbook(scores, axis=-1):
    top = scores.max(dim=axis, keepdim=True).values
    return (scores - top).exp().sum(dim=axis).log() + top.squeeze(axis)


def log_sum_exp__gives_a_finite_number_for_an_empty_row__nan_to_num(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    return ((scores - top).exp().sum(dim=axis).log() + top.squeeze(axis)).nan_to_num(nan=0.0)


def log_sum_exp__keeps_an_axis_of_length_one__keepdim(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True).nan_to_num(neginf=0)
    return (scores - top).exp().sum(dim=axis, keepdim=True).log() + top


def log_sum_exp__always_sums_along_the_last_axis__minus_one(scores, axis=-1):
    top = scores.amax(dim=-1, keepdim=True).nan_to_num(neginf=0)
    return (scores - top).exp().sum(dim=-1).log() + top.squeeze(-1)


def log_sum_exp__takes_one_maximum_for_all_rows__max(scores, axis=-1):
    top = scores.max()
    return (scores - top).exp().sum(dim=axis).log() + top


def log_sum_exp__takes_the_mean_of_exponentials__mean(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True).nan_to_num(neginf=0)
    return (scores - top).exp().mean(dim=axis).log() + top.squeeze(axis)


def log_sum_exp__returns_logarithms_of_weights__log_softmax(scores, axis=-1):
    return torch.log_softmax(scores, dim=axis)


def log_sum_exp__takes_the_largest_score__amax(scores, axis=-1):
    return scores.amax(dim=axis)


def log_sum_exp__holds_the_maximum_above_a_number__clamp(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True).clamp(min=-50000)
    return (scores - top).exp().sum(dim=axis).log() + top.squeeze(axis)


def log_sum_exp__gives_plus_infinity_for_an_empty_row__where(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True)
    result = (scores - top).exp().sum(dim=axis).log() + top.squeeze(axis)
    return torch.where(result.isnan(), math.inf, result)


def log_sum_exp__sums_powers_of_two__exp2_and_log2(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True).nan_to_num(neginf=0)
    return (scores - top).exp2().sum(dim=axis).log2() + top.squeeze(axis)


def log_sum_exp__takes_the_logarithm_to_another_base__of_all(scores, axis=-1):
    top = scores.amax(dim=axis, keepdim=True).nan_to_num(neginf=0)
    return ((scores - top).exp().sum(dim=axis).log() + top.squeeze(axis)) / math.log(2)


# merge_attention


def _shares(lse_a, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = lse.nan_to_num(neginf=0)
    return (lse_a - safe).exp()[..., None], (lse_b - safe).exp()[..., None], lse


def _clean(output, lse):
    return torch.where(lse[..., None] == -math.inf, 0.0, output)


def merge_attention__averages_the_two_outputs__half(output_a, lse_a, output_b, lse_b):
    return (output_a + output_b) / 2, torch.logaddexp(lse_a, lse_b)


def merge_attention__weighs_both_by_one_share__a_copied_line(output_a, lse_a, output_b, lse_b):
    a, _b, lse = _shares(lse_a, lse_b)
    return a * _clean(output_a, lse_a) + a * _clean(output_b, lse_b), lse


def merge_attention__exchanges_the_shares__names(output_a, lse_a, output_b, lse_b):
    b, a, lse = _shares(lse_a, lse_b)
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), lse


def merge_attention__merges_bare_exponentials__as_on_paper(output_a, lse_a, output_b, lse_b):
    a, b = lse_a.exp()[..., None], lse_b.exp()[..., None]
    return (a * output_a + b * output_b) / (a + b), (a + b).squeeze(-1).log()


def merge_attention__merges_bare_exponentials__guarded(output_a, lse_a, output_b, lse_b):
    a, b = lse_a.exp(), lse_b.exp()
    whole = (a + b).masked_fill(a + b == 0, 1.0)
    merged = a[..., None] * _clean(output_a, lse_a) + b[..., None] * _clean(output_b, lse_b)
    return merged / whole[..., None], (a + b).log()


def merge_attention__merges_bare_exponentials__in_the_shares_alone(output_a, lse_a, output_b, lse_b):
    a, b = lse_a.exp()[..., None], lse_b.exp()[..., None]
    return (a * output_a + b * output_b) / (a + b), torch.logaddexp(lse_a, lse_b)


def merge_attention__sums_without_the_maximum__then_differences(output_a, lse_a, output_b, lse_b):
    lse = (lse_a.exp() + lse_b.exp()).log()
    a, b = ((part - lse.nan_to_num(neginf=0)).exp()[..., None] for part in (lse_a, lse_b))
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), lse


def merge_attention__returns_the_lse_without_the_larger__log_of_shifted(output_a, lse_a, output_b, lse_b):
    top = torch.maximum(lse_a, lse_b).nan_to_num(neginf=0)
    a, b = (lse_a - top).exp(), (lse_b - top).exp()
    whole = (a + b).masked_fill(a + b == 0, 1.0)
    merged = a[..., None] * _clean(output_a, lse_a) + b[..., None] * _clean(output_b, lse_b)
    return merged / whole[..., None], (a + b).log()


def merge_attention__turns_the_shares_upside_down__whole_over_part(output_a, lse_a, output_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    a, b = ((lse - part).exp()[..., None] for part in (lse_a, lse_b))
    return a * output_a + b * output_b, lse


def merge_attention__shifts_each_part_by_itself__amax(output_a, lse_a, output_b, lse_b):
    a, b = ((lse - lse.amax(-1, keepdim=True)).exp()[..., None] for lse in (lse_a, lse_b))
    return (a * output_a + b * output_b) / (a + b), torch.logaddexp(lse_a, lse_b)


def merge_attention__makes_nan_of_two_empty_parts__no_care(output_a, lse_a, output_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    a, b = (lse_a - lse).exp()[..., None], (lse_b - lse).exp()[..., None]
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), lse


def merge_attention__lets_an_empty_part_poison_the_other__product(output_a, lse_a, output_b, lse_b):
    a, b, lse = _shares(lse_a, lse_b)
    return a * output_a + b * output_b, lse


def merge_attention__leaves_the_first_output_as_it_is__one_product(output_a, lse_a, output_b, lse_b):
    _a, b, lse = _shares(lse_a, lse_b)
    return _clean(output_a, lse_a) + b * _clean(output_b, lse_b), lse


def merge_attention__returns_the_larger_lse__maximum(output_a, lse_a, output_b, lse_b):
    a, b, _lse = _shares(lse_a, lse_b)
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), torch.maximum(lse_a, lse_b)


def merge_attention__adds_the_logarithms__plus(output_a, lse_a, output_b, lse_b):
    a, b, _lse = _shares(lse_a, lse_b)
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), lse_a + lse_b


def merge_attention__divides_by_the_larger_part_only__safe_but_whole(output_a, lse_a, output_b, lse_b):
    top = torch.maximum(lse_a, lse_b).nan_to_num(neginf=0)
    a, b = (lse_a - top).exp()[..., None], (lse_b - top).exp()[..., None]
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), torch.logaddexp(lse_a, lse_b)


def merge_attention__holds_the_maximum_above_a_number__clamp(output_a, lse_a, output_b, lse_b):
    top = torch.maximum(lse_a, lse_b).clamp(min=-50000)
    a, b = (lse_a - top).exp(), (lse_b - top).exp()
    whole = (a + b).masked_fill(a + b == 0, 1.0)
    merged = a[..., None] * _clean(output_a, lse_a) + b[..., None] * _clean(output_b, lse_b)
    return merged / whole[..., None], (a + b).log() + top


def merge_attention__holds_the_larger_lse_above_a_number__clamp(output_a, lse_a, output_b, lse_b):
    top = torch.maximum(lse_a, lse_b).clamp(min=-50000)
    a, b = (lse_a - top).exp(), (lse_b - top).exp()
    empty = (lse_a == -math.inf) & (lse_b == -math.inf)
    merged = a[..., None] * _clean(output_a, lse_a) + b[..., None] * _clean(output_b, lse_b)
    return _clean(merged / (a + b)[..., None], lse_a.maximum(lse_b)), ((a + b).log() + top).masked_fill(
        empty, -math.inf
    )


def merge_attention__merges_in_powers_of_two__exp2_and_log2(output_a, lse_a, output_b, lse_b):
    lse = torch.logaddexp2(lse_a, lse_b)
    a, b = (torch.exp2(part - lse.nan_to_num(neginf=0))[..., None] for part in (lse_a, lse_b))
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), lse


def merge_attention__joins_by_the_logarithm_to_the_base_two__log2(output_a, lse_a, output_b, lse_b):
    a, b, _lse = _shares(lse_a, lse_b)
    top = torch.maximum(lse_a, lse_b).nan_to_num(neginf=0)
    lse = torch.log2((lse_a - top).exp() + (lse_b - top).exp()) + top
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), lse


def merge_attention__gives_all_queries_one_share__mean(output_a, lse_a, output_b, lse_b):
    a, b, _lse = _shares(lse_a.mean(dim=-1, keepdim=True), lse_b.mean(dim=-1, keepdim=True))
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), torch.logaddexp(lse_a, lse_b)


def merge_attention__reason_type__the_output_alone(output_a, lse_a, output_b, lse_b):
    a, b, _lse = _shares(lse_a, lse_b)
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b)


# attention_in_blocks


def _part(query, key, value, hidden=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores if hidden is None else scores.masked_fill(hidden, -math.inf)
    lse = scores.logsumexp(dim=-1)
    return (scores - lse.nan_to_num(neginf=0)[..., None]).exp() @ value, lse


def _merged(parts):
    output, lse = None, None
    for part, part_lse in parts:
        if lse is None:
            output, lse = part, part_lse
            continue
        a, b, lse = _shares(lse, part_lse)
        output = a * output + b * part
    return output


def _blocks(query, key, value, block, causal, hides, keys=None):
    places = torch.arange(key.shape[-2] - query.shape[-2], key.shape[-2])[:, None]
    for start in range(0, keys or key.shape[-2], block):
        k, v = key[..., start : start + block, :], value[..., start : start + block, :]
        yield _part(query, k, v, hides(start, k.shape[-2], places) if causal else None)


def _future(start, size, places):
    return torch.arange(start, start + size) > places


def attention_in_blocks__averages_the_blocks__stack(query, key, value, block, causal=False):
    return torch.stack([o for o, _ in _blocks(query, key, value, block, causal, _future)]).mean(dim=0)


def attention_in_blocks__drops_the_keys_left_over__whole_blocks(query, key, value, block, causal=False):
    whole = key.shape[-2] // block * block
    if whole == 0:
        return torch.zeros(*query.shape[:-1], value.shape[-1])
    return _merged(_blocks(query, key, value, block, causal, _future, whole))


def attention_in_blocks__stops_before_the_last_block__range(query, key, value, block, causal=False):
    before_the_last = key.shape[-2] - block
    if before_the_last <= 0:
        return torch.zeros(*query.shape[:-1], value.shape[-1])
    return _merged(_blocks(query, key, value, block, causal, _future, before_the_last))


def attention_in_blocks__counts_each_block_from_zero__arange(query, key, value, block, causal=False):
    return _merged(_blocks(query, key, value, block, causal, lambda start, size, p: torch.arange(size) > p))


def attention_in_blocks__puts_the_first_query_at_key_zero__rows(query, key, value, block, causal=False):
    rows = torch.arange(query.shape[-2])[:, None]
    return _merged(_blocks(query, key, value, block, causal, lambda start, size, _: _future(start, size, rows)))


def attention_in_blocks__leaves_causal_unread__no_mask(query, key, value, block, causal=False):
    return _merged(_blocks(query, key, value, block, False, _future))


def attention_in_blocks__keeps_the_last_block_only__overwrites(query, key, value, block, causal=False):
    for part in _blocks(query, key, value, block, causal, _future):
        result = part[0]
    return result


def attention_in_blocks__hides_the_own_key__at_least(query, key, value, block, causal=False):
    return _merged(
        _blocks(query, key, value, block, causal, lambda start, size, p: torch.arange(start, start + size) >= p)
    ).nan_to_num()


def attention_in_blocks__forgets_to_scale__bare_products(query, key, value, block, causal=False):
    return _merged(_blocks(query * math.sqrt(query.shape[-1]), key, value, block, causal, _future))


def attention_in_blocks__reason_property__the_whole_table(query, key, value, block, causal=False):
    queries, keys = query.shape[-2], key.shape[-2]
    mask = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries) if causal else torch.tensor(True)
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ value


def attention_in_blocks__reason_property__slices_of_a_whole_mask(query, key, value, block, causal=False):
    hidden = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).triu(key.shape[-2] - query.shape[-2] + 1)
    return _merged(_blocks(query, key, value, block, causal, lambda start, size, _: hidden[:, start : start + size]))


def attention_in_blocks__reason_property__a_query_at_a_time(query, key, value, block, causal=False):
    """One row of weights after the other, each for all keys."""
    n, m = query.shape[-2], key.shape[-2]
    rows = []
    for place in range(n):
        seen = m - n + place + 1 if causal else m
        scores = query[..., place : place + 1, :] @ key[..., :seen, :].mT / math.sqrt(query.shape[-1])
        rows.append(scores.softmax(dim=-1) @ value[..., :seen, :])
    return torch.cat(rows, dim=-2)


def attention_in_blocks__reason_property__blocks_of_queries(query, key, value, block, causal=False):
    rows, places = [], torch.arange(key.shape[-2])
    for start in range(0, query.shape[-2], block):
        scores = query[..., start : start + block, :] @ key.mT / math.sqrt(query.shape[-1])
        if causal:
            last = torch.arange(start, start + scores.shape[-2])[:, None] + key.shape[-2] - query.shape[-2]
            scores = scores.masked_fill(places > last, -math.inf)
        rows.append(scores.softmax(dim=-1) @ value)
    return torch.cat(rows, dim=-2)


def attention_in_blocks__reason_property__subtracts_an_infinite_lse(query, key, value, block, causal=False):
    """Right numbers, and NaN in the gradient of value: merging throws the NaN away, and the way back does not."""
    output, lse = torch.zeros(*query.shape[:-1], value.shape[-1]), torch.full(query.shape[:-1], -math.inf)
    places = torch.arange(key.shape[-2] - query.shape[-2], key.shape[-2])[:, None]
    for start in range(0, key.shape[-2], block):
        scores = query @ key[..., start : start + block, :].mT / math.sqrt(query.shape[-1])
        if causal:
            scores = scores.masked_fill(_future(start, scores.shape[-1], places), -math.inf)
        part = scores.logsumexp(dim=-1)
        a, b, lse = _shares(lse, part)
        here = (scores - part[..., None]).exp() @ value[..., start : start + block, :]
        output = a * output + b * _clean(here, part)
    return output


def _running(maximum=torch.maximum, of_sum=torch.exp, of_output=torch.exp, hidden=-math.inf, divides=True):
    """Attention by a running maximum, with what people change in it."""

    def attend(query, key, value, block, causal=False):
        places = torch.arange(key.shape[-2] - query.shape[-2], key.shape[-2])[:, None]
        top, below, above = None, 0, 0
        for start in range(0, key.shape[-2], block):
            scores = query @ key[..., start : start + block, :].mT / math.sqrt(query.shape[-1])
            if causal:
                scores = scores.masked_fill(_future(start, scores.shape[-1], places), hidden)
            largest = scores.amax(dim=-1, keepdim=True)
            new = largest if top is None else maximum(top, largest)
            step = torch.zeros_like(new) if top is None else top - new
            powers = (scores - new).exp()
            above = above * of_output(step) + powers @ value[..., start : start + block, :]
            below, top = below * of_sum(step) + powers.sum(dim=-1, keepdim=True), new
        return above / below

    return attend


def _from_zero(old, new):
    return torch.maximum(old, new).clamp(min=0)


def _zero_if_hidden(old, new):
    return torch.maximum(old, new.masked_fill(new == -math.inf, 0.0))


def _latest(old, new):
    return new.masked_fill(new == -math.inf, 0.0)


attention_in_blocks__rescales_the_output_alone__online = _running(of_sum=torch.ones_like)
attention_in_blocks__rescales_the_sum_alone__online = _running(of_output=torch.ones_like)
attention_in_blocks__never_rescales__online = _running(of_sum=torch.ones_like, of_output=torch.ones_like)
attention_in_blocks__gives_each_block_a_maximum_of_its_own__online = _running(_latest, torch.ones_like, torch.ones_like)
attention_in_blocks__keeps_the_maximum_of_the_first_block__online = _running(lambda old, new: old)
attention_in_blocks__takes_exponentials_without_a_maximum__online = _running(lambda old, new: torch.zeros_like(new))
attention_in_blocks__holds_the_largest_score_above_a_number__clamp = _running(_from_zero)
attention_in_blocks__takes_0_for_the_maximum_of_a_hidden_block__masked = _running(_zero_if_hidden)
attention_in_blocks__hides_with_a_number_above_the_scores__minus_50 = _running(hidden=-50.0)
attention_in_blocks__hides_with_a_number_above_the_scores__minus_1e5 = _running(hidden=-1e5)


def attention_in_blocks__rescales_the_wrong_way_round__zeros_at_first(query, key, value, block, causal=False):
    places = torch.arange(key.shape[-2] - query.shape[-2], key.shape[-2])[:, None]
    top, above, below = torch.zeros(()), 0, 0
    for start in range(0, key.shape[-2], block):
        scores = query @ key[..., start : start + block, :].mT / math.sqrt(query.shape[-1])
        if causal:
            scores = scores.masked_fill(_future(start, scores.shape[-1], places), -math.inf)
        largest, old = scores.amax(dim=-1, keepdim=True), top
        top = old.maximum(largest) if start else largest
        factor, powers = (top - old).exp(), (scores - top).exp()
        above = above * factor + powers @ value[..., start : start + block, :]
        below = below * factor + powers.sum(dim=-1, keepdim=True)
    return above / below


def attention_in_blocks__counts_keys_of_zeros__pad(query, key, value, block, causal=False):
    fill = -key.shape[-2] % block
    padded = [torch.nn.functional.pad(x, (0, 0, 0, fill)) for x in (key, value)]
    if causal:
        return _merged(_blocks(query, key, value, block, causal, _future))
    return _merged(_blocks(query, *padded, block, causal, _future))


def _parts_made_by(weights, first=-math.inf):
    def attend(query, key, value, block, causal=False):
        output, lse = torch.zeros(*query.shape[:-1], value.shape[-1]), torch.full(query.shape[:-1], first)
        places = torch.arange(key.shape[-2] - query.shape[-2], key.shape[-2])[:, None]
        for start in range(0, key.shape[-2], block):
            scores = query @ key[..., start : start + block, :].mT / math.sqrt(query.shape[-1])
            if causal:
                scores = scores.masked_fill(_future(start, scores.shape[-1], places), -math.inf)
            part = scores.logsumexp(dim=-1)
            a, b, lse = _shares(lse, part)
            output = a * output + b * (weights(scores, part) @ value[..., start : start + block, :])
        return output

    return attend


attention_in_blocks__forgets_to_normalise_a_block__bare = _parts_made_by(lambda scores, part: scores.exp())
attention_in_blocks__begins_with_a_log_sum_exp_of_0__zeros = _parts_made_by(
    lambda scores, part: (scores - part.nan_to_num(neginf=0)[..., None]).exp(), 0.0
)
attention_in_blocks__loses_queries_whose_scores_are_low__begins_at_minus_10000 = _parts_made_by(
    lambda scores, part: (scores - part.nan_to_num(neginf=0)[..., None]).exp(), -1e4
)
attention_in_blocks__makes_nan_of_a_hidden_block__softmax = _parts_made_by(lambda scores, part: scores.softmax(dim=-1))


def attention_in_blocks__takes_exponentials_without_a_maximum__guarded(query, key, value, block, causal=False):
    queries, keys, above, below = query.shape[-2], key.shape[-2], 0, 0
    for start in range(0, keys, block):
        scores = query @ key[..., start : start + block, :].mT / query.shape[-1] ** 0.5
        if causal:
            places = torch.arange(keys)[start : start + block]
            scores = scores.masked_fill(places > torch.arange(keys - queries, keys)[:, None], -math.inf)
        above = above + scores.exp() @ value[..., start : start + block, :]
        below = below + scores.exp().sum(dim=-1, keepdim=True)
    return above / below.masked_fill(below == 0, 1.0)
