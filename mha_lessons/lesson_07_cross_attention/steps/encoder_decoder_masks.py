"""What people get wrong about `encoder_decoder_masks`, and what helps them."""

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
    A translator has read the source to its end before it writes the first word, and what it needs may stand anywhere.
    What is left to hide in the source?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source, target, cross & mha_ref.causal_mask(targets, sources, like=cross)


@encoder_decoder_masks.misconception
def makes_the_source_mask_causal(source_lengths, target_lengths, sources, targets):
    """Your first mask hides later words of the source from earlier ones.
    Nobody has to guess the source: all its words are there from the start, and they may look both ways.
    Which of the three masks is for words that are still to be written?"""
    source, target, cross = encoder_decoder_masks(source_lengths, target_lengths, sources, targets)
    return source & mha_ref.causal_mask(sources, sources, like=source), target, cross


@encoder_decoder_masks.misconception
def makes_all_three_masks_causal(source_lengths, target_lengths, sources, targets):
    """All three of your masks hide what stands further on.
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
    A mask hides those who are looked at: a padded *key*. What a padded query finds harms nobody, since nobody reads it.
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
    A mask hides those who are looked at. What a padded place finds harms nobody, as long as nobody looks at it.
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
    What stands in the padded places means nothing, and how many there are depends on the other sentences of the batch.
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
    """{where} True stands where nobody may look.
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
    A padded key is hidden from everybody. Its own row is no exception: nobody reads what it finds.
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
    Which of the two lists of lengths stands in the line that makes this mask?"""
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


encoder_decoder_masks.hints_for(
    "lets_sentences_leave_traces",
    hints=(
        "A batch is several sentences side by side, and each gets the masks that it would get alone. "
        "So in another order the same masks come out, in that other order. "
        "If the order matters, something is carried over: a table that serves for the first sentence is changed for "
        "it, and the second sentence finds it changed.",
        "Take two targets with the lengths 1 and 3, and then 3 and 1. "
        "The table for a length of 3 should be the same both times. "
        "Print what each round of your loop begins with: a triangle should still be a whole triangle, an empty row an "
        "empty row. "
        "In which round is it not?",
        "Make the table anew inside the loop, or take a copy of the triangle before you hide the padding in it. "
        "Without a loop nothing can be left behind: the padding of all sentences is one comparison, the past is one "
        "square, and an *and* of the two gives every sentence its own table.",
    ),
)

encoder_decoder_masks.misconception(takes_the_target_lengths_for_the_cross_mask, refuses=(True,))
encoder_decoder_masks.misconception(swaps_the_lengths_of_source_and_target, refuses=(True,))


encoder_decoder_masks.hints_for(
    "gives_the_cross_mask_the_padding_of_the_targets",
    "takes_the_target_lengths_for_the_cross_mask",
    hints=(
        "Whoever looks decides how many rows there are. "
        "Whoever is looked at decides the columns, and what is written in them. "
        "A mask against padding speaks of columns only, so the one who looks does not occur in it. "
        "This is why two uses can share a mask: the source is looked at by itself in one, by the target in the other, "
        "and its padding is the same.",
        "Take a source of 4 places with 2 words, and a target of 5 places with 3 words. "
        "Write down by hand the row that the third mask should have: how many places, and how many of them True? "
        "Print yours below it. "
        "The number of places tells you which size you used, and the number of True tells you which length.",
        "A padding mask has two ingredients: the lengths and the size of one sequence. "
        "For the third mask both are those of the sequence that is read. "
        "You have made such a mask already, for the first place of your answer. "
        "Nothing about the target is needed for it, neither its lengths nor its number of places.",
    ),
)

encoder_decoder_masks.hints_for(
    "forgets_the_future_of_the_targets",
    "forgets_the_padding_of_the_targets",
    hints=(
        "A place in the target's table can be forbidden for two reasons, and they know nothing of each other. "
        "One reason compares two places: does this key stand after the query? "
        "The answer is the same for all sentences. "
        "The other reason is the sentence: does a real word stand at this key? "
        "The answer is the same for all queries. "
        "A key has to pass both tests.",
        "Take a target with 2 words in 4 places, and write its table of 4 rows by hand. "
        "Then print yours, and look at two places. "
        "First row, second column: False, because it is the future. "
        "Fourth row, fourth column: False, because it is padding. "
        "Which of the two is True in yours? "
        "(If your mask has a single row, it stands for all four.)",
        "Two masks meet here: one for the padding of the targets, with the lengths in it, and a square one for their "
        "past, which is the same for the whole batch. "
        "True stays where both say True, so they are joined by an *and*; `combine_masks` does that, and so does `&`. "
        "Broadcasting makes (batch, 1, targets, targets) of the two. "
        "No loop over sentences is needed.",
    ),
)

encoder_decoder_masks.hints_for(
    "makes_the_cross_mask_causal",
    "makes_the_source_mask_causal",
    "makes_all_three_masks_causal",
    hints=(
        "A triangle protects a secret: a word that has to be guessed must not be seen before. "
        "The source holds no secret. "
        "It is given as a whole, and a noun at its end may matter for an article at its beginning. "
        "So whoever looks at it may see all of its words, whether it looks at itself or the target does. "
        "Only the text that is being written has something to hide from itself.",
        "Choose lengths that fill all places, so that there is no padding. "
        "Then the first mask and the third should be True everywhere, and the second should be the only triangle. "
        "Print all three. "
        "Where you see one triangle too many, go back to the line that makes it: a `tril`, a causal mask, or a "
        "variable that was joined with a triangle and then used again.",
        "Join the triangle with one thing only, the padding of the target, and give the result a name of its own. "
        "The mask of the source is its padding and no more, and the same holds for cross-attention. "
        "Both sides of the triangle are the number of targets; a triangle over the places of the source has no "
        "meaning here.",
    ),
)

encoder_decoder_masks.hints_for(
    "hides_the_rows_of_padded_targets",
    "hides_padded_targets_from_the_source",
    "hides_the_rows_of_padded_sources",
    hints=(
        "A row of a mask is a permission to look. "
        "If you take it away, a dead row is left: its query may look at nothing, and softmax has nobody to share out "
        "to. "
        "That brings zeros or NaN, and nothing is gained by it. "
        "What a padded place finds is dropped anyway: the columns keep others from looking at it, and the loss does "
        "not count it.",
        "Print the mask of one sentence with padding, stretched to a row for each token that looks. "
        "As long as the sentence that is looked at has a word, no row should be all False. "
        "Which rows are, and in which of the three masks? "
        "Then look for what made them: a transpose such as `.mT`, a second comparison along the rows, an outer "
        "product.",
        "Padding comes in once, on the last axis, which belongs to those who are looked at. "
        "The axis before it has length 1 and stays like this: do not join the mask with a copy that was turned on its "
        "side. "
        "Only the square table for the past has rows that differ from each other, and it belongs in the second mask "
        "alone.",
    ),
)

encoder_decoder_masks.hints_for(
    "forgets_the_padding_of_the_sources",
    "forgets_the_padding_in_the_source_mask",
    "forgets_the_padding_in_the_cross_mask",
    hints=(
        "A batch is a rectangle, and sentences are not equally long: that is why there is padding. "
        "The padded places hold vectors like all others, so they can win weight wherever they may be looked at. "
        "Hiding them in one attention helps that attention only, because each makes its own weights. "
        "So ask of every mask with sources in its columns: is the padding hidden here, too?",
        "Take two sources of different lengths, and print the first and the third mask. "
        "In each there should be two different rows, one for each sentence, with as many True as the sentence has "
        "words. "
        "Where all is True, go back to the line that made it. "
        "Was it filled with ones, or was a None replaced? "
        "Are the source lengths used there at all?",
        "The mask for the padding of the source is made once, from `source_lengths` and `sources`. "
        "It stands at two places of your answer: first, where the source looks at itself, and last, where the target "
        "looks at the source. "
        "It is the same tensor both times, and nothing has to be added for the target's sake.",
    ),
)

encoder_decoder_masks.hints_for(
    "returns_the_masks_in_another_order",
    "leaves_out_the_cross_mask",
    hints=(
        "A tuple has no names, only places. "
        "Whoever takes it apart trusts that each place holds what was agreed. "
        "In a translator the first mask goes to the encoder, and the other two go to the decoder, for its two "
        "attentions. "
        "If the places are filled in another way, the mistake comes to light far from here, and where all sizes are "
        "equal it may stay hidden.",
        "Read the line of the docstring that begins with an arrow, and below it your `return`. "
        "Say for each place who looks at whom. "
        "How many masks does the docstring name, and how many does your tuple hold? "
        "If you return variables, check what each of them really holds, because a name can promise something else.",
        "Three things stand behind `return`, with commas between them. "
        "First what the source may see of itself, then what the target may see of itself, then what the target may "
        "see of the source. "
        "The third is equal to the first, and it is listed all the same. "
        "Keep this order, also if another one seems more natural to you.",
    ),
)

encoder_decoder_masks.hints_for(
    "takes_the_source_lengths_for_the_target_mask",
    "swaps_the_lengths_of_source_and_target",
    "takes_the_source_for_the_target",
    hints=(
        "Four arguments come in, and they are two pairs. "
        "`source_lengths` and `sources` tell of the sentence that is read; `target_lengths` and `targets` tell of the "
        "one that is written. "
        "A mask is made from the pair of those who are looked at. "
        "And only the written sentence has a future to hide, because its next word is what the model has to find.",
        "Choose four numbers that cannot be mixed up: a source of 6 places with 3 words, and a target of 4 places "
        "with 2 words. "
        "Look at the last row of each mask. "
        "The first and the third should have 6 places, 3 of them True; the second should have 4 places, 2 of them "
        "True. "
        "Which numbers do you see?",
        "The two names that begin with *source* belong in the first and the third mask, and the two that begin with "
        "*target* into the second. "
        "No call and no comparison should hold one of each kind. "
        "The triangle goes with the targets. "
        "If you call a helper of your own, compare the order of the arguments in its first line with the order in the "
        "call.",
    ),
)

encoder_decoder_masks.hints_for(
    "joins_an_array_and_a_tensor",
    hints=(
        "NumPy and PyTorch are two libraries with two kinds of arrays. "
        "They look alike when you print them, and they do not always understand each other. "
        "A function that is given a tensor can see what is wanted. "
        "One that is given two integers cannot, and then it answers in NumPy.",
        "Print `type(...)` of the padding mask of the target, and of the mask that hides the future. "
        "One is a `torch.Tensor`, the other a `numpy.ndarray`. "
        "Which of the two makers was given no tensor to look at, and so could not know what you want?",
        "`causal_mask` has a third argument, `like`. "
        "Give it any tensor that you have, for example the lengths: the mask comes in the same library and on the "
        "same device. "
        "Then `combine_masks` meets two tensors. Print both types once more to see it.",
    ),
)

encoder_decoder_masks.hints_for(
    "exchanges_rows_and_columns_of_the_second_mask",
    "lets_padded_targets_see_themselves",
    hints=(
        "A mask is a table. "
        "Each row belongs to one who looks, each column to one who is looked at. "
        "So a column with no True is a word that is hidden from all, and padding needs such columns. "
        "The triangle is made by two places: a key may be seen if it does not stand after the query.",
        "Take a target with 2 words in 4 places, and write its table by hand: the rows are 1000, 1100, 1100, 1100. "
        "Print yours as integers. "
        "In which row does the first difference stand, and in which column? "
        "Is a column of padding not empty, or does a row hold what the column should?",
        "Let one comparison make the triangle, with the places of the queries going down and those of the keys going "
        "across. "
        "Let another one make the padding, along the columns alone. "
        "Join the two with *and*, and leave what comes out as it is: nothing is transposed, and no diagonal is added.",
    ),
)

encoder_decoder_masks.hints_for(
    "counts_the_start_sign",
    "counts_a_source_too_many",
    hints=(
        "Positions are counted from 0. "
        "A sentence of 2 words stands at the positions 0 and 1, and position 2 is padding already. "
        "So the number of words and the first position of padding are the same number, and it takes little to be "
        "off by one. "
        "For the model a sign is a word like others: where there is one, whoever made the lengths has counted it.",
        "Take sentences of length 2 in 4 places, and print the last row of each mask. "
        "It should begin with two True. "
        "If there are three, look at the comparison of positions with lengths: does its sign let an equal position "
        "pass, or do your positions begin with another number than 0? "
        "Is there a `+ 1` somewhere on the way?",
        "Use the lengths as they come in, without adding anything. "
        "A key is real where its position, counted from 0, is smaller than the length. "
        "`padding_mask` does it like this. "
        "Compare how the lengths are used for each of your masks: where the edge is right, the line shows how to make "
        "the others.",
    ),
)

encoder_decoder_masks.hints_for(
    "cuts_the_masks_to_the_longest_sentence",
    hints=(
        "A mask has to fit scores, and scores have a column for every place of the batch, whether a word stands there "
        "or not. "
        "Often the longest sentence fills the whole width, and then a mask cut to it fits by luck. "
        "But some programs pad every batch to the same width. "
        "Then there are columns that are padding in all of its sentences.",
        "Try the lengths 1 and 2, for sources and targets alike, with 5 places for the sources and 4 for the targets. "
        "The last axes of the three masks should be 5, 4 and 5. "
        "Where yours is 2, look for what sets the width: a `max` over the lengths, an `arange` up to it, a size that "
        "gets a new value inside the function.",
        "Positions run from 0 up to the number of places that the caller names, without that number itself: one "
        "number for the sources, another for the targets. "
        "Use these two wherever a width is needed, for the sides of the triangle as well. "
        "The lengths have one task only: positions are compared with them. "
        "Nothing needs their maximum.",
    ),
)

encoder_decoder_masks.hints_for(
    "marks_what_is_hidden",
    hints=(
        "One can list what is allowed, or list what is hidden. "
        "Both work if all who make masks and all who read them mean the same; in this course a True is always a yes. "
        "The choice reaches into every line. "
        "To join two lists of what is allowed takes an *and*; two lists of what is hidden would take an *or*.",
        "Take a source and a target with 2 words in 4 places each, and look at the last row of every mask. "
        "At its first place stands a real word that everybody may look at, so this place should be True in all three. "
        "From a mask that says False there, go back: to a `~`, to the direction of a comparison, to `triu` in place "
        "of `tril`.",
        "Write each comparison so that it is True where looking is allowed: a position smaller than the length, a key "
        "that does not stand after its query. "
        "Join them with *and*. "
        "If a mask is right but for its sense, turning it once at the end is enough. "
        "Leave alone those that are right already.",
    ),
)

encoder_decoder_masks.hints_for(
    "repeats_the_rows_of_the_padding",
    hints=(
        "An axis of length 1 is a promise: here it makes no difference. "
        "Whoever gets the mask can rely on it, and can stretch it to any number of queries. "
        "A mask that is stretched already says the same, but it fits one number of queries only, and it takes more "
        "memory. "
        "So the shape is a part of the answer, as the numbers are.",
        "Print your three shapes, and write those of the docstring beside them. "
        "Which axis is longer than the 1 that is asked for? "
        "Then look for the line that stretches it: an `expand`, a `repeat`, a `broadcast_to`, an array of ones, or "
        "another mask with rows of its own. "
        "The comparison of positions with lengths does not stretch it.",
        "Return the padding mask as `padding_mask` makes it: the batch, two axes of length 1, and the places. "
        "If you write the comparison yourself, give the lengths their axes of length 1, and stop after the "
        "comparison. "
        "Only the second mask has an axis for those who look, because the past differs from row to row.",
    ),
)

encoder_decoder_masks.hints_for(
    "drops_the_axes_for_heads_and_queries",
    "drops_the_axes_that_have_length_1",
    "drops_the_axis_for_heads",
    hints=(
        "What an axis means is decided by its place, counted from the right. "
        "To skip an axis in the middle, one has to hold its place with a length of 1. "
        "Without it, everything on its left moves one place to the right, and lands on an axis that belongs to "
        "something else. "
        "If the sizes happen to be equal, no error comes, and sentences get the masks of other sentences.",
        "Write *batch, heads, queries, keys* in one line, and below it the shape of each of your masks, so that the "
        "right ends stand below each other. "
        "Does the batch stand below the batch in all three? "
        "Then look where an axis got lost, or never came: a `squeeze`, an index such as `[:, 0]`, too few new axes in "
        "a comparison.",
        "All three masks have four axes. "
        "The first and the third have a 1 for the heads and a 1 for the queries; the second has a 1 for the heads, "
        "and two sides of `targets`. "
        "An index with `None` adds an axis at the place where you write it. "
        "`padding_mask` brings all four by itself, so nothing needs to be taken away from its result.",
    ),
)
