"""What people get wrong about `multi_head_by_loop`."""

import math

import numpy as np
from array_api_compat import array_namespace

import mha_ref
from autograder.mistakes import mistake
from mha_lessons.lesson_00_start_here.exercises import weighted_mean
from mha_lessons.lesson_01_softmax.exercises import softmax
from mha_lessons.lesson_02_scaled_dot_product.exercises import attention_scores
from mha_lessons.lesson_03_masks.exercises import masked_attention
from mha_lessons.lesson_04_single_head.exercises import attention_head

from ..exercises import concatenate_heads, mix_heads, multi_head_by_loop


def _each(x, w_query, w_key, w_value, mask):
    return [mha_ref.attention_head(x, *weights, mask) for weights in zip(w_query, w_key, w_value)]


def _first_of_all(w):
    """The first head's matrix for every head; only indices, so that it works in every library."""
    return w[[0] * len(w)]


def shares_the_weights_of_head_0(x, w_query, w_key, w_value, w_output, mask=None):
    """All your heads are the same head: each of them uses the matrices of head 0.
    Heads can differ only because each has its own three matrices.
    Is there a 0 where the number of the head should be?"""
    w_query, w_key, w_value = (_first_of_all(w) for w in (w_query, w_key, w_value))
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask)


def gives_every_head_the_same_map(x, w_query, w_key, w_value, w_output, mask=None):
    """All your heads attend alike: their queries and keys are made with the matrices of head 0.
    Their values differ, but each head should also look in its own way.
    Look at the index of `w_query` and of `w_key`."""
    return multi_head_by_loop(x, _first_of_all(w_query), _first_of_all(w_key), w_value, w_output, mask)


@mistake(shared=("w_query", "w_key", "w_value"))
def shares_one_of_the_matrices(x, w_query, w_key, w_value, w_output, mask=None, *, shared):
    """Every head uses the `{shared}` of head 0; those of the other heads have no influence on your output.
    Some models share matrices on purpose, to save memory, but then only one is given.
    Here each head has three of its own. Look at the indices."""
    weights = dict(w_query=w_query, w_key=w_key, w_value=w_value)
    weights[shared] = _first_of_all(weights[shared])
    return multi_head_by_loop(x, **weights, w_output=w_output, mask=mask)


def _in_order(w, order):
    """The heads' matrices, of which head i gets the one of that order."""
    heads = range(len(w))
    return w[[{"before": i - 1, "after": (i + 1) % len(w), "from the end": -1 - i, "minus": -i}[order] for i in heads]]


@mistake(mixed=("w_query", "w_key", "w_value"), order=("before", "after", "from the end", "minus"))
def takes_the_matrix_of_another_head(x, w_query, w_key, w_value, w_output, mask=None, *, mixed, order):
    """Some of your heads use the `{mixed}` of another head, together with two matrices of their own.
    The three matrices of a head have learned together, and only they fit together.
    Look at the index of `{mixed}` in each turn: is something added or subtracted, or does it count from the end?"""
    weights = dict(w_query=w_query, w_key=w_key, w_value=w_value)
    weights[mixed] = _in_order(weights[mixed], order)
    return multi_head_by_loop(x, **weights, w_output=w_output, mask=mask)


def attends_once_for_all_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """Your code makes one map for all heads: their columns are joined first, and then they attend as one wide head.
    With a single softmax, each query can look in one way only.
    Let each head attend by itself, with its own few columns, and join the results afterwards."""
    query, key, value = (mha_ref.concatenate_heads(*(x @ w for w in stack)) for stack in (w_query, w_key, w_value))
    return mix_heads(masked_attention(query, key, value, mask), w_output)


def averages_the_maps(x, w_query, w_key, w_value, w_output, mask=None):
    """All your heads use one map: the mean of their attention weights.
    An average over heads is fine for a picture, but it loses which head looked where.
    Each head mixes its values with its own weights."""
    maps = [mha_ref.masked_weights(x @ q, x @ k, mask) for q, k in zip(w_query, w_key)]
    mean = sum(maps[1:], start=maps[0]) / len(maps)
    return mix_heads(concatenate_heads(*(weighted_mean(mean, x @ w) for w in w_value)), w_output)


