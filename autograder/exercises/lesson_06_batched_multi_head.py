"""Lesson 06: all heads at once, as functions and as a layer, and what people believe about reshaping and masks."""

import numpy as np

import mha_ref
from autograder import inputs, layers
from autograder.exercise import Exercise, ModuleExercise, Question, Step, TestWriting
from autograder.exercises.lesson_01_softmax import softmax
from autograder.exercises.lesson_02_scaled_dot_product import attention_scores
from autograder.exercises.lesson_03_masks import masked_attention
from autograder.exercises.lesson_04_single_head import project
from autograder.layers import multi_head_layer
from autograder.properties import (
    batch_items_do_not_touch_each_other,
    blocked_keys_have_no_influence,
    keys_with_their_values_may_be_shuffled,
    numbers_only_move,
    rows_do_not_touch_each_other,
    tokens_stay_apart,
    twice_the_values_twice_the_output,
)

# do you remember lessons 03 and 05?

remember_the_third_head = Question(
    answer=8,
    points=0,
    wrong={
        4: "Head 1 begins there. Heads are counted from 0, so two heads stand in front of head 2. "
        "Look at lesson 05, *Write it*.",
        2: "That would deal the columns out one by one, like cards. The columns of a head stay together. "
        "Look at lesson 05, *The formula*.",
        9: "That counts the columns from 1. From 0, the first two heads fill the columns 0 to 7. "
        "Look at lesson 05, *Write it*.",
        12: "All three heads together have 12 columns, 0 to 11. Which of them belong to the last head? "
        "Look at lesson 05, *Write it*.",
    },
    hints=(
        "The results of the heads stand side by side: first all columns of head 0, then all of head 1.",
        "Head 0 has the columns 0 to 3. Which ones does head 1 have?",
        "Head 1 has the columns 4 to 7, and head 2 comes right after it.",
    ),
)

remember_the_output_matrix = Question(
    answer="c",
    points=0,
    wrong={
        "a": "Nothing is picked. All heads take part for every token, each through its own rows of the output matrix. "
        "Look at lesson 05, *What W_O is for*.",
        "b": "That is how it would be without the output matrix: then no column would hear from two heads. "
        "Look at the picture in lesson 05, *What W_O is for*.",
    },
    hints=(
        "Follow one number of one head: which columns of the output does a matrix product take it to?",
        "Cut the output matrix into blocks of rows, one for each head. What does one block do?",
        "Each block leads from one head to all columns of the output. And the blocks' results are a sum.",
    ),
)

remember_the_dead_row = Question(
    answer="a",
    points=0,
    wrong={
        "b": "That is the mean of all three values. It comes out if each score is replaced by -1e9: "
        "then all are equal again. Look at lesson 03, *Minus infinity, or minus a billion?*",
        "c": "A plain softmax of three times minus infinity gives NaN, and so do some layers. "
        "This course has decided otherwise. Look at lesson 03, *Write the masked softmax*.",
    },
    hints=(
        "Such a row is called dead. Lesson 03 had to make a decision about it.",
        "The three weights cannot sum to 1, if none of the keys may get anything. What are they?",
        "Nothing to look at, nothing to get.",
    ),
)

fuse_heads = Exercise(
    mha_ref.fuse_heads,
    inputs.stacked,
    points=1,
    library="torch",
    hints=(
        "A column of a product depends on one column of the right-hand matrix, and on no other. "
        "So all heads can be computed by one matrix, if its columns are the columns of all heads, head after head. "
        "Nothing has to be computed for this: matrices are laid side by side.",
        "Every head's matrix has model_size rows, and so has the result. "
        "The result is as wide as all heads together. "
        "In the stack the heads lie along axis 0. "
        "A plain reshape of the stack would tear rows apart: take the matrices one by one, or move the axis first.",
        "One way: `torch.cat` joins a list or tuple of tensors along the axis that you name; a stack, taken apart, "
        "is a tuple of matrices. Along which axis do columns lie? "
        "Another way: bring the heads' axis between rows and columns, then make one axis of the last two.",
    ),
    properties=(numbers_only_move,),
)
split_heads = Exercise(
    mha_ref.split_heads,
    inputs.together,
    points=2,
    library="torch",
    hints=(
        "A head gets a block of neighbouring columns of every token, and all tokens. "
        "So only rows are cut, each in the same places. "
        "Once they are cut, the axis that counts the heads stands behind the tokens. "
        "Attention wants it in front of them, and to exchange two axes is a step of its own.",
        "There are three lines: refuse, reshape, transpose. "
        "The reshape leaves batch and tokens as they are, and makes two axes of the last one. "
        "The transpose exchanges the tokens' axis and the heads' axis. "
        "Print `where_from[None]` after each of the two and look at the tens.",
        "The remainder of `model_size` divided by `heads` says whether heads divide; if it is not 0, raise ValueError. "
        "Then `reshape` to four axes: batch, tokens, heads, and what is left for a head. "
        "Last, `transpose` takes the numbers of the two axes to exchange; here these are the second and the third.",
    ),
    properties=(numbers_only_move, tokens_stay_apart),
)
merge_heads = Exercise(
    mha_ref.merge_heads,
    inputs.apart,
    points=2,
    library="torch",
    hints=(
        "Merging is splitting, read backwards. "
        "In the end a token's row holds the columns of head 0, then those of head 1, and so on. "
        "A reshape can join two neighbouring axes into one, and nothing more. "
        "Which axes must be neighbours before it, and which are?",
        "The axes come as batch, heads, tokens, head_size. "
        "Columns of one token lie in two of them, heads and head_size, and the tokens stand between. "
        "So move the tokens out of the way first, then join the last two. "
        "Try `split_by_slices(where_from[None], 2)` as an input.",
        "First exchange the second and third axis, as in the split. "
        "Then `reshape` to three axes: batch, tokens, and heads times head_size; or `flatten` the last two. "
        "With `view` in its place PyTorch refuses, since the transpose has moved nothing in memory.",
    ),
    properties=(numbers_only_move, tokens_stay_apart),
)
multi_head_attention = Exercise(
    mha_ref.multi_head_attention,
    inputs.several_heads,
    points=3,
    library="torch",
    hints=(
        "Each head runs the attention of lesson 03 on its own columns. "
        "Since heads are an axis in front, like the batch, one call does all of them. "
        "So the function is a chain: project, split, attend, merge, output. "
        "Every link is a function that you have, or a matrix product.",
        "Project before you split: `query` goes with `w_query`, `key` with `w_key`, `value` with `w_value`. "
        "All three are split into the same number of heads. "
        "The mask goes into `masked_attention` as it is, since it broadcasts to (batch, heads, queries, keys). "
        "`w_output` comes last, when the heads are merged.",
        "Three lines make the split queries, keys and values; each multiplies a sequence by its own matrix, from the "
        "right, and hands the product with `heads` to `split_heads`. "
        "One line attends, with the mask. "
        "The last line merges what came out and multiplies it by `w_output`.",
    ),
    properties=(
        blocked_keys_have_no_influence,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        keys_with_their_values_may_be_shuffled,
    ),
)
to_allowed = Exercise(
    mha_ref.to_allowed,
    inputs.conventions,
    points=2,
    library="torch",
    hints=(
        "All four conventions say the same thing about a key, yes or no. "
        "For each of them ask one question: which entry means that the key may be looked at? "
        "The answer, asked of every entry at once, is a comparison, and a comparison gives booleans.",
        "Write one branch for each convention, and look at the table above. "
        "In the first convention there is nothing to do, in the second one the booleans are turned round. "
        "In the third and the fourth, one and the same number means that a key may be looked at. "
        "Which one?",
        "Compare the text with `==`, convention by convention, and return in each branch. "
        "`~` turns booleans round. "
        "For both kinds of numbers, compare every entry with 0. "
        "What comes after the last branch is reached by unknown conventions only: there, raise a ValueError with all "
        "four names in its message.",
    ),
)
MultiHeadAttention = ModuleExercise(
    layers.multi_head_layer,
    inputs.layer,
    sizes=dict(
        model_size=lambda given: given["query"].shape[-1],
        heads=lambda given: given["heads"],
        bias=lambda given: "b_query" in given,
    ),
    dropout="weights",
    points=4,
    hints=(
        "The layer is your function `multi_head_attention`, with two differences. "
        "It owns its weights, as four modules made in `__init__`, and these bring their biases along. "
        "And between softmax and mixing, dropout falls on the weights. "
        "So `masked_attention` must be taken apart, into scores, weights and mean, or dropout has no place.",
        "`__init__` refuses heads that do not divide, then makes four projections and one `nn.Dropout`, and remembers "
        "`heads`. All of them are kept with `self.`, or their weights are unknown to the layer. "
        "`forward` fills in key and value, projects, splits, scores, weighs, drops, mixes, merges, and projects once "
        "more. Keep the weights as they are before dropout.",
        "Key first, value second: value None means whatever the key is by then. "
        "`attention_scores` divides by the root of a head's size by itself. "
        "Without a mask the weights are `torch.softmax` over the last axis, with one they are `masked_softmax`. "
        "Give the dropped weights another name, so that you can still return the others.",
    ),
    properties=(
        blocked_keys_have_no_influence,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        keys_with_their_values_may_be_shuffled,
    ),
)
default_sequences = Step(layers.default_sequences)
add_biases = Step(layers.add_biases)
add_output_bias = Step(layers.add_output_bias)
give_weights = Step(layers.give_weights)
returned_weights = Step(layers.returned_weights)
attend_by_heads = Step(mha_ref.attend_by_heads)


