"""What people get wrong about `split_heads`."""

import numpy as np

from autograder.mistakes import Refused, mistake

from ..exercises import split_heads


def _turned(heads, first, axis):
    """Return the same heads in a circle, where the second or the last one comes first."""
    return np.roll(heads, 1 if first == "last" else -1, axis)


def reshapes_straight_into_heads(x, heads):
    """The shape is right, but the numbers are not: where head 0 should hold token 1, it holds more columns of token 0.
    A reshape reads the numbers in order, so it divided the tokens: the first ones went to head 0, the last ones to the
    last head.
    First cut each token's columns, then move the axis of heads."""
    return x.reshape(*x.shape[:-2], heads, x.shape[-2], -1)


def forgets_to_move_the_heads(x, heads):
    """Your heads are behind the tokens: (batch, tokens, heads, head_size).
    You cut the columns correctly.
    But attention works on the last two axes, so each token would look at its own heads, and at no other token.
    Swap tokens and heads."""
    return x.reshape(*x.shape[:-1], heads, -1)


def deals_the_columns_out_in_turn(x, heads):
    """Your heads take the columns in turn, as players take cards: head 0 has column 0, then one from each round.
    Here a head is a block of neighbouring columns, and weights from elsewhere rely on that.
    When you cut the last axis into two, which comes first, heads or head_size?"""
    return x.reshape(*x.shape[:-1], -1, heads).swapaxes(-1, -3).mT


def leaves_tokens_last(x, heads):
    """Your tokens are on the last axis: (batch, heads, head_size, tokens).
    Each head has the right numbers, with rows and columns swapped.
    Attention wants one row for each token. Which two axes do you swap after the cut, and which stay?"""
    return split_heads(x, heads).mT


def counts_heads_from_the_end(x, heads):
    """Your heads are in reverse order: the first one holds the last columns.
    Head 0 gets the first block of columns, head 1 the next one.
    Look at the order in which your code takes the blocks."""
    return split_heads(x, heads)[..., list(reversed(range(heads))), :, :]


def cuts_in_turn_without_moving(x, heads):
    """Your shape is (batch, tokens, head_size, heads): you cut the last axis in the other order, and nothing was
    moved.
    A head is a block of neighbouring columns, so heads come first when you cut the axis.
    Then the axis of heads goes in front of the tokens."""
    return x.reshape(*x.shape[:-1], -1, heads)


def moves_heads_before_the_batch(x, heads):
    """Your heads are in front of the batch: (heads, batch, tokens, head_size).
    Every number is there, and attention would run.
    But a mask of (batch, 1, 1, keys) would then meet heads where it expects texts. The batch comes first here."""
    return split_heads(x, heads).swapaxes(0, -3)


def exchanges_heads_and_batch(x, heads):
    """You swapped heads and batch: (heads, tokens, batch, head_size).
    Then each head would let the texts of the batch look at each other.
    Count your axes again after the cut: batch is 0, tokens is 1, heads is 2."""
    return x.reshape(*x.shape[:-1], heads, -1).swapaxes(0, 2)


@mistake(outer=("batch", "heads"))
def folds_heads_into_the_batch(x, heads, *, outer):
    """Heads and batch became one axis: your result has three axes, and the first is as long as both together.
    Some code does this, and attention would work.
    Here they are two axes, the batch in front of the heads, so that a mask can tell them apart.
    `torch.stack` gives the blocks a new axis; `torch.cat` only makes one longer."""
    each = split_heads(x, heads)
    each = each if outer == "batch" else each.swapaxes(0, -3)
    return each.reshape(-1, *each.shape[-2:])


