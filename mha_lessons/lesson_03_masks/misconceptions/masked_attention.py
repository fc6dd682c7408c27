"""What people get wrong about `masked_attention`."""

import math

import numpy as np

import mha_ref
from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.activations import ACTIVATIONS

from ..exercises import masked_attention


def mixes_the_keys(query, key, value, mask=None):
    """Your output is a mean of the keys.
    A key is what a token offers for comparison; what it hands over is its value.
    Which of the two do your weights mix?"""
    return masked_attention(query, key, key, mask)


def swaps_key_and_value(query, key, value, mask=None):
    """Key and value are swapped: queries were compared with values, and keys were mixed.
    A key is for comparing, a value is for handing over.
    Check the order of your arguments, and of the parameters that receive them."""
    return masked_attention(query, value, key, mask)


def compares_with_the_values(query, key, value, mask=None):
    """The keys have no influence on your output: the queries were compared with the values.
    Scores come from query and key; the value enters at the end, once the weights are known.
    Which array is in your scores?"""
    return masked_attention(query, value, value, mask)


def mixes_the_queries(query, key, value, mask=None):
    """Your output is a mean of the queries.
    A query says what a token looks for; the tokens that it finds hand over their values.
    Which array do your weights mix?"""
    return masked_attention(query, key, query, mask)


def takes_arguments_as_value_key_query(query, key, value, mask=None):
    """Query and value are swapped, as if the order were value, key, query.
    Some libraries use that order; here it is query, key, value.
    Compare the order of your parameters with that of the first line you were given."""
    return masked_attention(value, key, query, mask)


def masks_the_output(query, key, value, mask=None):
    """You multiplied the output by the mask, when the values were already mixed.
    The output has an axis for features where the mask has its keys, so this cannot remove single keys.
    A mask acts on scores, before softmax."""
    return masked_attention(query, key, value) if mask is None else masked_attention(query, key, value) * mask


def adds_the_query_back(query, key, value, mask=None):
    """You added the query to your output.
    Such a sum (a residual connection) comes outside attention, and a later lesson uses it there.
    Here the output is the weighted mean of the values and nothing else."""
    return masked_attention(query, key, value, mask) + query


def adds_the_value_back(query, key, value, mask=None):
    """You added the value to your output.
    Each token's own value is already in the weighted mean, with the weight that its score earned.
    The output is this mean and nothing else."""
    return masked_attention(query, key, value, mask) + value


@mistake(decimals=(1, 2, 3, 4))
def rounds_the_output(query, key, value, mask=None, *, decimals):
    """Your output is rounded, and every later step loses the digits. Number of decimals left: {decimals}.
    Rounding is for numbers that people read, but other code computes with these.
    Is there a `round` in your last line?"""
    return np.round(masked_attention(query, key, value, mask), decimals)


def scales_by_the_value_size(query, key, value, mask=None):
    """You divided the scores by the root of the value's size.
    A dot product of query and key sums over their features, and values may have more features or fewer.
    From which array do you take the size?"""
    return masked_attention(query * np.sqrt(query.shape[-1] / value.shape[-1]), key, value, mask)


def needs_a_mask(query, key, value, mask=None):
    """Without a mask your code stops with an error.
    A mask of None forbids nothing: every query may look at every key.
    Check `mask is None` before you use it."""
    if mask is None:
        raise TypeError
    return masked_attention(query, key, value, mask)


@mistake(empty=(0.0, np.nan))
def reads_no_mask_as_nothing_allowed(query, key, value, mask=None, *, empty):
    """Where no mask is given, every number of your output is {empty:g}.
    Was nothing added up, or did `mask=None` block every key? For `np.where`, None counts as False.
    Without a mask every key is allowed, so check `mask is None` before you use it."""
    if mask is None:
        return masked_attention(query, key, value) * 0 + empty
    return masked_attention(query, key, value, mask)


def counts_tokens_from_the_front(query, key, value, mask=None):
    """Where no mask is given, your code makes one, but with a batch in front it has the wrong size.
    The first length of a shape is the number of tokens only if there is no batch.
    Which two axes hold the numbers of queries and keys, counted from the end?"""
    everything = np.ones((query.shape[0], key.shape[0]), dtype=bool)
    return masked_attention(query, key, value, everything if mask is None else mask)


