"""What people get wrong about `attend_by_heads`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake
from mha_lessons.lesson_01_softmax.exercises import softmax
from mha_lessons.lesson_02_scaled_dot_product.exercises import attention_scores
from mha_lessons.lesson_03_masks.exercises import masked_attention
from mha_lessons.lesson_05_multi_head.misconceptions.concatenate_heads import _one_of_many

from ..exercises import attend_by_heads, merge_heads, split_heads


def _in_one_piece(x, heads):
    """(..., tokens, model_size) -> (..., heads, tokens, head_size), without moving a number."""
    return x.reshape(*x.shape[:-2], heads, x.shape[-2], -1)


def cuts_the_sentence_instead_of_the_columns(query, key, value, heads, mask=None):
    """Your heads divide the tokens: head 0 has the first ones, with all their columns, and the last head has the
    last ones. Words of different heads never meet.
    A plain reshape does this, in the split and in the merge, and the shapes fit.
    Split and merge each need a reshape *and* a transpose."""
    each = masked_attention(*(_in_one_piece(x, heads) for x in (query, key, value)), mask)
    return each.reshape(*query.shape[:-1], -1)


def scales_by_the_root_of_the_model_size(query, key, value, heads, mask=None):
    """Your scores were divided by the root of the model size.
    A dot product inside a head has only as many terms as the head has columns, model_size / heads, so your scores
    come out too small and the weights too even.
    What is the shape of the tensor from which you take the size?"""
    return attend_by_heads(query / heads**0.5, key, value, heads, mask)


def scales_by_the_root_of_the_heads(query, key, value, heads, mask=None):
    """Your scores were divided by the root of the number of heads.
    It should be the root of the number of terms in a dot product: the columns of one head.
    Look at the shape of a split tensor. Which axis holds the head's columns, and which one counts the heads?"""
    return attend_by_heads(query * (query.shape[-1] / heads**2) ** 0.5, key, value, heads, mask)


@mistake(axes=(3, 4, "3, and a mask of no more"))
def attends_with_one_big_head(query, key, value, heads, mask=None, *, axes):
    """All columns act as one head: they make one score for each pair of tokens, and `heads` has no influence.
    Several heads make several scores, each from its own columns, so they can look at several places at once.
    Split queries, keys and values into `heads` before they meet."""
    if axes == 4:
        return attend_by_heads(query, key, value, 1, mask)
    if axes != 3 and mask is not None and mask.ndim > query.ndim:
        raise ValueError("this mask has an axis for heads")
    return masked_attention(query, key, value, mask)


def deals_columns_in_turn_there_and_back(query, key, value, heads, mask=None):
    """Your heads take the columns in turn, as players take cards, and return them in the same way.
    This is attention, and a layer could learn with it.
    But the weights were made for other heads: there, a head is a block of neighbouring columns.
    How do you cut the last axis into two?"""

    def in_turn(x):
        return np.moveaxis(x.reshape(*x.shape[:-1], -1, heads), -1, -3)

    each = masked_attention(in_turn(query), in_turn(key), in_turn(value), mask)
    return np.moveaxis(each, -3, -1).reshape(*query.shape[:-1], -1)


@mistake(constant=(2, 4))
def always_splits_into_the_same_number_of_heads(query, key, value, heads, mask=None, *, constant):
    """Your code splits into {constant} heads, whatever `heads` says.
    The number of heads is an input, and the size of a head follows from it.
    Search your code for a number that should be a parameter."""
    return attend_by_heads(query, key, value, constant, mask)


def _over_an_axis(query, key, value, heads, mask, axis, blocked, nan=np.nan):
    """Attention whose softmax runs over another axis, where `blocked` is put in place of blocked scores."""
    scores = attention_scores(split_heads(query, heads), split_heads(key, heads))
    weights = softmax(scores if mask is None else np.where(mask, scores, blocked), axis)
    return merge_heads(np.nan_to_num(weights, nan=nan) @ split_heads(value, heads))


@mistake(blocked=(-1e9, -np.inf), nan=(0, np.nan))
def shares_out_over_the_heads(query, key, value, heads, mask=None, *, blocked, nan):
    """Your softmax runs over the axis of heads, so for each pair of tokens the heads compete with each other.
    The weights of each head should sum to 1 over the keys.
    The keys lie on the last axis, whatever is in front."""
    return _over_an_axis(query, key, value, heads, mask, -3, blocked, nan)


def shares_out_over_the_queries_of_each_head(query, key, value, heads, mask=None):
    """In each head your softmax runs over the queries: they compete for a key, and a query's weights do not sum to 1.
    The weights of each query should sum to 1 over the keys.
    The keys lie on the last axis, whatever is in front."""
    return _over_an_axis(query, key, value, heads, mask, -2, -1e9)


