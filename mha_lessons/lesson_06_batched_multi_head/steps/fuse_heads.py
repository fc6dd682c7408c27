"""What people get wrong about `fuse_heads`, and what helps them."""

import numpy as np

from ..exercises import fuse_heads


@fuse_heads.misconception
def reshapes_the_stack_straight(weights):
    """The shape is right, and the numbers stand in other places: row by row your result uses up head 0 first, and goes
    on with head 1 where that ends.
    A reshape reads the stack in order, matrix after matrix, and never lays two of them side by side.
    The matrices have to meet along their columns."""
    return weights.reshape(weights.shape[1], -1)


@fuse_heads.misconception
def stacks_the_matrices_below_each_other(weights):
    """Your matrices lie below each other: (heads · model_size, head_size).
    Then a product would need a longer token, and give one head's columns only.
    Every head reads the same token and makes columns of its own, so matrices belong side by side, along the last
    axis."""
    return weights.reshape(-1, weights.shape[-1])


@fuse_heads.misconception
def shuffles_the_columns_of_the_heads(weights):
    """The columns of your heads alternate: the first column of each head, then the second of each, and so on.
    A head is a block of neighbouring columns here.
    You make one axis of two. Which of the two has to stand first, the heads or their columns?"""
    return weights.swapaxes(0, 1).mT.reshape(weights.shape[1], -1)


@fuse_heads.misconception
def adds_the_matrices(weights):
    """Your heads' matrices were added into one.
    Then all heads are one head, and what each of them looks for cannot be told apart any more.
    Keep all columns of all heads: the result is `heads` times as wide as one matrix."""
    return weights.sum(0)


@fuse_heads.misconception
def averages_the_matrices(weights):
    """Your result is the mean of the heads' matrices.
    Then all heads are one head, and what each of them looks for is lost.
    Keep all columns of all heads: the result is `heads` times as wide as one matrix."""
    return weights.mean(0)


@fuse_heads.misconception
def keeps_the_first_matrix_only(weights):
    """Your result is the first head's matrix, and the other heads are gone.
    The fused matrix holds the columns of all heads, one block after the other.
    Does your loop `return` in its first round?"""
    return weights[0]


@fuse_heads.misconception
def keeps_the_last_matrix_only(weights):
    """Your result is the last head's matrix, and the other heads are gone.
    The fused matrix holds the columns of all heads, one block after the other.
    Does your loop forget what it had before?"""
    return weights[-1]


@fuse_heads.misconception
def returns_the_stack(weights):
    """Your result is the stack as it came, with an axis for the heads.
    A batch of tokens times this stack would need one more axis, too.
    Make one matrix of it, in which a head is a block of columns."""
    return weights


@fuse_heads.misconception
def leaves_heads_between_rows_and_columns(weights):
    """Your result has three axes: (model_size, heads, head_size).
    Each row now holds all heads in the right order.
    One step is left: make a single axis of the last two. (Keras' layer, later in this lesson, stops where you are.)"""
    return weights.swapaxes(0, 1)


@fuse_heads.misconception
def fuses_transposed_matrices(weights):
    """Each head's matrix was transposed before it was joined: you have (head_size, heads · model_size).
    Weights multiply from the right, `x @ w`, so rows belong to the model and columns to the head.
    Leave each matrix as it is."""
    return np.concatenate(list(weights.mT), axis=-1)


@fuse_heads.misconception
def transposes_the_fused_matrix(weights):
    """Your result is the transpose of the fused matrix, with heads in rows: (heads · head_size, model_size).
    `nn.Linear` keeps its weights like that.
    Our functions multiply from the right, `x @ w`, so heads are blocks of columns."""
    return fuse_heads(weights).mT


@fuse_heads.misconception
def fuses_the_heads_in_reverse(weights):
    """The blocks of columns are right, and they stand in reverse order: the last head comes first.
    Head 0 gets the first columns.
    In which order does your code go through the heads?"""
    return fuse_heads(weights[list(reversed(range(len(weights))))])


def turned(heads, first, axis):
    """The same heads in a circle, where the second or the last one comes first."""
    return np.roll(heads, 1 if first == "last" else -1, axis)


@fuse_heads.misconception(first=("last", "second"))
def fuses_from_another_head_on(weights, *, first):
    """The blocks of columns are right, but they begin with the {first} head.
    Head 0 gets the first columns, head 1 the next ones, and so on to the end.
    Does an index in your code count one too few, or one too many?"""
    return fuse_heads(turned(weights, first, 0))


BLOCKS = {"one column": lambda heads: 1, "as many columns as there are heads": lambda heads: heads}


def laid_out(blocks, width, step):
    """Blocks of columns written one after the other, each so many columns after the one before it."""
    out = np.zeros((*blocks[0].shape[:-1], width))
    for number, block in enumerate(blocks):
        out[..., number * step : number * step + block.shape[-1]] = block
    return out


@fuse_heads.misconception(step=tuple(BLOCKS))
def begins_the_blocks_elsewhere(weights, *, step):
    """In your result a block begins {step} after the one before it, so blocks overlap, or leave gaps.
    A block is head_size columns wide, and the next one begins where it ends.
    With 3 heads of 2 columns, at which column does each begin?"""
    heads, _, size = weights.shape
    return laid_out(weights, heads * size, BLOCKS[step](heads))