@mistake(counted=("queries", "keys"))
def makes_a_square_mask_of_none(query, key, value, mask=None, *, counted):
    """Where no mask is given, your code makes one, but it is square: both its lengths are the number of {counted}.
    There can be more keys than queries, or fewer.
    A mask has a row for each query and a column for each key; from which two arrays should you read the sizes?"""
    tokens = {"queries": query, "keys": key}[counted].shape[-2]
    return masked_attention(query, key, value, np.ones((tokens, tokens), dtype=bool) if mask is None else mask)


def is_always_causal(query, key, value, mask=None):
    """Later tokens are hidden, although no one asked for that.
    Attention is causal only if a causal mask is given.
    Hide what the mask hides, and nothing else; is there still a triangle in your code?"""
    causal = mha_ref.causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, value, causal if mask is None else mask & causal)


def uses_masks_of_two_axes_only(query, key, value, mask=None):
    """A mask with more than two axes has no influence on your output.
    Such a mask says something different for each sentence of a batch, as a padding mask does.
    Is there an `if` that lets only some shapes through? Broadcasting handles them all."""
    return masked_attention(query, key, value, mask if mask is None or mask.ndim < 3 else None)


def averages_over_the_allowed_keys(query, key, value, mask=None):
    """Your output is the right one, divided again by the number of allowed keys.
    The weights of a row sum to 1, so the weighted sum of values is already a mean.
    Where does your code count keys, or take a `mean`?"""
    scores = mha_ref.attention_scores(query, key)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape).sum(axis=-1, keepdims=True)
    return masked_attention(query, key, value, mask) / np.maximum(allowed, 1)


def hands_the_masks_out_in_turn(query, key, value, mask=None):
    """If there are two axes in front, such as sentences and heads, and the mask lacks one, masks go to the wrong items.
    You merged the axes in front into one, and dealt out the masks in turn.
    But all heads of one sentence come before those of the next. Broadcasting gets this right as long as no axis is
    lost."""
    if mask is None or mask.ndim < 3:
        return masked_attention(query, key, value, mask)
    flat, front = mask.reshape(-1, *mask.shape[-2:]), query.shape[:-2]
    in_turn = flat[np.arange(math.prod(front)) % len(flat)].reshape(*front, *mask.shape[-2:])
    return masked_attention(query, key, value, in_turn)


@mistake(forgotten=("output", "sum", "sum and output"))
def forgets_to_rescale_what_was_summed_up(query, key, value, mask=None, *, forgotten):
    """You go through the keys with a running maximum, and that is fine. But when a larger score comes, everything
    summed so far was computed with the old maximum. Your {forgotten} did not follow.
    By which factor do the old exponentials have to be multiplied to fit the new maximum?"""
    scores = mha_ref.attention_scores(query, key)
    hidden = np.where(True if mask is None else mask, scores, -np.inf)
    running = np.maximum.accumulate(hidden, axis=-1)
    stale, fresh = (np.exp(hidden - np.where(np.isinf(top), 0, top)) for top in (running, running[..., -1:]))
    total = (stale if "sum" in forgotten else fresh).sum(axis=-1, keepdims=True)
    return (stale if "output" in forgotten else fresh) / np.where(total == 0, 1, total) @ value


@mistake(by=("ReLU", "GELU", "tanh"))
def bends_the_mean_of_the_values(query, key, value, mask=None, *, by):
    """Your output went through {by}: it is no longer a mean of the values.
    Attention mixes values and applies no other function; activations are in other parts of a model.
    What does your code do to the product of weights and values?"""
    return ACTIVATIONS[by](masked_attention(query, key, value, mask))


def turns_hidden_keys_into_zeros(query, key, value, mask=None):
    """Keys and values that no query may look at become zeros, and that is all the mask does.
    A key of zeros has a score of 0, and the exponential of 0 is 1: it still takes a share from the others.
    A mask works on scores, before softmax. Does yours get there?"""
    if mask is None:
        return masked_attention(query, key, value)
    seen = np.broadcast_to(mask, (*query.shape[:-1], key.shape[-2])).any(axis=-2)[..., None]
    return masked_attention(query, key * seen, value * seen)
