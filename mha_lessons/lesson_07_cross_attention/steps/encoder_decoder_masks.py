"""What people get wrong about `encoder_decoder_masks`."""

import numpy as np

import mha_ref

from ..exercises import encoder_decoder_masks


@encoder_decoder_masks.misconception
def gives_the_cross_mask_the_padding_of_the_targets(source_lengths, target_lengths, sources, targets):
    """Your third mask hides the padding of the targets, and has a column for each target.
    In cross-attention the targets look, and the sources are looked at.
    A mask has its columns for those who are looked at. Whose padding must be hidden?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, mha_ref.padding_mask(target_lengths, targets)


def _that_fit(lengths, size, refuses):
    """The lengths of another sequence: cut to this size, as a comparison does, or left for `padding_mask` to refuse."""
    return lengths if refuses else lengths.clip(max=size)


@encoder_decoder_masks.misconception(refuses=(False,))
def takes_the_target_lengths_for_the_cross_mask(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your third mask has the right size, and is made of the lengths of the targets.
    In cross-attention the targets look, and the sources are looked at.
    A mask hides those who are looked at. Whose lengths say which of them are padding?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, mha_ref.padding_mask(_that_fit(target_lengths, sources, refuses), sources)


@encoder_decoder_masks.misconception(rows=("one row for all targets", "a row for each target"))
def forgets_the_future_of_the_targets(source_lengths, target_lengths, sources, targets, *, rows):
    """In your second mask, with {rows}, every target may look at all real words, also at those that come later.
    In training they are there to be seen, and a model that sees the word it has to guess learns to copy.
    What has to be combined with the padding?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    padding = mha_ref.padding_mask(target_lengths, targets)
    return source, padding if rows.startswith("one") else padding & (target | True), cross


@encoder_decoder_masks.misconception
def makes_the_cross_mask_causal(source_lengths, target_lengths, sources, targets):
    """Your third mask hides some real words of the source from some of the targets: it is causal.
    A translator has read the source to its end before it writes the first word, and what it needs may be anywhere.
    What is left to hide in the source?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross & mha_ref.causal_mask(targets, sources, like=cross)


@encoder_decoder_masks.misconception
def makes_the_source_mask_causal(source_lengths, target_lengths, sources, targets):
    """Your first mask hides later words of the source from earlier ones.
    No one has to guess the source: all its words are there from the start, and they may look both ways.
    Which of the three masks is for words that are still to be written?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source & mha_ref.causal_mask(sources, sources, like=source), target, cross


@encoder_decoder_masks.misconception
def makes_all_three_masks_causal(source_lengths, target_lengths, sources, targets):
    """All three of your masks hide what is further on.
    Only one of the three uses guesses the next word from its own past; the other two look at a sentence that is there
    to its end.
    Ask of each mask: who looks at whom?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    over_sources = mha_ref.causal_mask(sources, sources, like=source)
    return source & over_sources, target, cross & mha_ref.causal_mask(targets, sources, like=cross)


@encoder_decoder_masks.misconception(
    shape=("(targets, targets)", "(1, 1, targets, targets)", "(batch, 1, targets, targets)")
)
def forgets_the_padding_of_the_targets(source_lengths, target_lengths, sources, targets, *, shape):
    """Your second mask, of shape {shape}, hides the future and no padding: each item has the same table.
    But each target has a length of its own.
    Which two masks meet here, and where do the target lengths come in?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    past = mha_ref.causal_mask(targets, targets, like=source)
    if shape.startswith("(batch"):
        return source, target | past, cross
    return source, past[None, None] if shape.startswith("(1") else past, cross


@encoder_decoder_masks.misconception
def hides_the_rows_of_padded_targets(source_lengths, target_lengths, sources, targets):
    """In your second mask the rows of padded targets hold no True.
    A mask hides those who are looked at: a padded *key*. What a padded query finds harms no one, since no one reads it.
    Which axis does the padding belong on, rows or columns?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target & mha_ref.padding_mask(target_lengths, targets).mT, cross


@encoder_decoder_masks.misconception
def hides_padded_targets_from_the_source(source_lengths, target_lengths, sources, targets):
    """Your third mask has a row for each target, and the rows of padded targets hold no True.
    Who looks is not hidden, only who is looked at, so all rows may be the same: one row with an axis of length 1.
    What decides about a column?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross & mha_ref.padding_mask(target_lengths, targets).mT


