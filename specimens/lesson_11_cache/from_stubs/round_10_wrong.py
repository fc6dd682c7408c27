"""Wrong answers to lesson 11 (round 10)."""

import torch
from torch.nn.functional import scaled_dot_product_attention as torchs_attention


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        # the prompt needs a causal mask ...
        return torchs_attention(query, key, value, is_causal=True), key, value
    # ... and afterwards nothing is in the future any more
    key = torch.cat([past_key, key], dim=-2)
    value = torch.cat([past_value, value], dim=-2)
    return torchs_attention(query, key, value), key, value


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    new = query.shape[-2]
    scale = query.shape[-1] ** -0.5
    blocked = torch.ones(new, new, dtype=torch.bool, device=query.device).triu(1)
    scores = (query * scale @ key.transpose(-2, -1)).masked_fill(blocked, float("-inf"))
    output = scores.softmax(-1) @ value
    if past_key is None:
        return output, key, value
    past = past_key.shape[-2]
    if past:
        # what the old tokens say, each side with as much say as it has tokens
        old = (query * scale @ past_key.transpose(-2, -1)).softmax(-1) @ past_value
        here = torch.arange(1, new + 1, device=query.device, dtype=query.dtype)[:, None]
        output = (past * old + here * output) / (past + here)
    return output, torch.cat([past_key, key], -2), torch.cat([past_value, value], -2)


def attend_with_cache__3(query, key, value, past_key=None, past_value=None):
    if past_key is not None:
        # kept numbers are constants: nobody learns from them a second time
        key = torch.cat((past_key.detach(), key), -2)
        value = torch.cat((past_value.detach(), value), -2)
    queries, keys = query.shape[-2], key.shape[-2]
    may_look = torch.arange(keys)[None, :] <= torch.arange(keys - queries, keys)[:, None]
    scores = torch.einsum("...qf,...kf->...qk", query / query.shape[-1] ** 0.5, key)
    weights = torch.softmax(scores.masked_fill(~may_look.to(scores.device), -torch.inf), -1)
    return torch.einsum("...qk,...kv->...qv", weights, value), key, value


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    total = 0
    for length in range(1, tokens + 1):  # after each token, the keys and values of all tokens so far are kept
        total += 2 * layers * length * kv_heads * head_size
    return total * batch * bytes_per_number


def repeat_heads__1(x, repeats):
    # heads are the axis behind the batch
    return torch.repeat_interleave(x, repeats, dim=1)


def grouped_query_attention__1(query, key, value, mask=None):
    heads, kv_heads = query.shape[1], key.shape[1]
    group = heads // kv_heads
    # heads that share keys also share one pattern: the mean of their questions
    query = query.unflatten(1, (kv_heads, group)).mean(2, keepdim=True).expand(-1, -1, group, -1, -1).flatten(1, 2)
    key, value = key.repeat_interleave(group, 1), value.repeat_interleave(group, 1)
    scores = query / query.shape[-1] ** 0.5 @ key.transpose(2, 3)
    if mask is None:
        return scores.softmax(-1) @ value
    lowest = torch.finfo(scores.dtype).min
    weights = scores.masked_fill(~mask, lowest).softmax(-1).masked_fill(~mask, 0.0)
    return weights @ value


def grouped_query_attention__2(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    kv_heads, keys = key.shape[1:3]
    group = heads // kv_heads
    allowed = torch.ones(batch, heads, queries, keys, dtype=torch.bool, device=query.device)
    if mask is not None:
        allowed = allowed & mask
    # one mask for each key-value head is enough: a group looks at the same keys
    allowed = allowed[:, ::group]
    outputs = []
    for head in range(heads):
        shared = head // group
        scores = query[:, head] / features**0.5 @ key[:, shared].mT
        blocked = ~allowed[:, shared]
        weights = scores.masked_fill(blocked, torch.finfo(scores.dtype).min).softmax(-1).masked_fill(blocked, 0)
        outputs.append(weights @ value[:, shared])
    return torch.stack(outputs, 1)


def grouped_query_attention__3(query, key, value, mask=None):
    group = query.shape[1] // key.shape[1]
    key = key[:, :, None].expand(-1, -1, group, -1, -1).flatten(1, 2)
    value = value[:, :, None].expand(-1, -1, group, -1, -1).flatten(1, 2)
    scores = (query / query.shape[-1] ** 0.5).matmul(key.transpose(-1, -2))
    if mask is not None:
        # the mask is added to the scores: 0 where a query may look, minus infinity elsewhere
        scores = scores + torch.zeros_like(mask, dtype=scores.dtype).masked_fill(mask.logical_not(), float("-inf"))
    # a row without any allowed key is NaN here, and becomes 0
    return torch.nan_to_num(scores.softmax(-1), nan=0.0) @ value


TRUTH = {
    "attend_with_cache__1": "no mask once something has been kept, as if only one new token could come: with a past and 2 or more new tokens each new token also sees the later new ones",
    "attend_with_cache__2": "two softmaxes, one over the past and one over the new tokens, mixed by the number of tokens instead of one softmax over all; shows with any past unless all scores are equal",
    "attend_with_cache__3": "detaches what was kept: values are right, but no gradient reaches past_key and past_value; shows with a past that requires gradients",
    "cache_bytes__1": "adds up the caches after every token, as if each step kept its own copy: too large by (tokens + 1) / 2; right for 1 token only",
    "repeat_heads__1": "takes axis 1 for the heads, which is right with one batch axis only: x of shape (heads, tokens, features) gets its tokens repeated, and with two batch axes the second one",
    "grouped_query_attention__1": "averages the queries of a group, so that all its heads give the same result; shows wherever heads > kv_heads",
    "grouped_query_attention__2": "takes the mask of the first head of a group for the whole group; shows with a mask that differs between the heads of a group, and nowhere else",
    "grouped_query_attention__3": "the result is right, but the gradients are NaN where a query may look at nothing: minus infinity is added to the scores and nan_to_num repairs only the forward pass; shows with backward and a fully blocked row, in the gradients of query and key",
}
