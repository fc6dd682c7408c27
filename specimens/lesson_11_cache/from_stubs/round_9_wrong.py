"""Wrong answers to lesson 11 (round 9)."""
import torch
from mha_ref import causal_mask, masked_attention, repeat_heads


def attend_with_cache__1(query, key, value, past_key=None, past_value=None):
    if past_key is None:
        new = query.shape[-2]
        return masked_attention(query, key, value, causal_mask(new, new, like=query)), key, value
    # from the second call on there is nothing to hide: everything that is kept is in the past
    keys = torch.cat([past_key, key], dim=-2)
    values = torch.cat([past_value, value], dim=-2)
    return masked_attention(query, keys, values), keys, values


def attend_with_cache__2(query, key, value, past_key=None, past_value=None):
    # divide each key once, when it is kept, and not again for every new query
    keys = key / key.shape[-1] ** 0.5
    values = value
    if past_key is not None:
        keys = torch.cat((past_key, keys), -2)
        values = torch.cat((past_value, values), -2)
    scores = query @ keys.mT
    hidden = torch.ones_like(scores, dtype=torch.bool).triu(1 + keys.shape[-2] - key.shape[-2])
    return scores.masked_fill(hidden, -torch.inf).softmax(-1) @ values, keys, values


def cache_bytes__1(layers, tokens, kv_heads, head_size, batch=1, bytes_per_number=2):
    total = 0
    for so_far in range(1, tokens + 1):
        # every token comes with the keys and values of all tokens so far
        total += 2 * layers * batch * kv_heads * so_far * head_size * bytes_per_number
    return total


def repeat_heads__1(x, repeats):
    # axis 0 is the batch, axis 1 holds the heads
    return torch.repeat_interleave(x, repeats, dim=1)


def repeat_heads__2(x, repeats):
    *front, heads, tokens, features = x.shape
    # copy everything side by side, then give the copies out as heads
    copies = torch.stack([x] * repeats, dim=-2)
    return copies.reshape(*front, heads * repeats, tokens, features)


def grouped_query_attention__1(query, key, value, mask=None):
    batch, heads, queries, features = query.shape
    kv_heads, keys = key.shape[1], key.shape[2]
    group = heads // kv_heads
    grouped = query.reshape(batch, kv_heads, group, queries, features)
    scores = torch.einsum("bkgqf,bknf->bkgqn", grouped, key) / features**0.5
    if mask is None:
        mask = torch.ones(1, dtype=torch.bool, device=query.device)
    # the mask belongs to the keys, so heads with the same keys have the same mask: one for each group
    mask = mask.expand(batch, heads, queries, keys)[:, ::group].unsqueeze(2)
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1) * mask
    return torch.einsum("bkgqn,bknv->bkgqv", weights, value).flatten(1, 2)


def grouped_query_attention__2(query, key, value, mask=None):
    group = query.shape[1] // key.shape[1]
    key, value = repeat_heads(key, group), repeat_heads(value, group)
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    # the largest score comes off, so that nothing overflows; hidden keys are taken out of the exponentials
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    if mask is not None:
        powers = powers * mask
    # a sum of 0 must not be divided by
    return powers / powers.sum(dim=-1, keepdim=True).clamp(min=1e-9) @ value


TRUTH = {
    "attend_with_cache__1": "Without a mask from the second call on, a new token sees the new tokens after it; it shows with a past and two or more new tokens in one call (all but the last row of the output are wrong), not with one new token at a time.",
    "attend_with_cache__2": "The keys returned are divided by the square root of the features instead of the keys as they were given, and kept keys are taken as divided already; the second result is wrong in every call with more than 1 feature, and the output is wrong when past_key holds keys as the docstring says, though a chain of its own calls gives right outputs.",
    "cache_bytes__1": "It adds up the cache after each token, tokens · (tokens + 1) / 2 times the size of one token, instead of what is kept for the tokens once; right for 1 token only, 2.5 times as much for 4.",
    "repeat_heads__1": "It repeats along axis 1 instead of the third axis from the end: without a batch axis the tokens are repeated, with two axes in front the second of them; right for exactly four axes (or repeats = 1).",
    "repeat_heads__2": "The copies are put beside each token and then cut into heads in memory order, so a head of the result holds repeated tokens of a piece of the text; wrong for repeats and tokens of 2 or more, right for 1 token.",
    "grouped_query_attention__1": "Every head is given the mask of the first head of its group; it shows with a mask that has an axis of heads and differs within a group, as mask[:, 1] unlike mask[:, 0] for 2 heads on 1 key-value head.",
    "grouped_query_attention__2": "The largest score is taken over hidden keys too: where a hidden key's score is about 20 or more above all allowed ones, the allowed exponentials sum to less than 0.000000001 and the output is too small or zero, though the query may look at something; it shows with a mask and large scores.",
}
