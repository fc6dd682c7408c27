"""What people get wrong about `to_allowed`."""

import numpy as np

from autograder.mistakes import Refused, mistake
from mha_lessons.lesson_01_softmax.exercises import softmax

from ..exercises import to_allowed


def takes_every_mask_as_allowed(mask, convention):
    """Your result is the mask as booleans, whatever the convention.
    As a boolean, every number but 0 is True, even minus infinity.
    In three of the four conventions, this reverses the meaning.
    For each convention, ask which entry means "may look"."""
    return mask != 0


def leaves_blocked_as_it_is(mask, convention):
    """In the convention "blocked", your result still has True where a key is blocked.
    There, True is a barrier; here, it is a permission.
    Which operator inverts booleans?"""
    return mask if convention == "blocked" else to_allowed(mask, convention)


def turns_allowed_round(mask, convention):
    """A mask in the convention "allowed" came back inverted.
    That convention is already ours: True means "may look".
    For this one there is nothing to do."""
    return ~mask if convention == "allowed" else to_allowed(mask, convention)


def exchanges_allowed_and_blocked(mask, convention):
    """Your two boolean conventions are exchanged: "allowed" was inverted, and "blocked" was not.
    The name says what True means there.
    The result always has True where a query may look."""
    other = {"allowed": "blocked", "blocked": "allowed"}
    return to_allowed(mask, other.get(convention, convention))


def reads_additive_as_a_switch(mask, convention):
    """In the convention "additive", your result is inverted: True is where a key is blocked.
    There, 0 is added to what may be seen, and adding 0 changes nothing.
    As booleans, 0 is False and minus infinity is True. So which entry means "may look"?"""
    return mask != 0 if convention == "additive" else to_allowed(mask, convention)


def reads_one_as_allowed(mask, convention):
    """In the convention "blocked_float", your result is inverted: 1 was taken for "may look".
    There, a 1 is multiplied by -1e9 and added to the score, so that the key is lost.
    Which number leaves the score as it is?"""
    return mask == 1 if convention == "blocked_float" else to_allowed(mask, convention)


def reads_both_kinds_of_numbers_as_switches(mask, convention):
    """In both conventions with numbers, your result is inverted: True is where the number is not 0.
    In both of them, 0 is the entry that leaves a score as it is.
    So which entries mean "may look"?"""
    return mask != 0 if convention in ("additive", "blocked_float") else to_allowed(mask, convention)


def asks_for_numbers_above_zero(mask, convention):
    """In the convention "additive", nothing is allowed any more in your result.
    Its entries are 0 or far below 0, and none of them meets your condition.
    The 0 itself is the entry that lets a query look."""
    return mask > 0 if convention == "additive" else to_allowed(mask, convention)


def lets_every_one_through(mask, convention):
    """In the convention "blocked_float", everything is allowed in your result.
    A comparison for numbers that are not far below 0 suits "additive", but here a blocked key is a 1.
    Which single number means "may look" in both conventions?"""
    return mask >= 0 if convention == "blocked_float" else to_allowed(mask, convention)


@mistake(number=(1, 1.0))
def answers_in_numbers(mask, convention, *, number):
    """Your result holds the numbers 1 and 0, not True and False.
    A mask in this course is boolean: the next line would calculate with numbers.
    A comparison gives booleans by itself."""
    return to_allowed(mask, convention) * number


def answers_in_numbers_to_add(mask, convention):
    """Your result is a mask to be added to scores, with 0 and minus infinity.
    You translated the other way: into "additive".
    The result should be ours, boolean, with True where a query may look."""
    return np.where(to_allowed(mask, convention), 0.0, -np.inf)


def answers_what_is_blocked(mask, convention):
    """All your results are inverted: True is where a key is blocked.
    You translated into the convention of `nn.MultiheadAttention`.
    Ours is the other one: True means "may look"."""
    return ~to_allowed(mask, convention)


@mistake(on="finite_fill")
def knows_minus_infinity_only(mask, convention):
    """An additive mask may hold a very large negative number, such as -1e9, instead of minus infinity; your code takes
    that for "may look".
    Softmax turns it into 0 all the same.
    Ask for the entry that allows, not for one of those that block."""
    return mask != -np.inf if convention == "additive" else to_allowed(mask, convention)


@mistake(number=(-1e9, -1e4, -65504.0, float(np.finfo(np.float32).min)))
def knows_one_negative_number_only(mask, convention, *, number):
    """In the convention "additive", your code looks for one number, {number:g}, and takes minus infinity for "may
    look".
    There are many ways to write "very negative", but only one to write "may look".
    Ask for the entry that allows, not for one of those that block."""
    return mask != number if convention == "additive" else to_allowed(mask, convention)


