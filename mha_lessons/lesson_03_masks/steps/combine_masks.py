"""What people get wrong about `combine_masks`, and what helps them."""

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
    If nobody brings a mask, there is none: the result is None.
    Which line still expects an array then?"""
    if first is None and second is None:
        raise TypeError
    return combine_masks(first, second)


@combine_masks.misconception(on="none")
def makes_a_mask_of_two_nones(first, second):
    """From two Nones your code makes a mask.
    If nobody brings a mask, there is none, and later code can skip the step: the result is None.
    What should your first question be?"""
    return np.True_ if first is None and second is None else combine_masks(first, second)


combine_masks.hints_for(
    "allows_where_either_allows",
    "allows_where_they_differ",
    "allows_where_they_agree",
    hints=(
        "Think of two doors on the way to a key. "
        "Each mask guards one of them, and True means that this door is open. "
        "You come through if both are open. "
        "One open door is not enough, and two closed ones are worse. "
        "Of the four ways in which two doors can stand, a single one lets you in.",
        "For a place there are four cases: both masks say True, only the first does, only the second does, or none "
        "does. "
        "Put the four into two small arrays, run your line on these, and write the result beside the cases. "
        "It should be True in the first case, and False in the other three. "
        "The case that is wrong shows what your operator really asks.",
        "Each operator between boolean arrays asks a question at every place. "
        "`|` and `+` ask for at least one True, `^` and `!=` ask for exactly one, `==` asks for two equal answers. "
        "The one you need asks for True on both sides. "
        "It is a single sign, and it stands for the word *and*.",
    ),
)

combine_masks.hints_for(
    "combines_the_other_way_round",
    "marks_what_both_block",
    "allows_the_first_without_the_second",
    hints=(
        "All masks here speak one language: the first, the second and the result. "
        'True means "may look" in each of them. '
        "So nothing has to be translated, neither on the way in nor on the way out. "
        'Where True means "blocked", masks are joined by another rule. '
        "Half a translation between the two gives a result like yours.",
        "Count what turns a mask round in this part: `~`, `not`, `1 -`, a comparison with False. "
        "Then put the four pairs of True and False into two small arrays, and run your code. "
        "True with True should give True, and the other three should give False. "
        "Which are wrong in yours, and which of the signs you counted did it?",
        "Join the two masks as they come in, with an *and* at every place, and give back what comes out. "
        "Nothing is turned round before this, and nothing after it. "
        "If a mask in another language has to be joined, let it be translated before it comes here.",
    ),
)

combine_masks.hints_for(
    "takes_a_closed_mask_for_none",
    hints=(
        "There are two questions about a mask. "
        "The first is whether somebody gave one: the answer no is written None. "
        "The second is what a mask says, place by place. "
        "A mask full of False was given, and it says the strictest thing there is. "
        "To leave it out turns the strictest mask into the most generous one.",
        "Give your function a mask of 2 rows and 3 keys that is False everywhere, and any other mask beside it. "
        "No key is allowed by both, so the result holds no True. "
        "Print what your condition says about the first mask. "
        "Does it ask for None, or for a True?",
        "In Python, `if not x` and `x.any()` ask about the contents. "
        "A test for identity asks whether this is the one object called None, and does not look inside. "
        "Write it once for each of the two masks. "
        "All other masks, however empty, go on to the line that joins.",
    ),
)

combine_masks.hints_for(
    "takes_an_open_mask_for_none",
    hints=(
        "There are two questions about a mask. "
        "The first is whether somebody gave one: the answer no is written None. "
        "The second is what a mask says, place by place. "
        "A mask full of True forbids nothing, but it has a shape, and the shape of the result is made of both. "
        "Whoever uses the result counts on this shape, whatever stands in it.",
        "Combine a padding mask of shape (2, 1, 1, 4) that is True everywhere with a mask of shape (4, 4). "
        "Together they should be (2, 1, 4, 4). "
        "Change a single entry of the first one to False, and look at the shape again. "
        "Which line of your code tells the two apart, and should it?",
        "Leave a mask out for one reason only: that it is None. "
        "All other masks go into the same line, which joins them place by place. "
        "A mask full of True changes no answer there, and stretches the other one to the common shape. "
        "So the shortcut can go; it saves next to nothing.",
    ),
)

combine_masks.hints_for(
    "keeps_the_first_only",
    "keeps_the_second_only",
    hints=(
        "Each mask knows something that the other one does not. "
        "A padding mask knows where sentences end; a causal mask knows what comes later. "
        "Whoever keeps only one of them makes visible again what the other one hides. "
        "To give back a single mask is right in one situation only: when the other one is not there.",
        "Follow two arrays through your code, with no None among them. "
        "Which line is the first to return something, or to set the result? "
        "What has it asked before? "
        "If it asks whether a mask is there, and then returns this mask, it never sees the other one. "
        "Is there a line in which both names stand, and do two arrays reach it?",
        "Give back one mask alone only if you know that the *other* one is None. "
        "Ask this for both sides. "
        "After that, both are arrays, and the last line joins them: an *and* at every place. "
        "Both names have to stand in this line, and no later line may replace its result.",
    ),
)

combine_masks.hints_for(
    "multiplies_masks_as_numbers",
    "adds_masks_as_numbers",
    hints=(
        "With booleans one asks, with numbers one counts. "
        "A product of ones and zeros looks like an *and*, and a sum of them is a count of votes. "
        "But whoever uses the mask next expects True and False. "
        "A `~` or an index means something else for numbers, and no error says so. "
        "What kind of numbers an array holds is part of its meaning.",
        "Print the `dtype` of the two masks and of your result. "
        "Bool goes in; at which line does it become int or float? "
        "Look for `astype`, for `int` or `float`, for a product or sum with a number, for a function that counts. "
        "Then look at a place that both masks allow. "
        "What do you find there?",
        "Join the two boolean arrays with the operator that asks for True on both sides, place by place. "
        "It takes booleans, gives booleans, and broadcasts. "
        "So nothing is converted before it, and nothing is compared or converted after it. "
        "No number occurs in this line at all.",
    ),
)

combine_masks.hints_for(
    "stacks_the_two_masks",
    "asks_both_masks_for_one_answer",
    hints=(
        "A function that takes both masks in a list wants equal shapes, or it gives one answer for everything. "
        "A line that writes into one of the masks cannot make it larger. "
        "An operator *between* two arrays is different. "
        "It lines up their shapes from the right, stretches axes of length 1, and gives an answer for each place of "
        "the common shape.",
        "Try a mask of shape (2, 1, 1, 4) with one of shape (4, 4). "
        "Together they should be (2, 1, 4, 4). "
        "What does your code give, or where does it stop? "
        "Look for square brackets around both masks, for `all`, `stack` or `reduce`, and for a line that writes "
        "into a mask.",
        "Put one sign between the two arrays: the one that asks, at every place, for True on both sides. "
        "It makes a new array in their common shape, and leaves both as they are. "
        "No list, no `all` and no loop is needed, and no axis has to be added by hand.",
    ),
)

combine_masks.hints_for(
    "drops_axes_of_length_one",
    hints=(
        "What an axis means is decided by its place, counted from the right. "
        "An axis of length 1 says: it is the same for all of you here, for all heads perhaps. "
        "It holds a place open, and that is its whole work. "
        "Take it away, and the batch in front of it slides to the place of the heads.",
        "Combine a padding mask of shape (4, 1, 1, 3) with a causal one of shape (5, 3). "
        "Together they should be (4, 1, 5, 3). "
        "What is yours, and which line takes the 1 away? "
        "Then write both shapes below scores of shape (4, 2, 5, 3), with the right ends aligned.",
        "The operator between two boolean arrays gives the common shape by itself, with every axis of length 1 that "
        "both have. "
        "Give back what it makes, without `squeeze`, without a reshape and without an index behind it. "
        "Then print its shape once more.",
    ),
)

combine_masks.hints_for(
    "forgets_that_a_mask_may_be_none",
    "one_none_makes_it_none",
    "none_forbids_everything",
    "none_allows_everything_alone",
    "handles_only_the_second_none",
    "handles_only_the_first_none",
    "fails_on_two_nones",
    "makes_a_mask_of_two_nones",
    hints=(
        "None says that nobody has brought a mask on this side, so nothing is forbidden there. "
        "It is like adding 0: the other side comes out unchanged. "
        "This holds for whatever stands on the other side, a mask or another None. "
        "So there is one rule, and it is used twice, once for each side.",
        "There are four calls to try: two arrays, None in the first place, None in the second, and two Nones. "
        "Beside each write what it should give: both joined, the other mask, the other mask, None. "
        "Run all four, and take the first that is wrong. "
        "Go through it line by line: which question does it meet, and what does the answer lead to?",
        "Two questions stand at the top, one for each mask: is it None? "
        "If so, the other mask is given back, whatever that is. "
        "What comes below these two can count on two arrays, and joins them. "
        "Ask with `is`: `==` and `not` look at each number of an array, and give no single answer.",
    ),
)
