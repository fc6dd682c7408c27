"""What people get wrong about `combine_masks`."""

import numpy as np

from ..exercises import combine_masks


@combine_masks.misconception
def allows_where_either_allows(first, second):
    """A key is allowed in your result as soon as one of the masks allows it.
    Then each mask lifts what the other one forbids; for booleans `+` does this as well as `|`.
    Both have to agree: which operator is true only if both sides are?"""
    return first | second


@combine_masks.misconception
def keeps_the_first_only(first, second):
    """Your result is the first mask; the second one is lost where both are given.
    A key may be looked at only if both masks allow it.
    Does your code return before it has seen both?"""
    return second if first is None else first


@combine_masks.misconception
def keeps_the_second_only(first, second):
    """Your result is the second mask; the first one is lost where both are given.
    A key may be looked at only if both masks allow it.
    Does a later line of yours overwrite what the first mask said?"""
    return first if second is None else second


@combine_masks.misconception(on="closed")
def takes_a_closed_mask_for_none(first, second):
    """A mask that allows nothing at all counts as no mask in your code, and so it forbids nothing.
    Your question asks whether there is a True in it. That there is a mask is another thing than what it says.
    Which comparison is true for None, and for nothing else?"""
    if first is None or not first.any():
        return second
    return first if second is None or not second.any() else first & second


@combine_masks.misconception(on="open")
def takes_an_open_mask_for_none(first, second):
    """A mask that allows everything counts as no mask in your code, and your result has the shape of the other one.
    Such a mask forbids nothing, and still it may have axes that the other lacks, one for the batch perhaps.
    What does joining two masks do to their shapes, and which comparison is true for None alone?"""
    if first is None or second is None or not (first.all() or second.all()):
        return combine_masks(first, second)
    return second if first.all() else first


@combine_masks.misconception
def combines_the_other_way_round(first, second):
    """Your result is True exactly where something is forbidden.
    The keys are the right ones, but here True means "may look", before and after combining.
    Is there a `~` too many, or one too few?"""
    return ~combine_masks(first, second)


@combine_masks.misconception
def allows_where_they_differ(first, second):
    """A key is allowed in your result where one mask allows it and the other forbids it.
    That is "either, but not both"; for booleans `^` and `!=` do this.
    Both masks have to allow a key."""
    return first ^ second


@combine_masks.misconception
def allows_where_they_agree(first, second):
    """A key is allowed in your result where the masks say the same, so also where both forbid it.
    Agreeing is not enough, since two can agree on no.
    Both masks have to say True."""
    return first == second


@combine_masks.misconception
def marks_what_both_block(first, second):
    """Your result is True where both masks forbid a key.
    That is what one does with masks whose True means "blocked", and even there it blocks too little.
    Here True means "may look", and both masks have to allow a key."""
    return ~first & ~second


@combine_masks.misconception
def allows_the_first_without_the_second(first, second):
    """A key is allowed in your result where the first mask allows it and the second forbids it.
    The second mask was read as if its True meant "blocked".
    In both masks True means "may look"; is there a `~` too many?"""
    return first & ~second


@combine_masks.misconception(number=(1, 1.0))
def multiplies_masks_as_numbers(first, second, *, number):
    """Your result holds the numbers 1 and 0, not True and False.
    A mask goes in boolean and should come out boolean.
    Which operator joins two boolean arrays without turning them into numbers?"""
    return combine_masks(first, second) if first is None or second is None else (first & second) * number


@combine_masks.misconception(number=(1, 1.0))
def adds_masks_as_numbers(first, second, *, number):
    """Your result counts, place by place, how many of the masks allow a key: 0, 1 or 2.
    A mask should be boolean: is this key allowed by both, yes or no?
    Which operator asks that for every element?"""
    return first * number + second * number


@combine_masks.misconception
def stacks_the_two_masks(first, second):
    """Two masks of equal shapes come out right; where they differ, your code can stop.
    A mask for padding and one for the future have different shapes, and the result may be larger than either.
    Stacking, an index and `&=` stretch nothing; an operator *between* two arrays, whose result is new, does."""
    return combine_masks(first, second) if first is None or second is None else np.all([first, second], axis=0)


@combine_masks.misconception
def asks_both_masks_for_one_answer(first, second):
    """Your result is one single True or False for everything: `np.all` without an axis looks at all numbers together.
    A mask has an answer for each query and key.
    An operator between two arrays works place by place, and broadcasts. Which one asks for True on both sides?"""
    return combine_masks(first, second) if first is None or second is None else np.all([first, second])


@combine_masks.misconception
def drops_axes_of_length_one(first, second):
    """Your result has lost its axes of length 1.
    Such an axis holds a place: without it, the axes before it move to the right, and meet others when the mask is used.
    Keep the shape that broadcasting gives. Is there a `squeeze`, or a reshape?"""
    return combine_masks(first, second) if first is None or second is None else (first & second).squeeze()


@combine_masks.misconception(on="none")
def forgets_that_a_mask_may_be_none(first, second):
    """With a None in place of a mask your code fails.
    None means that there is no such mask, so it forbids nothing and the other one decides.
    Deal with None before you combine."""
    return first & second


@combine_masks.misconception(on="none")
def one_none_makes_it_none(first, second):
    """Of a mask and a None you return None, in one order or in both, and what the mask forbids is lost.
    None forbids nothing, but the other mask still counts.
    What should come out when only one of the two is None?"""
    return None if first is None or second is None else first & second


@combine_masks.misconception(on="none")
def none_forbids_everything(first, second):
    """Where one mask is None nothing at all is allowed in your result.
    None means that there is no such mask: it forbids nothing, and the other mask decides alone.
    Did None turn into False on its way?"""
    if first is None or second is None:
        return None if first is second else np.zeros_like(second if first is None else first)
    return first & second


@combine_masks.misconception(on="none")
def none_allows_everything_alone(first, second):
    """Where one mask is None everything is allowed in your result, also what the other mask forbids.
    None forbids nothing, but the other mask still counts.
    What should come out when only one of the two is None?"""
    if first is None or second is None:
        return None if first is second else np.ones_like(second if first is None else first)
    return first & second


@combine_masks.misconception(on="none")
def handles_only_the_second_none(first, second):
    """With a None in first place your code fails; in second place it expects one.
    Callers may leave out either mask, or both.
    Ask the same question about the first."""
    return first if second is None else first & second


@combine_masks.misconception(on="none")
def handles_only_the_first_none(first, second):
    """With a None in second place your code fails; in first place it expects one.
    Callers may leave out either mask, or both.
    Ask the same question about the second."""
    return second if first is None else first & second


@combine_masks.misconception(on="none")
def fails_on_two_nones(first, second):
    """With one None your code runs; with two of them it fails.
    If no one brings a mask, there is none: the result is None.
    Which line still expects an array then?"""
    if first is None and second is None:
        raise TypeError
    return combine_masks(first, second)


@combine_masks.misconception(on="none")
def makes_a_mask_of_two_nones(first, second):
    """From two Nones your code makes a mask.
    If no one brings a mask, there is none, and later code can skip the step: the result is None.
    What should your first question be?"""
    return np.True_ if first is None and second is None else combine_masks(first, second)