def lets_the_heads_compete(x, w_query, w_key, w_value, w_output, mask=None):
    """Your attention weights sum to 1 over the heads, not over the keys.
    The weights of each head should sum to 1 on their own, over the keys that it may look at.
    In a tensor with one axis for heads, one for queries and one for keys: along which does your softmax run?"""
    scores = [np.asarray(attention_scores(x @ q, x @ k)) for q, k in zip(w_query, w_key)]
    filled = np.stack(scores) if mask is None else np.where(mask, scores, -np.inf)
    each = [m @ np.asarray(x @ w) for m, w in zip(np.nan_to_num(softmax(filled, axis=0)), w_value)]
    return np.concatenate(each, axis=-1) @ np.asarray(w_output)


def scales_by_all_heads_together(x, w_query, w_key, w_value, w_output, mask=None):
    """Your scores are divided by the root of the columns of *all* heads together.
    The dot product of one head sums over its own columns only, and there are fewer of them.
    Take the size from the query of one head, after its projection."""
    return multi_head_by_loop(x, w_query / len(w_query) ** 0.5, w_key, w_value, w_output, mask)


def scales_by_an_equal_share_of_the_model(x, w_query, w_key, w_value, w_output, mask=None):
    """Your scores were divided by the root of model_size / heads. Heads often are that wide, but they need not be
    here: the last axis of `w_query` tells how many products a score adds up.
    Which tensor does your divisor come from?"""
    share, size = x.shape[-1] / len(w_query), w_query.shape[-1]
    return multi_head_by_loop(x, w_query * math.sqrt(size / share), w_key, w_value, w_output, mask)


def scales_by_the_count_of_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """Your scores are divided by the root of the number of heads.
    The number under the root should be the number of terms in a dot product: the columns of one head.
    Which length of which tensor is that?"""
    w_query = w_query * (w_query.shape[-1] / len(w_query)) ** 0.5
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask)


def adds_the_heads_before_mixing(x, w_query, w_key, w_value, w_output, mask=None):
    """Every head meets the same rows of the output weights, the first ones, as if all heads were added up.
    The rows of `w_output` come in blocks, one for each head; after a sum, it cannot tell the heads apart.
    Give each head its own block, or put the heads side by side first."""
    each = _each(x, w_query, w_key, w_value, mask)
    return mix_heads(sum(each[1:], start=each[0]), w_output[: w_query.shape[-1]])


def returns_one_head_unmixed(x, w_query, w_key, w_value, w_output, mask=None):
    """Your result is that of head 0 alone, as narrow as one head.
    Put the results of all heads side by side; `w_output` then makes them as wide as the model.
    Is `return` inside the loop? Then the loop ends in its first turn."""
    return attention_head(x, w_query[0], w_key[0], w_value[0], mask)


def returns_the_last_head_unmixed(x, w_query, w_key, w_value, w_output, mask=None):
    """Your result is that of the last head alone, as narrow as one head.
    Every turn of your loop replaces what the turn before has made.
    Keep all the results, put them side by side, and let `w_output` mix them."""
    return attention_head(x, w_query[-1], w_key[-1], w_value[-1], mask)


@mistake(which=("first", "last"))
def mixes_one_head_only(x, w_query, w_key, w_value, w_output, mask=None, *, which):
    """Only the {which} head has an influence on your output, through its own rows of `w_output`.
    The output should hold what all heads have found.
    Does your loop end too early, or does each turn replace the result of the turn before?"""
    head, size = (0 if which == "first" else -1), w_query.shape[-1]
    rows = w_output[:size] if which == "first" else w_output[-size:]
    return attention_head(x, w_query[head], w_key[head], w_value[head], mask) @ rows


@mistake(which=("first", "last"))
def leaves_one_head_out(x, w_query, w_key, w_value, w_output, mask=None, *, which):
    """The {which} head has no influence on your output.
    Heads are numbered from 0, and there are as many as the first axis of `w_query` is long.
    Where does your loop begin, and where does it end?"""
    left = slice(1, None) if which == "first" else slice(None, -1)
    size = w_query.shape[-1]
    rows = w_output[size:] if which == "first" else w_output[:-size]
    return multi_head_by_loop(x, w_query[left], w_key[left], w_value[left], rows, mask)


def loops_over_two_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """Only heads 0 and 1 have an influence on your output.
    The caller decides how many heads there are, and the weights show it: their first axis counts the heads.
    Use its length instead of a fixed number."""
    rows = w_output[: 2 * w_query.shape[-1]]
    return multi_head_by_loop(x, w_query[:2], w_key[:2], w_value[:2], rows, mask)


