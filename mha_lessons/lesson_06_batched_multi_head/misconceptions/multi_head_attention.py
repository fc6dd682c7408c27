"""What people get wrong about `multi_head_attention`."""

import numpy as np

from autograder.mistakes import mistake
from mha_lessons.lesson_02_scaled_dot_product.activations import layer_norm

from ..exercises import multi_head_attention


def adds_the_query_to_the_result(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """The query was added to your output.
    In a whole model such a sum, a residual connection, goes around attention, and you will write it in the next
    lesson.
    Here the output is what the heads found, and nothing else."""
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask) + query


def uses_the_value_weights_as_output(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """`w_output` has no influence on your result: the last product uses `w_value` a second time.
    The four matrices have the same shape, so there is no error.
    Which one combines the heads' results, at the very end?"""
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_value, heads, mask)


def swaps_value_and_output_weights(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """`w_value` and `w_output` are swapped.
    They have the same shape, so there is no error.
    One makes values before the heads attend, the other mixes what the heads found, at the very end."""
    return multi_head_attention(query, key, value, w_query, w_key, w_output, w_value, heads, mask)


def mixes_each_head_by_the_first_rows(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your heads' results are added up too early: all of them go through the same rows of `w_output`.
    Each head has its own rows there, so that the model can tell their results apart.
    Put the heads side by side first, then multiply once."""
    size = w_output.shape[0] // heads
    same = np.concatenate([w_output[:size]] * heads)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, same, heads, mask)


@mistake(which=("first", "last"))
def keeps_the_output_of_one_head(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """Only the {which} head has an influence on your output, through its own rows of `w_output`.
    The output is a sum over all heads, each through its own rows.
    Does each turn of your loop add to the sum, or replace it? Does the loop end too early?"""
    size = w_output.shape[0] // heads
    block = np.arange(heads).repeat(size) == (0 if which == "first" else heads - 1)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output * block[:, None], heads, mask)


def shares_the_first_block_of_weights(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """All your heads are the same: each is projected with the first block of columns.
    Head i has the columns from i · head_size on, in each of the three matrices.
    Does your slice depend on the head?"""
    size = w_query.shape[-1] // heads
    first = (np.tile(w[:, :size], heads) for w in (w_query, w_key, w_value))
    return multi_head_attention(query, key, value, *first, w_output, heads, mask)


OTHERS = {"w_query": 0, "w_key": 1}


@mistake(which=tuple(OTHERS))
def swaps_the_output_weights_with_others(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which
):
    """`{which}` and `w_output` are swapped.
    They have the same shape, so there is no error.
    One works on the tokens before the heads attend, the other mixes what the heads found, at the very end."""
    matrices = [w_query, w_key, w_value, w_output]
    matrices[OTHERS[which]], matrices[3] = w_output, matrices[OTHERS[which]]
    return multi_head_attention(query, key, value, *matrices, heads, mask)


@mistake(which=tuple(OTHERS))
def uses_other_weights_as_output(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """`w_output` has no influence on your result: the last product uses `{which}` a second time.
    The four matrices have the same shape, so there is no error.
    Which one combines the heads' results, at the very end?"""
    again = (w_query, w_key)[OTHERS[which]]
    return multi_head_attention(query, key, value, w_query, w_key, w_value, again, heads, mask)


def _blocks_on_the_diagonal(w, heads):
    """The same matrix, with zeros wherever rows and columns belong to different heads."""
    of_head = np.arange(len(w)) // (len(w) // heads)
    return np.where(of_head[:, None] == of_head, w, 0)


def keeps_each_head_in_its_own_columns(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Each of your heads is multiplied by a square block of `w_output`, so what it found stays in its own
    columns, and the heads are never combined.
    A head has its own *rows* there, and these have all columns.
    Put the heads side by side first, then multiply once, by the whole matrix."""
    alone = _blocks_on_the_diagonal(w_output, heads)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, alone, heads, mask)


def splits_the_columns_before_projecting(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Each of your heads sees only a block of the tokens' features: you split before the projection.
    A head should read all features; split the result of the projection.
    Which comes first in your code?"""
    alone = (_blocks_on_the_diagonal(w, heads) for w in (w_query, w_key, w_value))
    return multi_head_attention(query, key, value, *alone, w_output, heads, mask)


def mixes_the_mean_of_the_heads(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your heads' results are averaged too early: their mean goes through the first rows of `w_output`.
    Each head has its own rows there, so that the model can tell their results apart.
    Put the heads side by side first, then multiply once."""
    size = w_output.shape[0] // heads
    same = np.concatenate([w_output[:size]] * heads) / heads
    return multi_head_attention(query, key, value, w_query, w_key, w_value, same, heads, mask)


@mistake(which=("query, key and value", "query"))
def normalises_the_sequences_first(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """A layer norm comes before your projections: {which} went through it.
    Such a norm often comes before attention, as in the next lesson, but it is not part of attention.
    Project the sequences as they come in."""
    sequences = layer_norm(query), *((key, value) if which == "query" else map(layer_norm, (key, value)))
    return multi_head_attention(*sequences, w_query, w_key, w_value, w_output, heads, mask)


def adds_the_query_and_normalises(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """The query was added to your output, and the sum went through a layer norm.
    In a whole model both go around attention, and you will write them in the next lesson.
    Here the output is what the heads found, and nothing else."""
    return layer_norm(multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask) + query)
