"""What people get wrong about `padding_mask`, and what helps them."""

import numpy as np

from autograder.exercise import Refused

from ..exercises import padding_mask


@padding_mask.misconception
def true_marks_padding(lengths, keys):
    """In your mask True marks the padding.
    Here True means "may look", so it belongs to the real tokens.
    Which positions does your comparison pick: those before the length, or those from it on?"""
    return ~padding_mask(lengths, keys)


@padding_mask.misconception
def allows_one_too_many(lengths, keys):
    """The position that equals the length counts as real in your code: one key too many for every sentence.
    Positions count from 0, so a sentence of two tokens fills the positions 0 and 1.
    Which comparison leaves the position 2 out?"""
    return padding_mask(lengths + 1, keys + 1)[..., :keys]


@padding_mask.misconception
def allows_one_too_few(lengths, keys):
    """The last token of every sentence counts as padding in your code: one key too few.
    Positions count from 0, so a sentence of two tokens fills the positions 0 and 1.
    Compare with the length itself, without taking 1 away."""
    return padding_mask(lengths - 1, keys)


@padding_mask.misconception
def has_no_axes_for_heads_and_queries(lengths, keys):
    """Your mask has the two axes (batch, keys).
    Against scores (batch, heads, queries, keys), broadcasting would lay its batch along the queries, silently if both
    have the same length.
    Put two axes of length 1 between the two."""
    return padding_mask(lengths, keys)[:, 0, 0]


@padding_mask.misconception
def has_no_axis_for_heads(lengths, keys):
    """Your mask has the three axes (batch, 1, keys).
    Against scores (batch, heads, queries, keys), broadcasting would lay its batch along the heads.
    The exercise asks for four axes; which one is missing?"""
    return padding_mask(lengths, keys)[:, 0]


@padding_mask.misconception
def puts_the_new_axes_in_front(lengths, keys):
    """Your two axes of length 1 stand in front: (1, 1, batch, keys).
    Then the batch lies where scores have their queries, and sentence i's padding is applied to query i of every
    sentence.
    The batch comes first; the new axes go between batch and keys."""
    return padding_mask(lengths, keys)[:, 0, 0][None, None]


@padding_mask.misconception
def puts_the_new_axes_last(lengths, keys):
    """Your two axes of length 1 stand at the end: (batch, keys, 1, 1).
    Then the positions lie where scores have their heads.
    Positions belong on the last axis; the new axes go between batch and keys."""
    return padding_mask(lengths, keys)[:, 0, 0][:, :, None, None]


@padding_mask.misconception
def masks_queries_instead_of_keys(lengths, keys):
    """Your mask has the shape (batch, 1, keys, 1): it blocks rows, that is queries.
    A padded query may ask what it likes, since nobody reads its answer; a padded key must not be looked at.
    Positions belong on the last axis."""
    return padding_mask(lengths, keys).mT


@padding_mask.misconception
def masks_queries_and_keys(lengths, keys):
    """Your mask has the shape (batch, 1, keys, keys): it blocks padded queries beside padded keys.
    That leaves rows with nothing allowed, and it takes for granted that there are as many queries as keys.
    Block padded keys alone, and leave the query axis at length 1."""
    return padding_mask(lengths, keys) & padding_mask(lengths, keys).mT


@padding_mask.misconception
def repeats_the_mask_for_every_query(lengths, keys):
    """Your mask has a row for each of `keys` queries, and all these rows are equal.
    Broadcasting repeats an axis of length 1 by itself, for any number of queries.
    Keep the query axis at length 1."""
    return np.repeat(padding_mask(lengths, keys), keys, axis=-2)


@padding_mask.misconception
def puts_the_batch_last(lengths, keys):
    """Your axes stand in the opposite order: (keys, 1, 1, batch).
    A comparison puts the rows where the column of numbers was.
    Which of the two, lengths or positions, has to lie along the last axis?"""
    return padding_mask(lengths, keys).T


@padding_mask.misconception(front=("", "1, 1, "))
def puts_positions_in_rows(lengths, keys, *, front):
    """Your mask has the shape ({front}keys, batch): positions run down, sentences run across.
    The last axis of scores is the keys, so the last axis of a mask must hold the positions.
    Which of your two arrays gets new axes at its end: positions or lengths?"""
    return padding_mask(lengths, keys)[:, 0, 0].T[(None,) * front.count("1")]


