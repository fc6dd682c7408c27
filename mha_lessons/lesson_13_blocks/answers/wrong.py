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


# merge_attention


def _shares(lse_a, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = lse.nan_to_num(neginf=0)
    return (lse_a - safe).exp()[..., None], (lse_b - safe).exp()[..., None], lse


def _clean(output, lse):
    return torch.where(lse[..., None] == -math.inf, 0.0, output)


def merge_attention__averages_the_two_outputs__half(output_a, lse_a, output_b, lse_b):
    return (output_a + output_b) / 2, torch.logaddexp(lse_a, lse_b)


def merge_attention__exchanges_the_shares__names(output_a, lse_a, output_b, lse_b):
    b, a, lse = _shares(lse_a, lse_b)
    return a * _clean(output_a, lse_a) + b * _clean(output_b, lse_b), lse


def merge_attention__merges_bare_exponentials__as_on_paper(output_a, lse_a, output_b, lse_b):
    a, b = lse_a.exp()[..., None], lse_b.exp()[..., None]
    return (a * output_a + b * output_b) / (a + b), (a + b).squeeze(-1).log()


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


# the written test


def _three():
    generator = torch.Generator().manual_seed(0)
    return [(torch.randn(4, 3, generator=generator), torch.randn(4, generator=generator)) for _ in range(3)]


def test_merge_attention__keeps_the_larger_part_alone__brackets_are_enough(f):
    a, b, c = _three()
    for x, y in zip(f(*f(*a, *b), *c), f(*a, *f(*b, *c))):
        assert torch.allclose(x, y, atol=1e-5)


def test_merge_attention__returns_the_larger_lse__outputs_are_enough(f):
    output, _ = f(torch.full((2, 2), -2.0), torch.zeros(2), torch.ones(2, 2), torch.tensor([1.0, -1.0]))
    assert torch.allclose(output[:, 0], 3 * torch.tensor([1.0, -1.0]).sigmoid() - 2, atol=1e-5)


def test_merge_attention__reason_raised__no_room_for_rounding(f):
    a, b, c = _three()
    assert torch.equal(f(*f(*a, *b), *c)[1], f(*a, *f(*b, *c))[1])


def test_merge_attention__reason_raised__shares_exchanged(f):
    output, _ = f(torch.zeros(1, 1), torch.zeros(1), torch.ones(1, 1), torch.ones(1))
    assert output.item() < 0.5
