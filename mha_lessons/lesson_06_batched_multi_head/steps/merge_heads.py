"""What people get wrong about `merge_heads`, and what helps them."""

import numpy as np
from array_api_compat import array_namespace

from mha_lessons.lesson_05_multi_head.steps.concatenate_heads import ONE_OF_MANY, one_of_many

from ..exercises import merge_heads
from .fuse_heads import A_VIEW_AS_IT_LIES, BLOCKS, laid_out, turned
from .split_heads import ONE_ITEM


@merge_heads.misconception
def reshapes_straight_back(x):
    """The shape is right, and the numbers are not: a row holds pieces of several rows of the same head.
    A reshape reads the numbers in order, and here all rows of head 0 come before those of head 1.
    Bring the axis of heads next to the columns first."""
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


@merge_heads.misconception
def forgets_to_move_the_heads_back(x):
    """Your result has one row for each head, and holds all rows of that head in it.
    The two last axes were made one, and they are rows and columns of a single head.
    Exchange heads and rows first, so that the heads stand next to the columns."""
    return x.reshape(*x.shape[:-2], -1)


@merge_heads.misconception
def merges_the_columns_in_turn(x):
    """The heads' columns alternate in your result: the first column of every head, then the second of every head.
    They belong one block after the other.
    Before the last two axes become one, which must come first, heads or head_size?"""
    return x.swapaxes(-3, -2).mT.reshape(*x.shape[:-3], x.shape[-2], -1)


@merge_heads.misconception
def exchanges_rows_and_columns(x):
    """The last two axes changed places, rows with columns.
    That mixes up whose numbers are whose.
    The axes to exchange are the heads' and the one behind it; the columns of a head stay last."""
    return x.mT.reshape(*x.shape[:-3], x.shape[-2], -1)


@merge_heads.misconception
def joins_heads_and_columns_too_early(x):
    """The shape is right, and your reshape came too early: heads and columns were made one axis while the tokens still
    stood between them.
    In the split the reshape comes first. Merging is the split read backwards, and so the steps come in the other order.
    Which two axes must be neighbours before they can become one?"""
    return x.reshape(*x.shape[:-3], -1, x.shape[-2]).mT


@merge_heads.misconception
def moves_back_but_does_not_merge(x):
    """Your result still has an axis for the heads, next to the columns.
    All numbers stand in the right order.
    One step is left: make a single axis of the last two."""
    return x.swapaxes(-3, -2)


@merge_heads.misconception
def averages_the_heads(x):
    """Your result is the mean of the heads.
    Then nobody can tell any more which head found what.
    Heads are put side by side, so that all they found is kept."""
    return x.mean(axis=-3)


@merge_heads.misconception
def adds_the_heads(x):
    """Your result is the sum of the heads.
    Then nobody can tell any more which head found what.
    Heads are put side by side, so that all they found is kept."""
    return x.sum(axis=-3)


@merge_heads.misconception
def keeps_the_first_head_only(x):
    """Your result is the first head, and the others are gone.
    All heads stand side by side in the result, one block of columns after the other.
    Does your code return before it has seen them all?"""
    return x[..., 0, :, :]


@merge_heads.misconception(moved=(False, True))
def puts_heads_below_each_other(x, *, moved):
    """Your heads lie below each other: there are `heads` times as many rows as there should be.
    A token has one row, and what the heads found for it stands side by side in that row.
    Make one axis of the heads and their columns, not of the heads and the tokens."""
    x = x.swapaxes(-3, -2) if moved else x
    return x.reshape(*x.shape[:-3], -1, x.shape[-1])


@merge_heads.misconception
def exchanges_heads_and_columns(x):
    """Your heads changed places with their columns, and the tokens stayed between them.
    So each row of your result holds numbers of several tokens.
    The axes to exchange are the heads' and the tokens', the second and the third."""
    return x.swapaxes(-3, -1).reshape(*x.shape[:-3], x.shape[-2], -1)


@merge_heads.misconception
def takes_heads_for_tokens_in_the_shape(x):
    """Your result has one row for each head, and pieces of several tokens in each.
    The axes come as (batch, heads, tokens, head_size), and your code takes the second size for the tokens and the
    third for the heads.
    Which names does your line give to `x.shape`?"""
    return x.swapaxes(-3, -2).reshape(*x.shape[:-2], -1)


@merge_heads.misconception
def merges_the_tokens_too(x):
    """Your result has one row for a whole text: tokens, heads and columns became a single axis.
    All numbers stand in the right order.
    Only heads and columns are to be joined, so that each token keeps a row. From which axis on do you flatten?"""
    return x.swapaxes(-3, -2).reshape(*x.shape[:-3], -1)


