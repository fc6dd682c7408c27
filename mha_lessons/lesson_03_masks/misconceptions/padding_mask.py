"""What people get wrong about `padding_mask`."""

import numpy as np

from autograder.mistakes import Refused, mistake

from ..exercises import padding_mask


def true_marks_padding(lengths, keys):
    """In your mask True marks the padding.
    Here True means "may look", so it belongs to the real tokens.
    Which positions does your comparison pick: those before the length, or those from the length on?"""
    return ~padding_mask(lengths, keys)


def allows_one_too_many(lengths, keys):
    """The position that equals the length counts as real in your code: one key too many for every sentence.
    Positions count from 0, so a sentence of two tokens fills the positions 0 and 1.
    Which comparison leaves the position 2 out?"""
    return padding_mask(lengths + 1, keys + 1)[..., :keys]


def allows_one_too_few(lengths, keys):
    """The last token of every sentence counts as padding in your code: one key too few.
    Positions count from 0, so a sentence of two tokens fills the positions 0 and 1.
    Compare with the length itself, without subtracting 1."""
    return padding_mask(lengths - 1, keys)


def has_no_axes_for_heads_and_queries(lengths, keys):
    """Your mask has the two axes (batch, keys).
    With scores (batch, heads, queries, keys), broadcasting would line its batch up with the queries, silently if both
    have the same length.
    Put two axes of length 1 between its two axes."""
    return padding_mask(lengths, keys)[:, 0, 0]


def has_no_axis_for_heads(lengths, keys):
    """Your mask has the three axes (batch, 1, keys).
    With scores (batch, heads, queries, keys), broadcasting would line its batch up with the heads.
    The exercise asks for four axes; which one is missing?"""
    mask = padding_mask(lengths, keys)
    return mask[:, 0] if mask.ndim == 4 else mask


def puts_the_new_axes_in_front(lengths, keys):
    """Your two axes of length 1 are in front: (1, 1, batch, keys).
    Then the batch is where scores have their queries, and sentence i's padding is applied to query i of every
    sentence.
    The batch comes first; the new axes go between batch and keys."""
    return padding_mask(lengths, keys)[:, 0, 0][None, None]


def puts_the_new_axes_last(lengths, keys):
    """Your two axes of length 1 are at the end: (batch, keys, 1, 1).
    Then the positions are where scores have their heads.
    Positions belong on the last axis; the new axes go between batch and keys."""
    return padding_mask(lengths, keys)[:, 0, 0][:, :, None, None]


def masks_queries_instead_of_keys(lengths, keys):
    """Your mask has the shape (batch, 1, keys, 1): it blocks rows, that is queries.
    A padded query may ask what it likes, since its answer is never used; but no query may look at a padded key.
    Positions belong on the last axis."""
    return padding_mask(lengths, keys).mT


def masks_queries_and_keys(lengths, keys):
    """Your mask has the shape (batch, 1, keys, keys): it blocks padded queries as well as padded keys.
    That leaves rows with no allowed key, and it assumes that there are as many queries as keys.
    Block only padded keys, and leave the query axis at length 1."""
    return padding_mask(lengths, keys) & padding_mask(lengths, keys).mT


def repeats_the_mask_for_every_query(lengths, keys):
    """Your mask has a row for each of `keys` queries, and all these rows are equal.
    Broadcasting repeats an axis of length 1 by itself, for any number of queries.
    Keep the query axis at length 1."""
    return np.repeat(padding_mask(lengths, keys), keys, axis=-2)


def puts_the_batch_last(lengths, keys):
    """Your axes are in the opposite order: (keys, 1, 1, batch).
    In a comparison, the array with new axes at its end becomes the rows.
    Which of the two, lengths or positions, belongs on the last axis?"""
    return padding_mask(lengths, keys).T


@mistake(front=("", "1, 1, "))
def puts_positions_in_rows(lengths, keys, *, front):
    """Your mask has the shape ({front}keys, batch): positions run down, sentences run across.
    The last axis of scores is the keys, so the last axis of a mask must hold the positions.
    Which of your two arrays gets new axes at its end: positions or lengths?"""
    return padding_mask(lengths, keys)[:, 0, 0].T[(None,) * front.count("1")]


@mistake(front=(0, 3))
def compares_lengths_with_positions_in_pairs(lengths, keys, *, front):
    """Lengths and positions are on the same axis in your comparison: the first length meets only position 0, the
    second only position 1, and so on. If their numbers differ, NumPy stops.
    Every length should meet every position.
    Which of the two needs new axes of length 1, so that they make a table?"""
    return (np.arange(keys) < lengths)[(None,) * front]


def pads_on_the_left(lengths, keys):
    """In your mask the allowed keys are at the end of each row.
    In this course sentences begin at position 0, and padding follows them.
    Which positions are smaller than the length?"""
    return padding_mask(lengths, keys)[..., ::-1]


def uses_the_longest_length(lengths, keys):
    """Your code uses the longest length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths.max(), keys)


def uses_the_first_length(lengths, keys):
    """Your code uses the first length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths[0], keys)


def stops_at_the_longest_length(lengths, keys):
    """Your mask has as many columns as the longest sentence has tokens.
    The scores have a column for each of `keys` positions, though the last of them may be padding in every sentence.
    How many positions should you count?"""
    return padding_mask(lengths, lengths.max())