def _pieces(model_size, heads, size):
    """For each head some of the columns of x."""
    return [slice(head * size, min((head + 1) * size, model_size)) for head in range(heads)]


@mistake(rounded=("down", "up", "not at all"))
def gives_every_head_a_piece_of_x(x, w_query, w_key, w_value, w_output, mask=None, *, rounded):
    """Each of your heads reads only a piece of every token, a few columns of `x` and as many rows of its matrices.
    Every head gets whole tokens: that is why its matrices have model_size rows.
    A head *makes* fewer columns; it does not read fewer."""
    heads, model_size, size = w_query.shape
    share = {"down": model_size // heads, "up": -(-model_size // heads), "not at all": size}[rounded]
    each = []
    for head, s in enumerate(_pieces(model_size, heads, share)):
        each.append(attention_head(x[..., s], w_query[head, s], w_key[head, s], w_value[head, s], mask))
    return mix_heads(concatenate_heads(*each), w_output)


def cuts_the_values_out_of_x(x, w_query, w_key, w_value, w_output, mask=None):
    """Your heads pass on columns of `x` itself; `w_value` has no influence.
    Head 0 mixes the first columns, head 1 the next, as if `x` had been cut up into values.
    A head makes its values from the whole token, with its own matrix."""
    heads, model_size, size = w_query.shape
    each = []
    for head, s in enumerate(_pieces(model_size, heads, size)):
        each.append(masked_attention(x @ w_query[head], x @ w_key[head], x[..., s], mask))
    return mix_heads(concatenate_heads(*each), w_output)


def chains_the_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """Your second head reads what the first has made, the third what the second has made, and so on.
    Heads work side by side: each of them reads `x` itself, and knows nothing of the others.
    Does a line in your loop overwrite `x`?"""
    each = []
    for weights in zip(w_query, w_key, w_value):
        x = attention_head(x, *weights, mask)
        each.append(x)
    return mix_heads(concatenate_heads(*each), w_output)


def adds_what_a_head_found_to_x(x, w_query, w_key, w_value, w_output, mask=None):
    """Your second head reads `x` plus what the first has found, the third what both have found, and so on.
    Heads work side by side: each of them reads `x` as it came in, and their results are added up at the end.
    Does a line in your loop overwrite `x`?"""
    size, before = w_query.shape[-1], x
    for head in range(len(w_query)):
        rows = w_output[head * size : (head + 1) * size]
        x = x + attention_head(x, w_query[head], w_key[head], w_value[head], mask) @ rows
    return x - before


@mistake(turned=("every second head, from the first on,", "every second head, from the second on,"))
def turns_the_mask_round_for_some_heads(x, w_query, w_key, w_value, w_output, mask=None, *, turned):
    """Without a mask your result is right. With one, {turned} does the opposite: it looks only at blocked keys.
    All heads get the same mask, but a name that gets a new value in a loop keeps it in the next turn.
    Which line inverts the mask, and how often does it run?"""
    if mask is None:
        return multi_head_by_loop(x, w_query, w_key, w_value, w_output)
    masks = [mask if (head % 2 == 1) == ("first" in turned) else ~mask for head in range(len(w_query))]
    each = [attention_head(x, *four) for four in zip(w_query, w_key, w_value, masks)]
    return mix_heads(concatenate_heads(*each), w_output)


def keeps_every_head_in_its_own_columns(x, w_query, w_key, w_value, w_output, mask=None):
    """Each head changes only a few columns of your output: a square piece of `w_output` was used for each.
    Then the heads are never combined.
    A head's block has some of the rows, but *all* the columns, so that every head can write everywhere."""
    size = w_query.shape[-1]
    blocks = [slice(head * size, (head + 1) * size) for head in range(len(w_query))]
    each = _each(x, w_query, w_key, w_value, mask)
    return concatenate_heads(*(result @ w_output[block, block] for result, block in zip(each, blocks)))


def reads_the_stacked_weights_on(x, w_query, w_key, w_value, w_output, mask=None):
    """Your heads work with matrices that do not exist: each is made of pieces of several.
    A reshape reads numbers as they are stored, and in the stack all of head 0 comes before head 1.
    Move the axis of the heads before you reshape, or take the matrices one by one."""
    heads, model_size, size = w_query.shape
    misread = [w.reshape(model_size, heads, size).swapaxes(0, 1) for w in (w_query, w_key, w_value)]
    return multi_head_by_loop(x, *misread, w_output, mask)


def masks_the_first_head_only(x, w_query, w_key, w_value, w_output, mask=None):
    """The mask reaches head 0 alone; the other heads look at blocked keys.
    One leaking head is enough: what it sees is mixed into the whole output.
    Every head gets the same mask."""
    size = w_query.shape[-1]
    first = multi_head_by_loop(x, w_query[:1], w_key[:1], w_value[:1], w_output[:size], mask)
    if len(w_query) == 1:
        return first
    return first + multi_head_by_loop(x, w_query[1:], w_key[1:], w_value[1:], w_output[size:])


def indexes_the_mask_by_head(x, w_query, w_key, w_value, w_output, mask=None):
    """Each of your heads gets one slice of the mask, as if it were stacked head by head.
    The weights are stacked like this, but the mask is not: it says which tokens may look at which, in every head.
    Pass the whole mask to every head."""
    masks = [None if mask is None else mask[head] for head in range(len(w_query))]
    each = [attention_head(x, *four) for four in zip(w_query, w_key, w_value, masks)]
    return mix_heads(concatenate_heads(*each), w_output)


def lines_up_the_texts_of_a_mask_with_the_heads(x, w_query, w_key, w_value, w_output, mask=None):
    """The batch axis of the mask meets your axis of heads: the first text's mask goes to head 0, the next to head 1.
    If there are not as many texts as heads, the code stops.
    With all heads at once, the scores have one more axis than the mask. Which one?"""
    query, key, value = (x[..., None, :, :] @ w for w in (w_query, w_key, w_value))
    each = masked_attention(query, key, value, mask)
    return mix_heads(concatenate_heads(*(each[..., head, :, :] for head in range(len(w_query)))), w_output)


def joins_the_heads_as_rows(x, w_query, w_key, w_value, w_output, mask=None):
    """Your heads are stacked as rows, so what meets `w_output` has too many rows and too few columns.
    Each token should keep one row, with the columns of all heads in it.
    `torch.cat` makes the first axis longer unless you name another. Which axis should grow?"""
    each = _each(x, w_query, w_key, w_value, mask)
    return mix_heads(array_namespace(*each).concat(each, axis=-2), w_output)


@mistake(axis=(0, 1, -2))
def stacks_the_heads_without_joining(x, w_query, w_key, w_value, w_output, mask=None, *, axis):
    """Your heads are on an axis of their own, so what meets `w_output` still has the columns of one head.
    (In the error, torch counts all axes but the last as rows.)
    `torch.stack` makes a new axis; here an existing one should grow. Which function does that, and along which axis?"""
    each = _each(x, w_query, w_key, w_value, mask)
    return mix_heads(array_namespace(*each).stack(each, axis=axis), w_output)


def brings_one_head_to_the_output_weights(x, w_query, w_key, w_value, w_output, mask=None):
    """What meets `w_output` is as narrow as one head.
    That happens if heads are added up, overwrite each other, or meet it inside the loop.
    Keep all results, put them side by side, and multiply once. What do you multiply now?"""
    return mix_heads(attention_head(x, w_query[-1], w_key[-1], w_value[-1], mask), w_output)


def joins_one_head_too_few(x, w_query, w_key, w_value, w_output, mask=None):
    """What meets `w_output` lacks the columns of one head.
    Heads are numbered from 0, and there are as many as the first axis of `w_query` is long.
    How many results are in your list after the loop, for three heads?"""
    each = _each(x, w_query[1:], w_key[1:], w_value[1:], mask)
    return mix_heads(concatenate_heads(*each), w_output)


def multiplies_the_output_weights_from_the_left(x, w_query, w_key, w_value, w_output, mask=None):
    """`w_output` is on the left of your product, so its columns meet the tokens.
    Its rows should meet the columns of the heads.
    Which of the two comes first in `@`?"""
    return w_output @ concatenate_heads(*_each(x, w_query, w_key, w_value, mask))


def adds_x_to_the_mixture(x, w_query, w_key, w_value, w_output, mask=None):
    """`x` was added to your output.
    Such a sum (a residual connection) belongs outside attention; in lesson 07 you will write it there.
    Here the output is the mixture of what the heads have found, and nothing else."""
    return multi_head_by_loop(x, w_query, w_key, w_value, w_output, mask) + x
