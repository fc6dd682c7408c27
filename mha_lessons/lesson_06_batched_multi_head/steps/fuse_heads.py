"""What people get wrong about `fuse_heads`."""

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
