"""Right answers to lesson 11, as learners write them: exercise, style."""

import math

import torch
import torch.nn.functional as F

from mha_ref import causal_mask, masked_attention, masked_softmax

# attend_with_cache


def attend_with_cache__two_branches(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        keys, values = key, value
    else:
        keys = torch.cat((past_key, key), -2)
        values = torch.cat((past_value, value), -2)
    allowed = causal_mask(query.size(-2), keys.size(-2), like=keys)
    return masked_attention(query, keys, values, allowed), keys, values


def attend_with_cache__tril(query, key, value, past_key=None, past_value=None):
    keys = key if past_key is None else torch.cat([past_key, key], dim=-2)
    values = value if past_value is None else torch.cat([past_value, value], dim=-2)
    new, total = query.shape[-2], keys.shape[-2]
    scores = query @ keys.mT / math.sqrt(query.shape[-1])
    mask = torch.ones(new, total, dtype=torch.bool, device=query.device).tril(total - new)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ values, keys, values


def attend_with_cache__fused(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.cat([past_key, key], -2), torch.cat([past_value, value], -2)
    rows = torch.arange(key.shape[-2] - query.shape[-2], key.shape[-2], device=key.device)
    mask = torch.arange(key.shape[-2], device=key.device) <= rows[:, None]
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask), key, value


def attend_with_cache__empty_past(query, key, value, past_key=None, past_value=None):
    past_key = key[..., :0, :] if past_key is None else past_key
    past_value = value[..., :0, :] if past_value is None else past_value
    keys, values = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    mask = causal_mask(query.shape[-2], keys.shape[-2], like=keys)
    return [masked_attention(query, keys, values, mask), keys, values]


def attend_with_cache__token_by_token(query, key, value, past_key=None, past_value=None):
    keys, values, outputs = past_key, past_value, []
    for n in range(query.shape[-2]):
        one = slice(n, n + 1)
        keys = key[..., one, :] if keys is None else torch.cat([keys, key[..., one, :]], dim=-2)
        values = value[..., one, :] if values is None else torch.cat([values, value[..., one, :]], dim=-2)
        outputs.append(masked_attention(query[..., one, :], keys, values))
    return torch.cat(outputs, dim=-2), keys, values


def attend_with_cache__mask_of_two_parts(query, key, value, past_key=None, past_value=None):
    new = query.shape[-2]
    mask = torch.tril(torch.ones(new, new)).bool()
    if past_key is not None:
        mask = torch.cat([torch.ones(new, past_key.shape[-2]).bool(), mask], dim=-1)
        key, value = torch.cat([past_key, key], dim=-2), torch.cat([past_value, value], dim=-2)
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__no_mask_for_one(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key = torch.cat([past_key, key], dim=-2)
        value = torch.cat([past_value, value], dim=-2)
    mask = None
    if query.shape[-2] > 1:
        mask = causal_mask(query.shape[-2], key.shape[-2], like=key)
    return masked_attention(query, key, value, mask), key, value


def attend_with_cache__einsum(query, key, value, past_key=None, past_value=None):
    keys = torch.cat([x for x in (past_key, key) if x is not None], dim=-2)
    values = torch.cat([x for x in (past_value, value) if x is not None], dim=-2)
    scores = torch.einsum("...qd,...kd->...qk", query, keys) * query.shape[-1] ** -0.5
    weights = masked_softmax(scores, causal_mask(*scores.shape[-2:], like=scores))
    return torch.einsum("...qk,...kd->...qd", weights, values), keys, values


def attend_with_cache__minus_a_billion(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        key, value = torch.concat([past_key, key], axis=-2), torch.concat([past_value, value], axis=-2)
    n, total = query.shape[-2], key.shape[-2]
    future = torch.triu(torch.ones(n, total, dtype=torch.bool), diagonal=total - n + 1)
    scores = (query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5).masked_fill(future, -1e9)
    return torch.softmax(scores, -1) @ value, key, value


# cache_bytes


def cache_bytes__one_product(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return 2 * layers * tokens * kv_heads * head_size * batch * bytes_per_number


def cache_bytes__key_and_value(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    key = value = batch * kv_heads * tokens * head_size
    return layers * (key + value) * bytes_per_number


def cache_bytes__math_prod(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return math.prod([2, layers, batch, tokens, kv_heads, head_size, bytes_per_number])


def cache_bytes__loop_over_layers(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    total = 0
    for _ in range(layers):
        total += 2 * batch * tokens * kv_heads * head_size * bytes_per_number
    return total


def cache_bytes__float(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    return float(layers) * batch * tokens * (kv_heads * head_size * 2) * bytes_per_number


# repeat_heads


def repeat_heads__interleave(x, repeats):
    return torch.repeat_interleave(x, repeats, dim=-3)


def repeat_heads__expand(x, repeats):
    *front, heads, tokens, features = x.shape
    copies = x.unsqueeze(-3).expand(*front, heads, repeats, tokens, features)
    return copies.reshape(*front, heads * repeats, tokens, features)


def repeat_heads__stack(x, repeats):
    return torch.stack([x] * repeats, dim=-3).flatten(-4, -3)


def repeat_heads__loop(x, repeats):
    heads = []
    for head in range(x.shape[-3]):
        for _ in range(repeats):
            heads.append(x[..., head, :, :])
    return torch.stack(heads, dim=-3)


def repeat_heads__index(x, repeats):
    order = torch.arange(x.shape[-3] * repeats, device=x.device) // repeats
    return x[..., order, :, :]


def repeat_heads__index_select(x, repeats):
    order = [head for head in range(x.shape[-3]) for _ in range(repeats)]
    return x.index_select(-3, torch.tensor(order))


def repeat_heads__cat(x, repeats):
    return torch.cat([part for part in x.split(1, dim=-3) for _ in range(repeats)], dim=-3)


def repeat_heads__counted_from_the_front(x, repeats):
    return x.repeat_interleave(repeats, x.ndim - 3)


# grouped_query_attention


def grouped_query_attention__gqa(query, key, value, mask=None):
    times = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(times, dim=1), value.repeat_interleave(times, dim=1)
    return masked_attention(query, key, value, mask)


def grouped_query_attention__groups_on_an_axis(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    kv_heads = key.shape[1]
    groups = query.reshape(batch, kv_heads, heads // kv_heads, queries, features)
    if mask is not None:
        mask = mask.expand(batch, heads, queries, key.shape[2])
        mask = mask.reshape(batch, kv_heads, heads // kv_heads, queries, key.shape[2])
    out = masked_attention(groups, key[:, :, None], value[:, :, None], mask)
    return out.reshape(batch, heads, queries, -1)


def grouped_query_attention__head_by_head(query, key, value, mask=None):
    batch, heads, queries, _ = query.shape
    size = heads // key.shape[1]
    if mask is not None:
        mask = mask.expand(batch, heads, queries, key.shape[-2])
    outputs = [
        masked_attention(query[:, h], key[:, h // size], value[:, h // size], None if mask is None else mask[:, h])
        for h in range(heads)
    ]
    return torch.stack(outputs, dim=1)


def grouped_query_attention__index(query, key, value, mask=None):
    heads, kv_heads = query.size(-3), key.size(-3)
    mine = torch.arange(heads, device=query.device) // (heads // kv_heads)
    return masked_attention(query, key[:, mine], value[:, mine], mask)


def grouped_query_attention__by_hand(query, key, value, mask=None):
    n = query.shape[-3] // key.shape[-3]
    key, value = (torch.stack([x] * n, dim=2).flatten(1, 2) for x in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores, dim=-1) if mask is None else masked_softmax(scores, mask)
    return weights @ value


def grouped_query_attention__fused(query, key, value, mask=None):
    if mask is None:
        return F.scaled_dot_product_attention(query, key, value, enable_gqa=True)
    seen = mask.any(dim=-1, keepdim=True)
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask | ~seen, enable_gqa=True)
    return out * seen


def grouped_query_attention__expand(query, key, value, mask=None):
    b, h, _, _ = query.shape
    _, g, n, _ = key.shape
    key = key[:, :, None].expand(b, g, h // g, n, key.shape[-1]).reshape(b, h, n, -1)
    value = value[:, :, None].expand(b, g, h // g, n, value.shape[-1]).reshape(b, h, n, -1)
    return masked_attention(query, key, value, mask)