def marks_one_position_only(lengths, keys):
    """In each row at most one position is allowed: the one that equals the length.
    All positions before the length are real tokens.
    Which comparison picks them all?"""
    return (np.arange(keys) == lengths[:, None])[:, None, None]


@mistake(number=(1, 1.0))
def padding_as_numbers(lengths, keys, *, number):
    """Your mask holds the numbers 1 and 0, not True and False.
    In this course a mask is boolean: numbers would be added, multiplied, and inverted by `~` in unexpected ways.
    A comparison gives True and False by itself."""
    return padding_mask(lengths, keys) * number


@mistake(fill=(-np.inf, -1e9))
def padding_as_numbers_to_add(lengths, keys, *, fill):
    """Your mask holds 0 and {fill:g}, to be added to scores.
    Some libraries want that; here a mask is boolean, and True means "may look".
    The masked softmax decides later what to put in for a blocked key."""
    return np.where(padding_mask(lengths, keys), 0.0, fill)


def refuses_a_full_length(lengths, keys):
    """Your code refuses a sentence that fills every position, without any padding.
    A length equal to `keys` fits exactly, and the longest sentence of a batch usually has this length.
    Which lengths really do not fit?"""
    if (lengths >= keys).any():
        raise Refused("too long")
    return padding_mask(lengths, keys)


def uses_the_shortest_length(lengths, keys):
    """Your code uses the shortest length for all sentences.
    Each sentence has a length of its own.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths.min(), keys)


def uses_the_last_length(lengths, keys):
    """Your code uses the last length for all sentences.
    Each sentence has a length of its own, and its row must be written before the loop goes on to the next.
    Compare the positions with all lengths, one row for each, and not with a single number."""
    return padding_mask(lengths * 0 + lengths[-1], keys)


def empties_a_full_sentence(lengths, keys):
    """A sentence that fills every position gets a row without any True.
    It has 0 positions of padding, and 0 is special: a slice from `-0` on is the whole row, and the remainder of a
    division by `keys` is 0.
    Which count is safe, the one from the front or the one from the back?"""
    return padding_mask(lengths * (lengths != keys), keys)


def puts_the_batch_on_the_axis_of_heads(lengths, keys):
    """Your mask has the shape (1, batch, 1, keys): the sentences are where scores have their heads.
    Then head 1 hides the padding of sentence 1, in every sentence.
    The batch comes first; both axes of length 1 go between batch and keys."""
    return padding_mask(lengths, keys)[None, :, 0]


def reshapes_a_table_of_positions(lengths, keys):
    """Your table had positions as rows and sentences as columns, and then it was reshaped.
    `reshape` keeps the numbers in their order and cuts them up again, so a row holds pieces of several sentences.
    Give the sentences the rows from the start: which of the two, lengths or positions, gets new axes at its end?"""
    return padding_mask(lengths, keys)[:, 0, 0].T.reshape(len(lengths), 1, 1, keys)


@mistake(on="empty")
def fills_an_empty_sentence(lengths, keys):
    """A sentence of length 0 gets a row of True.
    Python treats 0 as False, so `length or keys` is `keys`; a slice from `-0` on is the whole row; an index of 0 - 1
    is the last position.
    A length of 0 is a length. Which line does not treat it as one?"""
    return padding_mask(lengths + keys * (lengths == 0), keys)


@mistake(on="empty")
def refuses_an_empty_sentence(lengths, keys):
    """Your code refuses a length of 0.
    An empty sentence is rare but allowed: its row has no True at all, and the masked softmax gives it weights of zero.
    Which lengths would really be wrong?"""
    if (lengths < 1).any():
        raise Refused("empty")
    return padding_mask(lengths, keys)


@mistake(on="too_long")
def accepts_lengths_that_do_not_fit(lengths, keys):
    """A length above `keys` went through as if it were `keys`.
    It means that tokens were lost earlier on, and a mask that hides this makes the mistake hard to find.
    Check the lengths first, and raise an error, such as a ValueError, if one does not fit."""
    return padding_mask(np.minimum(lengths, keys), keys)


@mistake(kept=("shortest", "longest"))
def remembers_the_lengths_before(lengths, keys, *, kept):
    """Each of your rows is made for the {kept} of all lengths so far: it keeps what earlier sentences left behind.
    The sentences of a batch are independent, and each length counts only for its own row.
    Does your code change a single row, or table, step by step for the whole batch?"""
    so_far = (np.minimum if kept == "shortest" else np.maximum).accumulate(lengths)
    return padding_mask(so_far, keys)


@mistake(on="long", kind=("int8", "uint8"), narrow=("lengths", "positions", "both"))
def counts_in_one_byte(lengths, keys, *, kind, narrow):
    """In long sentences your rows are wrong: somewhere your code stores whole numbers in one byte, as `{kind}`.
    Such a number ends at 127 or 255; anything larger silently starts again at the other end.
    Sentences can be longer than that. Which line chooses the type?"""
    mask, positions = padding_mask(lengths, keys), np.arange(keys)
    lengths = lengths if narrow == "positions" else lengths.astype(kind)
    positions = positions if narrow == "lengths" else positions.astype(kind)
    return np.broadcast_to(positions < lengths[:, None, None, None], mask.shape)