@padding_mask.misconception(front=(0, 3))
def compares_lengths_with_positions_in_pairs(lengths, keys, *, front):
    """Lengths and positions lie along the same axis in your comparison: the first length meets position 0 only, the
    second one position 1, and so on. Where they are not equally many, NumPy stops.
    Every length should meet every position.
    Which of the two needs new axes of length 1, so that they make a table?"""
    return (np.arange(keys) < lengths)[(None,) * front]


@padding_mask.misconception
def pads_on_the_left(lengths, keys):
    """The allowed keys stand at the end of each row.
    In this course sentences begin at position 0, and padding follows them.
    Which positions are smaller than the length?"""
    return padding_mask(lengths, keys)[..., ::-1]


@padding_mask.misconception
def uses_the_longest_length(lengths, keys):
    """Your code uses the longest length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths.max(), keys)


@padding_mask.misconception
def uses_the_first_length(lengths, keys):
    """Your code uses the first length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths[0], keys)


@padding_mask.misconception
def stops_at_the_longest_length(lengths, keys):
    """Your mask has as many columns as the longest sentence has tokens.
    The scores have a column for each of `keys` positions, though the last of them may be padding in every sentence.
    How many positions should you count?"""
    return padding_mask(lengths, lengths.max())


@padding_mask.misconception
def marks_one_position_only(lengths, keys):
    """In each row at most one position is allowed: the one that equals the length.
    All positions before the length are real tokens.
    Which comparison picks them all?"""
    return (np.arange(keys) == lengths[:, None])[:, None, None]


@padding_mask.misconception(number=(1, 1.0))
def padding_as_numbers(lengths, keys, *, number):
    """Your mask holds the numbers 1 and 0, not True and False.
    A mask of this course is boolean: numbers would be added, multiplied, and turned round by `~` in unexpected ways.
    A comparison gives True and False by itself."""
    return padding_mask(lengths, keys) * number


@padding_mask.misconception(fill=(-np.inf, -1e9))
def padding_as_numbers_to_add(lengths, keys, *, fill):
    """Your mask holds 0 and {fill:g}, to be added to scores.
    Some libraries want that; here a mask is boolean, and True means "may look".
    What to put in a blocked place is decided later, by the masked softmax."""
    return np.where(padding_mask(lengths, keys), 0.0, fill)


@padding_mask.misconception
def refuses_a_full_length(lengths, keys):
    """Your code refuses a sentence that fills every position, without any padding.
    A length equal to `keys` fits exactly, and the longest sentence of a batch usually has it.
    From which length on is there really no room?"""
    if (lengths >= keys).any():
        raise Refused("too long")
    return padding_mask(lengths, keys)


@padding_mask.misconception
def uses_the_shortest_length(lengths, keys):
    """Your code uses the shortest length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths.min(), keys)


@padding_mask.misconception
def uses_the_last_length(lengths, keys):
    """Your code uses the last length for all sentences.
    Each sentence has a length of its own, and its row must be written before the loop goes on to the next.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths[-1], keys)


@padding_mask.misconception
def empties_a_full_sentence(lengths, keys):
    """A sentence that fills every position gets a row without any True.
    It has 0 places of padding, and 0 is special: a slice from `-0` on is the whole row, and the rest of a division by
    `keys` is 0.
    Which border is safe, the one that you count from the front or the one from the back?"""
    return padding_mask(lengths * (lengths != keys), keys)


@padding_mask.misconception
def puts_the_batch_on_the_axis_of_heads(lengths, keys):
    """Your mask has the shape (1, batch, 1, keys): the sentences lie where scores have their heads.
    Then head 1 hides the padding of sentence 1, in every sentence.
    The batch comes first; both axes of length 1 go between batch and keys."""
    return padding_mask(lengths, keys)[None, :, 0]


@padding_mask.misconception
def reshapes_a_table_of_positions(lengths, keys):
    """Your table had positions as rows and sentences as columns, and then it was reshaped.
    `reshape` keeps the numbers in their order and cuts them anew, so that a row holds pieces of several sentences.
    Give the sentences the rows from the start: which of the two, lengths or positions, gets new axes at its end?"""
    return padding_mask(lengths, keys)[:, 0, 0].T.reshape(len(lengths), 1, 1, keys)


