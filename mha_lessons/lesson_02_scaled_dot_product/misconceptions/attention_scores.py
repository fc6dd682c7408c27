"""What people get wrong about `attention_scores`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.activations import ACTIVATIONS, NORMS

from ..exercises import attention_scores, similarity
from .similarity import _unit


def scales_by_the_number_of_keys(query, key):
    """You took the root of the number of keys. How many keys there are does not change how large one score is.
    A score is a sum of products, one for each feature.
    Which axis of the query is summed over?"""
    return mha_ref.scale(similarity(query, key), key.shape[-2])


def scales_by_the_number_of_queries(query, key):
    """You took the root of the number of queries. How many queries there are does not change how large one score is.
    A score is a sum of products, one for each feature.
    Which axis of the query is summed over?"""
    return mha_ref.scale(similarity(query, key), query.shape[-2])


@mistake(which=(0, 1))
def scales_by_the_first_axis(query, key, *, which):
    """You took the root of the length of the first axis, which is also what `len` gives.
    That axis holds queries or keys, and with a batch it holds the batch.
    Features are always the last axis: count from the end."""
    return mha_ref.scale(similarity(query, key), (query, key)[which].shape[0])


@mistake(which=(0, 1))
def scales_by_the_second_axis(query, key, *, which):
    """You took the root of the length of axis 1.
    Without a batch that axis holds the features. With a batch in front it holds queries, keys, or something else.
    Features are always the last axis: count from the end."""
    return mha_ref.scale(similarity(query, key), (query, key)[which].shape[1])


@mistake(name=("query", "key"))
def divides_by_the_roots_of_a_whole_shape(query, key, *, name):
    """You divided by the root of a whole `.shape`, which is one root for each axis.
    Usually NumPy stops there; where it does not, each column of your scores gets a divisor of its own.
    Only one of these lengths is the number of features. Where in the shape is it?"""
    return similarity(query, key) / np.sqrt((query if name == "query" else key).shape)


@mistake(name=("query", "key"))
def scales_by_the_size_of_the_whole_array(query, key, *, name):
    """You took the root of the number of all entries in `{name}`, which is what `.size` gives.
    One score sums over the features of one row, not over every row.
    The length of a single axis is in `.shape`."""
    return mha_ref.scale(similarity(query, key), (query if name == "query" else key).size)


def scales_by_the_number_of_axes(query, key):
    """You took the root of the number of axes, which is what `.ndim` gives: 2 for a matrix.
    In attention, "dimension" means something else: the number of features of a query.
    That is the length of its last axis."""
    return mha_ref.scale(similarity(query, key), query.ndim)


@mistake(axis=(-1, None))
def divides_by_the_length_of_the_query(query, key, *, axis):
    """You divided by the length of the query as an arrow, the root of the sum of its squares (its norm).
    That removes how strongly the query asks, and differs from query to query or batch to batch.
    The root needed here counts features and ignores how large they are."""
    return similarity(query, key) / np.linalg.norm(query, axis=axis, keepdims=True)


def subtracts_the_maximum_too_early(query, key):
    """The largest score of each row is 0: you subtracted the maximum here, and that belongs to softmax.
    Softmax subtracts the maximum to keep `exp` from overflowing, and does that by itself.
    A score says how well a key fits, and may well be large."""
    scores = attention_scores(query, key)
    return scores - scores.max(axis=-1, keepdims=True)


def applies_softmax_too_early(query, key):
    """You took softmax of the scores, and then used the result as if it were still scores.
    Scores may have any sign and any size; turning them into shares is a step of its own, taken once.
    Go through the functions you call: how often is softmax taken, and should it be taken in this function at all?"""
    return mha_ref.softmax(attention_scores(query, key))


def serves_one_batch_axis(query, key):
    """Without a batch, or with one axis in front, your scores are right; with two your code stops.
    It relies on one axis in front, in a loop, an index or a transpose of three axes.
    Count axes from the end: -1 is features, -2 is tokens, and any number may come before them."""
    if query.ndim > 3:
        raise ValueError("more than one axis in front")
    return attention_scores(query, key)


def expects_exactly_one_batch_axis(query, key):
    """Your code expects exactly one batch axis in front; without one, or with two, it stops.
    It names axes from the front, or unpacks exactly three sizes.
    Count axes from the end: -1 is features, -2 is tokens, and any number may come before them."""
    return attention_scores(query, key.transpose(0, 2, 1).mT)


@mistake(by=tuple(ACTIVATIONS))
def bends_the_scores(query, key, *, by):
    """Your scores went through {by} on their way to softmax.
    A score may be negative, and it may be large: that is how it says how badly or how well a key fits.
    Softmax turns scores of any size into shares. Which function is between the division and softmax?"""
    return ACTIVATIONS[by](attention_scores(query, key))


@mistake(on=("large", "spread", "hidden_large"), bound=(1.0, 5.0, 10.0))
def holds_the_scores_within_bounds(query, key, *, bound):
    """Your scores were clipped: none is above {bound:g}, and none below -{bound:g}.
    Then two keys beyond the bound look equally good, though one fits better.
    Softmax can handle large scores, since it subtracts the maximum first. Is there a `clip` or `clamp` before it?"""
    return np.clip(attention_scores(query, key), -bound, bound)


@mistake(cap=(10.0, 20.0, 30.0, 50.0))
def caps_the_scores_softly(query, key, *, cap):
    """Your scores were squeezed between -{cap:g} and {cap:g} by tanh.
    Some large models cap their scores like this; plain attention uses them as they are.
    What happens between the division and softmax?"""
    return cap * np.tanh(attention_scores(query, key) / cap)


def takes_plain_cosines_as_scores(query, key):
    """Your scores are cosines, and they are not scaled: you divided queries and keys by their own lengths.
    A cosine compares only directions and stays between -1 and 1. In plain attention a long query chooses sharply.
    Leave both as they are, and divide their dot products by √features."""
    return similarity(_unit(query), _unit(key))


@mistake(norm=tuple(NORMS))
def normalises_queries_and_keys(query, key, *, norm):
    """Queries and keys went through {norm} before they met.
    (Some models do so, and call it QK-norm.) In plain attention both are used as they are: the longer a query, the
    surer it is of its choice.
    Which lines come before your product?"""
    return attention_scores(NORMS[norm](query), NORMS[norm](key))