@fuse_heads.misconception
def takes_a_view_of_the_turned_stack(weights):
    """Your code stops, because `view` cannot make one axis of heads and columns after the transpose.
    A transpose moves no number: it only counts them in another order, and `view` takes them as they lie.
    Another method makes a copy where it must. Which one did the lessons use?"""
    return weights.swapaxes(0, 1).view(weights.shape[1], -1)


fuse_heads.hints_for(
    "reshapes_the_stack_straight",
    "stacks_the_matrices_below_each_other",
    "shuffles_the_columns_of_the_heads",
    hints=(
        "Think of one row of the fused matrix. "
        "It belongs to one number of the token, and says what each head makes of this number: first the entries of "
        "head 0, then those of head 1. "
        "So every row is put together from pieces of all matrices, one whole piece from each.",
        "Build a stack whose numbers say where they come from: 100 times the head, plus 10 times the row, plus the "
        "column. "
        "Take two heads, four rows and two columns. "
        "The first row of the result should read 0, 1, 100, 101. "
        "What does yours read, and which step brought the second number to its place?",
        "One way: take the stack apart into matrices, and let `torch.cat` join them along the axis of the columns; if "
        "you name no axis, it takes the first. "
        "Another way: move the axis of heads between rows and columns, and make one axis of the last two. "
        "The order of the axes comes first, the new shape last.",
    ),
)

fuse_heads.hints_for(
    "adds_the_matrices",
    "averages_the_matrices",
    "keeps_the_first_matrix_only",
    "keeps_the_last_matrix_only",
    "fuses_the_heads_in_reverse",
    "fuses_from_another_head_on",
    "begins_the_blocks_elsewhere",
    hints=(
        "In the fused matrix a head is known by its place and by nothing else: head 0 has the first head_size "
        "columns, head 1 the next. "
        "A later step cuts at these places, without asking. "
        "So all columns of all heads must be there, with their own numbers, in this order.",
        "Try a stack of three matrices with two columns each, the first full of 1, the second full of 2, the third "
        "full of 3. "
        "Each row of the result should read 1 1 2 2 3 3. "
        "What do you see: fewer columns, other numbers, another order? "
        "Then look at the line where the matrices come together.",
        "All matrices go into one call of `torch.cat`, from the first to the last, with the axis of the columns "
        "named. "
        "In a loop of your own, each turn puts its columns behind those that are there, and `return` stands after the "
        "loop. "
        "Nothing is summed, and nothing is overwritten.",
    ),
)

A_VIEW_AS_IT_LIES = (
    "In memory a tensor is one long line of numbers. "
    "Shape and strides say how this line is to be read. "
    "A transpose changes the strides, and leaves the line as it is. "
    "`view` wants two axes to become one without touching the line, and that works only where their numbers lie one "
    "after the other.",
    "Print `is_contiguous()` and `stride()` right before the line that stops. "
    "The first says False, since the transpose came before. "
    "Are the axes in the order that you want? "
    "If so, the order is right, and only the method that makes one axis of two has to change.",
    "Leave the transpose where it is. "
    "After it, take the method that has the same arguments as `view` and copies the numbers where it must; `flatten` "
    "does so, too. "
    "Or let `contiguous` lay the numbers in their new order first.",
)

fuse_heads.hints_for("takes_a_view_of_the_turned_stack", hints=A_VIEW_AS_IT_LIES)

fuse_heads.hints_for(
    "returns_the_stack",
    "leaves_heads_between_rows_and_columns",
    hints=(
        "A matrix has two axes, and your result has three. "
        "Two of them together say which column is meant: heads gives the block, head_size the place in the block. "
        "Two axes can become one if they are neighbours, and the one in front then counts the blocks.",
        "Print the shape of your result and write a word under each number: heads, model_size, head_size. "
        "Which two of them together are the columns of the fused matrix? "
        "If they are neighbours already, in the right order, one step is missing. "
        "If something stands between them, it is two.",
        "First comes the order: rows, then heads, then the columns of a head. "
        "Then a `reshape` or `flatten` makes one axis of the last two, and each row holds all heads one after the "
        "other. "
        "`torch.cat` along the columns gets there without any of this.",
    ),
)

fuse_heads.hints_for(
    "fuses_transposed_matrices",
    "transposes_the_fused_matrix",
    hints=(
        "What rows and columns mean follows from the product. "
        "In `x @ w` a token is a row of `x`, and each of its numbers meets a row of `w`. "
        "That holds for the matrix of one head, and it holds for the fused one. "
        "So rows stay rows, and there are model_size of them, before and after.",
        "Take one token `x`, and compare two products: with your fused matrix, and with the first matrix of the "
        "stack. "
        "The first head_size numbers should agree. "
        "If the product does not run, compare the shapes. "
        "Then search your code for `.T`, `.mT`, `transpose` or `permute`, and for the axis that you name when "
        "joining.",
        "The matrices are joined as they come, and what comes out is returned as it is, with no transpose in front or "
        "behind. "
        "All of them have the same number of rows, so they fit side by side along the last axis, and only the number "
        "of columns grows.",
    ),
)