def lets_every_number_to_add_through(mask, convention):
    """In the convention "additive", everything is allowed in your result, whatever is added to a score.
    Its entries are 0 or far below 0, and your comparison lets both through.
    One of the two leaves a score as it is. Which comparison is true for that one alone?"""
    return mask <= 0 if convention == "additive" else to_allowed(mask, convention)


def exchanges_the_two_kinds_of_numbers(mask, convention):
    """In both conventions with numbers, everything is allowed in your result.
    "additive" marks a blocked key with a very negative number, and "blocked_float" with a 1, but your code looks for
    each of them in the masks of the other.
    Which single number means "may look" in both?"""
    exchanged = {"additive": mask != 1, "blocked_float": mask >= 0}
    return exchanged[convention] if convention in exchanged else to_allowed(mask, convention)


@mistake(on="finite_fill")
def asks_for_a_billion(mask, convention):
    """An additive mask may block with -1e4 or -65504, as models in float16 do, but yours takes these for "may look".
    Its bound is too far below zero: such a score is lost in softmax all the same.
    Which number adds nothing to a score? Compare with that."""
    return mask > -1e8 if convention == "additive" else to_allowed(mask, convention)


@mistake(on="finite_fill")
def lets_the_bound_itself_through(mask, convention):
    """An additive mask blocks with -1e4 or less, but your code takes an entry of exactly -1e4 for "may look".
    Its bound is a little too low.
    It need not be so close to what is blocked: which number adds nothing to a score?"""
    return mask >= -1e4 if convention == "additive" else to_allowed(mask, convention)


@mistake(on="dead_row", place=("a row", "the mask"))
def compares_entries_with_each_other(mask, convention, *, place):
    """Where all entries of {place} block, with a large negative number, they came out as allowed.
    They were looked at together, by softmax or a comparison, or opened on purpose.
    Each entry says by itself what it means. Ask it without its neighbours."""
    if convention != "additive":
        return to_allowed(mask, convention)
    compared = mask if place == "a row" else mask.reshape(-1)
    return (softmax(compared) > 0).reshape(mask.shape)


@mistake(on=("open", "finite_fill"))
def takes_the_lowest_number_for_blocked(mask, convention):
    """In the convention "additive", your code takes the lowest number for "blocked", whichever it is.
    In a mask of zeros that is the 0, so nothing may be seen; and next to minus infinity, -1e4 passes for "may look".
    Each entry says by itself what it means. Which entry lets a query look, whatever the others are?"""
    return mask > mask.min() if convention == "additive" else to_allowed(mask, convention)


@mistake(constant=("allowed", "blocked", "additive", "blocked_float"))
def refuses_a_convention(mask, convention, *, constant):
    """Your code refuses the convention "{constant}", though it is one of the four.
    Does one of your conditions ask for it, with the same spelling and with `==`?
    `is` asks whether two texts are the same object in memory, and two equal texts need not be."""
    if convention == constant:
        raise Refused(convention)
    return to_allowed(mask, convention)


_CONVENTIONS = ("allowed", "blocked", "additive", "blocked_float")


@mistake(on="unknown")
def lets_an_unknown_convention_through(mask, convention):
    """For a convention that no one has heard of, your code returns the mask as it is.
    A typing mistake there could invert the masks of a model, and no one would be told.
    Refuse it, with a ValueError that names the four that you know."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else mask


@mistake(on="unknown")
def turns_an_unknown_convention_round(mask, convention):
    """For a convention that no one has heard of, your code inverts the mask, as if a branch took all others.
    A typing mistake there could invert the masks of a model, and no one would be told.
    Give each convention its own branch, and refuse the rest."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else ~mask


@mistake(on="unknown")
def says_nothing_about_an_unknown_convention(mask, convention):
    """For a convention that no one has heard of, your code returns None.
    In our functions, None means "everything is allowed", so a typing mistake would take the mask away, and no one
    would be told.
    After the last branch, raise a ValueError that names all four."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else None


@mistake(on="misspelled")
def takes_a_piece_for_a_name(mask, convention):
    """A convention that does not exist passes, since it is a piece of a name, as "allow" is of "allowed".
    Between two texts, `in` asks whether one is a piece of the other, and brackets around a single text make no tuple.
    Which comparison is true only for equal texts?"""
    return to_allowed(mask, next((name for name in _CONVENTIONS if convention in name), convention))


@mistake(on="misspelled")
def finds_a_name_in_a_longer_text(mask, convention):
    """A convention that does not exist passes, since it has a name in it, as "blocked_bool" has "blocked".
    Your code looks for that name in the text, or at how the text begins, not at the whole of it.
    Which comparison is true only for equal texts?"""
    return to_allowed(mask, next((name for name in _CONVENTIONS[::-1] if name in convention), convention))
