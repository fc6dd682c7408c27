"""What people get wrong about `merge_heads`."""

import numpy as np
from array_api_compat import array_namespace

from autograder.mistakes import mistake
from mha_lessons.lesson_05_multi_head.misconceptions.concatenate_heads import ONE_OF_MANY, _one_of_many

from ..exercises import merge_heads
from .split_heads import _turned

BLOCKS = {"one column": lambda heads: 1, "as many columns as there are heads": lambda heads: heads}


def _laid_out(blocks, width, step):
    """Write blocks of columns one after the other, each so many columns after the one before it."""
    out = np.zeros((*blocks[0].shape[:-1], width))
    for number, block in enumerate(blocks):
        out[..., number * step : number * step + block.shape[-1]] = block
    return out


def reshapes_straight_back(x):
    """The shape is right, but the numbers are not: each row holds pieces of several rows of the same head.
    A reshape reads the numbers in order, and here all rows of head 0 come before those of head 1.
    Bring the axis of heads next to the columns first."""
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


def forgets_to_move_the_heads_back(x):
    """Your result has one row for each head, which holds all rows of that head.
    You joined the last two axes, which are the rows and columns of a single head.
    Swap heads and rows first, so that the heads are next to the columns."""
    return x.reshape(*x.shape[:-2], -1)


def merges_the_columns_in_turn(x):
    """The heads' columns alternate in your result: the first column of every head, then the second of every head.
    They should come one block after the other.
    Before you join the last two axes, which must come first, heads or head_size?"""
    return x.swapaxes(-3, -2).mT.reshape(*x.shape[:-3], x.shape[-2], -1)


def exchanges_rows_and_columns(x):
    """You swapped the last two axes, rows and columns.
    That mixes up the numbers of different tokens.
    Swap the axis of heads and the one behind it; the columns of a head stay last."""
    return x.mT.reshape(*x.shape[:-3], x.shape[-2], -1)


def joins_heads_and_columns_too_early(x):
    """The shape is right, but your reshape comes too early: it joins heads and columns while the tokens
    are still between them.
    In the split the reshape comes first. Merging is the split backwards, so the steps come in the other order.
    Which two axes must be neighbours before they can become one?"""
    return x.reshape(*x.shape[:-3], -1, x.shape[-2]).mT


def moves_back_but_does_not_merge(x):
    """Your result still has an axis for the heads, next to the columns.
    All numbers are in the right order.
    One step is left: join the last two axes."""
    return x.swapaxes(-3, -2)


def averages_the_heads(x):
    """Your result is the mean of the heads.
    Then you can no longer tell which head found what.
    Put the heads side by side, so that nothing is lost."""
    return x.mean(axis=-3)


def adds_the_heads(x):
    """Your result is the sum of the heads.
    Then you can no longer tell which head found what.
    Put the heads side by side, so that nothing is lost."""
    return x.sum(axis=-3)


def keeps_the_first_head_only(x):
    """Your result is the first head, and the others are gone.
    All heads are side by side in the result, one block of columns after the other.
    Does your code return before it has seen them all?"""
    return x[..., 0, :, :]


@mistake(moved=(False, True))
def puts_heads_below_each_other(x, *, moved):
    """Your heads are stacked as rows: there are `heads` times as many rows as there should be.
    A token has one row, with the heads' results side by side in it.
    Join the axis of heads with that of their columns, not with that of the tokens."""
    x = x.swapaxes(-3, -2) if moved else x
    return x.reshape(*x.shape[:-3], -1, x.shape[-1])


def exchanges_heads_and_columns(x):
    """You swapped heads and columns, and the tokens are still between them.
    So each row of your result holds numbers of several tokens.
    Swap the axes of heads and tokens, the second and the third."""
    return x.swapaxes(-3, -1).reshape(*x.shape[:-3], x.shape[-2], -1)


def takes_heads_for_tokens_in_the_shape(x):
    """Your result has one row for each head, with pieces of several tokens in it.
    The axes come as (batch, heads, tokens, head_size), and your code takes the second size for the tokens and the
    third for the heads.
    Which names do you give to the sizes in `x.shape`?"""
    return x.swapaxes(-3, -2).reshape(*x.shape[:-2], -1)