def splits_three_axes_only(x, heads):
    """takes three axes only"""
    batch, tokens, model_size = x.shape
    if model_size % heads:
        raise ValueError(f"model size {model_size} does not divide into {heads} heads")
    return x.reshape(batch, tokens, heads, model_size // heads).swapaxes(1, 2)


def refuses_without_a_word(x, heads):
    """says nothing in its ValueError"""
    if x.shape[-1] % heads:
        raise ValueError
    return splits_three_axes_only(x, heads)


def splits_into_a_copy(x, heads):
    """lays its numbers in another order in memory (`contiguous`)"""
    return splits_three_axes_only(x, heads).contiguous()


test_split_heads = TestWriting(
    split_heads,
    also_right=(splits_three_axes_only, refuses_without_a_word, splits_into_a_copy),
    catches=(
        "reshapes_straight_into_heads",
        "deals_the_columns_out_in_turn",
        "forgets_to_move_the_heads",
        "leaves_tokens_last",
        "counts_heads_from_the_end",
        "drops_the_columns_left_over",
    ),
    points=3,
    hints=(
        "A shape says nothing about where numbers went. "
        "So let every number of your input be different, and say for each head which numbers it must hold. "
        "The definition by slices gives you these, without any reshape of your own that might be mistaken too.",
        "Take a batch, tokens, heads and head size that are all different, 2, 4, 3 and 2 say. "
        "`torch.arange(48.0).reshape(2, 4, 6)` makes all numbers different. "
        "Compare the shape, and then each head with its block of columns. "
        "The sixth version needs a call with heads that do not divide.",
        "`torch.equal(a, b)` is True if shapes and all numbers agree. "
        "Head h holds the columns from h times head_size on, head_size of them, for all items and tokens. "
        "For the last version: call it inside `try`, return in `except ValueError`, and fail with an assert after it.",
    ),
)


# fuse_heads


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
    Which of the last two axes should count heads before you make one axis of them, and which columns?"""
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


# split_heads


@split_heads.misconception
def reshapes_straight_into_heads(x, heads):
    """The shape is right, and the numbers are not: where head 0 should hold token 1, it holds more columns of token 0.
    A reshape reads the numbers in order, so it dealt out the tokens: the first ones to head 0, the last ones to the
    last head.
    Cut each token's columns first; move the axis of heads afterwards."""
    return x.reshape(*x.shape[:-2], heads, x.shape[-2], -1)


@split_heads.misconception
def forgets_to_move_the_heads(x, heads):
    """Your heads stand behind the tokens: (batch, tokens, heads, head_size).
    The columns are cut well.
    But attention works on the last two axes, so here each token would look at its own heads, and at no other token.
    Exchange tokens and heads."""
    return x.reshape(*x.shape[:-1], heads, -1)


@split_heads.misconception
def deals_the_columns_out_in_turn(x, heads):
    """Your heads took the columns in turn, like cards: head 0 has column 0, then one from each round.
    A head is a block of neighbouring columns here, and weights from elsewhere count on that.
    When you cut the last axis in two, which comes first, heads or head_size?"""
    return x.reshape(*x.shape[:-1], -1, heads).swapaxes(-1, -3).mT


@split_heads.misconception
def leaves_tokens_last(x, heads):
    """Your tokens stand on the last axis: (batch, heads, head_size, tokens).
    Each head has the right numbers, with rows and columns exchanged.
    Attention wants one row for each token. Which two axes have to change places after the cut, and which stay?"""
    return split_heads(x, heads).mT


@split_heads.misconception
def counts_heads_from_the_end(x, heads):
    """Your heads stand in reverse order: the first one holds the last columns.
    Head 0 gets the first block of columns, head 1 the next one.
    Look at the order in which your code takes the blocks."""
    return split_heads(x, heads)[..., list(reversed(range(heads))), :, :]


@split_heads.misconception
def cuts_in_turn_without_moving(x, heads):
    """Your shape is (batch, tokens, head_size, heads): the last axis was cut in the other order, and nothing was
    moved.
    A head is a block of neighbouring columns, so heads come first when the axis is cut.
    Then the axis of heads goes in front of the tokens."""
    return x.reshape(*x.shape[:-1], -1, heads)


@split_heads.misconception
def moves_heads_before_the_batch(x, heads):
    """Your heads stand in front of the batch: (heads, batch, tokens, head_size).
    Every number is there, and attention would run.
    But a mask of (batch, 1, 1, keys) would then meet heads where it expects texts. The batch comes first here."""
    return split_heads(x, heads).swapaxes(0, -3)


@split_heads.misconception
def exchanges_heads_and_batch(x, heads):
    """The heads changed places with the batch: (heads, tokens, batch, head_size).
    Then each head would let the texts of the batch look at each other.
    Count your axes once more after the cut: batch is 0, tokens is 1, heads is 2."""
    return x.reshape(*x.shape[:-1], heads, -1).swapaxes(0, 2)


@split_heads.misconception(outer=("batch", "heads"))
def folds_heads_into_the_batch(x, heads, *, outer):
    """Heads and batch became one axis: your result has three axes, and the first is as long as both together.
    Some code does this, and attention would run.
    Here they are two axes, the batch in front of the heads, so that a mask can say which of them it means.
    With `torch.stack` each block keeps an axis; `torch.cat` only makes one longer."""
    each = split_heads(x, heads)
    each = each if outer == "batch" else each.swapaxes(0, -3)
    return each.reshape(-1, *each.shape[-2:])


@split_heads.misconception
def takes_heads_for_the_head_size(x, heads):
    """You have heads of `heads` columns each: the two sizes changed roles.
    `heads` says how many blocks there are.
    How wide is each, if all of them together are model_size columns?"""
    return split_heads(x, x.shape[-1] // heads)


@split_heads.misconception
def cuts_the_tokens(x, heads):
    """Your heads share out the tokens: each has some of them, with all their columns.
    Then tokens of different groups never meet.
    Each head sees all tokens, and only some columns of each. Leave the axis of tokens whole, and cut the last one."""
    return x.reshape(x.shape[0], heads, -1, x.shape[-1])


@split_heads.misconception
def copies_x_for_each_head(x, heads):
    """Every head got all columns.
    Heads share out the columns: with h heads each gets model_size / h of them, and so all together cost no more
    than one.
    Which columns belong to head 0?"""
    return np.stack([x] * heads, axis=-3)


@split_heads.misconception
def gives_every_head_the_first_columns(x, heads):
    """All your heads hold the same columns, the first ones.
    Each head has a block of its own: it begins where the block before it ends.
    Does the start of your slice depend on the head?"""
    return np.stack([x[..., : x.shape[-1] // heads]] * heads, axis=-3)


@split_heads.misconception
def stacks_the_blocks_in_front(x, heads):
    """Your axis of heads stands at the end: (batch, tokens, head_size, heads).
    The blocks of columns are right, and the axis that counts them is in the last place.
    It belongs in front of the tokens. Which two axes does your transpose exchange, or, if you stack blocks, at which
    `dim`?"""
    return split_heads(x, heads).swapaxes(-3, -2).mT


@split_heads.misconception
def exchanges_the_axes_before_the_cut(x, heads):
    """The shape is right, and your axes were exchanged too early: you moved tokens behind the columns, and then made
    four axes of that.
    A reshape reads in order, so now it cut columns of *all* tokens into pieces.
    First draw the lines inside each token's row, with the reshape; exchange tokens and heads afterwards."""
    return x.mT.reshape(*x.shape[:-2], heads, x.shape[-2], -1)


@split_heads.misconception
def moves_the_slice_by_one_column(x, heads):
    """The blocks of your heads overlap: each begins one column after the one before it.
    A block has head_size columns, and the next begins where it ends.
    At which column does head 1 begin, if a head has 2 columns, and at which one head 2?"""
    size = x.shape[-1] // heads
    return np.stack([x[..., head : head + size] for head in range(heads)], axis=-3)


@split_heads.misconception
def takes_the_first_axis_for_tokens(x, heads):
    """Your code reads the first two axes as (tokens, batch), the old order of PyTorch's layers.
    Here they come as (batch, tokens, model_size), so texts and words changed roles.
    Which names does your line give to `x.shape`?"""
    tokens, batch, _ = x.shape
    return x.reshape(batch, tokens, heads, -1).swapaxes(1, 2)


@split_heads.misconception(repeated=(True, False))
def splits_the_first_item_only(x, heads, *, repeated):
    """Only the first item of the batch is in your result.
    Each item has tokens of its own, and all of them are split in the same way.
    Is there an index 0 where the whole batch should be?"""
    each = split_heads(x, heads)
    return np.broadcast_to(each[:1], each.shape) if repeated else each[:1]


@split_heads.misconception
def expects_a_batch_of_one(x, heads):
    """Your code is right for a single text, and stops with an error where the batch holds more.
    How many there are, the input says: it is the first number of `x.shape`.
    Is there a 1 where that number should be?"""
    if len(x) > 1:
        raise ValueError("one text only")
    return split_heads(x, heads)


@split_heads.misconception
def asks_whether_heads_divide_the_tokens(x, heads):
    """Your code refuses inputs that are fine: it stops wherever heads do not divide the number of tokens.
    Tokens are not shared out, and there may be any number of them. Columns are.
    Which of the three sizes does your condition look at?"""
    if x.shape[-2] % heads:
        raise ValueError("heads do not divide the tokens")
    return split_heads(x, heads)


@split_heads.misconception(on="indivisible")
def drops_the_columns_left_over(x, heads):
    """Where heads do not divide the model size, your code goes on without the last columns.
    What they held is lost, and nobody is told.
    Look at the remainder first, and raise a ValueError if there is one."""
    return split_heads(x[..., : x.shape[-1] // heads * heads], heads)


# merge_heads


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


# projecting three sequences


@project.misconception
def makes_everything_from_the_query(query, key, value, w_query, w_key, w_value):
    """All three projections were made of the first sequence, so it looks at itself, whatever the others hold.
    Queries come from the sequence that asks, keys and values from what it is to look at.
    Which sequence stands in your second and third product?"""
    return query @ w_query, query @ w_key, query @ w_value


@project.misconception
def makes_values_from_the_query(query, key, value, w_query, w_key, w_value):
    """Your values were made of the sequence that asks.
    A query looks through the keys, and takes home what belongs to them: each value must lie beside its key.
    Which sequence does `w_value` multiply in your code?"""
    return query @ w_query, key @ w_key, query @ w_value


@project.misconception
def makes_keys_from_the_query(query, key, value, w_query, w_key, w_value):
    """Your keys were made of the sequence that asks, so the queries were compared with their own tokens.
    Keys belong to the tokens that are looked at, one beside each value.
    Which sequence does `w_key` multiply in your code?"""
    return query @ w_query, query @ w_key, value @ w_value


@project.misconception
def makes_values_from_the_keys(query, key, value, w_query, w_key, w_value):
    """Your values were made of the keys' sequence.
    The two are the same sequence most of the time, which hides this well.
    But they come as two inputs, and may differ: what is compared, and what is handed over.
    Which one does `w_value` multiply?"""
    return query @ w_query, key @ w_key, key @ w_value


@project.misconception
def makes_keys_from_the_values(query, key, value, w_query, w_key, w_value):
    """Your keys were made of the values' sequence.
    The two are the same sequence most of the time, which hides this well.
    But they come as two inputs, and may differ: what is compared, and what is handed over.
    Which one does `w_key` multiply?"""
    return query @ w_query, value @ w_key, value @ w_value


@project.misconception
def swaps_key_and_value_sequences(query, key, value, w_query, w_key, w_value):
    """The sequences of keys and of values changed places: what should be compared was handed over.
    (Keras' own layer wants value before key; here it is query, key, value.)
    Compare the order of your parameters, and of your arguments, with the stub's."""
    return query @ w_query, value @ w_key, key @ w_value


@project.misconception
def swaps_query_and_key_sequences(query, key, value, w_query, w_key, w_value):
    """Queries were made of the keys' sequence, and keys of the queries'.
    Who asks and who is asked changed places, so the output belongs to other tokens.
    Which sequence does `w_query` multiply in your code?"""
    return key @ w_query, query @ w_key, value @ w_value


@project.misconception
def takes_sequences_as_value_key_query(query, key, value, w_query, w_key, w_value):
    """The first sequence was taken for the values, and the third for the queries.
    Some hand-written layers elsewhere use the order value, key, query; here it is query, key, value.
    In self-attention all three are equal, and it goes unnoticed. Check your parameters' order."""
    return value @ w_query, key @ w_key, query @ w_value


@project.misconception
def makes_queries_from_the_keys(query, key, value, w_query, w_key, w_value):
    """Your queries were made of the keys' sequence, so the tokens that are looked at ask themselves.
    The output has one row for each token that asks, and the first sequence holds those.
    Which sequence does `w_query` multiply in your code?"""
    return key @ w_query, key @ w_key, value @ w_value


@project.misconception(which=("queries", "keys", "values"))
def transposes_one_of_the_weights(query, key, value, w_query, w_key, w_value, *, which):
    """The matrix of the {which} met the tokens on its side, with rows where columns belong; the other two are right.
    A matrix that multiplies from the right is (in, out). `nn.Linear` stores its own as (out, in), and turns it when
    it is called.
    Compare the three products with each other. What is different in one of them?"""
    turned = dict(queries=w_query, keys=w_key, values=w_value)
    turned[which] = turned[which].mT
    return project(query, key, value, *turned.values())


# split, attend, merge


def in_one_piece(x, heads):
    """(..., tokens, model_size) -> (..., heads, tokens, head_size), without moving a number."""
    return x.reshape(*x.shape[:-2], heads, x.shape[-2], -1)


@attend_by_heads.misconception
def cuts_the_sentence_instead_of_the_columns(query, key, value, heads, mask=None):
    """Your heads share out the tokens: head 0 has the first ones, with all their columns, and the last head has the
    last ones. Words of different heads never meet.
    A plain reshape does this, in and out, and the shapes fit.
    Split and merge each need a reshape *and* a transpose."""
    each = masked_attention(*(in_one_piece(x, heads) for x in (query, key, value)), mask)
    return each.reshape(*query.shape[:-1], -1)


@attend_by_heads.misconception
def scales_by_the_root_of_the_model_size(query, key, value, heads, mask=None):
    """Your scores were divided by the root of the model size.
    A dot product inside a head has only as many terms as the head has columns, model_size / heads, so your scores
    come out too small and the weights too even.
    Which shape does the tensor have from which you take the size?"""
    return attend_by_heads(query / heads**0.5, key, value, heads, mask)


@attend_by_heads.misconception
def scales_by_the_root_of_the_heads(query, key, value, heads, mask=None):
    """Your scores were divided by the root of the number of heads.
    What counts is the number of terms in a dot product: the columns of one head.
    Look at the shape of a split tensor. Which axis holds the head's columns, which one counts the heads?"""
    return attend_by_heads(query * (query.shape[-1] / heads**2) ** 0.5, key, value, heads, mask)


@attend_by_heads.misconception(axes=(3, 4, "3, and a mask of no more"))
def attends_with_one_big_head(query, key, value, heads, mask=None, *, axes):
    """All columns work as one head: they make one score for each pair of tokens, and `heads` has no influence.
    Several heads make several scores, each from its own columns, and so can look at several places at once.
    Split queries, keys and values into `heads` before they meet."""
    if axes == 4:
        return attend_by_heads(query, key, value, 1, mask)
    if axes != 3 and mask is not None and mask.ndim > query.ndim:
        raise ValueError("this mask has an axis for heads")
    return masked_attention(query, key, value, mask)


@attend_by_heads.misconception
def deals_columns_in_turn_there_and_back(query, key, value, heads, mask=None):
    """Your heads take the columns in turn, like cards, and give them back in the same way.
    This is attention, and a layer could learn with it.
    But its heads are not the ones that the weights were made for: there, a head is a block of neighbouring columns.
    How do you cut the last axis in two?"""

    def in_turn(x):
        return np.moveaxis(x.reshape(*x.shape[:-1], -1, heads), -1, -3)

    each = masked_attention(in_turn(query), in_turn(key), in_turn(value), mask)
    return np.moveaxis(each, -3, -1).reshape(*query.shape[:-1], -1)


@attend_by_heads.misconception(constant=(2, 4))
def always_splits_into_the_same_number_of_heads(query, key, value, heads, mask=None, *, constant):
    """Your code splits into {constant} heads, whatever `heads` says.
    The number of heads is an input, and the size of a head follows from it.
    Search your code for a number that should be a name."""
    return attend_by_heads(query, key, value, constant, mask)


def over_an_axis(query, key, value, heads, mask, axis, blocked, nan=np.nan):
    """Attention whose softmax runs over another axis, where `blocked` is put in place of blocked scores."""
    scores = attention_scores(split_heads(query, heads), split_heads(key, heads))
    weights = softmax(scores if mask is None else np.where(mask, scores, blocked), axis)
    return merge_heads(np.nan_to_num(weights, nan=nan) @ split_heads(value, heads))


@attend_by_heads.misconception(blocked=(-1e9, -np.inf), nan=(0, np.nan))
def shares_out_over_the_heads(query, key, value, heads, mask=None, *, blocked, nan):
    """Your softmax runs over the axis of heads: for each pair of tokens the heads compete with each other.
    Each head shares out a whole of its own, over the keys.
    The keys lie on the last axis, whatever stands in front."""
    return over_an_axis(query, key, value, heads, mask, -3, blocked, nan)


@attend_by_heads.misconception
def shares_out_over_the_queries_of_each_head(query, key, value, heads, mask=None):
    """In each head your softmax runs over the queries: they compete for a key, and a query's weights do not sum to 1.
    Each query shares out a whole of its own, over the keys.
    The keys lie on the last axis, whatever stands in front."""
    return over_an_axis(query, key, value, heads, mask, -2, -1e9)


@attend_by_heads.misconception
def hides_the_future_where_no_mask_is_given(query, key, value, heads, mask=None):
    """Where no mask is given, later tokens are hidden in your code, though nobody asked for it.
    Without a mask every query may look at every key. Who wants to hide the future hands over a causal mask.
    What stands in your code for a mask that is None?"""
    unasked = mha_ref.causal_mask(query.shape[-2], key.shape[-2])
    return attend_by_heads(query, key, value, heads, unasked if mask is None else mask)


@attend_by_heads.misconception
def reads_three_axes_as_texts(query, key, value, heads, mask=None):
    """Your code takes a mask of three axes for (batch, queries, keys), and puts an axis for the heads into it.
    A mask broadcasts to (batch, heads, queries, keys) by the rule of all arrays, right ends aligned: the first of
    three axes is that of the heads.
    Who has a mask for each text adds that axis outside. Use the mask as it is."""
    mask = mask[:, None] if mask is not None and mask.ndim == 3 else mask
    return attend_by_heads(query, key, value, heads, mask)


@attend_by_heads.misconception
def lets_the_whole_batch_attend(query, key, value, heads, mask=None):
    """The texts of a batch look at each other in your code: batch and tokens became one axis.
    Each text is alone, as if it were the only one.
    Keep the batch as the first axis, in front of the heads, through all steps."""
    flat = (x.reshape(1, -1, x.shape[-1]) for x in (query, key, value))
    return attend_by_heads(*flat, heads, mask).reshape(query.shape)


@attend_by_heads.misconception
def computes_the_first_item_only(query, key, value, heads, mask=None):
    """Every item of the batch got the result of the first one.
    Each item has tokens of its own.
    Is there an index 0 where the whole batch should be?"""
    out = attend_by_heads(query, key, value, heads, mask)
    return np.broadcast_to(out[:1], out.shape)


@attend_by_heads.misconception
def averages_the_maps_of_all_heads(query, key, value, heads, mask=None):
    """All your heads use one map, the mean over the heads.
    Then every token looks at the same places in each head, and several heads are as good as one.
    An average is for pictures; for the values, each head needs its own weights."""
    weights = mha_ref.masked_weights(split_heads(query, heads), split_heads(key, heads), mask)
    return merge_heads(weights.mean(axis=-3, keepdims=True) @ split_heads(value, heads))


@attend_by_heads.misconception
def gives_every_head_the_map_of_the_first(query, key, value, heads, mask=None):
    """All your heads look where the first head looks: its weights were used for every head's values.
    Each head has queries and keys of its own, in its own columns.
    Is there an index 0 where all heads should be?"""
    weights = mha_ref.masked_weights(split_heads(query, heads), split_heads(key, heads), mask)
    return merge_heads(weights[..., :1, :, :] @ split_heads(value, heads))


@attend_by_heads.misconception
def adds_an_axis_to_every_mask(query, key, value, heads, mask=None):
    """Your code adds an axis for the heads to every mask.
    The mask comes ready: it broadcasts to (batch, heads, queries, keys), with an axis of length 1 where it makes no
    difference.
    With one axis more, texts and heads lie in other places. Use it as it is."""
    mask = None if mask is None else mask[..., None, :, :]
    return attend_by_heads(query, key, value, heads, mask)


@attend_by_heads.misconception(axis=(-3, 1))
def gives_all_heads_the_mask_of_the_first(query, key, value, heads, mask=None, *, axis):
    """Where heads have different masks, all of yours use the first head's.
    A mask may have a length of 1 on the axis of heads, and then it is the same for all.
    But it may also say something else for each head. Let it broadcast by itself."""
    if mask is not None and mask.ndim > 2:
        mask = mask[..., :1, :, :] if axis == -3 else mask[:, :1]
    return attend_by_heads(query, key, value, heads, mask)


@attend_by_heads.misconception
def gives_all_texts_the_mask_of_the_first(query, key, value, heads, mask=None):
    """Every text of the batch is treated with the first one's mask.
    Texts of different lengths need masks of their own.
    A mask may have a length of 1 on the axis of the batch, and then it is the same for all; else each item has its
    part. Let it broadcast by itself."""
    return attend_by_heads(query, key, value, heads, mask[:1] if mask is not None and mask.ndim == 4 else mask)


@attend_by_heads.misconception
def forgets_the_mask_in_several_heads(query, key, value, heads, mask=None):
    """Only the first of your heads obeys the mask; the others look everywhere.
    What is hidden must be hidden from all heads, since each carries over what it sees.
    A mask broadcasts over the heads, if its shape lets it."""
    every, first = (mha_ref.attend_by_heads(query, key, value, heads, m) for m in (None, mask))
    size = query.shape[-1] // heads
    return np.concatenate([first[..., :size], every[..., size:]], axis=-1)


# multi_head_attention


@multi_head_attention.misconception
def adds_the_query_to_the_result(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """The query was added to your output.
    A sum of this kind, a residual connection, stands around attention in a whole model, and the next lesson puts it
    there.
    Here the output is what the heads found, and nothing beside it."""
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask) + query


@multi_head_attention.misconception
def uses_the_value_weights_as_output(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """`w_output` does not change your result: the last product took `w_value` a second time.
    The four matrices have the same shape, so nothing complains.
    Which one lets the heads' results meet, at the very end?"""
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_value, heads, mask)


@multi_head_attention.misconception
def swaps_value_and_output_weights(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """`w_value` and `w_output` changed places.
    They have the same shape, so nothing complains.
    One makes values before the heads attend, the other mixes what the heads found, at the very end."""
    return multi_head_attention(query, key, value, w_query, w_key, w_output, w_value, heads, mask)


@multi_head_attention.misconception
def mixes_each_head_by_the_first_rows(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your heads' results were added up before the output: all of them went through the same rows of `w_output`.
    Each head has rows of its own there, so that the model can tell who found what.
    Put the heads side by side first, then multiply once."""
    size = w_output.shape[0] // heads
    same = np.concatenate([w_output[:size]] * heads)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, same, heads, mask)


@multi_head_attention.misconception
def shares_the_first_block_of_weights(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """All your heads are the same one: each was projected with the first block of columns.
    Head i has the columns from i · head_size on, in each of the three matrices.
    Does your slice move on with the head?"""
    size = w_query.shape[-1] // heads
    first = (np.tile(w[:, :size], heads) for w in (w_query, w_key, w_value))
    return multi_head_attention(query, key, value, *first, w_output, heads, mask)


# to_allowed


@to_allowed.misconception
def takes_every_mask_as_allowed(mask, convention):
    """Your result is the mask as booleans, whatever the convention is.
    As a boolean, every number but 0 is True, minus infinity included.
    In three of the four conventions this turns the meaning round.
    Ask for each convention which entry means "may look"."""
    return mask != 0


@to_allowed.misconception
def leaves_blocked_as_it_is(mask, convention):
    """In the convention "blocked" your result still has True where a key is blocked.
    There, True is a barrier; here it is a permission.
    Which operator turns booleans round?"""
    return mask if convention == "blocked" else to_allowed(mask, convention)


@to_allowed.misconception
def turns_allowed_round(mask, convention):
    """A mask in the convention "allowed" came back turned round.
    That convention is ours already: True means "may look".
    For this one there is nothing to do."""
    return ~mask if convention == "allowed" else to_allowed(mask, convention)


@to_allowed.misconception
def exchanges_allowed_and_blocked(mask, convention):
    """Your two boolean conventions are exchanged: "allowed" was turned round, "blocked" was not.
    The name says what True means there.
    The result always has True where a query may look."""
    other = {"allowed": "blocked", "blocked": "allowed"}
    return to_allowed(mask, other.get(convention, convention))


@to_allowed.misconception
def reads_additive_as_a_switch(mask, convention):
    """In the convention "additive" your result is turned round: True stands where a key is blocked.
    There 0 is added to what may be seen, and adding 0 changes nothing.
    Made boolean, 0 is False and minus infinity is True. So which entry means "may look"?"""
    return mask != 0 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def reads_one_as_allowed(mask, convention):
    """In the convention "blocked_float" your result is turned round: 1 was taken for "may look".
    There a 1 is multiplied by -1e9 and added to the score, so that the key is lost.
    Which number leaves the score as it is?"""
    return mask == 1 if convention == "blocked_float" else to_allowed(mask, convention)


@to_allowed.misconception
def reads_both_kinds_of_numbers_as_switches(mask, convention):
    """In both conventions with numbers your result is turned round: True stands where the number is not 0.
    In both of them 0 is the entry that leaves a score as it is.
    So which entries mean "may look"?"""
    return mask != 0 if convention in ("additive", "blocked_float") else to_allowed(mask, convention)


@to_allowed.misconception
def asks_for_numbers_above_zero(mask, convention):
    """In the convention "additive" nothing is allowed any more in your result.
    Its entries are 0 or far below 0, and your comparison asks for more than 0.
    The 0 itself is the entry that lets a query look."""
    return mask > 0 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def lets_every_one_through(mask, convention):
    """In the convention "blocked_float" everything is allowed in your result.
    Your comparison asks for numbers that are not far below 0, as suits "additive", and here a blocked key is a 1.
    Which single number means "may look" in both conventions?"""
    return mask >= 0 if convention == "blocked_float" else to_allowed(mask, convention)


@to_allowed.misconception(number=(1, 1.0))
def answers_in_numbers(mask, convention, *, number):
    """Your result holds the numbers 1 and 0, not True and False.
    A mask of this course is boolean: numbers would be added or multiplied by the next line that meets them.
    A comparison gives booleans by itself."""
    return to_allowed(mask, convention) * number


@to_allowed.misconception
def answers_in_numbers_to_add(mask, convention):
    """Your result is a mask to be added to scores, with 0 and minus infinity.
    You translated the other way: into "additive".
    The result should be ours, boolean, with True where a query may look."""
    return np.where(to_allowed(mask, convention), 0.0, -np.inf)


@to_allowed.misconception
def answers_what_is_blocked(mask, convention):
    """All your results are turned round: True stands where a key is blocked.
    You translated into the convention of `nn.MultiheadAttention`.
    Ours is the other one: True means "may look"."""
    return ~to_allowed(mask, convention)


@to_allowed.misconception(on="finite_fill")
def knows_minus_infinity_only(mask, convention):
    """A mask to add may hold a very large negative number, such as -1e9, in place of minus infinity; your code takes
    that for "may look".
    What softmax makes of it is 0 all the same.
    Ask for the entry that allows, instead of one of those that block."""
    return mask != -np.inf if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def knows_minus_a_billion_only(mask, convention):
    """In the convention "additive" your code looks for one number, -1e9, and takes minus infinity for "may look".
    There are many ways to write "very negative", and a single one to write "may look".
    Ask for the entry that allows, instead of one of those that block."""
    return mask != -1e9 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception
def exchanges_the_two_kinds_of_numbers(mask, convention):
    """In both conventions with numbers everything is allowed in your result.
    "additive" marks a blocked key by a very negative number, "blocked_float" by a 1, and your code looks for each of
    them in the other's masks.
    Which single number means "may look" in both?"""
    exchanged = {"additive": mask != 1, "blocked_float": mask >= 0}
    return exchanged[convention] if convention in exchanged else to_allowed(mask, convention)


@to_allowed.misconception(on="finite_fill")
def asks_for_a_billion(mask, convention):
    """A mask to add may block with -1e4 or -65504, as models in float16 do, and your code takes these for "may look".
    Its bound is too far below zero: such a score is lost in softmax all the same.
    Which number adds nothing to a score? Compare with that one."""
    return mask > -1e8 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception(on="dead_row")
def asks_softmax_who_is_allowed(mask, convention):
    """In a row where everything is blocked by a large negative number, all keys became allowed.
    Softmax sees differences only: if all entries are -1e9, it shares out evenly, as if they were 0.
    Each entry says by itself what it means. Ask it, without its neighbours."""
    return softmax(mask) > 0 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception(on="unknown")
def lets_an_unknown_convention_through(mask, convention):
    """For a convention that nobody has heard of, your code returns the mask as it is.
    A typing mistake in that text would then turn a model's masks round, and nobody would be told.
    Refuse it, with a ValueError that names the four that you know."""
    return mask if convention == "forbidden" else to_allowed(mask, convention)


@to_allowed.misconception(on="unknown")
def turns_an_unknown_convention_round(mask, convention):
    """For a convention that nobody has heard of, your code turns the mask round: its last branch takes all that is
    left over.
    A typing mistake in that text would then turn a model's masks round, and nobody would be told.
    Give the fourth convention a branch of its own, and refuse the rest."""
    return ~mask if convention == "forbidden" else to_allowed(mask, convention)


@to_allowed.misconception(on="unknown")
def says_nothing_about_an_unknown_convention(mask, convention):
    """For a convention that nobody has heard of, your code returns None.
    In our functions None means "everything is allowed", so a typing mistake would take the mask away, and nobody
    would be told.
    After the last branch, raise a ValueError that names all four."""
    return None if convention == "forbidden" else to_allowed(mask, convention)


# the layer


@MultiHeadAttention.misconception(biases=("added", "forgotten"))
def takes_the_matrices_of_linear_on_their_side(query, *, biases, **rest):
    """The matrices of queries, keys and values met the tokens on their side, with rows where columns belong.
    `nn.Linear` stores its matrix as (out, in), so a product with `.weight` needs it turned, and leaves the bias out.
    Called as a function, the projection turns the matrix and adds the bias by itself."""
    for name in ("query", "key", "value"):
        rest[f"w_{name}"] = rest[f"w_{name}"].mT
        rest[f"b_{name}"] = rest.get(f"b_{name}") if biases == "added" else None
    return multi_head_layer(query, **rest)


@MultiHeadAttention.misconception(bias=("added", "forgotten"))
def takes_the_matrix_of_the_output_on_its_side(query, w_output, b_output=None, *, bias, **rest):
    """The matrix of the output projection met the heads' results on its side, with rows where columns belong.
    `nn.Linear` stores its matrix as (out, in), so a product with `.weight` needs it turned, and leaves the bias out.
    Called as a function, the projection turns the matrix and adds the bias by itself."""
    b_output = b_output if bias == "added" else None
    return multi_head_layer(query, w_output=w_output.mT, b_output=b_output, **rest)


@MultiHeadAttention.misconception
def never_calls_the_output_projection(query, **rest):
    """The output projection, with its bias, has no influence on your output: the heads lie side by side, and it ends
    there.
    The shape is right without it, so nobody complains.
    Its product lets the heads meet. Which of your four modules is not called in `forward`?"""
    return multi_head_layer(query, **rest | dict(w_output=np.eye(query.shape[-1]), b_output=None))


@MultiHeadAttention.misconception
def calls_the_output_projection_twice(query, w_output, b_output=None, **rest):
    """Your heads' results went through the output projection twice.
    It is called once, at the very end.
    Follow the merged heads through your last lines: where does the projection come, and where again?"""
    b_output = None if b_output is None else b_output @ w_output + b_output
    return multi_head_layer(query, w_output=w_output @ w_output, b_output=b_output, **rest)


@MultiHeadAttention.misconception
def adds_the_query_to_the_output_of_the_layer(query, **rest):
    """The query was added to your output.
    A sum of this kind, a residual connection, stands around attention in a whole model, and a later lesson puts it
    there.
    Here the output is what the output projection gives, and nothing beside it."""
    result = multi_head_layer(query, **rest)
    return (result[0] + query, result[1]) if isinstance(result, tuple) else result + query


def as_if_called(weights, query="query", key="key", value="value", output="output"):
    """The weights and biases of a layer that calls these projections where it should call query, key, value, output."""
    called = dict(query=query, key=key, value=value, output=output).items()
    return weights | {f"{kind}_{name}": weights.get(f"{kind}_{other}") for kind in "wb" for name, other in called}


EXCHANGED = {
    "queries and keys": dict(query="key", key="query"),
    "keys and values": dict(key="value", value="key"),
    "queries and values": dict(query="value", value="query"),
    "values and output": dict(value="output", output="value"),
}


@MultiHeadAttention.misconception(which=tuple(EXCHANGED))
def exchanges_two_projections(query, *, which, **rest):
    """The projections of {which} changed places, with their weights and biases.
    All four have the same shape, so nothing complains.
    The order is query, key, value, also for the blocks of one fused projection.
    Which sequence goes through which projection in your code?"""
    return multi_head_layer(query, **as_if_called(rest, **EXCHANGED[which]))


ROTATED = {
    "keys, values and queries": dict(query="key", key="value", value="query"),
    "values, queries and keys": dict(query="value", key="query", value="key"),
}


@MultiHeadAttention.misconception(made_by=tuple(ROTATED))
def calls_each_projection_in_the_next_ones_place(query, *, made_by, **rest):
    """Queries, keys and values were made by the projections of {made_by}, in this order.
    All have the same shape, so nothing complains.
    The order is query, key, value, also for the blocks of one fused projection.
    Check what you unpack, or the rows that you take."""
    return multi_head_layer(query, **as_if_called(rest, **ROTATED[made_by]))


IN_PLACE = {
    "queries made your keys": dict(key="query"),
    "queries made your values": dict(value="query"),
    "keys made your queries": dict(query="key"),
    "keys made your values": dict(value="key"),
    "values made your queries": dict(query="value"),
    "values made your keys": dict(key="value"),
    "queries made your keys and values": dict(key="query", value="query"),
    "keys made your queries and values": dict(query="key", value="key"),
    "values made your queries and keys": dict(query="value", key="value"),
    "values made your output": dict(output="value"),
}


@MultiHeadAttention.misconception(which=tuple(IN_PLACE))
def calls_one_projection_in_place_of_another(query, *, which, **rest):
    """The projection of the {which}, too.
    All four have the same shape, so nothing complains, and one of them is never used.
    Each learns a view of its own. Look at the names in the lines of `forward` that call them."""
    return multi_head_layer(query, **as_if_called(rest, **IN_PLACE[which]))


@MultiHeadAttention.misconception
def cuts_a_fused_projection_head_by_head(query, heads, w_query, w_key, w_value, **rest):
    """Your fused projection was cut into heads first, and each head's piece into query, key and value.
    Some models store their weights like that. Here the blocks are all queries, then all keys, then all values.
    Cut the result in three first, and then split each of the three into heads."""

    def dealt(*three):
        fused = np.concatenate(three, axis=-1)
        fused = fused.reshape(*fused.shape[:-1], heads, 3, -1)
        return (fused[..., part, :].reshape(three[0].shape) for part in range(3))

    biases = [rest.pop(f"b_{name}", None) for name in ("query", "key", "value")]
    biases = biases if biases[0] is None else dealt(*biases)
    rest |= {f"b_{name}": b for name, b in zip(("query", "key", "value"), biases)}
    return multi_head_layer(query, heads, *dealt(w_query, w_key, w_value), **rest)


@MultiHeadAttention.misconception(on="dead_row")
def gives_zeros_to_a_query_that_sees_nothing(query, heads, mask=None, **rest):
    """A query that may look at nothing gets zeros from your layer; it should get the bias of the output.
    What is zero there are its weights, and so what its heads found.
    The output projection comes after that, and adds its bias to every row alike.
    Let the mask act on the weights, and leave the output as it is."""
    out = multi_head_layer(query, heads, mask=mask, **rest)
    if mask is None or isinstance(out, tuple):
        return out
    keys = query if rest.get("key") is None else rest["key"]
    whole = np.broadcast_to(mask, (len(query), heads, query.shape[1], keys.shape[1]))
    return out * whole.any(axis=(1, 3))[..., None]


@default_sequences.misconception
def takes_values_from_the_query_by_default(query, key=None, value=None):
    """Where only a query and a key are given, your layer takes the values from the query.
    A value belongs to its key: it is what the query takes home when that key fits.
    So a missing value is the same as the key, whatever the key is by then."""
    return query, query if key is None else key, query if value is None else value


@default_sequences.misconception
def forgets_that_value_may_be_given(query, key=None, value=None):
    """The value that your layer was given has no influence: the key is used in its place.
    A missing value is the same as the key; one that is there counts.
    Ask whether `value` is None before you replace it."""
    key = query if key is None else key
    return query, key, key


@default_sequences.misconception
def looks_at_the_query_alone(query, key=None, value=None):
    """Your layer looks at the query's own sequence, also where it was given others.
    A missing key is the same as the query; one that is there counts.
    Ask whether `key` is None before you replace it."""
    return query, query, query


@add_biases.misconception
def leaves_out_the_biases_of_the_projections(query, key, value, b_query=None, b_key=None, b_value=None):
    """The biases of query, key and value have no influence on your output.
    `nn.Linear` adds its bias when it is called; a product with `.weight` alone leaves it out.
    Call the projection as a function."""
    return query, key, value


@add_biases.misconception
def adds_the_bias_of_the_query_to_all(query, key, value, b_query=None, b_key=None, b_value=None):
    """One bias was used for queries, keys and values.
    Each projection has a bias of its own, and all of them have the same size, so nothing complains.
    Does each sequence go through its own projection?"""
    return add_biases(query, key, value, b_query, b_query, b_query)


@add_biases.misconception
def leaves_out_the_bias_of_the_values(query, key, value, b_query=None, b_key=None, b_value=None):
    """The bias of the value projection has no influence on your output.
    All four projections have one, if the layer was made with `bias=True`.
    Is one of them made differently?"""
    return add_biases(query, key, value, b_query, b_key, 0)


@add_biases.misconception
def leaves_out_the_bias_of_the_queries(query, key, value, b_query=None, b_key=None, b_value=None):
    """The bias of the query projection has no influence on your output.
    All four projections have one, if the layer was made with `bias=True`.
    Is one of them made differently?"""
    return (query, *add_biases(query, key, value, b_query, b_key, b_value)[1:])


@add_output_bias.misconception
def leaves_out_the_bias_of_the_output(mixed, b_output=None):
    """The bias of the output projection has no influence on your output.
    `nn.Linear` adds its bias when it is called; a product with `.weight` alone leaves it out.
    All four projections have a bias, if the layer was made with `bias=True`."""
    return mixed


@give_weights.misconception(on="weights")
def averages_the_returned_weights(out, weights):
    """With `return_weights=True` your weights are a mean over the heads.
    That is what PyTorch's layer returns, if nobody tells it otherwise.
    Here each head's map is wanted: (batch, heads, queries, keys)."""
    return out, weights.mean(axis=1)


@give_weights.misconception(on="weights")
def returns_the_weights_alone(out, weights):
    """With `return_weights=True` you return the weights, and the output is gone.
    Who asks for the weights wants them beside the output.
    Return both, the output first."""
    return weights


@give_weights.misconception(on="weights")
def returns_the_weights_first(out, weights):
    """With `return_weights=True` the two things come in the other order: first the weights, then the output.
    Whoever unpacks them gets one for the other.
    The output comes first."""
    return weights, out


@give_weights.misconception(on="weights")
def does_not_return_the_weights(out, weights):
    """With `return_weights=True` you return the output alone.
    The weights are wanted beside it, one map for each head, as they are before dropout.
    Where does your code ask for `return_weights`?"""
    return out


@returned_weights.misconception(on="weights", blocked=(None, -np.inf, -1e9))
def returns_scores_in_place_of_weights(query, key, heads, mask=None, *, blocked):
    """With `return_weights=True` you return the scores, as they are before softmax.
    Weights are shares: none is below zero, and each row of them sums to 1.
    Which variable holds what softmax gave you, before dropout?"""
    scores = attention_scores(split_heads(query, heads), split_heads(key, heads))
    return scores if mask is None or blocked is None else np.where(mask, scores, blocked)


@returned_weights.misconception(on="weights")
def returns_weights_without_the_mask(query, key, heads, mask=None):
    """With `return_weights=True` your weights are those without a mask, while your output obeys it.
    A map should show what was used: a blocked key has the weight zero there.
    Do you compute the weights a second time for the caller?"""
    return returned_weights(query, key, heads)


@returned_weights.misconception(on="weights", nothing=("even", "NaN"))
def returns_shares_where_nothing_may_be_seen(query, key, heads, mask=None, *, nothing):
    """Your output is right, but for a query that may look at nothing the returned weights are not zeros: they are even
    shares, or NaN.
    The map should show what was used, and there nothing was.
    Return the weights that your values were mixed with, before dropout, and do not compute or divide them anew."""
    weights = returned_weights(query, key, heads, mask)
    alive = True if mask is None else mask.any(axis=-1, keepdims=True)
    return np.where(alive, weights, 1 / weights.shape[-1] if nothing == "even" else np.nan)


# questions

products_in_the_loop = Question(
    answer=61,
    wrong={
        48: "You count four products for each head. Beside its three projections there are two: queries with keys, "
        "and weights with values. And is there one after the loop?",
        49: "You count four products for each head, and the one after the loop is there. "
        "Beside its three projections a head has two: queries with keys, and weights with values.",
        60: "The heads' products are counted well. One is left, after the loop.",
        36: "These are the projections. What does a head do with its queries, keys and values?",
        37: "These are the projections and the output. What does a head do with its queries, keys and values?",
        **dict.fromkeys(
            (72, 73),
            "You count six products for each head. It has five: three projections, the scores, the weighted mean. "
            "The product with the output weights is done once, after the loop, for all heads together.",
        ),
        6: "This is how many it will be without a loop. In the loop, each head starts its own.",
        5: "These are the products of one head. How many heads are there, and what comes after them?",
    },
    hints=(
        "Write down the products of a single head, in the order in which they happen.",
        "Three projections, then the scores, then the weighted mean: five for each head. What remains to be done?",
        "Five for each of twelve heads, and one at the end.",
    ),
)
split_by_reshape = Question(
    answer=(3, 4, 5),
    wrong={
        (10, 11, 12): "This is what we wish for: the second token's first three columns. "
        "But a reshape reads on in the line of numbers. What comes after 0, 1, 2?",
        (1, 11, 21): "These stand below each other, in one column. A reshape reads along the rows.",
        (6, 7, 8): "You count numbers, and that is the right idea. "
        "But in this table a row ends after 5, and the next one begins with 10.",
        (13, 14, 15): "That is the second row of the second head, as we wish it. "
        "A reshape reads on in the line of numbers. What comes after 0, 1, 2?",
        (2, 3, 4): "Close: the first row has taken three numbers, 0, 1 and 2. Go on with the next one.",
    },
    hints=(
        "In memory the table is one line: 0, 1, 2, 3, 4, 5, 10, 11, ...",
        "The new shape has rows of three. It is filled from the beginning of the line.",
        "The first row takes 0, 1, 2. The second row takes the three numbers that follow.",
    ),
)
round_trip = Question(
    answer="d",
    wrong={
        "a": "Take the plain reshapes: the first one moves no number, and the second one undoes it. What comes back?",
        "b": "Right about the reshapes. Now the cards: dealt out in turn, and collected in turn. What comes back?",
        "c": "Right about the cards. Now the plain reshapes: the first one moves no number, and the second one undoes "
        "it. What comes back?",
    },
    hints=(
        "Of each pair ask one thing: does the second function undo the first?",
        "A reshape to any shape and back to the old one changes nothing.",
        "Whoever deals cards in turn and collects them in turn has the pack as it was. All pairs undo themselves.",
    ),
)

BATCH, TOKENS, MODEL, HEADS = 4, 128, 768, 12
ON_THE_WAY = (
    (BATCH, HEADS, TOKENS, 64),
    (BATCH, HEADS, TOKENS, TOKENS),
    (BATCH, HEADS, TOKENS, 64),
    (BATCH, TOKENS, MODEL),
    (BATCH, TOKENS, MODEL),
)


def instead(**shapes):
    """The shapes on the way, some of them replaced."""
    steps = ("split", "scores", "mix", "merge", "output")
    return tuple(shapes.get(step, right) for step, right in zip(steps, ON_THE_WAY))


BEHIND, WHOLE, SWAPPED = (4, 128, 12, 64), (4, 12, 128, 768), (4, 64, 128, 12)
shapes_on_the_way = Question(
    answer=ON_THE_WAY,
    points=2,
    wrong={
        instead(split=BEHIND, mix=BEHIND): "Your heads stand behind the tokens, as after the cut alone. "
        "Attention works on the last two axes, so heads move in front of the tokens.",
        instead(split=BEHIND): "In your split the heads stand behind the tokens, as after the cut alone. "
        "They move in front of them.",
        instead(split=WHOLE, mix=WHOLE): "Each of your heads has all 768 columns. They share them out.",
        instead(split=WHOLE): "Each of your heads has all 768 columns. They share them out.",
        instead(split=SWAPPED, scores=(4, 64, 128, 128), mix=SWAPPED): "You have 64 heads with 12 columns. "
        "There are 12 heads; how wide is each?",
        instead(scores=(4, 12, 64, 64)): "Scores are for pairs of tokens: every query meets every key. "
        "The head's columns are summed over.",
        instead(scores=(4, 12, 128, 64)): "Scores are for pairs of tokens: every query meets every key. "
        "The head's columns are summed over.",
        instead(scores=(4, 128, 128)): "One map for each text? Every head has a map of its own.",
        instead(scores=(4, 128, 128), mix=(4, 128, 64)): "One map for each text? Every head has a map of its own.",
        instead(mix=(4, 12, 128, 128)): "Mixing replaces the keys by the values' columns: each query gets a mean of "
        "values, and a value has 64 numbers.",
        instead(merge=(4, 128, 64)): "Merging keeps all heads: they stand side by side, 12 blocks of 64 columns.",
        instead(merge=(4, 128, 64), output=(4, 128, 64)): "Merging keeps all heads: they stand side by side, 12 "
        "blocks of 64 columns.",
        instead(merge=(4, 128, 12, 64)): "This is half of the merge: the last two axes still have to become one.",
        instead(merge=(4, 1536, 64)): "Your heads lie below each other. Side by side, each token keeps one row.",
        tuple(shape[1:] for shape in ON_THE_WAY): "All right for a single text. There is a batch of 4 in front.",
    },
    hints=(
        "Heads share out the columns: how many columns has each of 12, if they have 768 together?",
        "After the split: batch, heads, tokens, columns of a head. "
        "Scores have a row for each query and a column for each key.",
        "Mixing brings back the shape of the split, merging that of the projection. The output keeps it.",
    ),
)
mask_with_three_axes = Question(
    answer="c",
    wrong={
        "a": "With another number of heads it would. Line up (4, 10, 10) with (4, 4, 10, 10) from the right: "
        "does anything disagree?",
        "b": "That is what was meant. Line up (4, 10, 10) with (batch, heads, queries, keys) from the right: "
        "below which word does its 4 stand?",
    },
    hints=(
        "Write the shape of the scores, (4, 4, 10, 10), and the mask's shape below it, right ends aligned.",
        "What is missing in front counts as an axis of length 1.",
        "So the mask has the shape (1, 4, 10, 10): the same for every text, and something else for each head.",
    ),
)
needless_bias = Question(
    answer="b",
    wrong={
        "a": "A query's bias changes its dot product with each key by another amount, so some keys win by it.",
        "c": "Each value gets the same bias, so the mean of values gets it too. The output moves.",
        "d": "The output's bias is added at the very end, where nothing takes it away.",
        "e": "Three of them do make a difference. Which one adds the same number to every score of a row?",
    },
    hints=(
        "A bias of queries or keys acts through the scores. What does softmax do if all scores of a row go up by 1?",
        "Write out one score, (q + a) · (k + b), as four terms. Which of them differ from key to key?",
        "The term q · b is the same for every key of the row, and so is a · b. What is b the bias of?",
    ),
)
row_after_dropout = Question(
    answer=(1.0, 0.0, 0.4),
    wrong={
        (0.5, 0.0, 0.2): "The second weight is gone, that is right. "
        "The others are divided by 1 - p, so that on average nothing gets smaller.",
        (0.25, 0.0, 0.1): "You multiplied by 1 - p. The numbers that are left are divided by it.",
        (5 / 7, 0.0, 2 / 7): "You shared out one whole anew. Dropout does not look at the sum: it divides by 1 - p.",
        (1.0, 0.6, 0.4): "All three are divided by 1 - p. The second one was removed: what is left of it?",
        (1.0, 0.0, 0.2): "The first weight is right. The third one was kept as well, so the same happens to it.",
        (0.5, 0.0, 0.4): "The third weight is right. The first one was kept as well, so the same happens to it.",
    },
    hints=(
        "Two things happen: some numbers become 0, and the others get larger.",
        "The others are divided by 1 - p, which is 0.5 here.",
        "0.5 divided by 0.5, then 0, then 0.2 divided by 0.5.",
    ),
)
restless_line = Question(
    answer=3,
    wrong={
        1: "Three projections: the same input gives the same result each time. Where are dice thrown?",
        2: "Scores and softmax: the same input gives the same result each time. Where are dice thrown?",
        4: "A product and a projection: the same input gives the same result each time. Where are dice thrown?",
    },
    hints=(
        "Two different answers to the same input: something is random.",
        "Which line throws dice? And does it know about `model.eval()`?",
        "`nn.Dropout` is a module and obeys the switch. What does a function know of it?",
    ),
)
misread_mask = Question(
    answer=(False, False, True, True),
    wrong={
        (True, True, False, False): "That is what our mask means: keys 0 and 1. "
        "PyTorch's layer reads the same True as a barrier.",
        (False, True, True, True): "That is the first query: key 0 is blocked for it. Take the second row.",
        (False, False, False, True): "That is the third query. Take the second row of the mask, and turn it round.",
        (True, False, False, False): "In our mask the second query may look at keys 0 and 1. Turn that row round.",
    },
    hints=(
        "First write the second row of the causal mask, as we mean it.",
        "It is True, True, False, False. And there, True means blocked.",
        "Turn the row round: what is blocked for us may be seen there.",
    ),
)
rows_of_the_keys = Question(
    answer=(768, 1536),
    wrong={
        (0, 768): "These rows make the queries. The keys come next.",
        (1536, 2304): "These rows make the values. The keys stand before them.",
        (768, 1535): "In Python the last number of a slice is not part of it.",
        (769, 1536): "Rows are counted from 0: the queries have the rows 0 to 767.",
        (1, 2): "You counted blocks. Each block has 768 rows; give the rows.",
    },
    tolerance=0,
    hints=(
        "There are three blocks of 768 rows, in the order query, key, value.",
        "The queries have the rows 0 to 767.",
        "The keys' block begins after 768 rows and is 768 rows long.",
    ),
)
padding_for_torch = Question(
    answer="d",
    wrong={
        "a": "It has four axes, and True for real words. They want (batch, keys), and True for padding.",
        "b": "Now True means padding, as they want it. But it still has four axes; they want (batch, keys).",
        "c": "Now the shape is right, (batch, keys). But True still means a real word; they want True for padding.",
    },
    hints=(
        "Two things have to fit: the shape, and what True means.",
        "They want (batch, keys). Which two axes of ours have the length 1 and can go?",
        "And there, True means blocked: the mask has to be turned round as well.",
    ),
)
causal_at_the_top_left = Question(
    answer=10,
    wrong={
        30: "This is what our rule gives: the query stands at the last key and sees all five. "
        "Theirs puts the first query at the first key.",
        50: "A query that sees the last key only? Theirs stands at the first key. What does it see?",
        15: "This is the mean of the first two. The first query stands at the first key: how many does it see?",
    },
    hints=(
        "Their rule: the first query stands at the first key.",
        "There is one query, so it is the first. It sees the keys up to its own place.",
        "It sees one key, and that key gets the whole weight.",
    ),
)
arguments_of_the_other_layer = Question(
    answer="c",
    wrong={
        "a": "The first argument of that layer is the values, and its mask says what is blocked.",
        "b": "The order is right. But a 1 means blocked there, and True means allowed in your mask.",
        "d": "The mask is right. But the order is v, k, q: who asks comes third.",
    },
    hints=(
        "Who asks is the query. At which place does that layer want it?",
        "Values and keys come from what is asked: they are the first two arguments.",
        "The mask there has 1 for blocked: turn ours round, then make numbers of it.",
    ),
)
