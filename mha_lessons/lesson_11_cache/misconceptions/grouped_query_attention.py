"""What people get wrong about `grouped_query_attention` as a whole."""

import numpy as np
from array_api_compat import array_namespace

from autograder.mistakes import mistake
from mha_ref import masked_attention, repeat_heads

from ..exercises import grouped_query_attention


def lets_all_look_at_the_first_head(query, key, value, mask=None):
    """All your heads look at the first key-value head.
    If there is only one, that is right, and it is called multi-query attention. Here each group has its own.
    Which one belongs to the last query heads?"""
    return masked_attention(query, key[..., :1, :, :], value[..., :1, :, :], mask)


def averages_the_queries_of_a_group(query, key, value, mask=None):
    """Your output has as many heads as the keys: the queries of a group were averaged into one.
    A group shares keys and values. Each of its query heads still asks for itself.
    Which of the three should get more heads?"""
    xp, kv_heads = array_namespace(query), key.shape[-3]
    groups = xp.reshape(query, (*query.shape[:-3], kv_heads, -1, *query.shape[-2:]))
    return masked_attention(xp.mean(groups, axis=-3), key, value, mask)


def drops_the_other_queries(query, key, value, mask=None):
    """Your output has as many heads as the keys: the other query heads are gone.
    Every query head gets an output.
    Where do you cut?"""
    return masked_attention(query[..., : key.shape[-3], :, :], key, value, mask)


def averages_keys_and_values(query, key, value, mask=None):
    """All your heads look at one and the same head: the mean of all key-value heads.
    Each group has its own keys and values.
    Which key-value head does query head 0 need, and which does the last one need?"""
    xp = array_namespace(query)
    key, value = (xp.mean(x, axis=-3, keepdims=True) for x in (key, value))
    return masked_attention(query, key, value, mask)


def relies_on_broadcasting(query, key, value, mask=None):
    """You leave it to broadcasting to stretch the keys, or the values.
    Broadcasting stretches an axis of length 1. Two heads do not become six by themselves.
    Are both of them repeated before you attend?"""
    return masked_attention(query, key, value, mask)


def repeats_as_often_as_there_are_heads(query, key, value, mask=None):
    """You repeat each key-value head once for every query head, and that makes too many.
    All copies together should be as many as there are query heads.
    How many query heads share one key-value head?"""
    key, value = (repeat_heads(x, query.shape[-3]) for x in (key, value))
    return masked_attention(query, key, value, mask)


@mistake(turned=("keys", "values"))
def groups_heads_that_are_far_apart(query, key, value, mask=None, *, turned):
    """Your {turned} are repeated by turns, 0, 1, 0, 1, and the other ones in the right order.
    Then a head looks with the keys of one group, and takes the values of another.
    Repeat both in the same way."""
    times, xp = query.shape[-3] // key.shape[-3], array_namespace(value)
    by_turns = xp.concat([key if turned == "keys" else value] * times, axis=-3)
    keys = by_turns if turned == "keys" else repeat_heads(key, times)
    return masked_attention(query, keys, by_turns if turned == "values" else repeat_heads(value, times), mask)


def gives_a_group_the_mask_of_its_first_head(query, key, value, mask=None):
    """Where a mask has a pattern for each head, all heads of a group got that of the first one.
    A group shares keys and values; a mask belongs to a query head.
    Which of your axes does the mask's axis of heads become?"""
    heads, group = query.shape[-3], query.shape[-3] // key.shape[-3]
    if mask is not None and mask.ndim > 2 and mask.shape[-3] == heads:
        mask = repeat_heads(mask[..., ::group, :, :], group)
    return masked_attention(query, repeat_heads(key, group), repeat_heads(value, group), mask)


def splits_the_masks_the_other_way_round(query, key, value, mask=None):
    """Where each head has a mask of its own, heads get the masks of others.
    You split the query heads into kv_heads and groups, but those of the mask into groups and kv_heads.
    Neighbours share, in both. Which of the two numbers comes first in your shapes?"""
    heads, kv_heads = query.shape[-3], key.shape[-3]
    if mask is None or mask.ndim < 3 or mask.shape[-3] != heads:
        return grouped_query_attention(query, key, value, mask)
    order = np.arange(heads).reshape(heads // kv_heads, kv_heads).T.reshape(-1)
    return grouped_query_attention(query, key, value, mask[..., order, :, :])


def gives_a_group_the_mean_of_its_queries(query, key, value, mask=None):
    """All heads of a group ask with the same query, the mean of their own.
    Then they all find the same.
    A group shares its keys and values. What does each of its heads have of its own?"""
    xp, kv_heads = array_namespace(query), key.shape[-3]
    groups = xp.reshape(query, (*query.shape[:-3], kv_heads, -1, *query.shape[-2:]))
    return grouped_query_attention(repeat_heads(xp.mean(groups, axis=-3), groups.shape[-3]), key, value, mask)


def divides_by_the_number_of_kv_heads(query, key, value, mask=None):
    """You divide the number of a query head by the number of key-value heads.
    That says how many groups there are, not how large one is.
    With 6 query heads and 2 key-value heads, how many share one?"""
    shared = [head // key.shape[-3] for head in range(query.shape[-3])]
    return masked_attention(query, key[..., shared, :, :], value[..., shared, :, :], mask)


def divides_by_the_root_of_all_features(query, key, value, mask=None):
    """Your scores are divided by the root of heads times features, so the weights are too even.
    A score adds up the products of one head: that head's features, and no others.
    How long are the two vectors that meet in a score?"""
    return grouped_query_attention(query * query.shape[-3] ** -0.5, key, value, mask)