def hides_the_future_where_no_mask_is_given(query, key, value, heads, mask=None):
    """Where no mask is given, your code hides later tokens.
    Without a mask every query may look at every key. To hide the future, the caller passes a causal mask.
    What does your code do when the mask is None?"""
    unasked = mha_ref.causal_mask(query.shape[-2], key.shape[-2])
    return attend_by_heads(query, key, value, heads, unasked if mask is None else mask)


def looks_everywhere_in_spite_of_the_mask(query, key, value, heads, mask=None):
    """The mask has no influence: your result is the same as without it.
    The mask is optional, so no error reminds you of it.
    Which parameter have you not used yet? Or, if you have used it: does softmax read the new scores, or the old
    ones?"""
    return attend_by_heads(query, key, value, heads)


def reads_three_axes_as_texts(query, key, value, heads, mask=None):
    """Your code reads a mask with three axes as (batch, queries, keys), and adds an axis for the heads.
    A mask broadcasts to (batch, heads, queries, keys) like any array, aligned from the right: the first of
    three axes is that of the heads.
    A caller with a mask for each text adds that axis. Use the mask as it is."""
    mask = mask[:, None] if mask is not None and mask.ndim == 3 else mask
    return attend_by_heads(query, key, value, heads, mask)


def lets_the_whole_batch_attend(query, key, value, heads, mask=None):
    """The texts of your batch look at each other: batch and tokens became one axis.
    Each text should be treated as if it were the only one.
    Keep the batch as the first axis, in front of the heads, through all steps."""
    flat = (x.reshape(1, -1, x.shape[-1]) for x in (query, key, value))
    return attend_by_heads(*flat, heads, mask).reshape(query.shape)


def computes_the_first_item_only(query, key, value, heads, mask=None):
    """Every item of the batch got the result of the first one.
    Each item has its own tokens.
    Is there an index 0 where the whole batch should be?"""
    out = attend_by_heads(query, key, value, heads, mask)
    return np.broadcast_to(out[:1], out.shape)


def averages_the_maps_of_all_heads(query, key, value, heads, mask=None):
    """All your heads use one map, the mean over the heads.
    Then every token looks at the same places in each head, and several heads are no better than one.
    An average is fine for a picture, but to mix its values each head needs its own weights."""
    weights = mha_ref.masked_weights(split_heads(query, heads), split_heads(key, heads), mask)
    return merge_heads(weights.mean(axis=-3, keepdims=True) @ split_heads(value, heads))


def gives_every_head_the_map_of_the_first(query, key, value, heads, mask=None):
    """All your heads look where the first head looks: its weights were used for every head's values.
    Each head has queries and keys of its own, in its own columns.
    Is there an index 0 where all heads should be?"""
    weights = mha_ref.masked_weights(split_heads(query, heads), split_heads(key, heads), mask)
    return merge_heads(weights[..., :1, :, :] @ split_heads(value, heads))


def adds_an_axis_to_every_mask(query, key, value, heads, mask=None):
    """Your code adds an axis for the heads to every mask.
    The mask is ready to use: it broadcasts to (batch, heads, queries, keys), with an axis of length 1 where it makes no
    difference.
    With one more axis, texts and heads end up in other places. Use it as it is."""
    mask = None if mask is None else mask[..., None, :, :]
    return attend_by_heads(query, key, value, heads, mask)


@mistake(axis=(-3, 1, "1 of 4"))
def gives_all_heads_the_mask_of_the_first(query, key, value, heads, mask=None, *, axis):
    """Where heads have different masks, all of yours use the first head's.
    A mask may have a length of 1 on the axis of heads, and then it is the same for all.
    But it may also differ from head to head. Let it broadcast."""
    if mask is not None and mask.ndim > (3 if axis == "1 of 4" else 2):
        mask = mask[..., :1, :, :] if axis == -3 else mask[:, :1]
    return attend_by_heads(query, key, value, heads, mask)


def gives_all_texts_the_mask_of_the_first(query, key, value, heads, mask=None):
    """Every text of your batch uses the first one's mask.
    Texts of different lengths need masks of their own.
    A mask may have length 1 on the axis of the batch, and then it is the same for all; otherwise each item has its
    own part. Let it broadcast."""
    return attend_by_heads(query, key, value, heads, mask[:1] if mask is not None and mask.ndim == 4 else mask)


def forgets_the_mask_in_several_heads(query, key, value, heads, mask=None):
    """Only the first of your heads obeys the mask; the others look everywhere.
    What is hidden must be hidden from all heads, since each passes on what it sees.
    A mask broadcasts over the heads by itself."""
    every, first = (mha_ref.attend_by_heads(query, key, value, heads, m) for m in (None, mask))
    size = query.shape[-1] // heads
    return np.concatenate([first[..., :size], every[..., size:]], axis=-1)