@merge_heads.misconception
def moves_tokens_before_the_batch(x):
    """The shape is right, but tokens moved in front of the batch before it was made, so texts are mixed up.
    The batch stays where it is, in front.
    Exchange heads and tokens, and no other axes."""
    return x.swapaxes(-3, -2).swapaxes(0, 1).reshape(*x.shape[:-3], x.shape[-2], -1)


@merge_heads.misconception(repeated=(True, False))
def merges_the_first_item_only(x, *, repeated):
    """Only the first item of the batch is in your result.
    Each item has heads and tokens of its own, and all of them are merged in the same way.
    Is there an index 0 where the whole batch should be?"""
    merged = merge_heads(x)
    return np.broadcast_to(merged[:1], merged.shape) if repeated else merged[:1]


@merge_heads.misconception
def merges_the_batch_too(x):
    """The batch is gone: all rows of all items lie in one long table.
    Every number is in its row.
    Give your reshape a place for each axis that should stay."""
    merged = merge_heads(x)
    return merged.reshape(-1, merged.shape[-1])


@merge_heads.misconception
def merges_heads_in_reverse(x):
    """The blocks of columns are right, and they stand in reverse order: the last head comes first.
    Head 0 gives the first columns.
    In which order does your code go through the heads?"""
    return merge_heads(x[..., list(reversed(range(x.shape[-3]))), :, :])


@merge_heads.misconception
def takes_the_first_axis_for_heads(x):
    """Your code takes axis 0 for the heads.
    Here the batch comes first and the heads second, as in (batch, heads, tokens, head_size).
    Count axes from the end, where they always mean the same."""
    return x.swapaxes(0, 1).swapaxes(1, 2).reshape(*x.shape[1:-1], -1)


@merge_heads.misconception(first=("last", "second"))
def merges_from_another_head_on(x, *, first):
    """The blocks of columns are right, but they begin with the {first} head.
    Head 0 gives the first columns, head 1 the next ones, and so on to the end.
    Does an index in your code count one too few, or one too many?"""
    return merge_heads(turned(x, first, -3))


@merge_heads.misconception
def keeps_the_last_head_only(x):
    """Your result is the last head, and the others are gone.
    All heads stand side by side in the result, one block of columns after the other.
    Does your loop forget what it had before?"""
    return x[..., -1, :, :]


@merge_heads.misconception(step=tuple(BLOCKS))
def puts_the_blocks_elsewhere(x, *, step):
    """In your result a head's block begins {step} after the one before it, so blocks overlap, or leave gaps.
    A block is head_size columns wide, and the next one begins where it ends.
    With 3 heads of 2 columns, at which column does each begin?"""
    heads, size = x.shape[-3], x.shape[-1]
    return laid_out([x[..., head, :, :] for head in range(heads)], heads * size, BLOCKS[step](heads))


@merge_heads.misconception
def takes_a_view_of_the_turned_heads(x):
    """Your code stops, because `view` cannot make one axis of heads and columns after the transpose.
    A transpose moves no number: it only counts them in another order, and `view` takes them as they lie.
    Another method makes a copy where it must. Which one did the split use?"""
    return x.swapaxes(-3, -2).view(*x.shape[:-3], x.shape[-2], -1)


@merge_heads.misconception(made=tuple(ONE_OF_MANY), laid=("as blocks", "number by number"))
def makes_one_block_of_all_heads(x, *, made, laid):
    """Your heads were made one, by the {made} over the heads, and that was repeated until it was wide enough.
    The shape fits, but what each head found by itself is lost.
    Heads stand side by side: how does each keep columns of its own?"""
    xp, again = array_namespace(x), [one_of_many(x, made, axis=-3)] * x.shape[-3]
    if laid == "as blocks":
        return xp.concat(again, axis=-1)
    return xp.stack(again, axis=-1).reshape(*again[0].shape[:-1], -1)


merge_heads.hints_for("takes_a_view_of_the_turned_heads", hints=A_VIEW_AS_IT_LIES)

merge_heads.hints_for(
    "reshapes_straight_back",
    "forgets_to_move_the_heads_back",
    hints=(
        "A reshape can make one axis of two neighbours, and it moves no number past another. "
        "Heads and the columns of a head are to become one axis, but the rows stand between them. "
        "As long as they do, each row of a result is filled with what comes next, and that is more rows of the same "
        "head.",
        "Merge two heads of three rows and two columns, head 0 full of 0 and head 1 full of 1. "
        "Each row of the result should read 0 0 1 1. "
        "In yours the first row holds zeros only. "
        "Print the shape in front of your reshape: which axis stands between heads and head_size?",
        "Before the reshape, heads and rows change places. "
        "Then the heads stand right in front of the columns of a head, and these two, the last ones, become one axis. "
        "The rows keep an axis of their own. "
        "It is the split, read backwards: transpose first, reshape second.",
    ),
)

