"""What people get wrong about `encoder_decoder_masks`."""

import numpy as np

import mha_ref
from autograder.mistakes import mistake

from ..exercises import encoder_decoder_masks


def gives_the_cross_mask_the_padding_of_the_targets(source_lengths, target_lengths, sources, targets):
    """Your third mask hides the padding of the targets, and has a column for each target.
    In cross-attention the targets look, and the sources are looked at.
    The columns of a mask belong to what is looked at. Whose padding must it hide?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, mha_ref.padding_mask(target_lengths, targets)


def _that_fit(lengths, size, refuses):
    """The lengths of another sequence: cut to this size, as a comparison does, or left for `padding_mask` to refuse."""
    return lengths if refuses else lengths.clip(max=size)


@mistake(refuses=(False,))
@mistake(refuses=(True,))
def takes_the_target_lengths_for_the_cross_mask(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your third mask has the right size, but is made from the lengths of the targets.
    In cross-attention the targets look, and the sources are looked at.
    A mask hides what is looked at. Whose lengths tell which of it is padding?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, mha_ref.padding_mask(_that_fit(target_lengths, sources, refuses), sources)


@mistake(rows=("one row for all targets", "a row for each target"))
def forgets_the_future_of_the_targets(source_lengths, target_lengths, sources, targets, *, rows):
    """In your second mask, with {rows}, every target may look at all real words, even at later ones.
    In training they are there, and a model that sees the word it has to predict learns to copy.
    What has to be combined with the padding?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    padding = mha_ref.padding_mask(target_lengths, targets)
    return source, padding if rows.startswith("one") else padding & (target | True), cross


def makes_the_cross_mask_causal(source_lengths, target_lengths, sources, targets):
    """Your third mask hides some real words of the source from some of the targets: it is causal.
    The source is complete before the translator writes its first word, and what it needs may be anywhere.
    What is left to hide in the source?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross & mha_ref.causal_mask(targets, sources, like=cross)


def makes_the_source_mask_causal(source_lengths, target_lengths, sources, targets):
    """Your first mask hides later words of the source from earlier ones.
    The model does not predict the source: all its words are there from the start, and they may look both ways.
    Which of the three masks is for words that are still to be written?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source & mha_ref.causal_mask(sources, sources, like=source), target, cross


def makes_all_three_masks_causal(source_lengths, target_lengths, sources, targets):
    """All three of your masks hide the future.
    Only one of the three uses predicts the next word from its own past; the other two look at a sentence that is
    complete.
    For each mask, ask what looks at what."""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    over_sources = mha_ref.causal_mask(sources, sources, like=source)
    return source & over_sources, target, cross & mha_ref.causal_mask(targets, sources, like=cross)


@mistake(shape=("(targets, targets)", "(1, 1, targets, targets)", "(batch, 1, targets, targets)"))
def forgets_the_padding_of_the_targets(source_lengths, target_lengths, sources, targets, *, shape):
    """Your second mask, of shape {shape}, hides the future but no padding: each item has the same table.
    But each target has its own length.
    Which two masks meet here, and where do the target lengths come in?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    past = mha_ref.causal_mask(targets, targets, like=source)
    if shape.startswith("(batch"):
        return source, target | past, cross
    return source, past[None, None] if shape.startswith("(1") else past, cross


def hides_the_rows_of_padded_targets(source_lengths, target_lengths, sources, targets):
    """In your second mask the rows of padded targets have no True.
    A mask hides what is looked at: padded *keys*. What a padded query finds does no harm, since nothing uses it.
    Which axis does the padding belong on, rows or columns?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target & mha_ref.padding_mask(target_lengths, targets).mT, cross


def hides_padded_targets_from_the_source(source_lengths, target_lengths, sources, targets):
    """Your third mask has a row for each target, and the rows of padded targets have no True.
    A mask hides only what is looked at, so all rows can be the same: one row, on an axis of length 1.
    What decides about a column?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross & mha_ref.padding_mask(target_lengths, targets).mT


def hides_the_rows_of_padded_sources(source_lengths, target_lengths, sources, targets):
    """Your first mask has a row for each source, and the rows of padded sources have no True.
    A mask hides what is looked at. What a padded position finds does no harm, as long as nothing looks at it.
    What shape is enough to say which columns are real?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source & source.mT, target, cross