@mistake(first=("texts", "heads"))
def counts_the_mask_in_another_order(query, key, value, heads, mask=None, *, first):
    """Texts and heads share one axis in your code, but your scores and your mask count along it in different
    orders: one text by text, the other head by head.
    So some texts and heads get the mask of others; `repeat` instead of `repeat_interleave` does this, for example.
    Print which text and head each row belongs to."""
    if mask is not None:
        batch = len(query)
        mask = np.broadcast_to(mask, (batch, heads, query.shape[-2], key.shape[-2]))
        rest = mask.shape[2:]
        if first == "texts":
            mask = mask.swapaxes(0, 1).reshape(batch, heads, *rest)
        else:
            mask = mask.reshape(heads, batch, *rest).swapaxes(0, 1)
    return attend_by_heads(query, key, value, heads, mask)


def gives_all_queries_the_mask_of_the_first(query, key, value, heads, mask=None):
    """From a mask with four axes your code takes the row of the first query and the first head, and uses it for all.
    A mask may have length 1 on the axis of queries, as a padding mask does, and then it is the same for all.
    But it may also differ from query to query. Let it broadcast."""
    if mask is not None and mask.ndim == 4:
        mask = mask[:, :1, :1]
    return attend_by_heads(query, key, value, heads, mask)


def hides_the_future_besides_the_mask(query, key, value, heads, mask=None):
    """None of your queries looks at a key after its own position, with a mask or without.
    The caller decides who may look at what: to hide the future, it passes a causal mask.
    Use the mask that comes in, and no other."""
    unasked = np.tri(query.shape[-2], key.shape[-2], dtype=bool)
    return attend_by_heads(query, key, value, heads, mha_ref.combine_masks(unasked, mask))


def shares_out_over_heads_and_keys(query, key, value, heads, mask=None):
    """In your code, the weights of all heads together sum to 1 for each query.
    Your softmax runs over heads and keys at once.
    The weights of each head should sum to 1, over the keys. On which axes does your softmax work?"""
    scores = attention_scores(split_heads(query, heads), split_heads(key, heads))
    scores = np.moveaxis(scores if mask is None else np.where(mask, scores, -1e9), -3, -2)
    weights = softmax(scores.reshape(*scores.shape[:-2], -1)).reshape(scores.shape)
    return merge_heads(np.moveaxis(weights, -2, -3) @ split_heads(value, heads))


def _of_one_head(x, heads, which):
    """The columns of the first or of the last head, as often as there are heads."""
    size = x.shape[-1] // heads
    return np.concatenate([x[..., :size] if which == "first" else x[..., -size:]] * heads, axis=-1)


SHARED = ("keys and values", "keys", "values", "queries")


@mistake(shared=SHARED, which=("first", "last"))
def shares_what_one_head_has(query, key, value, heads, mask=None, *, shared, which):
    """All your heads use the {shared} of the {which} head.
    (Some models share keys and values to save memory: multi-query attention.) Here each head has
    queries, keys and values of its own, in its own columns.
    Is there an index where all heads should be, or a slice that never moves on?"""
    sequences = dict(queries=query, keys=key, values=value)
    taken = {name: _of_one_head(x, heads, which) if name in shared else x for name, x in sequences.items()}
    return attend_by_heads(*taken.values(), heads, mask)


def gives_every_head_the_map_of_the_last(query, key, value, heads, mask=None):
    """All your heads look where the last head looks: its weights were used for every head's values.
    Each head has queries and keys of its own, in its own columns.
    Are the weights overwritten in a loop, or is there an index -1 where all heads should be?"""
    weights = mha_ref.masked_weights(split_heads(query, heads), split_heads(key, heads), mask)
    return merge_heads(weights[..., -1:, :, :] @ split_heads(value, heads))


def adds_the_maps_of_all_heads(query, key, value, heads, mask=None):
    """All your heads use one map: the sum over the heads, whose rows no longer sum to 1.
    Each head needs its own weights for its own values.
    Is there a `sum`, or an `einsum` whose result lacks the letter of the heads?"""
    weights = mha_ref.masked_weights(split_heads(query, heads), split_heads(key, heads), mask)
    return merge_heads(weights.sum(axis=-3, keepdims=True) @ split_heads(value, heads))