@encoder_decoder_masks.misconception
def hides_the_rows_of_padded_sources(source_lengths, target_lengths, sources, targets):
    """Your first mask has a row for each source, and the rows of padded sources hold no True.
    A mask hides those who are looked at. What a padded place finds harms no one, as long as no one looks at it.
    Which shape is enough to say which columns are real?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source & source.mT, target, cross


@encoder_decoder_masks.misconception
def forgets_the_padding_of_the_sources(source_lengths, target_lengths, sources, targets):
    """Your first and your third mask allow everything, padded places included.
    The sources of a batch have different lengths, and what fills them up means nothing.
    Who looks at the source, and in which of the three masks must its padding be hidden?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | True, target, cross | True


@encoder_decoder_masks.misconception
def forgets_the_padding_in_the_source_mask(source_lengths, target_lengths, sources, targets):
    """Your first mask allows everything: the words of the source look at padding, too.
    What is in the padded places means nothing, and how many there are depends on the other sentences of the batch.
    What do the source lengths tell you?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | True, target, cross


@encoder_decoder_masks.misconception
def forgets_the_padding_in_the_cross_mask(source_lengths, target_lengths, sources, targets):
    """Your third mask allows everything: when the targets look at the source, they see its padding.
    The encoder has hidden it from the source's own words, but the padded places are still there, with numbers in them.
    Which of your masks says which sources are real?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross | True


@encoder_decoder_masks.misconception(order=((1, 0, 2), (0, 2, 1)))
def returns_the_masks_in_another_order(source_lengths, target_lengths, sources, targets, *, order):
    """Your three masks are as they should be, but they come in another order.
    Whoever calls this function takes the first for the source, the second for the target, the third for
    cross-attention.
    Compare your `return` with the docstring."""
    masks = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return tuple(masks[place] for place in order)