def forgets_the_padding_of_the_sources(source_lengths, target_lengths, sources, targets):
    """Your first and third mask allow everything, even padded positions.
    The sources of a batch have different lengths, and their padding means nothing.
    What looks at the source, and in which of the three masks must its padding be hidden?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | True, target, cross | True


def forgets_the_padding_in_the_source_mask(source_lengths, target_lengths, sources, targets):
    """Your first mask allows everything, so the words of the source look at padding, too.
    Padding means nothing, and how much of it there is depends on the other sentences of the batch.
    What do the source lengths tell you?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | True, target, cross


def forgets_the_padding_in_the_cross_mask(source_lengths, target_lengths, sources, targets):
    """Your third mask allows everything, so the targets see the padding of the source.
    The encoder hides it from the source itself, but the padded positions are still there, with numbers in them.
    Which of your masks says which sources are real?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross | True


@mistake(order=((1, 0, 2), (0, 2, 1)))
def returns_the_masks_in_another_order(source_lengths, target_lengths, sources, targets, *, order):
    """Your three masks are right, but in the wrong order.
    The caller uses the first for the source, the second for the target, the third for
    cross-attention.
    Compare your `return` with the docstring."""
    masks = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return tuple(masks[place] for place in order)


@mistake(refuses=(False,))
@mistake(refuses=(True,))
def swaps_the_lengths_of_source_and_target(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your masks for the source are made from the target's lengths, and the other way round.
    A padding mask has two ingredients, lengths and a size, and both belong to the same sequence.
    Check each pair in your code."""
    swapped = _that_fit(target_lengths, sources, refuses), _that_fit(source_lengths, targets, refuses)
    return encoder_decoder_masks(*swapped, sources, targets)


def counts_the_start_sign(source_lengths, target_lengths, sources, targets):
    """Your second mask treats each target as one word longer than its length.
    Did you add one for a start token, or count a position equal to the length as real?
    Use the lengths as they are: they already include every token of the sentence."""
    return encoder_decoder_masks(source_lengths, (target_lengths + 1).clip(max=targets), sources, targets)


def cuts_the_masks_to_the_longest_sentence(source_lengths, target_lengths, sources, targets):
    """Your masks are as wide as the longest sentence of the batch, not as wide as `sources` and `targets` say.
    A batch may be padded beyond its longest sentence, and the scores have a column for each position.
    Where does your code replace or ignore the two sizes?"""
    return encoder_decoder_masks(source_lengths, target_lengths, int(source_lengths.max()), int(target_lengths.max()))


def joins_an_array_and_a_tensor(source_lengths, target_lengths, sources, targets):
    """Your second mask holds the numbers 1 and 0, not True and False.
    That happens when a PyTorch tensor meets a NumPy array, or when you multiply masks.
    Is one of the two masks that you join a NumPy array, and how do you ask for a tensor?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target * 1, cross


_TURNED = {"In all three of your masks": (0, 1, 2), "In your first mask": (0,), "In your second mask": (1,)}
_TURNED |= {"In your third mask": (2,), "In your first and your third mask": (0, 2)}


@mistake(where=tuple(_TURNED))
def marks_what_is_hidden(source_lengths, target_lengths, sources, targets, *, where):
    """{where} True marks what is hidden.
    Some libraries use masks like this, but in this course True means "may look".
    Invert it with `~` at the end or, better, in each comparison."""
    masks = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return tuple(~mask if place in _TURNED[where] else mask for place, mask in enumerate(masks))


def repeats_the_rows_of_the_padding(source_lengths, target_lengths, sources, targets):
    """Your first and third mask are right, but they repeat their row for each token that looks.
    All of these may see the same columns, so an axis of length 1 is enough, and that is the shape asked for.
    Broadcasting will stretch it."""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | (source.mT & False), target, cross | (target[..., :1] & False)


def takes_the_source_for_the_target(source_lengths, target_lengths, sources, targets):
    """Source and target are swapped in all three of your masks.
    The source is what is read; the target is what is written, one word after the other.
    Which of the two has a future that must be hidden?"""
    return encoder_decoder_masks(target_lengths, source_lengths, targets, sources)


def leaves_out_the_cross_mask(source_lengths, target_lengths, sources, targets):
    """Your function returns two masks, but there are three uses of attention, each with its own mask.
    Two of them are equal, but the caller unpacks three.
    Which use is missing?"""
    return encoder_decoder_masks(source_lengths, target_lengths, sources, targets)[:2]


def drops_the_axes_for_heads_and_queries(source_lengths, target_lengths, sources, targets):
    """Your first and third mask have two axes, (batch, sources).
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet the queries.
    Which two axes of length 1 are missing between batch and sources?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source[:, 0, 0], target, cross[:, 0, 0]