@padding_mask.misconception(on="empty")
def fills_an_empty_sentence(lengths, keys):
    """A sentence of length 0 gets a row of True.
    For Python 0 counts as no, so `length or keys` is `keys`; a slice from `-0` on is the whole row; an index of 0 - 1
    is the last place.
    A length of 0 is a length. Which line takes it for none?"""
    return padding_mask(lengths + keys * (lengths == 0), keys)


@padding_mask.misconception(on="empty")
def refuses_an_empty_sentence(lengths, keys):
    """Your code refuses a length of 0.
    An empty sentence is rare but allowed: its row has no True at all, and the masked softmax gives it weights of zero.
    Below which length is there really something wrong?"""
    if (lengths < 1).any():
        raise Refused("empty")
    return padding_mask(lengths, keys)


@padding_mask.misconception(on="too_long")
def accepts_lengths_that_do_not_fit(lengths, keys):
    """A length above `keys` went through as if it were `keys`.
    It means that tokens were lost somewhere before, and a mask that hides this makes the mistake hard to find.
    Look at the lengths first, and refuse one that does not fit with an error, a ValueError say."""
    return padding_mask(np.minimum(lengths, keys), keys)


@padding_mask.misconception(kept=("shortest", "longest"))
def remembers_the_lengths_before(lengths, keys, *, kept):
    """Each of your rows is made for the {kept} of all lengths so far: what the sentences before it have left stays.
    The sentences of a batch know nothing of each other, and each length counts for its own row alone.
    Is one row, or one table, changed step by step for the whole batch?"""
    so_far = (np.minimum if kept == "shortest" else np.maximum).accumulate(lengths)
    return padding_mask(so_far, keys)


@padding_mask.misconception(on="long", kind=("int8", "uint8"), narrow=("lengths", "positions", "both"))
def counts_in_one_byte(lengths, keys, *, kind, narrow):
    """In long sentences your rows are wrong: somewhere whole numbers are kept in one byte, as `{kind}`.
    Such a number ends at 127 or 255, and what is larger begins again at the other end, without a word.
    Sentences are longer than that. Which line chooses the type?"""
    mask, positions = padding_mask(lengths, keys), np.arange(keys)
    lengths = lengths if narrow == "positions" else lengths.astype(kind)
    positions = positions if narrow == "lengths" else positions.astype(kind)
    return np.broadcast_to(positions < lengths[:, None, None, None], mask.shape)


padding_mask.hints_for(
    "remembers_the_lengths_before",
    hints=(
        "A row of this mask answers one question about one sentence: where are its real words? "
        "Whichever sentences stand before it in the batch, the answer is the same. "
        "So the rows could be made in any order, or all at once. "
        "If the order matters, something is carried over from one row to the next.",
        "Take the lengths 3, 1, 2, and then the same in another order: 2, 3, 1. "
        "The row for a length of 2 should be the same both times. Print the row, or the table, at the start of each "
        "round of your loop, before it is changed. Does it still hold what the round before has written?",
        "Begin each round with a fresh row or table, made inside the loop, and write into that one alone. "
        "Or compare all positions with all lengths at once: lengths with new axes at their end, positions along the "
        "last axis. Then there is nothing that could be carried over.",
    ),
)

NARROW_NUMBERS = (
    "A type says how many bits a number may use. With 8 bits there are 256 different numbers: from -128 to 127, or "
    "from 0 to 255. One more than the largest is the smallest, as on the counter of an old car. "
    "NumPy does not complain, since whoever asks for a narrow type is taken at their word.",
    "Make a mask for a size of 300, and count the True in each row. "
    "Then print the smallest and the largest of the numbers that you compare, and their `dtype`. "
    "No position and no length is negative, and the largest position is 299. Which of the arrays disagrees?",
    "Leave the type out where you make or convert whole numbers: NumPy takes 64 bits by itself, and that is enough for "
    "every sentence. The mask alone should be small, and it is: a boolean takes one byte, whatever was compared.",
)

padding_mask.hints_for("counts_in_one_byte", hints=NARROW_NUMBERS)