merge_heads.hints_for(
    "joins_heads_and_columns_too_early",
    hints=(
        "A reshape can make one axis of two neighbours, and it moves no number past another. "
        "Heads and the columns of a head are no neighbours when they come in: the tokens stand between them. "
        "A transpose that comes later moves whole rows and columns of what the reshape has made, and that is mixed "
        "already. No later step can tell them apart.",
        "Try `split_by_slices(where_from[None], 2)` as an input. "
        "The first row of the result should read 0 1 2 3 4 5. "
        "In yours it begins with 0, 11, 22: numbers of three tokens. "
        "Print what your reshape makes, before the transpose: whose numbers stand in its first row?",
        "Exchange the same two axes as in the split, the second and the third, while there are still four of them. "
        "Then heads and columns are the last two, and side by side. "
        "The reshape is the last step: batch and tokens keep an axis each, and the other two become one.",
    ),
)

merge_heads.hints_for(
    "exchanges_rows_and_columns",
    "exchanges_heads_and_columns",
    "merges_the_columns_in_turn",
    "moves_tokens_before_the_batch",
    "takes_the_first_axis_for_heads",
    hints=(
        "In front of the reshape there is one right order: the batch, if there is one, then rows, then heads, then "
        "the columns of a head. "
        "From there, making one axis of the last two gives each row all its heads, block after block. "
        "Other orders can lead to the same shape, with numbers in wrong places.",
        "Print the shape in front of your reshape, for 2 items, 3 heads, 5 rows and 4 columns. "
        "It should be (2, 5, 3, 4). "
        "In which order do your four numbers stand? "
        "Look at the numbers in your `transpose` or `permute`: which axes do they name, and which axis moved that "
        "should have stayed?",
        "One exchange is enough, between the heads and the axis behind them. "
        "The batch stays in front, and the columns of a head stay last. "
        "Counted from the end, the two axes have the same numbers, however many stand in front. "
        "After it comes the reshape, and nothing else.",
    ),
)

merge_heads.hints_for(
    "takes_heads_for_tokens_in_the_shape",
    "puts_heads_below_each_other",
    "merges_the_tokens_too",
    "merges_the_batch_too",
    "moves_back_but_does_not_merge",
    hints=(
        "The shape of the result says which axes survive. "
        "Whatever stands in front, such as the batch, survives. "
        "The rows survive, as many as one head has. "
        "The heads and their columns disappear into one axis, as long as both together. "
        "The shape that you ask for must say these three things.",
        "Take 2 items, 3 heads, 5 rows and 4 columns. "
        "In goes (2, 3, 5, 4), and out should come (2, 5, 12). "
        "Print the shape after each of your steps. "
        "Up to which step is every axis where it should be? "
        "Then look at the names you give to the sizes, and at the shape that you ask for.",
        "Name the four sizes as they come: batch, heads, rows, head_size. "
        "Exchange heads and rows. "
        "Then ask for three sizes: the batch, the rows, and the product of the other two. "
        "`flatten` can do this as well, if it begins with the axis of heads.",
    ),
)

merge_heads.hints_for(
    "averages_the_heads",
    "adds_the_heads",
    "makes_one_block_of_all_heads",
    "keeps_the_first_head_only",
    "keeps_the_last_head_only",
    "merges_heads_in_reverse",
    "merges_from_another_head_on",
    "puts_the_blocks_elsewhere",
    hints=(
        "After the merge a head is known by its place and by nothing else: head 0 has the first columns of a row, "
        "head 1 the next. "
        "The output weights hold a block of rows for each of these places. "
        "So every head must be there with its own numbers, and in this order.",
        "Merge three heads with two columns each, the first full of 1, the second full of 2, the third full of 3. "
        "A row should read 1 1 2 2 3 3. "
        "What do you see: fewer columns, other numbers, another order? "
        "Look at the step in which the axis of heads disappears.",
        "No `sum`, no `mean` and no index touches the axis of heads: it is joined with the axis of columns. "
        "Move it in front of them and make one axis of the two, and the order comes out right. "
        "In a loop, begin with head 0, and return after the last.",
    ),
)

merge_heads.hints_for(
    "merges_the_first_item_only",
    hints=ONE_ITEM,
)