@encoder_decoder_masks.misconception(refuses=(False,))
def swaps_the_lengths_of_source_and_target(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your masks for the source are made of the target's lengths, and the other way round.
    A padding mask has two ingredients, lengths and a size, and both belong to the same sequence.
    Check each pair in your code."""
    swapped = _that_fit(target_lengths, sources, refuses), _that_fit(source_lengths, targets, refuses)
    return encoder_decoder_masks(*swapped, sources, targets)


@encoder_decoder_masks.misconception
def counts_the_start_sign(source_lengths, target_lengths, sources, targets):
    """Your second mask takes each target for one word longer than its length says.
    Did you add one for a start sign, or let a position that equals the length count as real?
    The lengths are used as they come: a sign that belongs to the sentence is counted in them already."""
    return encoder_decoder_masks(source_lengths, (target_lengths + 1).clip(max=targets), sources, targets)


@encoder_decoder_masks.misconception
def cuts_the_masks_to_the_longest_sentence(source_lengths, target_lengths, sources, targets):
    """Your masks are as wide as the longest sentence of the batch, not as wide as `sources` and `targets` say.
    A batch may be padded to more places than any of its sentences has, and the scores have a column for each place.
    Where does your code replace or forget the two sizes?"""
    return encoder_decoder_masks(source_lengths, target_lengths, int(source_lengths.max()), int(target_lengths.max()))


@encoder_decoder_masks.misconception
def joins_an_array_and_a_tensor(source_lengths, target_lengths, sources, targets):
    """Your second mask holds the numbers 1 and 0, not True and False.
    Such numbers come when a tensor of PyTorch meets an array of NumPy, or when masks are multiplied.
    Is one of the two masks that you join NumPy's, and what tells its maker to answer in PyTorch?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target * 1, cross


_TURNED = {"In all three of your masks": (0, 1, 2), "In your first mask": (0,), "In your second mask": (1,)}
_TURNED |= {"In your third mask": (2,), "In your first and your third mask": (0, 2)}


@encoder_decoder_masks.misconception(where=tuple(_TURNED))
def marks_what_is_hidden(source_lengths, target_lengths, sources, targets, *, where):
    """{where} True is where no one may look.
    Some layers of other libraries want it like this; in this course True means "may look".
    Turn it round: with `~` at the end, or better, in each comparison."""
    masks = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return tuple(~mask if place in _TURNED[where] else mask for place, mask in enumerate(masks))


@encoder_decoder_masks.misconception
def repeats_the_rows_of_the_padding(source_lengths, target_lengths, sources, targets):
    """Your first and third mask say the right thing, and hold their row many times, once for each token that looks.
    All who look may see the same columns, so an axis of length 1 is enough, and that is the shape asked for.
    Leave the stretching to broadcasting."""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source | (source.mT & False), target, cross | (target[..., :1] & False)


@encoder_decoder_masks.misconception
def takes_the_source_for_the_target(source_lengths, target_lengths, sources, targets):
    """Source and target have changed places in all three of your masks.
    The source is what is read; the target is what is written, one word after the other.
    Which of the two has a future that must be hidden?"""
    return encoder_decoder_masks(target_lengths, source_lengths, targets, sources)


@encoder_decoder_masks.misconception
def leaves_out_the_cross_mask(source_lengths, target_lengths, sources, targets):
    """Your function returns two masks; there are three uses of attention, and each has its own.
    That two of them happen to be equal does not make them one: the caller unpacks three.
    Which use is left over?"""
    return encoder_decoder_masks(source_lengths, target_lengths, sources, targets)[:2]


@encoder_decoder_masks.misconception
def drops_the_axes_for_heads_and_queries(source_lengths, target_lengths, sources, targets):
    """Your first and third mask have two axes, (batch, sources).
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet the queries.
    Which two axes of length 1 are missing between batch and sources?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source[:, 0, 0], target, cross[:, 0, 0]


@encoder_decoder_masks.misconception
def drops_the_axes_that_have_length_1(source_lengths, target_lengths, sources, targets):
    """Your first and third mask have two axes, (batch, sources), and the second has three, (batch, targets, targets).
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet other axes.
    Where does an axis of length 1 belong in each of them?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source[:, 0, 0], target[:, 0], cross[:, 0, 0]


@encoder_decoder_masks.misconception
def drops_the_axis_for_heads(source_lengths, target_lengths, sources, targets):
    """Your masks have three axes: the one for the heads is missing.
    Scores have four: batch, heads, queries, keys. Lined up from the right, your batch would meet the heads.
    Where does an axis of length 1 belong?"""
    return tuple(mask[:, 0] for mask in encoder_decoder_masks(source_lengths, target_lengths, sources, targets))


@encoder_decoder_masks.misconception
def exchanges_rows_and_columns_of_the_second_mask(source_lengths, target_lengths, sources, targets):
    """In your second mask rows and columns have changed places: earlier targets see later ones.
    Rows are for those who look, columns for those who are looked at.
    Is there a transpose, or a comparison of rows with lengths, too many?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target.mT, cross


@encoder_decoder_masks.misconception
def lets_padded_targets_see_themselves(source_lengths, target_lengths, sources, targets):
    """In your second mask every target sees itself, the padded ones, too.
    A padded key is hidden from everybody. Its own row is no exception: no one reads what it finds.
    Was the diagonal added so that no row is empty? Which step of attention already takes care of empty rows?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    past = mha_ref.causal_mask(targets, targets, like=target)
    return source, target | past & past.mT, cross


@encoder_decoder_masks.misconception(which=("source and cross-attention", "cross-attention"))
def counts_a_source_too_many(source_lengths, target_lengths, sources, targets, *, which):
    """Your mask for {which} takes each source for one word longer than its length says.
    A length of 2 means that places 0 and 1 are real.
    Did you add one for a sign, or let a place that equals the length count as real?"""
    source, target, _ = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    longer = mha_ref.padding_mask((source_lengths + 1).clip(max=sources), sources)
    return longer if which.startswith("source") else source, target, longer


@encoder_decoder_masks.misconception(refuses=(False, True))
def takes_the_source_lengths_for_the_target_mask(source_lengths, target_lengths, sources, targets, *, refuses):
    """Your second mask is made of the lengths of the sources, and some of these may not even fit in.
    It is the targets that look at each other there, and a sentence and its translation need not be equally long.
    Which of the two lists of lengths is in the line that makes this mask?"""
    source, _, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    padding = mha_ref.padding_mask(_that_fit(source_lengths, targets, refuses), targets)
    return source, mha_ref.combine_masks(padding, mha_ref.causal_mask(targets, targets, like=padding)), cross


@encoder_decoder_masks.misconception(kept=("shortest", "longest"), where=("second mask", "first and your third mask"))
def lets_sentences_leave_traces(source_lengths, target_lengths, sources, targets, *, kept, where):
    """In your {where} each sentence is cut at the {kept} of all lengths so far, those of earlier sentences included.
    The sentences of a batch know nothing of each other.
    Is one table, or one triangle, made before the loop and changed for each sentence in turn?"""
    so_far = (np.minimum if kept == "shortest" else np.maximum).accumulate
    if where == "second mask":
        return encoder_decoder_masks(source_lengths, so_far(target_lengths), sources, targets)
    return encoder_decoder_masks(so_far(source_lengths), target_lengths, sources, targets)


encoder_decoder_masks.misconception(takes_the_target_lengths_for_the_cross_mask, refuses=(True,))
encoder_decoder_masks.misconception(swaps_the_lengths_of_source_and_target, refuses=(True,))