def merges_the_tokens_too(x):
    """Your result has one row for each text: tokens, heads and columns became a single axis.
    All numbers are in the right order.
    Join only heads and columns, so that each token keeps a row. From which axis on do you flatten?"""
    return x.swapaxes(-3, -2).reshape(*x.shape[:-3], -1)


def moves_tokens_before_the_batch(x):
    """The shape is right, but tokens moved in front of the batch before the reshape, so texts are mixed up.
    The batch stays where it is, in front.
    Swap heads and tokens, and no other axes."""
    return x.swapaxes(-3, -2).swapaxes(0, 1).reshape(*x.shape[:-3], x.shape[-2], -1)


@mistake(repeated=(True, False))
def merges_the_first_item_only(x, *, repeated):
    """Only the first item of the batch is in your result.
    Each item has its own heads and tokens, and all items are merged in the same way.
    Is there an index 0 where the whole batch should be?"""
    merged = merge_heads(x)
    return np.broadcast_to(merged[:1], merged.shape) if repeated else merged[:1]


def merges_the_batch_too(x):
    """The batch is gone: all rows of all items are in one long table.
    Every number is in the right row.
    Give your reshape a place for each axis that should stay."""
    merged = merge_heads(x)
    return merged.reshape(-1, merged.shape[-1])


def merges_heads_in_reverse(x):
    """The blocks of columns are right, but in reverse order: the last head comes first.
    Head 0 gives the first columns.
    In which order does your code go through the heads?"""
    return merge_heads(x[..., list(reversed(range(x.shape[-3]))), :, :])


def takes_the_first_axis_for_heads(x):
    """Your code takes axis 0 for the heads.
    Here the batch comes first and the heads second, as in (batch, heads, tokens, head_size).
    Count axes from the end: there, they always mean the same."""
    return x.swapaxes(0, 1).swapaxes(1, 2).reshape(*x.shape[1:-1], -1)


@mistake(first=("last", "second"))
def merges_from_another_head_on(x, *, first):
    """The blocks of columns are right, but they begin with the {first} head.
    Head 0 gives the first columns, head 1 the next ones, and so on to the end.
    Does an index in your code count one too few, or one too many?"""
    return merge_heads(_turned(x, first, -3))


def keeps_the_last_head_only(x):
    """Your result is the last head, and the others are gone.
    All heads are side by side in the result, one block of columns after the other.
    Does your loop replace what it had before?"""
    return x[..., -1, :, :]


@mistake(step=tuple(BLOCKS))
def puts_the_blocks_elsewhere(x, *, step):
    """In your result each head's block begins {step} after the one before it, so blocks overlap or leave gaps.
    A block is head_size columns wide, and the next one begins where it ends.
    With 3 heads of 2 columns, at which column does each begin?"""
    heads, size = x.shape[-3], x.shape[-1]
    return _laid_out([x[..., head, :, :] for head in range(heads)], heads * size, BLOCKS[step](heads))


def takes_a_view_of_the_turned_heads(x):
    """Your code fails, because `view` cannot join heads and columns after the transpose.
    A transpose moves no number in memory, and `view` can only read them as they are stored.
    Another method copies where it must. Which one did you use in the split?"""
    return x.swapaxes(-3, -2).view(*x.shape[:-3], x.shape[-2], -1)


@mistake(made=tuple(ONE_OF_MANY), laid=("as blocks", "number by number"))
def makes_one_block_of_all_heads(x, *, made, laid):
    """Your heads were combined into one, the {made} over the heads, and that was repeated until it was wide enough.
    The shape fits, but what each head found on its own is lost.
    Heads lie side by side: how can each keep its own columns?"""
    xp, again = array_namespace(x), [_one_of_many(x, made, axis=-3)] * x.shape[-3]
    if laid == "as blocks":
        return xp.concat(again, axis=-1)
    return xp.stack(again, axis=-1).reshape(*again[0].shape[:-1], -1)
