"""What people get wrong about `masked_attention`."""

import math

import numpy as np

import mha_ref
from mha_lessons.lesson_02_scaled_dot_product.activations import ACTIVATIONS

from ..exercises import masked_attention


@masked_attention.misconception
def mixes_the_keys(query, key, value, mask=None):
    """Your output is a mean of the keys.
    A key is what a token offers for comparison; what it hands over is its value.
    Which of the two do your weights mix?"""
    return masked_attention(query, key, key, mask)


@masked_attention.misconception
def swaps_key_and_value(query, key, value, mask=None):
    """Key and value have changed places: queries were compared with values, and keys were mixed.
    A key is for comparing, a value is for handing over.
    Check the order of your arguments, and of the parameters they go to."""
    return masked_attention(query, value, key, mask)


@masked_attention.misconception
def compares_with_the_values(query, key, value, mask=None):
    """The keys have no influence on your output: the queries were compared with the values.
    Scores come from query and key; the value enters at the end, when the weights are known.
    Which array is in your scores?"""
    return masked_attention(query, value, value, mask)


@masked_attention.misconception
def mixes_the_queries(query, key, value, mask=None):
    """Your output is a mean of the queries.
    A query is what a token looks for; what is handed over is the value of the tokens it finds.
    Which array do your weights mix?"""
    return masked_attention(query, key, query, mask)


@masked_attention.misconception
def takes_arguments_as_value_key_query(query, key, value, mask=None):
    """Query and value have changed places, as if the order were value, key, query.
    Some code elsewhere uses that order; here it is query, key, value.
    Compare the order of your parameters with the stub's."""
    return masked_attention(value, key, query, mask)


@masked_attention.misconception
def masks_the_output(query, key, value, mask=None):
    """The mask was multiplied into the output, when the values were mixed already.
    The output has an axis for features where the mask has its keys, so this cannot take single keys out.
    A mask acts on scores, before softmax."""
    return masked_attention(query, key, value) if mask is None else masked_attention(query, key, value) * mask


@masked_attention.misconception
def adds_the_query_back(query, key, value, mask=None):
    """The query was added to your output.
    A sum of this kind (a residual connection) is outside attention, and a later lesson uses it there.
    Here the output is the weighted mean of the values and nothing else."""
    return masked_attention(query, key, value, mask) + query


@masked_attention.misconception
def adds_the_value_back(query, key, value, mask=None):
    """The value was added to your output.
    Each token's own value is in the weighted mean already, with the weight that its score earned.
    The output is this mean and nothing else."""
    return masked_attention(query, key, value, mask) + value


@masked_attention.misconception(decimals=(1, 2, 3, 4))
def rounds_the_output(query, key, value, mask=None, *, decimals):
    """Your output is rounded, and what is cut off is lost to all that follows. Decimals that are left: {decimals}.
    Rounding is for numbers that people read, and other code goes on with these.
    Is there a `round` in your last line?"""
    return np.round(masked_attention(query, key, value, mask), decimals)


@masked_attention.misconception
def scales_by_the_value_size(query, key, value, mask=None):
    """The scores were divided by the root of the value's size.
    What a dot product of query and key sums over is their features, and values may be longer or shorter than that.
    From which array do you take the size?"""
    return masked_attention(query * np.sqrt(query.shape[-1] / value.shape[-1]), key, value, mask)


@masked_attention.misconception
def needs_a_mask(query, key, value, mask=None):
    """Without a mask your code stops with an error.
    A mask of None forbids nothing: every query may look at every key.
    Ask `mask is None` before you use it."""
    if mask is None:
        raise TypeError
    return masked_attention(query, key, value, mask)


@masked_attention.misconception(empty=(0.0, np.nan))
def reads_no_mask_as_nothing_allowed(query, key, value, mask=None, *, empty):
    """Where no mask is given, every number of your output is {empty:g}.
    Was nothing summed up, or did `mask=None` block every key? For `np.where`, None counts as False.
    Without a mask every key is allowed, so ask `mask is None` before you use it."""
    if mask is None:
        return masked_attention(query, key, value) * 0 + empty
    return masked_attention(query, key, value, mask)