padding_mask.hints_for(
    "true_marks_padding",
    "allows_one_too_many",
    "allows_one_too_few",
    "marks_one_position_only",
    "pads_on_the_left",
    hints=(
        "The real tokens stand in front, and their positions begin with 0. "
        "So a length is two things at once. "
        "It counts the real tokens, and it is the number of the first position that is *not* real. "
        "Everything before this border is True, everything from it on is False. "
        "One comparison can say this. "
        "Its direction matters, and so does its edge.",
        "Write a row by hand, for a sentence of two tokens in five places, and print yours below it. "
        "Look at three places: position 0, the last position before the length, and the position that equals the "
        "length. "
        "If only the border is wrong, it is the edge of your comparison. "
        "If more is wrong, look at its direction, at whether it asks for *equal*, and at anything that turns the "
        "row round, a `~` for example.",
        "There is a position for each key, counted from 0; `arange` makes them. "
        "The comparison must be True for every position that is smaller than the length, and False for the one that "
        "is equal. "
        "A slice or a loop says the same if it begins at 0 and stops before the length. "
        "No `~`, no turning round, and no plus or minus 1 is needed.",
    ),
)

padding_mask.hints_for(
    "has_no_axes_for_heads_and_queries",
    "has_no_axis_for_heads",
    "puts_the_new_axes_in_front",
    "puts_the_new_axes_last",
    "masks_queries_instead_of_keys",
    "puts_the_batch_last",
    "puts_positions_in_rows",
    "puts_the_batch_on_the_axis_of_heads",
    "reshapes_a_table_of_positions",
    hints=(
        "The mask will meet scores with four axes: (batch, heads, queries, keys). "
        "What an axis of the mask means is decided by its place alone, counted from the right. "
        "Lengths belong to sentences, so to the batch. "
        "Positions belong to keys. "
        "For heads and queries the mask makes no difference, but their places must be held, each by an axis of "
        "length 1.",
        "Write (batch, heads, queries, keys) on paper, and the shape of your result below it, with the right ends "
        "aligned. "
        "Name each length: sentences, positions, or a 1? "
        "Then print the shapes of the two arrays that you compare. "
        "Which one brings the sentences, which one brings the positions, and on which axis from the right do they "
        "arrive?",
        "The result is (batch, 1, 1, keys). "
        "Positions need nothing: a single axis lies last by itself. "
        "Lengths need three more axes of length 1 behind their own, by an index with `None` or by a reshape, and "
        "broadcasting makes the table. "
        "If you have a table (batch, keys) already, its two new axes go between the two that it has.",
    ),
)

padding_mask.hints_for(
    "masks_queries_and_keys",
    "repeats_the_mask_for_every_query",
    hints=(
        "Padding is a fact about keys. "
        "Whoever asks, the same places of the sentence mean nothing, so one row says all there is to say. "
        "And how many ask is not known here: in a translator the queries come from another sentence, of another "
        "length. "
        "An axis of length 1 fits any number of queries. "
        "An axis with a fixed length fits one number only.",
        "Look at the second axis from the right of your result. "
        "Where does its length come from? "
        "It can be a repeat or a tile, an array of ones, an outer product, or an `&` with a copy that was turned on "
        "its side. "
        "Print all rows of one sentence below each other. "
        "Which of them say something that the first row does not say?",
        "Stop one step earlier. "
        "The comparison of positions with lengths is all that is needed, once it has axes of length 1 for heads and "
        "queries. "
        "Do not stretch it, and do not join it with its transpose. "
        "Broadcasting stretches it later, when the mask meets the scores. "
        "The rows of padded queries need no care, since nobody reads their answers.",
    ),
)

padding_mask.hints_for(
    "compares_lengths_with_positions_in_pairs",
    "uses_the_longest_length",
    "uses_the_first_length",
    "uses_the_shortest_length",
    "uses_the_last_length",
    hints=(
        "What we want is a table: every sentence against every position, and for each pair a True or a False. "
        "Each row of it belongs to one sentence and uses one length, its own. "
        "For such a table, lengths and positions must lie on two different axes. "
        "On the same axis they meet in pairs. "
        "And if there is a single length, all rows come out equal.",
        "Print the shapes of the two things that you compare. "
        "Does one of them have an axis for sentences, and the other one, at another place, an axis for positions? "
        "A shape of `()` is a single number: it comes from a `max`, from an index, or from a loop variable. "
        "Two shapes with one axis each lie on the same axis.",
        "The lengths need new axes of length 1 at their end, by an index with `None` or by a reshape. "
        "With three of them the batch comes first, and heads, queries and keys have their places. "
        "The positions stay as they are. "
        "Then one comparison makes the whole table, and there is no `max` and no index on the lengths.",
    ),
)