def takes_heads_for_the_head_size(x, heads):
    """Your heads have `heads` columns each: the two sizes are swapped.
    `heads` says how many blocks there are.
    How wide is each, if all of them together are model_size columns?"""
    return split_heads(x, x.shape[-1] // heads)


def cuts_the_tokens(x, heads):
    """Your heads divide the tokens: each has some of them, with all their columns.
    Then tokens in different heads never meet.
    Each head should have all tokens, but only some columns of each. Leave the axis of tokens whole; cut the last."""
    return x.reshape(x.shape[0], heads, -1, x.shape[-1])


def copies_x_for_each_head(x, heads):
    """Every head got all columns.
    Heads share the columns: each of h heads gets model_size / h of them, so all together cost no more
    than one.
    Which columns belong to head 0?"""
    return np.stack([x] * heads, axis=-3)


def gives_every_head_the_first_columns(x, heads):
    """All your heads hold the same columns, the first ones.
    Each head has its own block, which begins where the block before it ends.
    Does the start of your slice depend on the head's number?"""
    return np.stack([x[..., : x.shape[-1] // heads]] * heads, axis=-3)


def stacks_the_blocks_in_front(x, heads):
    """Your axis of heads is at the end: (batch, tokens, head_size, heads).
    The blocks of columns are right, but the axis that counts them is last.
    It belongs in front of the tokens. Which two axes does your transpose swap, or, if you stack blocks, at which
    `dim`?"""
    return split_heads(x, heads).swapaxes(-3, -2).mT


def exchanges_the_axes_before_the_cut(x, heads):
    """The shape is right, but you swap the axes too early: you move tokens behind the columns, and then make
    four axes of that.
    A reshape reads in order, so it cuts columns of *all* tokens into pieces.
    First cut each token's row with the reshape, then swap tokens and heads."""
    return x.mT.reshape(*x.shape[:-2], heads, x.shape[-2], -1)


def moves_the_slice_by_one_column(x, heads):
    """The blocks of your heads overlap: each begins one column after the one before it.
    A block has head_size columns, and the next begins where it ends.
    If a head has 2 columns, at which column does head 1 begin, and head 2?"""
    size = x.shape[-1] // heads
    return np.stack([x[..., head : head + size] for head in range(heads)], axis=-3)


def takes_the_first_axis_for_tokens(x, heads):
    """Your code reads the first two axes as (tokens, batch), the default order of PyTorch's layers.
    Here the order is (batch, tokens, model_size), so texts and tokens are swapped.
    Which names do you give to the sizes in `x.shape`?"""
    tokens, batch, _ = x.shape
    return x.reshape(batch, tokens, heads, -1).swapaxes(1, 2)


@mistake(repeated=(True, False))
def splits_the_first_item_only(x, heads, *, repeated):
    """Only the first item of the batch is in your result.
    Each item has its own tokens, and all items are split in the same way.
    Is there an index 0 where the whole batch should be?"""
    each = split_heads(x, heads)
    return np.broadcast_to(each[:1], each.shape) if repeated else each[:1]


def expects_a_batch_of_one(x, heads):
    """Your code is right for a single text, but fails where the batch holds more.
    The input tells you how many there are: it is the first number of `x.shape`.
    Is there a 1 where that number should be?"""
    if len(x) > 1:
        raise ValueError("one text only")
    return split_heads(x, heads)


def asks_whether_heads_divide_the_tokens(x, heads):
    """Your code refuses inputs that are fine: it stops wherever the number of tokens is not a multiple of heads.
    There may be any number of tokens: heads share the columns.
    Which of the three sizes does your condition use?"""
    if x.shape[-2] % heads:
        raise Refused("heads do not divide the tokens")
    return split_heads(x, heads)


@mistake(on="indivisible")
def drops_the_columns_left_over(x, heads):
    """Where the model size is not a multiple of heads, your code drops the last columns and goes on.
    What they held is lost, and there is no warning.
    Check the remainder first, and raise a ValueError if there is one."""
    return split_heads(x[..., : x.shape[-1] // heads * heads], heads)


@mistake(on="indivisible")
def makes_fewer_heads_than_asked_for(x, heads):
    """Where the model size is not a multiple of heads, your code can make too few heads: three for 6 columns
    and 4 heads.
    It refuses only where its pieces differ in size; `chunk`, for example, does not promise a number of pieces.
    What does the remainder of the two sizes tell you?"""
    size = -(-x.shape[-1] // heads)
    if x.shape[-1] % size:
        raise ValueError("pieces of different sizes")
    return split_heads(x, x.shape[-1] // size)


@mistake(first=("last", "second"))
def gives_out_the_blocks_from_another_on(x, heads, *, first):
    """The blocks of columns are right, but head 0 has the {first} one.
    Head 0 gets the first block of columns, head 1 the next one, and so on to the end.
    Does an index in your code count one too few, or one too many?"""
    return _turned(split_heads(x, heads), first, -3)


def moves_the_slice_by_the_number_of_heads(x, heads):
    """Each of your slices begins `heads` columns after the one before it.
    A head is model_size / heads columns wide, and the next one begins where it ends.
    It is easy to mix up the two numbers. With 3 heads of 2 columns, where does each begin?"""
    size = split_heads(x, heads).shape[-1]  # which refuses heads that do not divide
    return np.stack([x[..., head * heads : head * heads + size] for head in range(heads)], axis=-3)