def drops_the_axes_that_have_length_1(source_lengths, target_lengths, sources, targets):
    """Your first and third mask have two axes, (batch, sources), and the second has three, (batch, targets, targets).
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet other axes.
    Where does an axis of length 1 belong in each of them?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source[:, 0, 0], target[:, 0], cross[:, 0, 0]


def drops_the_axis_for_heads(source_lengths, target_lengths, sources, targets):
    """Your masks have three axes: that for the heads is missing.
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet the heads.
    Where does an axis of length 1 belong?"""
    return tuple(mask[:, 0] for mask in encoder_decoder_masks(source_lengths, target_lengths, sources, targets))


def exchanges_rows_and_columns_of_the_second_mask(source_lengths, target_lengths, sources, targets):
    """Your second mask is transposed: earlier targets see later ones.
    Rows are for queries, columns for keys.
    Is there a transpose too many, or a comparison of rows with lengths?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target.mT, cross


def lets_padded_targets_see_themselves(source_lengths, target_lengths, sources, targets):
    """In your second mask every target sees itself, even the padded ones.
    A padded key is hidden from all queries. Its own row is no exception: nothing uses what it finds.
    Did you add the diagonal to avoid empty rows? Which step of attention handles these?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    past = mha_ref.causal_mask(targets, targets, like=target)
    return source, target | past & past.mT, cross


@mistake(which=("source and cross-attention", "cross-attention"))
def counts_a_source_too_many(source_lengths, target_lengths, sources, targets, *, which):
    """Your mask for {which} treats each source as one word longer than its length.
    A length of 2 means that positions 0 and 1 are real.
    Did you add one, or count a position equal to the length as real?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    longer = mha_ref.padding_mask((source_lengths + 1).clip(max=sources), sources)
    return longer if which.startswith("source") else source, target, longer


@mistake(refuses=(False, True))
def takes_the_source_lengths_for_the_target_mask(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your second mask is made from the lengths of the sources, some of which may not even fit.
    There, the targets look at each other, and a sentence and its translation may have different lengths.
    Which lengths does the line that makes this mask use?"""
    source, _, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    padding = mha_ref.padding_mask(_that_fit(source_lengths, targets, refuses), targets)
    return source, mha_ref.combine_masks(padding, mha_ref.causal_mask(targets, targets, like=padding)), cross


@mistake(kept=("shortest", "longest"), where=("second mask", "first and your third mask"))
def lets_sentences_leave_traces(source_lengths, target_lengths, sources, targets, *, kept, where):
    """In your {where} each sentence is cut at the {kept} of all lengths so far, including those of earlier sentences.
    The sentences of a batch are independent.
    Do you make one table or triangle before the loop, and change it for each sentence?"""
    so_far = (np.minimum if kept == "shortest" else np.maximum).accumulate
    if where == "second mask":
        return encoder_decoder_masks(source_lengths, so_far(target_lengths), sources, targets)
    return encoder_decoder_masks(so_far(source_lengths), target_lengths, sources, targets)