padding_mask.hints_for(
    "stops_at_the_longest_length",
    hints=(
        "The mask has to fit scores that are there already, and these have a column for each key. "
        "It is not the mask that decides how many columns there are. "
        "Often the longest sentence fills them all, so the mistake does not show. "
        "But a batch can be padded to a fixed width, and then the last columns mean nothing in any sentence.",
        "What sets the number of positions in your code? "
        "Look at the argument of `arange`, at the end of a loop, at the sizes of an array that you fill. "
        "Does it come from the lengths, by a `max` for example? "
        "Try short lengths with a large number of keys, and look at the last axis of the result.",
        "Positions run from 0 up to the number of keys, without that number itself. "
        "The lengths have no say in how many positions there are; they come in when the two are compared. "
        "Positions beyond the longest sentence then are False in every row, and that is right: nothing real stands "
        "there.",
    ),
)

padding_mask.hints_for(
    "padding_as_numbers",
    "padding_as_numbers_to_add",
    hints=(
        "True and False say what a mask means. "
        "Numbers leave it open: is a 1 allowed or blocked, and is it added or multiplied? "
        "Code that expects booleans often takes numbers without a word, and does something else. "
        "The `~` of the integer 1 is -2, and zeros and ones in square brackets pick rows. "
        "So a mask stays boolean until it meets the scores.",
        "Print the `dtype` of your result: it should be bool. "
        "Then look for the line where numbers come in. "
        "Is it an array of zeros or ones that gets filled? "
        "A product, an `astype`, a choice between two numbers? "
        "Very likely the True and False that we need were there one step before.",
        "Give back what the comparison gives, with no product, no conversion and no choice behind it. "
        "If you fill an array in a loop, make it boolean from the start, with `dtype=bool`, and write True into it. "
        "What a False does to a score is said later, in the part that uses the mask.",
    ),
)

padding_mask.hints_for(
    "refuses_a_full_length",
    "refuses_an_empty_sentence",
    "accepts_lengths_that_do_not_fit",
    hints=(
        "A length is in order if so many tokens have room among the keys: none, some, or all of them. "
        "Both ends belong to what is allowed. "
        "Above the upper end a token would have no place, so something went wrong before. "
        "An error that says so at once costs a minute. "
        "A mask that hides it can cost an afternoon.",
        "Try three lengths with the same number of keys: 0, as many as there are keys, and one more. "
        "The first two should give a mask, the third should give an error. "
        "What does your code do with each? "
        "If there is a check, see whether it comes before the return, and whether it looks at every length of the "
        "batch.",
        "Before the mask is made, ask whether any of the lengths is above the number of keys, and raise a "
        "ValueError with a clear text if so. "
        "Choose the sign that lets an equal length pass. "
        "About a length of 0 nothing has to be said: no position is smaller than 0, so its row is False by itself.",
    ),
)

padding_mask.hints_for(
    "empties_a_full_sentence",
    "fills_an_empty_sentence",
    hints=(
        "A sentence may have no real token, or nothing but real tokens. "
        "Both are ordinary lengths, and the rule is the same: as many True as the length says, from the front. "
        "Code that treats most lengths well can still trip at these two, because a 0 occurs in them, as a length or as "
        "a number of padded places.",
        "Print your row for the lengths 0, 1, 2 and 3, with 3 keys. "
        "There should be 0, 1, 2 and 3 True in them. "
        "Which one is not? "
        "Look in your code for a slice with a minus in it, for `or`, for an `if` that asks a number, and for `%`. "
        "What does each of them make of 0?",
        "Count from the front. "
        "A slice that ends at the length is empty for 0, and whole where the length is `keys`; so is a comparison of "
        "positions with the length. "
        "Neither needs the number of padded places, and neither asks whether a length is there at all.",
    ),
)
