"""Wrong answers to lesson 11, as learners write them: exercise, what the judge should name, style."""

import math

import torch
import torch.nn.functional as F

from mha_ref import causal_mask, masked_attention

# attend_with_cache


def attend_with_cache__starts_at_the_top_left__is_causal(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], -2), torch.cat([past_value, value], -2)
    return F.scaled_dot_product_attention(query, key, value, is_causal=True), key, value


def attend_with_cache__starts_at_the_top_left__tril(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    mask = torch.tril(torch.ones(query.shape[-2], key.shape[-2])).bool()
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__forgets_the_causal_mask__no_mask(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1) @ value, key, value


def attend_with_cache__masks_the_first_call_alone__is_causal(query, key, value, past_key=None, past_value=None):
    first = past_key is None
    if not first:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    return F.scaled_dot_product_attention(query, key, value, is_causal=first), key, value


def attend_with_cache__masks_only_where_there_is_a_past__return(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        return masked_attention(query, key, value), key, value
    key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2], like=key)), key, value


def attend_with_cache__puts_the_newest_in_front__both(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([key, past_key], dim=-2), torch.cat([value, past_value], dim=-2)
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2], like=key)), key, value


def attend_with_cache__looks_at_the_past_alone__before_appending(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        mask = causal_mask(query.shape[-2], key.shape[-2], like=key)
        return masked_attention(query, key, value, mask), key, value
    output = masked_attention(query, past_key, past_value)
    return output, torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)


def attend_with_cache__does_not_see_itself__strict(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    rows = torch.arange(key.shape[-2] - query.shape[-2], key.shape[-2])[:, None]
    return masked_attention(query, key, value, torch.arange(key.shape[-2]) < rows), key, value


def attend_with_cache__returns_what_is_new_alone__names(query, key, value, past_key=None, past_value=None):
    keys = key if past_key is None else torch.cat([past_key, key], dim=-2)
    values = value if past_value is None else torch.cat([past_value, value], dim=-2)
    mask = causal_mask(query.shape[-2], keys.shape[-2], like=keys)
    return masked_attention(query, keys, values, mask), key, value


def attend_with_cache__exchanges_keys_and_values__order(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2], like=key)), value, key


def attend_with_cache__returns_the_output_alone__one(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2], like=key))


def attend_with_cache__gives_the_last_token_alone__for_writing(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    return masked_attention(query[..., -1:, :], key, value), key, value


def attend_with_cache__forgets_what_was_kept__unused(query, key, value, past_key=None, past_value=None):
    mask = causal_mask(query.shape[-2], key.shape[-2], like=key)
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__forgets_to_scale__by_hand(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    mask = causal_mask(query.shape[-2], key.shape[-2], like=key)
    return (query @ key.mT).masked_fill(~mask, -torch.inf).softmax(dim=-1) @ value, key, value


def attend_with_cache__joins_along_another_axis__the_batch(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key]), torch.cat([past_value, value])
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2], like=key)), key, value


# cache_bytes


def cache_bytes__keeps_the_keys_alone__product(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return layers * tokens * kv_heads * head_size * batch * bytes_per_number


def cache_bytes__keeps_the_queries_too__three(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return 3 * layers * tokens * kv_heads * head_size * batch * bytes_per_number


def cache_bytes__keeps_one_text_alone__product(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return 2 * layers * tokens * kv_heads * head_size * bytes_per_number


def cache_bytes__counts_numbers_that_are_kept__two(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return 2 * layers * batch * tokens * kv_heads * head_size


def cache_bytes__gives_the_cache_in_larger_units__gib(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return 2 * layers * tokens * kv_heads * head_size * batch * bytes_per_number / 1024**3


def cache_bytes__squares_the_tokens_of_a_cache__map(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return 2 * layers * tokens * tokens * kv_heads * head_size * batch * bytes_per_number


# repeat_heads


def repeat_heads__repeats_all_heads_by_turns__repeat(x, repeats):
    return x.repeat(*[1] * (x.ndim - 3), repeats, 1, 1)


def repeat_heads__repeats_all_heads_by_turns__tile(x, repeats):
    return torch.tile(x, (repeats, 1, 1))


def repeat_heads__repeats_all_heads_by_turns__new_axis_in_front(x, repeats):
    return torch.stack([x] * repeats, dim=-4).flatten(-4, -3)


def repeat_heads__repeats_along_another_axis__tokens(x, repeats):
    return x.repeat_interleave(repeats, dim=-2)


def repeat_heads__repeats_the_first_axis__zero(x, repeats):
    return x.repeat_interleave(repeats, dim=0)


def repeat_heads__repeats_everything__no_axis(x, repeats):
    return x.repeat_interleave(repeats)


def repeat_heads__keeps_an_axis_for_the_copies__expand(x, repeats):
    return x.unsqueeze(-3).expand(*x.shape[:-2], repeats, *x.shape[-2:])


# grouped_query_attention


def grouped_query_attention__repeats_all_heads_by_turns__repeat(query, key, value, mask=None):
    times = query.shape[1] // key.shape[1]
    return masked_attention(query, key.repeat(1, times, 1, 1), value.repeat(1, times, 1, 1), mask)


def grouped_query_attention__lets_all_look_at_the_first_head__slice(query, key, value, mask=None):
    return masked_attention(query, key[:, :1], value[:, :1], mask)


def grouped_query_attention__averages_the_queries_of_a_group__mean(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    grouped = query.view(batch, key.shape[1], heads // key.shape[1], queries, features).mean(dim=2)
    return masked_attention(grouped, key, value, mask)


def grouped_query_attention__relies_on_broadcasting__plain(query, key, value, mask=None):
    return masked_attention(query, key, value, mask)


def grouped_query_attention__relies_on_broadcasting__values(query, key, value, mask=None):
    key = key.repeat_interleave(query.shape[1] // key.shape[1], dim=1)
    return masked_attention(query, key, value, mask)


def grouped_query_attention__ignores_the_mask__unused(query, key, value, mask=None):
    return F.scaled_dot_product_attention(query, key, value, enable_gqa=True)


def repeat_heads__repeats_the_second_axis__with_a_batch_in_mind(x, repeats):
    return x.repeat_interleave(repeats, dim=1)


def repeat_heads__repeats_by_turns_along_the_second_axis_of_four__repeat(x, repeats):
    return x.repeat(1, repeats, 1, 1)


def grouped_query_attention__groups_heads_that_are_far_apart__keys(query, key, value, mask=None):
    times = query.shape[1] // key.shape[1]
    return masked_attention(query, key.repeat(1, times, 1, 1), value.repeat_interleave(times, 1), mask)


def grouped_query_attention__ignores_the_mask__not_handed_on(query, key, value, mask=None):
    times = query.shape[1] // key.shape[1]
    return masked_attention(query, key.repeat_interleave(times, 1), value.repeat_interleave(times, 1))


def attend_with_cache__fits_the_new_tokens_alone__of_new_tokens(query, key, value, past_key=None, past_value=None):
    mask = causal_mask(query.shape[-2], query.shape[-2], like=query)
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__joins_along_another_axis__second(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=1), torch.cat([past_value, value], dim=1)
    return masked_attention(query, key, value, causal_mask(query.shape[-2], key.shape[-2], like=key)), key, value


def attend_with_cache__finds_nothing_of_the_past__new_columns(query, key, value, past_key=None, past_value=None):
    new, new_value = query.shape[-2], value
    if past_key is not None:
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~causal_mask(new, key.shape[-2], like=key), -torch.inf).softmax(-1)
    return weights[..., -new:] @ new_value, key, value
