"""What people get wrong about `combine_masks`."""

import numpy as np

from autograder.mistakes import mistake

from ..exercises import combine_masks


def allows_where_either_allows(first, second):
    """In your result a key is allowed as soon as one of the masks allows it.
    Then each mask permits what the other one forbids; for booleans, both `+` and `|` do this.
    Both have to allow it: which operator is true only if both sides are?"""
    return first | second


def keeps_the_first_only(first, second):
    """Your result is the first mask; where both are given, the second is lost.
    A key may be looked at only if both masks allow it.
    Does your code return before it has seen both?"""
    return second if first is None else first


def keeps_the_second_only(first, second):
    """Your result is the second mask; where both are given, the first is lost.
    A key may be looked at only if both masks allow it.
    Does a later line overwrite the first mask?"""
    return first if second is None else second


@mistake(on="closed")
def takes_a_closed_mask_for_none(first, second):
    """Your code treats a mask that allows nothing as if there were no mask, so it forbids nothing.
    Your condition asks whether it holds a True, but an all-False mask is still a mask.
    Which comparison is true for None, and for nothing else?"""
    if first is None or not first.any():
        return second
    return first if second is None or not second.any() else first & second


@mistake(on="open")
def takes_an_open_mask_for_none(first, second):
    """Your code treats a mask that allows everything as if there were none, so your result has the other one's shape.
    Such a mask forbids nothing, but it may have axes that the other lacks, perhaps one for the batch.
    What happens to the shapes of two masks that are joined, and which comparison is true for None alone?"""
    if first is None or second is None or not (first.all() or second.all()):
        return combine_masks(first, second)
    return second if first.all() else first


def combines_the_other_way_round(first, second):
    """Your result is True exactly where something is forbidden.
    You found the right positions, but here True means "may look", before and after combining.
    Is there a `~` too many, or one too few?"""
    return ~combine_masks(first, second)


def allows_where_they_differ(first, second):
    """In your result a key is allowed where one mask allows it and the other forbids it.
    That is "one or the other, but not both"; for booleans, `^` and `!=` do this.
    Both masks have to allow a key."""
    return first ^ second


def allows_where_they_agree(first, second):
    """In your result a key is allowed where the masks agree, so also where both forbid it.
    Agreeing is not enough: they can agree on False.
    Both masks have to say True."""
    return first == second


def marks_what_both_block(first, second):
    """Your result is True where both masks forbid a key.
    That would suit masks in which True means "blocked", and even there it would block too little.
    Here True means "may look", and both masks have to allow a key."""
    return ~first & ~second


def allows_the_first_without_the_second(first, second):
    """In your result a key is allowed where the first mask allows it and the second forbids it.
    You read the second mask as if True meant "blocked".
    In both masks True means "may look"; is there a `~` too many?"""
    return first & ~second


@mistake(number=(1, 1.0))
def multiplies_masks_as_numbers(first, second, *, number):
    """Your result holds the numbers 1 and 0, not True and False.
    The masks are boolean, and so should the result be.
    Which operator joins two boolean arrays without turning them into numbers?"""
    return combine_masks(first, second) if first is None or second is None else (first & second) * number


@mistake(number=(1, 1.0))
def adds_masks_as_numbers(first, second, *, number):
    """Your result counts how many of the masks allow each key: 0, 1 or 2.
    The result should be boolean: do both allow this key, yes or no?
    Which operator answers that for every element?"""
    return first * number + second * number


def stacks_the_two_masks(first, second):
    """With masks of equal shapes your code is right, but with different shapes it can fail.
    A mask for padding and one for the future have different shapes, and the result may be larger than either.
    Stacking, an index and `&=` stretch nothing; an operator *between* two arrays does, since its result is new."""
    return combine_masks(first, second) if first is None or second is None else np.all([first, second], axis=0)


def asks_both_masks_for_one_answer(first, second):
    """Your result is a single True or False: `np.all` without an axis looks at all numbers together.
    A mask has an answer for each query and key.
    An operator between two arrays works element by element, and broadcasts. Which one asks for True on both sides?"""
    return combine_masks(first, second) if first is None or second is None else np.all([first, second])


def drops_axes_of_length_one(first, second):
    """Your result has lost its axes of length 1.
    Without such an axis, those before it move to the right, and meet the wrong ones in use.
    Keep the shape that broadcasting gives. Is there a `squeeze`, or a reshape?"""
    return combine_masks(first, second) if first is None or second is None else (first & second).squeeze()


@mistake(on="none")
def forgets_that_a_mask_may_be_none(first, second):
    """Your code fails if one of the masks is None.
    None means that there is no mask, so it forbids nothing and the other one decides.
    Deal with None before you combine."""
    return first & second


@mistake(on="none")
def one_none_makes_it_none(first, second):
    """From a mask and a None you return None, at least in one order, and what the mask forbids is lost.
    None forbids nothing, but the other mask still counts.
    What should come out when only one of the two is None?"""
    return None if first is None or second is None else first & second


@mistake(on="none")
def none_forbids_everything(first, second):
    """Where one mask is None, your result allows nothing at all.
    None means that there is no mask: it forbids nothing, and the other mask decides alone.
    Does None turn into False somewhere?"""
    if first is None or second is None:
        return None if first is second else np.zeros_like(second if first is None else first)
    return first & second


@mistake(on="none")
def none_allows_everything_alone(first, second):
    """Where one mask is None, your result allows everything, even what the other mask forbids.
    None forbids nothing, but the other mask still counts.
    What should come out when only one of the two is None?"""
    if first is None or second is None:
        return None if first is second else np.ones_like(second if first is None else first)
    return first & second


@mistake(on="none")
def handles_only_the_second_none(first, second):
    """Your code handles a None as the second mask, but fails if the first is None.
    Either mask may be None, or both.
    Check the first in the same way."""
    return first if second is None else first & second


@mistake(on="none")
def handles_only_the_first_none(first, second):
    """Your code handles a None as the first mask, but fails if the second is None.
    Either mask may be None, or both.
    Check the second in the same way."""
    return second if first is None else first & second


@mistake(on="none")
def fails_on_two_nones(first, second):
    """Your code works with one None, but fails with two.
    Without any mask, the result is None.
    Which line still expects an array then?"""
    if first is None and second is None:
        raise TypeError
    return combine_masks(first, second)


@mistake(on="none")
def makes_a_mask_of_two_nones(first, second):
    """Your code makes a mask out of two Nones.
    Without any mask the result is None, and later code can skip that step.
    What should you check first?"""
    return np.True_ if first is None and second is None else combine_masks(first, second)