@masked_attention.misconception
def counts_tokens_from_the_front(query, key, value, mask=None):
    """Where no mask is given, your code makes one, and with a batch in front it has the wrong size.
    The first length of a shape is the number of tokens only without a batch.
    Which two axes hold the numbers of queries and keys, counted from the end?"""
    everything = np.ones((query.shape[0], key.shape[0]), dtype=bool)
    return masked_attention(query, key, value, everything if mask is None else mask)


@masked_attention.misconception(counted=("queries", "keys"))
def makes_a_square_mask_of_none(query, key, value, mask=None, *, counted):
    """Where no mask is given, your code makes one, and it is a square: both its lengths are the number of {counted}.
    There can be more keys than queries, or fewer.
    A mask has a row for each query and a column for each key; from which two arrays do you read the sizes?"""
    tokens = {"queries": query, "keys": key}[counted].shape[-2]
    return masked_attention(query, key, value, np.ones((tokens, tokens), dtype=bool) if mask is None else mask)


@masked_attention.misconception
def is_always_causal(query, key, value, mask=None):
    """Later tokens are hidden, though no one asked for it.
    Attention is causal only where a causal mask is given.
    Hide what the mask hides, and nothing else; is there a triangle left in your code?"""
    causal = mha_ref.causal_mask(query.shape[-2], key.shape[-2])
    return masked_attention(query, key, value, causal if mask is None else mask & causal)


@masked_attention.misconception
def uses_masks_of_two_axes_only(query, key, value, mask=None):
    """A mask with more than two axes has no influence on your output.
    Such a mask has an answer for each sentence of a batch, as a padding mask does.
    Is there an `if` that lets only some shapes through? Broadcasting takes them all."""
    return masked_attention(query, key, value, mask if mask is None or mask.ndim < 3 else None)


@masked_attention.misconception
def averages_over_the_allowed_keys(query, key, value, mask=None):
    """Your output is the right one, divided again by the number of keys that take part.
    The weights of a row sum to 1, so their sum of values is a mean already.
    Where does your code count keys, or take a `mean`?"""
    scores = mha_ref.attention_scores(query, key)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape).sum(axis=-1, keepdims=True)
    return masked_attention(query, key, value, mask) / np.maximum(allowed, 1)


@masked_attention.misconception
def hands_the_masks_out_in_turn(query, key, value, mask=None):
    """Where two axes are in front, such as texts and heads, and the mask lacks one, masks go to wrong places.
    The axes in front were made one, and the masks were dealt out in turn.
    But a text comes with all its heads, and then the next one. Broadcasting knows that, as long as no axis is lost."""
    if mask is None or mask.ndim < 3:
        return masked_attention(query, key, value, mask)
    flat, front = mask.reshape(-1, *mask.shape[-2:]), query.shape[:-2]
    in_turn = flat[np.arange(math.prod(front)) % len(flat)].reshape(*front, *mask.shape[-2:])
    return masked_attention(query, key, value, in_turn)


@masked_attention.misconception(forgotten=("output", "sum", "sum and output"))
def forgets_to_rescale_what_was_summed_up(query, key, value, mask=None, *, forgotten):
    """You go through the keys with a running maximum, and that is fine. But when a larger score comes, all that was
    summed up so far was made with the old maximum. The {forgotten} of yours stayed as it was.
    By which factor do the old exponentials become those with the new maximum?"""
    scores = mha_ref.attention_scores(query, key)
    hidden = np.where(True if mask is None else mask, scores, -np.inf)
    running = np.maximum.accumulate(hidden, axis=-1)
    stale, fresh = (np.exp(hidden - np.where(np.isinf(top), 0, top)) for top in (running, running[..., -1:]))
    total = (stale if "sum" in forgotten else fresh).sum(axis=-1, keepdims=True)
    return (stale if "output" in forgotten else fresh) / np.where(total == 0, 1, total) @ value


@masked_attention.misconception(by=("ReLU", "GELU", "tanh"))
def bends_the_mean_of_the_values(query, key, value, mask=None, *, by):
    """Your output went through {by}: it is no longer a mean of the values.
    What attention hands on is mixed and not bent; activations are in other parts of a model.
    What is done to the product of weights and values?"""
    return ACTIVATIONS[by](masked_attention(query, key, value, mask))