@mistake(made=("mean", "sum"))
def makes_one_set_of_scores_for_all_heads(query, key, value, heads, mask=None, *, made):
    """All your heads use one set of scores, the {made} over the heads.
    Then they cannot look at different places, and several heads are no better than one.
    Each head makes its own weights from its own scores. Where are your heads combined?"""
    each = attention_scores(split_heads(query, heads), split_heads(key, heads))
    scores = np.broadcast_to(_one_of_many(each, made, axis=-3)[..., None, :, :], each.shape)
    weights = softmax(scores) if mask is None else mha_ref.masked_softmax(scores, mask)
    return merge_heads(weights @ split_heads(value, heads))


@mistake(axes=(3, 4, "3, and a mask of no more"))
def uses_the_heads_for_the_root_alone(query, key, value, heads, mask=None, *, axes):
    """All columns act as one head: they make one score for each pair of tokens, and `heads` only changes the root.
    Several heads make several scores, each from its own columns, so they can look at several places at once.
    Split queries, keys and values into `heads` before they meet."""
    query = query * heads**0.5
    if axes == 4:
        return attend_by_heads(query, key, value, 1, mask)
    if axes != 3 and mask is not None and mask.ndim > query.ndim:
        raise ValueError("this mask has an axis for heads")
    return masked_attention(query, key, value, mask)


def exchanges_the_heads_with_their_size(query, key, value, heads, mask=None):
    """The number of heads and their size are swapped in your split; only the root uses the right size.
    With 6 columns and 2 heads, each head gets 3 columns.
    In the shape that you ask for, which number comes right after the tokens?"""
    size = query.shape[-1] // heads
    return attend_by_heads(query * (heads / size) ** 0.5, key, value, size, mask)


def _laid_on_one_axis(mask, query, key, heads):
    """The masks of all texts, and for each row of an axis that counts texts and heads, its number."""
    batch, rest = len(query), (query.shape[-2], key.shape[-2])
    return np.broadcast_to(mask, (batch, heads, *rest)), np.arange(batch * heads)


@mistake(counted=("text by text", "head by head"))
def repeats_the_masks_in_another_order(query, key, value, heads, mask=None, *, counted):
    """Texts and heads share one axis in your code, {counted}, but you repeat the masks of the texts in the
    other order: texts get the masks of other texts.
    `repeat` and `cat` give A B A B, `repeat_interleave` gives A A B B.
    For each row, print the text that it belongs to, and the text of its mask."""
    if mask is not None:
        whole, row = _laid_on_one_axis(mask, query, key, heads)
        mask = whole[row % len(query), 0].reshape(whole.shape)
        if counted == "head by head":
            mask = whole[row // heads, 0].reshape(heads, len(query), *whole.shape[2:]).swapaxes(0, 1)
    return attend_by_heads(query, key, value, heads, mask)


def hands_the_masks_out_text_by_text(query, key, value, heads, mask=None):
    """Texts and heads share one axis in your code, head by head, but you repeat the mask of a text text by
    text: texts get the masks of other texts.
    `repeat` and `cat` give A B A B, `repeat_interleave` gives A A B B.
    For each row, print the text that it belongs to, and the text of its mask."""
    if mask is not None and mask.ndim == 4 and mask.shape[1] == 1:
        whole, row = _laid_on_one_axis(mask, query, key, heads)
        mask = whole[row // heads, 0].reshape(heads, len(query), *whole.shape[2:]).swapaxes(0, 1)
    return attend_by_heads(query, key, value, heads, mask)


@mistake(folded=("text by text", "head by head"))
def unfolds_texts_and_heads_in_another_order(query, key, value, heads, mask=None, *, folded):
    """Texts and heads were put on one axis {folded}, and unfolded in the other order: heads of one text end up
    in another.
    To unfold an axis that `cat` or `reshape` has made, undo the same step.
    Compare the two lines, and number the rows of a small example."""
    each = masked_attention(split_heads(query, heads), split_heads(key, heads), split_heads(value, heads), mask)
    batch, _, *rest = each.shape
    if folded == "text by text":
        return merge_heads(each.reshape(heads, batch, *rest).swapaxes(0, 1))
    return merge_heads(each.swapaxes(0, 1).reshape(batch, heads, *rest))


def gives_everyone_the_first_mask(query, key, value, heads, mask=None):
    """From a mask with four axes your code takes the part of the first head and the first text, and uses it for all.
    Texts have different lengths, and heads may have their own masks.
    A mask broadcasts by itself where it has length 1. Do you use the index 0, once or twice?"""
    return attend_by_heads(query, key, value, heads, mask[0, 0] if mask is not None and mask.ndim == 4 else mask)


def divides_the_heads_by_their_number(query, key, value, heads, mask=None):
    """The results of your heads are divided by the number of heads, as in a mean over heads.
    Heads lie side by side, so that nothing is lost, and the output weights
    decide how much each counts. Is there a `mean`, or a division by `heads`?"""
    return attend_by_heads(query, key, value, heads, mask) / heads
