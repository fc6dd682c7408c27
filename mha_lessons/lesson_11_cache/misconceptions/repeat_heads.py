"""What people get wrong about `repeat_heads`."""

from array_api_compat import array_namespace

from autograder.mistakes import mistake

from ..exercises import repeat_heads


def repeats_all_heads_by_turns(x, repeats):
    """Your heads come by turns: first each of them once, then each of them again.
    Neighbours should share a head, so its copies belong right after it: 0, 0, 1, 1 and not 0, 1, 0, 1.
    The shape is the same, so nothing warns you.
    Which function repeats one by one, or which axis comes first in `view`?"""
    return array_namespace(x).concat([x] * repeats, axis=-3)


@mistake(axis=(-1, -2))
def repeats_along_another_axis(x, repeats, *, axis):
    """You repeat along axis {axis:g}, but the heads are on another one.
    The axes are (..., heads, tokens, features).
    Count from the end: which axis has the heads?"""
    return array_namespace(x).repeat(x, repeats, axis=axis)


def repeats_the_first_axis(x, repeats):
    """With a batch in front, you repeat the items of the batch.
    The heads are the third axis from the end, with or without a batch.
    Count from the end."""
    return array_namespace(x).repeat(x, repeats, axis=0)


def repeats_everything(x, repeats):
    """Your result has lost its axes: all numbers are in one row.
    Without an axis, torch repeats every number of the whole tensor.
    Name the axis."""
    return array_namespace(x).repeat(array_namespace(x).reshape(x, (-1,)), repeats)


def keeps_an_axis_for_the_copies(x, repeats):
    """Your copies have an axis of their own, between heads and tokens.
    For attention they should be heads like all others.
    Merge the two axes into one; since the copies come right after their head, the order is right."""
    xp = array_namespace(x)
    return xp.repeat(x[..., :, None, :, :], repeats, axis=-3)


def adds_so_many_copies(x, repeats):
    """Each head appears once too often: the head itself, and as many copies as `repeats` says.
    `repeats` counts the head itself, too: 1 leaves everything as it is.
    How many heads does your result have?"""
    return repeat_heads(x, repeats + 1)


def takes_repeats_for_all_heads(x, repeats):
    """You make as many heads as `repeats` says, in all.
    It says how often *each* head should appear.
    With 2 heads and repeats = 3, how many are there in the end?"""
    heads = x.shape[-3]
    return repeat_heads(x, max(1, repeats // heads))


def shares_the_head_among_its_copies(x, repeats):
    """Your copies are smaller than their head: each is divided by the number of copies.
    Keys and values are copied as they are; how much they count is for softmax to decide.
    Where do you divide?"""
    return repeat_heads(x, repeats) / repeats


def leaves_zeros_between_the_heads(x, repeats):
    """After each head, your result has zeros where its copies belong.
    A query that looks there finds nothing.
    What should the other heads of a group look at?"""
    xp = array_namespace(x)
    zeros = xp.zeros_like(x)
    stacked = xp.stack([x] + [zeros] * (repeats - 1), axis=-3)
    return xp.reshape(stacked, (*x.shape[:-3], repeats * x.shape[-3], *x.shape[-2:]))


def repeats_in_mirror_order(x, repeats):
    """Your heads come in reverse order.
    The first query heads belong to the first key-value head.
    Does something reverse the axis?"""
    return array_namespace(x).flip(repeat_heads(x, repeats), axis=-3)


def repeats_the_second_axis(x, repeats):
    """You repeat along axis 1. With a batch in front these are the heads; without one they are the tokens.
    The heads are always the third axis from the end.
    Count from the back."""
    return array_namespace(x).repeat(x, repeats, axis=1)


def repeats_by_turns_along_the_second_axis_of_four(x, repeats):
    """Your code is made for four axes: without a batch, your result has got one in front.
    With a batch the heads come by turns, 0, 1, 0, 1, and copies belong right behind their head.
    The axes are counted from the back; and which function repeats one by one?"""
    x = x[None] if x.ndim == 3 else x
    return array_namespace(x).concat([x] * repeats, axis=-3)
