"""Answers that break one clause of a docstring, and little else: clauses.toml says which."""

import math

import torch

from mha_ref import attention_in_blocks, causal_mask, log_sum_exp, masked_attention, merge_attention


def log_sum_exp__refuses_minus_infinity(scores, axis=-1):
    assert scores.isfinite().all()
    return log_sum_exp(scores, axis)


def log_sum_exp__drops_axes_of_length_one(scores, axis=-1):
    return log_sum_exp(scores, axis).squeeze()


def merge_attention__wants_several_queries(output_a, lse_a, output_b, lse_b):
    assert lse_a.shape[-1] > 1
    return merge_attention(output_a, lse_a, output_b, lse_b)


def merge_attention__wants_a_batch(output_a, lse_a, output_b, lse_b):
    assert lse_a.ndim > 1
    return merge_attention(output_a, lse_a, output_b, lse_b)


def merge_attention__returns_the_output_alone(output_a, lse_a, output_b, lse_b):
    return merge_attention(output_a, lse_a, output_b, lse_b)[0]


def merge_attention__refuses_an_empty_part(output_a, lse_a, output_b, lse_b):
    assert lse_a.isfinite().all() and lse_b.isfinite().all()
    return merge_attention(output_a, lse_a, output_b, lse_b)


def attention_in_blocks__wants_several_queries(query, key, value, block, causal=False):
    assert query.shape[-2] > 1
    return attention_in_blocks(query, key, value, block, causal)


def attention_in_blocks__wants_a_batch_of_several(query, key, value, block, causal=False):
    assert query.ndim < 3 or len(query) > 1
    return attention_in_blocks(query, key, value, block, causal)


def attention_in_blocks__wants_more_than_one_key(query, key, value, block, causal=False):
    return attention_in_blocks(query, key, value, block, causal) / (block > 1)


def attention_in_blocks__wants_several_blocks(query, key, value, block, causal=False):
    assert block < key.shape[-2]
    return attention_in_blocks(query, key, value, block, causal)


def attention_in_blocks__multiplies_bare_exponentials(query, key, value, block, causal=False):
    """Sums of exponentials, and no maximum anywhere."""
    queries, keys = query.shape[-2], key.shape[-2]
    rows = torch.arange(keys - queries, keys)[:, None]
    above, below = 0, 0
    for start in range(0, keys, block):
        columns = torch.arange(start, min(start + block, keys))
        powers = (query @ key[..., columns, :].mT / math.sqrt(query.shape[-1])).exp()
        powers = powers * (columns <= rows) if causal else powers
        above, below = above + powers @ value[..., columns, :], below + powers.sum(dim=-1, keepdim=True)
    return above / below


def attention_in_blocks__holds_all_scores(query, key, value, block, causal=False):
    mask = causal_mask(query.shape[-2], key.shape[-2], like=query) if causal else None
    return masked_attention(query, key, value, mask)


def attention_in_blocks__holds_the_whole_mask(query, key, value, block, causal=False):
    """Blocks of scores, each with a slice of the whole mask."""
    mask = causal_mask(query.shape[-2], key.shape[-2], like=query)
    output, lse = torch.zeros(*query.shape[:-1], value.shape[-1]), torch.full(query.shape[:-1], -math.inf)
    for start in range(0, key.shape[-2], block):
        columns = slice(start, start + block)
        scores = query @ key[..., columns, :].mT / math.sqrt(query.shape[-1])
        scores = torch.where(mask[:, columns], scores, -math.inf) if causal else scores
        part = log_sum_exp(scores)
        weights = (scores - part.nan_to_num(neginf=0)[..., None]).exp()
        output, lse = merge_attention(output, lse, weights @ value[..., columns, :], part)
    return output
