"""Right answers in the idiom of well-known public implementations, written anew from understanding.

Each keeps the shapes of its model's code; what our contract asks besides (a row of zeros where nothing may be looked
at, queries that stand at the last keys, heads that divide) is added in a line.
"""

import math

import numpy as np
from einops import rearrange


def masked_softmax__as_in_d2l(scores, mask):
    """Blocked scores become a large negative number; the rest of the line makes up for rows without a key."""
    mask = np.broadcast_to(mask, scores.shape)
    filled = np.where(mask, scores, -np.inf)
    top = np.maximum(filled.max(axis=-1, keepdims=True), np.finfo(scores.dtype).min)
    exps = np.exp(filled - top)
    return exps / np.maximum(exps.sum(axis=-1, keepdims=True), np.finfo(scores.dtype).tiny)


def padding_mask__as_in_d2l(lengths, keys):
    if (lengths > keys).any():
        raise ValueError("a length is above keys")
    return (np.arange(keys)[None, :] < lengths[:, None])[:, None, None, :]


def padding_mask__as_in_x_transformers(lengths, keys):
    assert lengths.max(initial=0) <= keys
    return rearrange(np.arange(keys) < rearrange(lengths, "b -> b 1"), "b j -> b 1 1 j")


def causal_mask__as_in_the_annotated_transformer(queries, keys):
    subsequent = np.triu(np.ones((queries, keys)), k=1 + keys - queries).astype("uint8")
    return subsequent == 0


def causal_mask__as_in_x_transformers(queries, keys):
    i, j = queries, keys
    return ~np.triu(np.ones((i, j), dtype=bool), j - i + 1)


def causal_attention__as_in_nanogpt(query, key, value):
    """A triangle that is large enough, of which the last rows are used."""
    longest = key.shape[-2]
    bias = np.tril(np.ones((longest, longest))).reshape(longest, longest)
    att = (query @ key.swapaxes(-2, -1)) * (1.0 / math.sqrt(key.shape[-1]))
    att = np.where(bias[longest - query.shape[-2] : longest, :longest] == 0, float("-inf"), att)
    att = np.exp(att - att.max(-1, keepdims=True))
    return (att / att.sum(-1, keepdims=True)) @ value


def causal_attention__as_in_llms_from_scratch(query, key, value):
    attn_scores = query @ np.swapaxes(key, -2, -1)
    num_tokens, context = attn_scores.shape[-2:]
    mask_bool = np.triu(np.ones((context, context)), k=1).astype(bool)[context - num_tokens :, :context]
    attn_scores[..., mask_bool] = -np.inf
    scaled = attn_scores / key.shape[-1] ** 0.5
    weights = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value
