"""Lesson 06: all heads at once, as functions and as a layer, and what people believe about reshaping and masks."""

import numpy as np
from array_api_compat import array_namespace

import mha_ref
from autograder import inputs, layers
from autograder.activations import ACTIVATIONS, NORMS, layer_norm
from autograder.exercise import LAYER_OF_TORCH, Exercise, ModuleExercise, Question, Refused, Step, TestWriting
from autograder.exercises.lesson_01_softmax import softmax
from autograder.exercises.lesson_02_scaled_dot_product import attention_scores
from autograder.exercises.lesson_03_masks import masked_attention
from autograder.exercises.lesson_04_single_head import BENT, PLAIN_PROJECTIONS, bent, project
from autograder.exercises.lesson_05_multi_head import ONE_OF_MANY, one_of_many
from autograder.layers import multi_head_layer
from autograder.properties import (
    a_head_is_its_own_columns_and_rows,
    batch_items_do_not_touch_each_other,
    each_head_obeys_its_own_mask,
    every_block_of_every_matrix_counts,
    every_column_stands_in_its_place,
    every_number_is_there_once,
    keys_with_their_values_may_be_shuffled,
    numbers_in_blocked_keys_change_nothing,
    rows_do_not_touch_each_other,
    scores_are_products_of_queries_and_keys,
    tokens_stay_apart,
    twice_the_output_weights_twice_the_output,
    twice_the_values_twice_the_output,
    values_are_only_mixed,
)
from autograder.variants import varied

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
        "The results of the heads stand side by side: first all columns of head 0, then all of head 1, then all of "
        "head 2. "
        "So each head has a block of neighbours, and all blocks are equally wide. "
        "We count from 0, heads and columns.",
        "Head 0 has the columns 0 to 3. "
        "Which ones does head 1 have? "
        "Draw twelve boxes in a row, write 0 to 11 into them, and put a bar after every four. "
        "Each part between two bars is one head. "
        "Which part is head 2?",
        "Head 1 has the columns 4 to 7, and head 2 comes right after it. "
        "So its first column is the one that follows the last of head 1. "
        "In general, a head begins at its own number times the columns of one head.",
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
        "Follow one number of one head: which columns of the output does a matrix product take it to? "
        "It is multiplied by a whole row of the matrix, and this row has a number for each column. "
        "So in how many columns does it leave a trace?",
        "Cut the output matrix into blocks of rows, one for each head. "
        "What does one block do? "
        "It has as many rows as the head has columns, and as many columns as the output. "
        "Which columns of the output can this head reach through it?",
        "Each block leads from one head to all columns of the output. "
        "And the blocks' results are a sum. "
        "Nothing is chosen there, and no head has columns for itself. "
        "Lesson 05 writes it as a formula, in the part *What W_O is for*.",
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
        "Such a row is called dead. "
        "Lesson 03 had to make a decision about it, because the formula says nothing: no key is left above the line, "
        "and none below it. "
        "What did we want such a query to get from the others?",
        "The three weights cannot sum to 1, if none of the keys may get anything. "
        "What are they? "
        "Then go on as always: multiply each weight by its value, 3, 6 and 9, and add up the three products. "
        "Which answer comes out?",
        "Nothing to look at, nothing to get. "
        "The mean of all three values would be a look at what is hidden. "
        "And NaN would spread to everything that is computed from it later on. "
        'So which number says "nothing", and does no harm?',
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
    properties=(every_column_stands_in_its_place, every_number_is_there_once),
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
    properties=(
        batch_items_do_not_touch_each_other,
        tokens_stay_apart,
        every_column_stands_in_its_place,
        every_number_is_there_once,
    ),
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
    properties=(
        batch_items_do_not_touch_each_other,
        tokens_stay_apart,
        every_column_stands_in_its_place,
        every_number_is_there_once,
    ),
)
multi_head_attention = Exercise(
    mha_ref.multi_head_attention,
    inputs.several_heads,
    points=3,
    library="torch",
    forbids=LAYER_OF_TORCH,
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
        numbers_in_blocked_keys_change_nothing,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        twice_the_output_weights_twice_the_output,
        keys_with_their_values_may_be_shuffled,
        a_head_is_its_own_columns_and_rows,
        each_head_obeys_its_own_mask,
        values_are_only_mixed,
        scores_are_products_of_queries_and_keys,
        every_block_of_every_matrix_counts,
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
    at_work="autograder.judging.modules.attention:multi_head_attention",
    no_gradient=("b_key",),  # it adds the same to all scores of a query, and softmax drops that
    forbids=LAYER_OF_TORCH[1:],  # the class is a fault with a name, wraps_the_layer_of_torch
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
        numbers_in_blocked_keys_change_nothing,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_output_weights_twice_the_output,
        keys_with_their_values_may_be_shuffled,
        a_head_is_its_own_columns_and_rows,
        each_head_obeys_its_own_mask,
        values_are_only_mixed,
        scores_are_products_of_queries_and_keys,
        every_block_of_every_matrix_counts,
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
        raise Refused("heads do not divide the tokens")
    return split_heads(x, heads)


@split_heads.misconception(on="indivisible")
def drops_the_columns_left_over(x, heads):
    """Where heads do not divide the model size, your code goes on without the last columns.
    What they held is lost, and nobody is told.
    Look at the remainder first, and raise a ValueError if there is one."""
    return split_heads(x[..., : x.shape[-1] // heads * heads], heads)


@split_heads.misconception(on="indivisible")
def makes_fewer_heads_than_asked_for(x, heads):
    """Where heads do not divide the model size, your code can make fewer heads than were asked for: three for 6
    columns and 4 heads.
    It refuses only where its pieces differ in size; `chunk`, say, promises no number of pieces.
    What does the remainder of the two sizes tell?"""
    size = -(-x.shape[-1] // heads)
    if x.shape[-1] % size:
        raise ValueError("pieces of different sizes")
    return split_heads(x, x.shape[-1] // size)


@split_heads.misconception(first=("last", "second"))
def gives_out_the_blocks_from_another_on(x, heads, *, first):
    """The blocks of columns are right, but head 0 has the {first} one.
    Head 0 gets the first block of columns, head 1 the next one, and so on to the end.
    Does an index in your code count one too few, or one too many?"""
    return turned(split_heads(x, heads), first, -3)


@split_heads.misconception
def moves_the_slice_by_the_number_of_heads(x, heads):
    """Each of your slices begins as many columns after the one before it as there are heads.
    A head is model_size / heads columns wide, and the next one begins where it ends.
    The two numbers are easily mixed up. With 3 heads of 2 columns, where does each begin?"""
    size = split_heads(x, heads).shape[-1]  # which refuses heads that do not divide
    return np.stack([x[..., head * heads : head * heads + size] for head in range(heads)], axis=-3)


split_heads.hints_for(
    "reshapes_straight_into_heads",
    "cuts_the_tokens",
    "exchanges_the_axes_before_the_cut",
    hints=(
        "A cut between heads is the same cut in every token: it goes through the row of columns, always at the same "
        "places. "
        "A reshape can draw such lines. "
        "But while it does, the columns must be the last axis, and all axes in front of it must stay what they are. "
        "What has to move moves later.",
        "Take numbers that say where they come from: 10 times the token, plus the column. "
        "Print the first head that comes out of your split. "
        "It should have one row for each token, with the same tens all along the row, and only the first block of "
        "columns. "
        "Then print the shape that your reshape asks for: where in it is the number of tokens?",
        "The reshape comes first, while the columns are still the last axis. "
        "Its new shape begins as the old one did, with batch and tokens, and ends with two sizes for the columns: "
        "heads, and the columns of one head. "
        "Only after that does `transpose` bring the heads in front of the tokens.",
    ),
)

split_heads.hints_for(
    "deals_the_columns_out_in_turn",
    "cuts_in_turn_without_moving",
    "takes_heads_for_the_head_size",
    hints=(
        "Where one axis is cut into two, the first of the two counts blocks, and the second counts the places in a "
        "block. "
        "Six columns cut into (2, 3) are two blocks of three neighbours. "
        "Cut into (3, 2), they are three blocks of two. "
        "So the order of the two sizes decides who the neighbours are.",
        "Find the line that cuts the last axis, and print what it makes of a token whose columns hold 0, 1, 2, 3, 4, "
        "5, for two heads. "
        "The blocks should be 0, 1, 2 and 3, 4, 5. "
        "If you cut by a reshape, which of its last two sizes is `heads`? "
        "If you cut by slices, do they have a step?",
        "In the new shape, the number of heads stands in front of the size of a head, which is model_size divided by "
        "`heads`. "
        "After this cut the heads stand behind the tokens, so one more step exchanges these two axes. "
        "The columns of a head stay last throughout.",
    ),
)

split_heads.hints_for(
    "forgets_to_move_the_heads",
    "leaves_tokens_last",
    "stacks_the_blocks_in_front",
    "exchanges_heads_and_batch",
    "moves_heads_before_the_batch",
    hints=(
        "Attention works on the last two axes: tokens, and the columns of a head. "
        "For every axis in front of them it repeats. "
        "So these two come last, in this order, and the axes that only count come first: the batch, and behind it the "
        "heads. "
        "The cut is done well; what is left is the order of the axes.",
        "Use a small input in which all sizes differ: a batch of 2, 5 tokens, and 3 heads of 4 columns. "
        "Print the shape after each step, and write a word under each number. "
        "In the end it should be (2, 3, 5, 4). "
        "Which of the four words stands in another place in yours, and which step put it there?",
        "After a cut by reshape the order is batch, tokens, heads, columns. "
        "One exchange of two neighbours leads from there to the goal, and `transpose` takes the numbers of the two. "
        "If you stack blocks, `dim` says where the new axis of heads will be: behind the batch, in front of the "
        "tokens.",
    ),
)

split_heads.hints_for(
    "copies_x_for_each_head",
    "gives_every_head_the_first_columns",
    "moves_the_slice_by_one_column",
    "moves_the_slice_by_the_number_of_heads",
    "counts_heads_from_the_end",
    "gives_out_the_blocks_from_another_on",
    hints=(
        "The columns are handed out once, like the seats of a row to groups of equal size. "
        "Every seat goes to one group, and no seat to two. "
        "Head 0 has the first seats, head 1 those that follow, and with the last head the row is used up.",
        "Split one token whose columns hold 0, 1, 2, 3, 4, 5 into three heads, and print what each head has. "
        "It should be 0, 1, then 2, 3, then 4, 5. "
        "Is a number there twice, is one missing, or are the blocks in another order? "
        "Look at what decides where each block begins and ends.",
        "A block is model_size divided by `heads` columns wide. "
        "With heads numbered from 0, the block of a head begins that many widths from the left, and ends one width "
        "later. "
        "A reshape that makes (heads, width) out of the last axis gives the same blocks, and nobody has to compute "
        "where they begin.",
    ),
)

split_heads.hints_for(
    "folds_heads_into_the_batch",
    hints=(
        "An axis carries a meaning as long as it stands alone. "
        "Text 0 in head 1 and text 1 in head 0 are different things. "
        "On one common axis they are two places in a row, and whoever comes later must know how they were counted. "
        "With an axis each, the shape itself says it.",
        "Print the shape after each step. "
        "Up to which line are batch and heads apart, as two axes, or as a batch inside a list of blocks? "
        "The step after that line joins them. "
        "Is it a reshape with a product in its first size, a `flatten`, or a function that makes the first axis "
        "longer?",
        "Leave out the step that joins the two. "
        "What remains should have the order batch, heads, tokens, columns. "
        "If you have a list of blocks, use the function that makes a new axis, and tell it to put this axis behind "
        "the batch. "
        "For 2 texts, 3 heads, 5 tokens and 4 columns of a head, the shape is (2, 3, 5, 4) then, and each of its "
        "numbers says which axis it is.",
    ),
)

split_heads.hints_for(
    "takes_the_first_axis_for_tokens",
    hints=(
        "Two orders are in use. "
        "PyTorch's own attention, if nobody says otherwise, wants tokens first and the batch second; in this course "
        "the batch is always first. "
        "A shape holds numbers, and no names. "
        "So code that expects the other order runs, and takes words of different texts for neighbours.",
        "Look at the line that takes `x.shape` apart, and at all places that use those names. "
        "Then split a batch of 1 with four tokens and print the shape: it should begin with 1, and the number in "
        "front of the last should be 4. "
        "In yours these two have changed places.",
        "Give the three sizes their names in the order in which they come: batch, tokens, model_size. "
        "A reshape keeps the first two in this order. "
        "After it, `transpose` exchanges tokens and heads. "
        "With the right names, your other lines may be fine as they are.",
    ),
)

ONE_ITEM = (
    "A batch is several texts that are worked on together. "
    "All of them get the same treatment, and none knows of the others. "
    "The first axis counts them. "
    "Good code does not know how many there are: it takes one text or a hundred, and gives back as many as came.",
    "Run your code on a batch of three different texts, and print shapes and a few numbers after each step. "
    "The first size should be 3 everywhere, and the three items should differ. "
    "At the first step where that ends, look for an index 0, for a 1 written into a shape, and for an `expand` or a "
    "`squeeze`.",
    "Every step leaves the first axis whole. "
    "A slice has a colon in that place, or `...` in front of the others. "
    "Where a shape has to be given, its first size is taken from the shape of what came in. "
    "No result of one item is repeated for the others.",
)

split_heads.hints_for(
    "splits_the_first_item_only",
    "expects_a_batch_of_one",
    hints=ONE_ITEM,
)

split_heads.hints_for(
    "asks_whether_heads_divide_the_tokens",
    "drops_the_columns_left_over",
    "makes_fewer_heads_than_asked_for",
    hints=(
        "One thing is shared out here: the columns of a token. "
        "So one division can go wrong, that of model_size by the number of heads. "
        "If something is left over, there are no equal blocks, and it is best to stop at once. "
        "Batch and tokens may be any number, since nobody shares those out.",
        "Try three tokens of 8 columns, once with 4 heads and once with 3. "
        "The first call should work and the second should stop with an error. "
        "Look at the condition in front of your cut, if there is one. "
        "To which size of `x` does it apply the remainder?",
        "Before the cut, take the remainder of the last size of `x` when it is divided by `heads`. "
        "If it is not 0, raise a ValueError; let it say both numbers. "
        "Nothing else is a reason to refuse. "
        "After this line `//` loses nothing.",
    ),
)


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


project.hints_for(
    "makes_everything_from_the_query",
    "makes_values_from_the_query",
    "makes_keys_from_the_query",
    "makes_values_from_the_keys",
    "makes_keys_from_the_values",
    "makes_queries_from_the_keys",
    hints=(
        "There are three roles. "
        "One sequence asks. "
        "One holds what the questions are compared with. "
        "One holds what is handed over where a comparison fits. "
        "In self-attention a single sequence plays all three, so code that mixes them up looks right, until somebody "
        "calls it with sequences that differ.",
        "Write the three projections below each other, and mark in each the sequence that goes in and the weights "
        "that it meets. "
        "Then trace every sequence back to the parameter that it came from: a loop, an unpacked tuple or an "
        "overwritten name can have changed it. "
        "Which role has the sequence of another?",
        "In each projection, the sequence and the weights belong to the same role: queries are made of the sequence "
        "that asks, keys of the one to compare with, values of the one to hand over. "
        "Where only two sequences come in, keys and values are both made of the second.",
    ),
)

project.hints_for(
    "swaps_key_and_value_sequences",
    "swaps_query_and_key_sequences",
    "takes_sequences_as_value_key_query",
    hints=(
        "Three inputs of one kind come in, and Python cannot know which is which: it goes by their order alone. "
        "Other libraries have other orders, and a habit from there meets no error, as long as the sizes fit. "
        "Only the numbers show that two roles were exchanged.",
        "Compare three orders word by word: the parameters after `def`, the tuples that you loop over or unpack, and "
        "the arguments of each call. "
        "Then let one sequence be all zeros, leave biases out, and print what you have projected. "
        "Which of the three is zeros now? "
        "Do this for each sequence.",
        "Query, key, value: this is the order in every definition, every call and every tuple of the course. "
        "Each sequence meets the weights that carry its own name. "
        "In a call you can also write the names of the parameters, and then the order does not matter.",
    ),
)

project.hints_for(
    "transposes_one_of_the_weights",
    hints=(
        "The three projections do the same thing, with other numbers. "
        "A token comes from the left, and each of its numbers meets a row of the matrix. "
        "So three lines that look alike are a good sign, and a line that looks different asks for a reason.",
        "Put the three projections below each other and compare them letter by letter. "
        "Look for `.T`, `.mT`, `transpose` or `F.linear` in one of them, and in an `einsum` for two letters in "
        "another order. "
        "In a layer, look also at `__init__`: were all three made and stored in the same way?",
        "Let one way do all three: a loop over three pairs, or three lines of one pattern. "
        "The sequence stands on the left, the matrix on the right, as it came in, with `@` between them. "
        "In a layer, three modules are called in the same way, and each turns its matrix by itself. "
        "Then whoever reads one line knows the other two.",
    ),
)


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
    But these are not the heads that the weights were made for: there, a head is a block of neighbouring columns.
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
def looks_everywhere_in_spite_of_the_mask(query, key, value, heads, mask=None):
    """The mask has no influence: your result is the same as without one.
    A mask may be left out, so no error reminds you of it.
    Which parameter have you not used yet? Or, if you have used it: does softmax read the new scores, or the old
    ones?"""
    return attend_by_heads(query, key, value, heads)


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


@attend_by_heads.misconception(axis=(-3, 1, "1 of 4"))
def gives_all_heads_the_mask_of_the_first(query, key, value, heads, mask=None, *, axis):
    """Where heads have different masks, all of yours use the first head's.
    A mask may have a length of 1 on the axis of heads, and then it is the same for all.
    But it may also say something else for each head. Let it broadcast by itself."""
    if mask is not None and mask.ndim > (3 if axis == "1 of 4" else 2):
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


@attend_by_heads.misconception(first=("texts", "heads"))
def counts_the_mask_in_another_order(query, key, value, heads, mask=None, *, first):
    """Texts and heads lie on one axis in your code, and there your scores and your mask are counted in different
    orders: one text by text, the other head by head.
    So some texts and heads get the mask of others; `repeat` in place of `repeat_interleave` does this, for example.
    Print which text and head each row belongs to."""
    if mask is not None:
        batch = len(query)
        mask = np.broadcast_to(mask, (batch, heads, query.shape[-2], key.shape[-2]))
        rest = mask.shape[2:]
        if first == "texts":
            mask = mask.swapaxes(0, 1).reshape(batch, heads, *rest)
        else:
            mask = mask.reshape(heads, batch, *rest).swapaxes(0, 1)
    return attend_by_heads(query, key, value, heads, mask)


@attend_by_heads.misconception
def gives_all_queries_the_mask_of_the_first(query, key, value, heads, mask=None):
    """Of a mask with four axes your code takes what it says to the first query of the first head, for all of them.
    A mask may have a length of 1 on the axis of queries, as one against padding has, and then it is the same for all.
    But it may also say something else for each query. Let it broadcast by itself."""
    if mask is not None and mask.ndim == 4:
        mask = mask[:, :1, :1]
    return attend_by_heads(query, key, value, heads, mask)


@attend_by_heads.misconception
def hides_the_future_besides_the_mask(query, key, value, heads, mask=None):
    """No query looks at a key with a number above its own, with a mask and without one, though nobody asked for it.
    Who may look at whom is for the caller to say: who wants to hide the future hands over a causal mask.
    Use the mask that comes in, and no other."""
    unasked = np.tri(query.shape[-2], key.shape[-2], dtype=bool)
    return attend_by_heads(query, key, value, heads, mha_ref.combine_masks(unasked, mask))


@attend_by_heads.misconception
def shares_out_over_heads_and_keys(query, key, value, heads, mask=None):
    """In your code all heads share one whole: for each query, the weights of all its heads together sum to 1.
    Softmax ran over heads and keys at once.
    Each head shares out a whole of its own, over the keys. On which axes does your softmax work?"""
    scores = attention_scores(split_heads(query, heads), split_heads(key, heads))
    scores = np.moveaxis(scores if mask is None else np.where(mask, scores, -1e9), -3, -2)
    weights = softmax(scores.reshape(*scores.shape[:-2], -1)).reshape(scores.shape)
    return merge_heads(np.moveaxis(weights, -2, -3) @ split_heads(value, heads))


def of_one_head(x, heads, which):
    """The columns of the first or of the last head, as often as there are heads."""
    size = x.shape[-1] // heads
    return np.concatenate([x[..., :size] if which == "first" else x[..., -size:]] * heads, axis=-1)


SHARED = ("keys and values", "keys", "values", "queries")


@attend_by_heads.misconception(shared=SHARED, which=("first", "last"))
def shares_what_one_head_has(query, key, value, heads, mask=None, *, shared, which):
    """All your heads use the {shared} of the {which} head.
    (Where memory is short, models share keys and values on purpose: multi-query attention.) Here each head has
    queries, keys and values of its own, in its own columns.
    Is there an index where all heads should be, or a slice that does not move on with the head?"""
    sequences = dict(queries=query, keys=key, values=value)
    taken = {name: of_one_head(x, heads, which) if name in shared else x for name, x in sequences.items()}
    return attend_by_heads(*taken.values(), heads, mask)


@attend_by_heads.misconception
def gives_every_head_the_map_of_the_last(query, key, value, heads, mask=None):
    """All your heads look where the last head looks: its weights were used for every head's values.
    Each head has queries and keys of its own, in its own columns.
    Are the weights overwritten in a loop, or is there an index -1 where all heads should be?"""
    weights = mha_ref.masked_weights(split_heads(query, heads), split_heads(key, heads), mask)
    return merge_heads(weights[..., -1:, :, :] @ split_heads(value, heads))


@attend_by_heads.misconception
def adds_the_maps_of_all_heads(query, key, value, heads, mask=None):
    """All your heads use one map, the sum over the heads, whose rows no longer sum to 1.
    Each head needs its own weights for its own values.
    Is there a `sum`, or an `einsum` that leaves out the letter of the heads?"""
    weights = mha_ref.masked_weights(split_heads(query, heads), split_heads(key, heads), mask)
    return merge_heads(weights.sum(axis=-3, keepdims=True) @ split_heads(value, heads))


@attend_by_heads.misconception(made=("mean", "sum"))
def makes_one_set_of_scores_for_all_heads(query, key, value, heads, mask=None, *, made):
    """All your heads use one set of scores, the {made} over the heads.
    Then they cannot look at different places, and several heads are as good as one.
    Each head goes from its own scores to its own weights. Where do your heads come together?"""
    each = attention_scores(split_heads(query, heads), split_heads(key, heads))
    scores = np.broadcast_to(one_of_many(each, made, axis=-3)[..., None, :, :], each.shape)
    weights = softmax(scores) if mask is None else mha_ref.masked_softmax(scores, mask)
    return merge_heads(weights @ split_heads(value, heads))


@attend_by_heads.misconception(axes=(3, 4, "3, and a mask of no more"))
def uses_the_heads_for_the_root_alone(query, key, value, heads, mask=None, *, axes):
    """All columns work as one head: they make one score for each pair of tokens, and `heads` only changes the root.
    Several heads make several scores, each from its own columns, and so can look at several places at once.
    Split queries, keys and values into `heads` before they meet."""
    query = query * heads**0.5
    if axes == 4:
        return attend_by_heads(query, key, value, 1, mask)
    if axes != 3 and mask is not None and mask.ndim > query.ndim:
        raise ValueError("this mask has an axis for heads")
    return masked_attention(query, key, value, mask)


@attend_by_heads.misconception
def exchanges_the_heads_with_their_size(query, key, value, heads, mask=None):
    """The number of heads and their size changed places in your split, and only the root knows the right size.
    Of 6 columns, 2 heads get 3 each, not 3 heads 2 each.
    In the shape that you ask for, which number comes right after the tokens?"""
    size = query.shape[-1] // heads
    return attend_by_heads(query * (heads / size) ** 0.5, key, value, size, mask)


def laid_on_one_axis(mask, query, key, heads):
    """The masks of all texts, and for each row of an axis that counts texts and heads, its number."""
    batch, rest = len(query), (query.shape[-2], key.shape[-2])
    return np.broadcast_to(mask, (batch, heads, *rest)), np.arange(batch * heads)


@attend_by_heads.misconception(counted=("text by text", "head by head"))
def repeats_the_masks_in_another_order(query, key, value, heads, mask=None, *, counted):
    """Texts and heads lie on one axis in your code, {counted}, and there the masks of the texts were repeated in the
    other order: texts get the masks of other texts.
    `repeat` and `cat` give A B A B, `repeat_interleave` gives A A B B.
    Print the text that each row belongs to, beside the text of its mask."""
    if mask is not None:
        whole, row = laid_on_one_axis(mask, query, key, heads)
        mask = whole[row % len(query), 0].reshape(whole.shape)
        if counted == "head by head":
            mask = whole[row // heads, 0].reshape(heads, len(query), *whole.shape[2:]).swapaxes(0, 1)
    return attend_by_heads(query, key, value, heads, mask)


@attend_by_heads.misconception
def hands_the_masks_out_text_by_text(query, key, value, heads, mask=None):
    """Texts and heads lie on one axis in your code, head by head, and the mask of a text was repeated there text by
    text: texts get the masks of other texts.
    `repeat` and `cat` give A B A B, `repeat_interleave` gives A A B B.
    Print the text that each row belongs to, beside the text of its mask."""
    if mask is not None and mask.ndim == 4 and mask.shape[1] == 1:
        whole, row = laid_on_one_axis(mask, query, key, heads)
        mask = whole[row // heads, 0].reshape(heads, len(query), *whole.shape[2:]).swapaxes(0, 1)
    return attend_by_heads(query, key, value, heads, mask)


@attend_by_heads.misconception(folded=("text by text", "head by head"))
def unfolds_texts_and_heads_in_another_order(query, key, value, heads, mask=None, *, folded):
    """Texts and heads were laid on one axis {folded}, and taken apart in the other order: heads of one text end up
    in another.
    An axis that was made by `cat` or `reshape` comes apart by the same step, undone.
    Compare the two lines, and number the rows of a small example."""
    each = masked_attention(split_heads(query, heads), split_heads(key, heads), split_heads(value, heads), mask)
    batch, _, *rest = each.shape
    if folded == "text by text":
        return merge_heads(each.reshape(heads, batch, *rest).swapaxes(0, 1))
    return merge_heads(each.swapaxes(0, 1).reshape(batch, heads, *rest))


@attend_by_heads.misconception
def gives_everyone_the_first_mask(query, key, value, heads, mask=None):
    """Of a mask with four axes your code takes the one for the first head of the first text, for all of them.
    Other texts have other lengths, and heads may have masks of their own.
    A mask broadcasts by itself where it has a length of 1. Is there an index 0, or two?"""
    return attend_by_heads(query, key, value, heads, mask[0, 0] if mask is not None and mask.ndim == 4 else mask)


@attend_by_heads.misconception
def divides_the_heads_by_their_number(query, key, value, heads, mask=None):
    """What your heads found was divided by the number of heads, as a mean over heads would be.
    Heads stand side by side, so that nothing of any head is lost; how much each of them counts, the output weights
    decide. Is there a `mean`, or a division by `heads`?"""
    return attend_by_heads(query, key, value, heads, mask) / heads


attend_by_heads.hints_for(
    "cuts_the_sentence_instead_of_the_columns",
    "deals_columns_in_turn_there_and_back",
    hints=(
        "A split and a merge can be wrong together and still undo each other. "
        "Nothing is lost then, and the shape is right. "
        "What counts is what a head holds in between: of every token, one block of neighbouring columns. "
        "Going there and back does not test this; looking in between does.",
        "Stop after the split. "
        "Give it numbers that say where they come from, 10 times the token plus the column, and print head 0. "
        "It should have one row for each token, with the first block of that token's columns. "
        "Repair the split first. "
        "Then your old merge no longer undoes it, and you can repair that, too.",
        "On the way in: a reshape cuts the last axis into heads and their columns, heads first, and a transpose "
        "exchanges tokens and heads. "
        "On the way out the same two steps are undone, the last one first. "
        "`split_heads` and `merge_heads` of this course hold these four steps.",
    ),
)

attend_by_heads.hints_for(
    "scales_by_the_root_of_the_model_size",
    "scales_by_the_root_of_the_heads",
    hints=(
        "The split changes what a dot product is. "
        "Before it, that would be a sum over the whole width; after it, there is one sum for each head, over a few "
        "columns. "
        "The root brings the spread of these sums back to about 1, and can do so only if it counts the terms of the "
        "sums that are made.",
        "Print the number under your root, and beside it the shape of the split queries, for a model size of 12 and 3 "
        "heads. "
        "That shape ends with 4, and 4 is the number of products in a score. "
        "If you see 12, the size was taken before the split. "
        "If you see 3, it comes from the axis that counts the heads.",
        "Take the size from the last axis of the split queries or keys, counted from the end. "
        "`attention_scores` and `masked_attention` do this by themselves, if what you hand them is already split. "
        "Then your own code needs no root, and no other factor.",
    ),
)

attend_by_heads.hints_for(
    "attends_with_one_big_head",
    "uses_the_heads_for_the_root_alone",
    "exchanges_the_heads_with_their_size",
    "always_splits_into_the_same_number_of_heads",
    hints=(
        "The number of heads decides how many maps there are. "
        "It changes no shape of what goes in and none of what comes out, so code can forget it and still run. "
        "Two calls that differ in the number of heads alone should give different results.",
        "Use the same input and weights with 2 heads, then with 4 heads, and print the shape of the scores. "
        "In front of queries and keys there should be a 2, then a 4. "
        "If that size is missing, or is the same both times, follow the number of heads from where it comes in: which "
        "line should use it?",
        "Queries, keys and values are all split before they meet, and the split is told how many heads there are. "
        "This is the parameter `heads`, or in a layer what `__init__` has kept of it, and never a number that you "
        "write down. "
        "After the values are mixed, the heads are merged.",
    ),
)

attend_by_heads.hints_for(
    "shares_out_over_the_heads",
    "shares_out_over_the_queries_of_each_head",
    "shares_out_over_heads_and_keys",
    hints=(
        "A row of weights belongs to one query in one head. "
        "It says how this query divides itself among the keys. "
        "So the sum over keys is 1. "
        "Other queries and other heads have rows of their own; they share nothing with this row, and take nothing "
        "away from it.",
        "Print the shape of your weights and name its axes: batch, heads, queries, keys. "
        "Without a mask, sum the weights along each axis in turn. "
        "For which axis do you get ones? "
        "Then look at the `dim` of your softmax. "
        "Was it right before there was an axis for heads?",
        "The softmax runs along the axis of the keys. "
        "Give it the number of this axis counted from the end; then it stays right, however many axes stand in front. "
        "`masked_softmax` takes this axis by itself. "
        "Nothing else in the line has to change.",
    ),
)

attend_by_heads.hints_for(
    "hides_the_future_where_no_mask_is_given",
    "hides_the_future_besides_the_mask",
    hints=(
        "None is a full answer to the question who may look: everybody may, everywhere. "
        "To hide the future is right where a text is written word by word. "
        "It is wrong where a whole text is read, or another one is looked up. "
        "A layer cannot know which of them it is; the caller can.",
        "Look for a branch that runs where the mask is None, and for `tril`, `triu`, `causal_mask` or `is_causal`. "
        "Then call without a mask on a short text, and print the weights. "
        "No weight should be 0, and above the diagonal yours are.",
        "Where the mask is None, the scores go into softmax as they are. "
        "`masked_attention` does the same if you hand it None, so the mask can be passed on in both cases. "
        "If you use PyTorch's fused function, give it the mask and leave `is_causal` out.",
    ),
)

FOLLOW_THE_MASK = (
    "A mask that nobody reads changes nothing, and no error tells you. "
    "What is hidden must be hidden before softmax shares out, in every head. "
    "So there has to be an unbroken line, from the parameter `mask` to the scores that softmax gets.",
    "Search your code for the word `mask`. "
    "After the line with `def` it should come again, at least once, in the call or the line that hides scores. "
    "If it does, follow what that line gives back: does it have a name, and does the next line read that name?",
    "`masked_attention` takes the mask as its last argument, and `masked_softmax` takes it after the scores. "
    "Hand it on as it came. "
    "If you hide scores yourself, `masked_fill` and `where` give back new ones; softmax has to get those. "
    "In the end the weight of a blocked key is 0: print one row and look.",
)

attend_by_heads.hints_for("looks_everywhere_in_spite_of_the_mask", hints=FOLLOW_THE_MASK)

attend_by_heads.hints_for(
    "reads_three_axes_as_texts",
    "adds_an_axis_to_every_mask",
    "gives_all_heads_the_mask_of_the_first",
    "gives_all_texts_the_mask_of_the_first",
    "gives_all_queries_the_mask_of_the_first",
    "forgets_the_mask_in_several_heads",
    "gives_everyone_the_first_mask",
    hints=(
        "A mask is complete when it comes in. "
        "It lines up with (batch, heads, queries, keys) from the right. "
        "An axis of length 1, or a missing one in front, means: the same for all of them. "
        "So the caller has already said for which texts and which heads it holds, and nothing is left to decide. "
        "A mask of three axes, read from the right, is (heads, queries, keys).",
        "Follow the mask from the parameter to the line where it meets the scores, and print its shape at both ends. "
        "Look for `None` in brackets or `unsqueeze`, which add an axis; for an index or a slice, which take something "
        "away; and for a loop over heads in which some go without their part.",
        "Hand on the mask as it came, to one call that works on all texts and all heads. "
        "Broadcasting does the rest. "
        "The only question about it is whether it is None. "
        "If you go through the heads one by one, let the mask broadcast to the shape of all scores first, and then "
        "take the part of each head.",
    ),
)

attend_by_heads.hints_for(
    "counts_the_mask_in_another_order",
    "repeats_the_masks_in_another_order",
    "hands_the_masks_out_text_by_text",
    "unfolds_texts_and_heads_in_another_order",
    hints=(
        "One axis can hold the heads of all texts in two orders: all heads of the first text, then all of the next, or "
        "the first head of all texts, then the second of all. "
        "Both work, as long as queries, keys, values, masks and results agree. "
        "Where two of them disagree, no shape tells, and a text meets what belongs to another.",
        "Take 2 texts, A and B, with 3 heads, and write down the text of each of the 6 rows: AAABBB or ABABAB. "
        "Do this for the scores, for the masks, and for the result when it is taken apart again. "
        "`repeat_interleave` makes the first, `repeat`, `tile` and `cat` make the second. "
        "A reshape of (texts, heads, ...) makes the first, one of (heads, texts, ...) the second.",
        "The safest way folds nothing: batch and heads stay two axes, `@` works on the last two, and the mask "
        "broadcasts by itself. "
        "If you fold, let the mask broadcast to (batch, heads, queries, keys) first, and then treat it with the very "
        "same reshape as the queries. "
        "The result is unfolded with the two sizes in the order in which they were folded.",
    ),
)

attend_by_heads.hints_for(
    "lets_the_whole_batch_attend",
    hints=(
        "Texts in one batch share the time of a computation, and nothing else. "
        "If batch and tokens become one axis, all texts are one long text, and a query finds keys in its neighbours. "
        "What comes out for a text then depends on which texts happen to stand beside it.",
        "Compute one text alone, and again in a batch with a second one: both results should agree. "
        "Then print the shape of the scores. "
        "It should end with the number of tokens of one text, twice in self-attention. "
        "In which reshape does the batch disappear, and is there a -1 in it?",
        "Every reshape names the batch first and the number of tokens second, and cuts or joins only what comes "
        "after. "
        "Or it leaves both as they are, and works on the last axis alone. "
        "From the first product to the last, the first size is that of the batch.",
    ),
)

attend_by_heads.hints_for(
    "computes_the_first_item_only",
    hints=ONE_ITEM,
)

attend_by_heads.hints_for(
    "averages_the_maps_of_all_heads",
    "makes_one_set_of_scores_for_all_heads",
    "adds_the_maps_of_all_heads",
    "gives_every_head_the_map_of_the_first",
    "gives_every_head_the_map_of_the_last",
    hints=(
        "Queries and keys are split so that each head gets a map of its own. "
        "If one map then serves all heads, this was for nothing, and only the values still differ. "
        "There are as many maps as heads, and each meets the values of its own head and no others.",
        "Print the shape of the weights right before they meet the values. "
        "It should be (batch, heads, queries, keys), with all heads, and maps that differ. "
        "Between the softmax and this line, look for a `mean`, a `sum`, or an index. "
        "Is it perhaps there for a picture?",
        "Weights and values both have the axis of heads in front of their last two, so `@` takes map 0 with the "
        "values of head 0, and so on. "
        "Hand over the weights with all their heads. "
        "In an `einsum`, the letter of the heads stands in both inputs and in the result.",
    ),
)

attend_by_heads.hints_for(
    "shares_what_one_head_has",
    "divides_the_heads_by_their_number",
    hints=(
        "Heads work side by side and know nothing of each other. "
        "Each has its own block of columns, three times: of what asks, of what is compared, of what is handed over. "
        "What a head found is laid into its own columns as it is. "
        "A head that borrows from another, or is made smaller because there are others, can say less than it should.",
        "Give the columns of head 1 other numbers, in queries, keys and values one after the other. "
        "Each time the output of head 1 should change, and that of head 0 should not. "
        "Which of the three goes wrong? "
        "Follow it back to an index, a slice, a `mean`, or an axis of length 1 that was stretched.",
        "Split queries, keys and values in the same way, with the same number of heads, and let `@` go over all heads "
        "at once. "
        "In a loop, all three slices begin at the number of the head times the columns of a head. "
        "After the merge comes the product with the output weights, and nothing is divided.",
    ),
)


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


@multi_head_attention.misconception(which=("first", "last"))
def keeps_the_output_of_one_head(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """Only the {which} head has an influence on your output, through its own rows of `w_output`.
    The output is a sum over all heads, each through rows of its own.
    Does each turn of your loop add to the sum, or replace it? Or does the loop end too early?"""
    size = w_output.shape[0] // heads
    block = np.arange(heads).repeat(size) == (0 if which == "first" else heads - 1)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, w_output * block[:, None], heads, mask)


@multi_head_attention.misconception
def shares_the_first_block_of_weights(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """All your heads are the same one: each was projected with the first block of columns.
    Head i has the columns from i · head_size on, in each of the three matrices.
    Does your slice move on with the head?"""
    size = w_query.shape[-1] // heads
    first = (np.tile(w[:, :size], heads) for w in (w_query, w_key, w_value))
    return multi_head_attention(query, key, value, *first, w_output, heads, mask)


OTHERS = {"w_query": 0, "w_key": 1}


@multi_head_attention.misconception(which=tuple(OTHERS))
def swaps_the_output_weights_with_others(
    query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which
):
    """`{which}` and `w_output` changed places.
    They have the same shape, so nothing complains.
    One works on the tokens before the heads attend, the other mixes what the heads found, at the very end."""
    matrices = [w_query, w_key, w_value, w_output]
    matrices[OTHERS[which]], matrices[3] = w_output, matrices[OTHERS[which]]
    return multi_head_attention(query, key, value, *matrices, heads, mask)


@multi_head_attention.misconception(which=tuple(OTHERS))
def uses_other_weights_as_output(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """`w_output` does not change your result: the last product took `{which}` a second time.
    The four matrices have the same shape, so nothing complains.
    Which one lets the heads' results meet, at the very end?"""
    again = (w_query, w_key)[OTHERS[which]]
    return multi_head_attention(query, key, value, w_query, w_key, w_value, again, heads, mask)


def blocks_on_the_diagonal(w, heads):
    """The same matrix, with zeros wherever rows and columns belong to different heads."""
    of_head = np.arange(len(w)) // (len(w) // heads)
    return np.where(of_head[:, None] == of_head, w, 0)


@multi_head_attention.misconception
def keeps_each_head_in_its_own_columns(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Each of your heads is multiplied by its own square block of `w_output`, so what it found stays in its own
    columns, and no head meets another.
    A head has its own *rows* there, and they reach all columns.
    Put the heads side by side first, then multiply once, by the whole matrix."""
    alone = blocks_on_the_diagonal(w_output, heads)
    return multi_head_attention(query, key, value, w_query, w_key, w_value, alone, heads, mask)


@multi_head_attention.misconception
def splits_the_columns_before_projecting(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Each of your heads sees only a block of the tokens' features: they are split before the projection.
    A head may read all features; what is split is the result of the projection.
    Which comes first in your code?"""
    alone = (blocks_on_the_diagonal(w, heads) for w in (w_query, w_key, w_value))
    return multi_head_attention(query, key, value, *alone, w_output, heads, mask)


@multi_head_attention.misconception
def mixes_the_mean_of_the_heads(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """Your heads' results were averaged before the output: their mean went through the first rows of `w_output`.
    Each head has rows of its own there, so that the model can tell who found what.
    Put the heads side by side first, then multiply once."""
    size = w_output.shape[0] // heads
    same = np.concatenate([w_output[:size]] * heads) / heads
    return multi_head_attention(query, key, value, w_query, w_key, w_value, same, heads, mask)


@multi_head_attention.misconception(which=("query, key and value", "query"))
def normalises_the_sequences_first(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None, *, which):
    """A layer norm stands in front of your projections: that is where {which} went first.
    Such a norm often stands in front of attention, and the next lesson puts it there; it is no part of attention.
    Project the sequences as they come in."""
    sequences = layer_norm(query), *((key, value) if which == "query" else map(layer_norm, (key, value)))
    return multi_head_attention(*sequences, w_query, w_key, w_value, w_output, heads, mask)


@multi_head_attention.misconception
def adds_the_query_and_normalises(query, key, value, w_query, w_key, w_value, w_output, heads, mask=None):
    """The query was added to your output, and the sum went through a layer norm.
    Both stand around attention in a whole model, and the next lesson puts them there.
    Here the output is what the heads found, and nothing beside it."""
    return layer_norm(multi_head_attention(query, key, value, w_query, w_key, w_value, w_output, heads, mask) + query)


NOTHING_ADDED = (
    "What attention gives back for a query is what was found in the tokens that it looks at. "
    "Whether the query itself is kept beside it is decided by the model around the layer. "
    "Many models do keep it, by a sum of their own. "
    "If the layer adds it as well, it counts twice.",
    "Set the output weights to zeros, and in a layer the bias of the output, too. "
    "Then attention should give 0 everywhere, and yours gives the query. "
    "Read the last lines, and look for the query in a `+` or a `+=`. "
    "A name that was used again may hide it.",
    "After the merge comes the product with the output weights, in a layer with its bias, and what that gives is "
    "returned. "
    "The query is needed where it is projected, and nowhere after that. "
    "The sum is left to the one who calls you.",
)

multi_head_attention.hints_for(
    "adds_the_query_to_the_result",
    hints=NOTHING_ADDED,
)

NOTHING_AROUND_IT = (
    "In a whole model, attention has neighbours: a norm in front of it or behind it, and a sum with what came in. "
    "They are parts of the model around it, which puts them where it wants them. "
    "If attention brought its own, they would be there twice, and weights that somebody else has trained would no "
    "longer fit.",
    "Multiply all that comes in by 10, and hold the scores back by making the query weights zeros. "
    "The output should be 10 times as large then, and in a layer without biases, too. "
    "If it keeps its size, a norm is at work. "
    "Look for `LayerNorm`, `layer_norm`, or a mean and a standard deviation, in `__init__` and in what runs.",
    "Between what comes in and the three products stands nothing, and between the last product and `return` stands "
    "nothing. "
    "Take out the norm there, and a sum with the query beside it if there is one. "
    "Whoever builds a model calls both, in a layer of its own.",
)

multi_head_attention.hints_for(
    "normalises_the_sequences_first",
    "adds_the_query_and_normalises",
    hints=NOTHING_AROUND_IT,
)

multi_head_attention.hints_for(
    "uses_the_value_weights_as_output",
    "swaps_value_and_output_weights",
    "uses_other_weights_as_output",
    "swaps_the_output_weights_with_others",
    hints=(
        "These matrices stand on the two sides of attention. "
        "`w_query`, `w_key` and `w_value` come before it: one asks, one is asked, one is handed over. "
        "`w_output` comes after it, and makes each new number out of all heads. "
        "All have the same shape, but they never meet the same tensor.",
        "Search for `w_output` and the others in your code, the line with `def` included. "
        "Each should be there twice: once as a parameter, in the order of the stub, and once in a product. "
        "Beside each product, write whether it happens before the split or after the merge.",
        "Before the split, each sequence is multiplied by the matrix of its own name: the query's by `w_query`, the "
        "keys' by `w_key`, the values' by `w_value`. "
        "After the merge, the heads side by side are multiplied by `w_output`. "
        "Among the parameters, the four matrices come in the order query, key, value, output.",
    ),
)

multi_head_attention.hints_for(
    "mixes_each_head_by_the_first_rows",
    "mixes_the_mean_of_the_heads",
    "keeps_the_output_of_one_head",
    "shares_the_first_block_of_weights",
    "keeps_each_head_in_its_own_columns",
    hints=(
        "Each head owns a block of the big matrices: some columns in `w_query`, `w_key` and `w_value`, some rows in "
        "`w_output`. "
        "The blocks follow each other in the order of the heads. "
        "A block is as long as the whole matrix on its other side: each head reads all features, and reaches all of "
        "them. "
        "What no head uses is never read, and could hold anything.",
        "Set the last column of `w_query`, `w_key` and `w_value` to zeros, then the last row of `w_output`, one after "
        "the other. "
        "Do the same with the last quarter of its first row. "
        "Each time something in the output should move. "
        "Where nothing does, that part is not read. "
        "Find the slice that chooses the block, or the sum that adds up the heads.",
        "No slice is needed at all: multiply by the whole matrix and split what comes out; merge what was found and "
        "multiply by the whole `w_output`. "
        "If you do slice, begin and end move on by head_size from head to head, in columns for the first three and in "
        "rows for the last.",
    ),
)

multi_head_attention.hints_for(
    "splits_the_columns_before_projecting",
    hints=(
        "What is split into heads are the *results* of the projections. "
        "A query of one head has few features, but each of them is made of all the features of its token. "
        "If you cut the token first, each head knows only a part of it: one may know the gender, another one the "
        "number, and none knows both. "
        "No head can choose what it needs any more.",
        "Find the reshape or the slices that make the heads, and the products with the matrices. "
        "Which of them comes first? "
        "Then look at one head's product: the side of the token should be `model_size` wide. "
        "If it is `model_size / heads`, the token was cut. "
        "Also look at slices of a matrix: were its rows cut together with its columns?",
        "First multiply whole tokens with the whole matrix, for queries, keys and values alike. "
        "Then split what comes out into blocks of neighbouring columns, one block for each head. "
        "If you loop over the heads, cut the columns of a matrix and leave its rows alone: each row belongs to one "
        "feature of the token, and all of them are needed.",
    ),
)


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
    Its entries are 0 or far below 0, and what you ask for is neither: a number above 0, a 1 for example.
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
def lets_every_number_to_add_through(mask, convention):
    """In the convention "additive" everything is allowed in your result, whatever is added to a score.
    Its entries are 0 or far below 0, and your comparison lets both through.
    One of the two leaves a score as it is. Which question is true for that one alone?"""
    return mask <= 0 if convention == "additive" else to_allowed(mask, convention)


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
    Which number adds nothing to a score? Compare with that."""
    return mask > -1e8 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception(on="finite_fill")
def lets_the_bound_itself_through(mask, convention):
    """A mask to add blocks with -1e4 or less; your code takes an entry of exactly -1e4 for "may look".
    Its bound is a little too low.
    It need not lie so near to what is blocked: which number adds nothing to a score?"""
    return mask >= -1e4 if convention == "additive" else to_allowed(mask, convention)


@to_allowed.misconception(on="dead_row", place=("a row", "the mask"))
def compares_entries_with_each_other(mask, convention, *, place):
    """Where all entries of {place} block, with a large negative number, they became allowed.
    They were looked at together, by softmax or a comparison, or opened on purpose.
    Each entry says by itself what it means. Ask it, without its neighbours."""
    if convention != "additive":
        return to_allowed(mask, convention)
    compared = mask if place == "a row" else mask.reshape(-1)
    return (softmax(compared) > 0).reshape(mask.shape)


@to_allowed.misconception(constant=("allowed", "blocked", "additive", "blocked_float"))
def refuses_a_convention(mask, convention, *, constant):
    """Your code says no to the convention "{constant}", though it is one of the four.
    Does one of your questions ask for it, with the same spelling, and with `==`?
    `is` asks whether two texts are one and the same object in memory, and two equal texts need not be."""
    if convention == constant:
        raise Refused(convention)
    return to_allowed(mask, convention)


_CONVENTIONS = ("allowed", "blocked", "additive", "blocked_float")


@to_allowed.misconception(on="unknown")
def lets_an_unknown_convention_through(mask, convention):
    """For a convention that nobody has heard of, your code returns the mask as it is.
    A typing mistake in that text would then turn a model's masks round, and nobody would be told.
    Refuse it, with a ValueError that names the four that you know."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else mask


@to_allowed.misconception(on="unknown")
def turns_an_unknown_convention_round(mask, convention):
    """For a convention that nobody has heard of, your code turns the mask round: its last branch takes all that is
    left over.
    A typing mistake in that text would then turn a model's masks round, and nobody would be told.
    Give the fourth convention a branch of its own, and refuse the rest."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else ~mask


@to_allowed.misconception(on="unknown")
def says_nothing_about_an_unknown_convention(mask, convention):
    """For a convention that nobody has heard of, your code returns None.
    In our functions None means "everything is allowed", so a typing mistake would take the mask away, and nobody
    would be told.
    After the last branch, raise a ValueError that names all four."""
    return to_allowed(mask, convention) if convention in _CONVENTIONS else None


@to_allowed.misconception(on="misspelled")
def takes_a_piece_for_a_name(mask, convention):
    """A convention that does not exist passes, since it is a piece of a name, as "allow" is of "allowed".
    Between two texts, `in` asks whether one is a piece of the other, and brackets around a single text make no tuple.
    Which question is true for equal texts only?"""
    return to_allowed(mask, next((name for name in _CONVENTIONS if convention in name), convention))


@to_allowed.misconception(on="misspelled")
def finds_a_name_in_a_longer_text(mask, convention):
    """A convention that does not exist passes, since it has a name in it, as "blocked_bool" has "blocked".
    Your code looks for that name in the text, or at how the text begins, and not at the whole of it.
    Which question is true for equal texts only?"""
    return to_allowed(mask, next((name for name in _CONVENTIONS[::-1] if name in convention), convention))


to_allowed.hints_for(
    "leaves_blocked_as_it_is",
    "turns_allowed_round",
    "exchanges_allowed_and_blocked",
    hints=(
        "Both conventions are boolean, and each has its name from what True means in it. "
        "Our masks have one meaning for True: may look. "
        "So ask of each of the two whether its True says the same as ours or the opposite. "
        "One can pass as it is, and one cannot.",
        "Try a mask with two entries, True and False, in both conventions. "
        'From "allowed" it should come back as True, False, and from "blocked" as False, True. '
        "Compare your branches with that: which of them turns its mask round? "
        "And does each branch ask for the text that you think?",
        'In the branch for "allowed", the mask is returned as it came. '
        'In the branch for "blocked", each entry is turned round before it is returned. '
        "For a boolean tensor `~` does this, entry by entry; `not` cannot, since it wants a single True or False.",
    ),
)

to_allowed.hints_for(
    "takes_every_mask_as_allowed",
    "reads_additive_as_a_switch",
    "reads_one_as_allowed",
    "reads_both_kinds_of_numbers_as_switches",
    hints=(
        "Made boolean, a number tells whether something is there. "
        "That says how a mask is written, and not what it means. "
        "In three of the four conventions, something there means that a key is blocked: a True, a 1, a very negative "
        "number. "
        "Nothing there, a False or a 0, means that it may be seen.",
        "Make a small table. "
        "For each convention write down one entry that lets a query look, and one that blocks. "
        "Beside them write what your code makes of the two. "
        "Where the answers are exchanged, look for `.bool()`, `!= 0` or `== 1` in that branch, or for one branch that "
        "does the work of several.",
        'For both kinds of numbers, compare each entry with the one number that means "may look". '
        "The comparison is True there and False everywhere else, whatever stands for blocked. "
        'For "blocked", turn the booleans round. '
        'Only "allowed" can pass as it is.',
    ),
)

to_allowed.hints_for(
    "asks_for_numbers_above_zero",
    "lets_every_one_through",
    "lets_every_number_to_add_through",
    "exchanges_the_two_kinds_of_numbers",
    hints=(
        "The two conventions with numbers agree on who may look, and differ in how they block: one by a very negative "
        "number, the other by a 1. "
        "A comparison made to find the blocked entries of one says nothing about the other. "
        "It is safer to ask for what they have in common.",
        'Write down four entries: 0 and minus infinity for "additive", 0 and 1 for "blocked_float". '
        "Put each into the comparison of its branch, by hand, and note True or False. "
        "Both zeros should give True, and the other two False. "
        "Which of the four is not so?",
        "One branch can serve both kinds of numbers, with one comparison: is the entry equal to the number that "
        "changes no score? "
        'Equal is enough, for no other number means "may look". '
        "With `<` or `>` you would also have to know on which side the blocked ones lie.",
    ),
)

to_allowed.hints_for(
    "knows_minus_infinity_only",
    "knows_minus_a_billion_only",
    "asks_for_a_billion",
    "lets_the_bound_itself_through",
    "compares_entries_with_each_other",
    hints=(
        "There are many ways to write that a key is blocked: minus infinity, -1e9, -65504, -1e4. "
        "There is one way to write that it may be seen. "
        "A rule about the one way misses none of the others. "
        "And it needs no neighbours, because each entry answers for itself.",
        'Try a row with the entries 0, -10000, -1e9 and minus infinity, in the convention "additive": the first '
        "should be True, and the other three False. "
        "Then try a row of -1e9 only, where all should be False. "
        "Which entry comes out wrong, and what does your comparison say about it?",
        "Special numbers, bounds and softmax are not needed. "
        'In the branch for "additive", compare each entry with 0. '
        "Equal means that it may be seen, unequal means blocked, however far below 0 it lies. "
        'The same comparison is right for "blocked_float".',
    ),
)

to_allowed.hints_for(
    "answers_in_numbers",
    "answers_in_numbers_to_add",
    "answers_what_is_blocked",
    hints=(
        "Four languages come in, and one goes out: the mask of this course. "
        'It is boolean, and its True means "may look". '
        "The functions that take it count on both, on the dtype and on the meaning. "
        "So the result is checked against ours, whichever convention came in.",
        "Print your result and its dtype for one mask in each convention. "
        "The dtype should be `torch.bool`, and True should stand where the entry that came in lets a query look. "
        "Then look at the last step of each branch, or at a step after all branches. "
        "What does it change?",
        "Each branch gives the mask itself, the mask turned round, or a comparison, and this is returned as it is. "
        "No `.float()`, no product and no `torch.where` with numbers comes after it. "
        "If True and False are exchanged everywhere, let each branch ask for the opposite.",
    ),
)

to_allowed.hints_for(
    "refuses_a_convention",
    hints=(
        "Four words have to be known, and each of them needs a question that it can answer with yes. "
        "A word that gets no yes anywhere runs on to the end, where the unknown ones are refused. "
        "So there are two ways to lose one: nobody asks for it, or the question is put so that it says no.",
        "Print each of your comparisons for the word that is refused, just before the error: which one should be "
        "True? "
        "Compare the spelling letter by letter, the underscore in `blocked_float` included. "
        "Then look at the sign between the two texts. "
        "Python warns at `is` beside a text in quotes, above the output of the cell.",
        "Give the word a branch, or a place in a branch that two words share: `in` asks for several at once. "
        "Equal texts are found with `==`. "
        "An `is` may work by luck when both texts stand in your own code, and fails for one that was read from a "
        "file or put together. "
        "Keep `is` for None.",
    ),
)

to_allowed.hints_for(
    "lets_an_unknown_convention_through",
    "turns_an_unknown_convention_round",
    "says_nothing_about_an_unknown_convention",
    hints=(
        "A mask that is read in a wrong way makes no noise: the model runs, and learns the wrong thing. "
        "An error at once, with the words that are known, saves somebody days of searching. "
        "So each of the four words has a door of its own, and for any other word there is none.",
        'Call your function with the convention "alowed", with a single l. '
        "Which line answers? "
        "It may be an `else`, a `return` behind all questions, or the end of the function, where Python returns None "
        "by itself. "
        "What should answer there?",
        "Ask for each of the four words by name, the last one included. "
        "What stands behind the last question is then reached by unknown words only. "
        "There stands no `return`: it is the place of the ValueError. "
        "A message that holds the word that came in helps whoever mistyped it.",
    ),
)

to_allowed.hints_for(
    "takes_a_piece_for_a_name",
    "finds_a_name_in_a_longer_text",
    hints=(
        "That two texts have something in common does not make them equal. "
        "A piece of a name is another text, and so is a name with something behind it. "
        "A letter too few is a frequent typing slip, and such a slip would go through. "
        "Each of the four names is known letter by letter, or it is not known.",
        'Call your function with the conventions "allow", "float", "blocked_bool" and "", an empty text. '
        "Each of the four should be refused. "
        "For each that is not, find the question that said yes, and print the two texts on both sides of its `in`. "
        "Is the right one a tuple of names, or one name? "
        "And does `startswith`, an index or a slice look at a part only?",
        "Ask with `==`, once for each name. "
        "If you like `in`, put at least two names on its right, with a comma between them: the comma makes the tuple, "
        "and the brackets do not. "
        "For a single name that would be a comma behind it. "
        "A dictionary with the four names as its keys knows no pieces either.",
    ),
)


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
def leaves_the_mask_unread(query, mask=None, **rest):
    """The mask has no influence: your layer does the same as without one.
    `mask` may be left out in a call, so no error reminds you of it.
    Which parameter of `forward` have you not used yet? Or, if you have used it: does softmax read the new scores, or
    the old ones?"""
    return multi_head_layer(query, **rest)


MultiHeadAttention.hints_for("leaves_the_mask_unread", hints=FOLLOW_THE_MASK)


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


@MultiHeadAttention.misconception(which=("query, key and value", "query"))
def normalises_what_the_layer_gets(query, key=None, value=None, *, which, **rest):
    """A layer norm stands in front of your projections: that is where {which} went first.
    Such a norm often stands in front of attention, and a later lesson puts it there; it is no part of this layer.
    Project the sequences as they come in."""
    _, key, value = default_sequences(query, key, value)
    others = (key, value) if which == "query" else map(layer_norm, (key, value))
    return multi_head_layer(layer_norm(query), **dict(zip(("key", "value"), others)), **rest)


@MultiHeadAttention.misconception
def adds_the_query_and_normalises_in_the_layer(query, **rest):
    """The query was added to your output, and the sum went through a layer norm.
    Both stand around attention in a whole model, and a later lesson puts them there.
    Here the output is what the output projection gives, and nothing beside it."""
    result = multi_head_layer(query, **rest)
    return (layer_norm(result[0] + query), result[1]) if isinstance(result, tuple) else layer_norm(result + query)


@MultiHeadAttention.misconception
def adds_the_bias_of_the_output_for_each_head(query, heads, b_output=None, **rest):
    """The bias of the output projection is in your output once for each head.
    `nn.Linear` adds its bias whenever it is called, and yours is called in each round of a loop.
    Put the heads side by side first, and call it once."""
    return multi_head_layer(query, heads, b_output=None if b_output is None else heads * b_output, **rest)


MultiHeadAttention.hints_for(
    "normalises_what_the_layer_gets",
    "adds_the_query_and_normalises_in_the_layer",
    hints=NOTHING_AROUND_IT,
)


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


@default_sequences.misconception(on="value_alone")
def replaces_a_value_that_comes_without_a_key(query, key=None, value=None):
    """Where a value is given and no key, your layer throws the value away and takes the query.
    The two defaults are two questions: a missing key is the query, and a value that is there counts all the same.
    What does your line about a missing key do to the value?"""
    return query, query if key is None else key, query if key is None else key if value is None else value


@default_sequences.misconception(on="value_alone")
def takes_a_missing_key_from_the_value(query, key=None, value=None):
    """Where a value is given and no key, your layer makes its keys from the value.
    A missing key is the same as the query, whatever the value is.
    In which order do you ask for the two, and what does each question look at?"""
    key = (query if value is None else value) if key is None else key
    return query, key, key if value is None else value


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


@add_biases.misconception(twice=("query, key and value", "query", "value"))
def adds_a_bias_of_the_projections_twice(query, key, value, b_query=None, b_key=None, b_value=None, *, twice):
    """What was added twice in your projections is the bias: that of {twice}.
    `nn.Linear` adds its bias when it is called, so nothing is left to add.
    Where does the word `bias` stand in your `forward`?"""
    biased = add_biases(query, key, value, b_query, b_key, b_value)
    again = add_biases(*biased, b_query, b_key, b_value)
    names = ("query", "key", "value")
    return tuple(two if name in twice else one for name, one, two in zip(names, biased, again))


@add_biases.misconception(which=tuple(BENT), by=("ReLU", "GELU", "tanh"))
def bends_what_the_projections_give(query, key, value, b_query=None, b_key=None, b_value=None, *, which, by):
    """Your {which} went through {by} after they were projected.
    Between a projection and what uses it stands no activation: any sign and any size means something.
    Follow what the three modules give to the place where it is used."""
    return bent(add_biases(query, key, value, b_query, b_key, b_value), which, ACTIVATIONS[by])


@add_biases.misconception(which=("queries, keys and values", "queries and keys"), norm=tuple(NORMS))
def normalises_what_the_projections_give(query, key, value, b_query=None, b_key=None, b_value=None, *, which, norm):
    """Your {which} went through {norm} after they were projected, all heads in one row.
    A projection is used as it is: how long a query is says how sure it is of its choice.
    Which lines stand between the three modules and the scores?"""
    return bent(add_biases(query, key, value, b_query, b_key, b_value), which, NORMS[norm])


@add_output_bias.misconception
def leaves_out_the_bias_of_the_output(mixed, b_output=None):
    """The bias of the output projection has no influence on your output.
    `nn.Linear` adds its bias when it is called; a product with `.weight` alone leaves it out.
    All four projections have a bias, if the layer was made with `bias=True`."""
    return mixed


@add_output_bias.misconception
def adds_the_bias_of_the_output_twice(mixed, b_output=None):
    """The bias of the output projection is in your output twice.
    `nn.Linear` adds its bias when it is called, so nothing is left to add.
    In a loop over the heads with a call of the projection in each round, it is added in each of them."""
    return mixed if b_output is None else mixed + 2 * b_output


@add_output_bias.misconception(by=("ReLU", "GELU", "tanh"))
def bends_the_output_of_the_layer(mixed, b_output=None, *, by):
    """Your output went through {by} after the output projection.
    Attention hands on what this projection gives; activations stand in other parts of a model.
    What happens between its call and `return`?"""
    return ACTIVATIONS[by](add_output_bias(mixed, b_output))


@add_output_bias.misconception
def normalises_the_output_of_the_layer(mixed, b_output=None):
    """Each row of your output has mean 0 and variance 1: it went through a layer norm.
    A norm of this kind stands around attention in a whole model, and is no part of this layer.
    What happens between the output projection and `return`?"""
    return layer_norm(add_output_bias(mixed, b_output))


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
    The map should show what was used, and nothing was.
    Return the weights that your values were mixed with, before dropout, and do not compute or divide them anew."""
    weights = returned_weights(query, key, heads, mask)
    alive = True if mask is None else mask.any(axis=-1, keepdims=True)
    return np.where(alive, weights, 1 / weights.shape[-1] if nothing == "even" else np.nan)


CALL_THE_PROJECTION = (
    "An `nn.Linear` is more than its matrix. "
    "It has a bias beside it, it stores the matrix as (out, in), and it knows how both are used. "
    "Who takes `.weight` and multiplies by hand has to remember all of this. "
    "Who calls the module need not.",
    "Search your code for `.weight`, `.bias` and `F.linear`. "
    "Is a projection used in pieces, where it could be called? "
    "Look at `__init__`, too: are all four projections made with the `bias` that came in? "
    "Then set the biases of the values and of the output to large numbers, one after the other. "
    "Each time the output should move by much.",
    "Let all four projections be called, each with its input in brackets, as one calls a function. "
    "Then the matrix is turned, and the bias is added, without a word of yours. "
    "If you keep `nn.Parameter` instead, store the matrix as (in, out), multiply from the right, and add the bias "
    "after it.",
)

MultiHeadAttention.hints_for(
    "takes_the_matrices_of_linear_on_their_side",
    "takes_the_matrix_of_the_output_on_its_side",
    hints=CALL_THE_PROJECTION,
)

MultiHeadAttention.hints_for(
    "never_calls_the_output_projection",
    "calls_the_output_projection_twice",
    "adds_the_bias_of_the_output_for_each_head",
    hints=(
        "A token meets four projections on its way: three before the heads attend, and one after. "
        "The fourth is where the findings of different heads come together. "
        "Without it, they stay in columns of their own. "
        "If it is there twice, what was mixed is mixed a second time.",
        "Read `forward` from its end. "
        "Which variable is returned, and which line made it? "
        "Between the merge and the `return`, count how often the output projection is called, and look into the "
        "functions that you call there. "
        "Once is right, and what it gives should be what you return.",
        "Merge the heads first, so that each row holds all of them. "
        "Hand the merged rows to the output projection, once, and give what comes back a name. "
        "This name is returned, with the weights beside it or without them, and nothing else is done to it.",
    ),
)

MultiHeadAttention.hints_for(
    "adds_the_query_to_the_output_of_the_layer",
    hints=NOTHING_ADDED,
)

ONE_PROJECTION_EACH = (
    "The projections look alike: same kind, same shape. "
    "What makes one of them the projection of the keys is that keys are made with it, in every call, by its matrix "
    "and its bias. "
    "Weights that somebody else has trained work only if each is used for what its name says.",
    "Write three short lines: the sequence, the projection that it goes through, the name of what comes out. "
    "In each line the same word should stand three times. "
    "Check the calls in `forward`, the order of what you loop over or unpack, the blocks of a fused projection, and "
    "any bias that you add by hand.",
    "The query goes through the projection called query, the key through key, the value through value, and the merged "
    "heads through output. "
    "In a fused projection the blocks come in the same order: queries, keys, values. "
    "A matrix and the bias that is added after it come from the same projection.",
)

MultiHeadAttention.hints_for(
    "exchanges_two_projections",
    "calls_each_projection_in_the_next_ones_place",
    "calls_one_projection_in_place_of_another",
    hints=ONE_PROJECTION_EACH,
)

MultiHeadAttention.hints_for(
    "cuts_a_fused_projection_head_by_head",
    hints=(
        "A fused projection has two levels. "
        "On the outer one, three projections stand side by side. "
        "On the inner one, each of the three holds its heads side by side. "
        "Cut the outer level first. "
        "If heads are cut first, pieces of the queries end up where keys should be.",
        "Look at the first step after the fused projection: does it make heads, or does it make three parts? "
        "Number the columns, for a model size of 4 and 2 heads. "
        "The queries should be 0 to 3, the keys 4 to 7, the values 8 to 11. "
        "Which columns do your three tensors hold?",
        "First take the result apart along its last axis, into three parts of model_size columns each; `chunk` can do "
        "that. "
        "These parts are the queries, the keys and the values. "
        "Then split each of the three into heads, all in the same way.",
    ),
)

MultiHeadAttention.hints_for(
    "gives_zeros_to_a_query_that_sees_nothing",
    hints=(
        "A query that may look at nothing gets weights of zero, and so its heads find zeros. "
        "The output projection then does what it does for every row: a row of zeros times a matrix, plus the bias, is "
        "the bias. "
        "No special case is needed for that.",
        "Look for steps after the output projection that touch its result: a product with the mask or with something "
        "made of it, a `masked_fill`, a `torch.where`. "
        "Then hide all keys from one query, and print its row before that projection and after it. "
        "Before, there should be zeros. "
        "After, there should be the bias of the output. "
        "If it is zeros as well, a step behind the projection has cleared them.",
        "Let the weights of such a query be zeros; `masked_softmax` makes them so. "
        "From there on, treat all rows alike: mix, merge, project. "
        "Take out the step that clears rows of the output, and the bias will be there by itself.",
    ),
)

default_sequences.hints_for(
    "takes_values_from_the_query_by_default",
    "forgets_that_value_may_be_given",
    "looks_at_the_query_alone",
    "replaces_a_value_that_comes_without_a_key",
    "takes_a_missing_key_from_the_value",
    hints=(
        "None means that the caller leaves the choice to you. "
        "Anything else is a choice that was made, and it holds. "
        "The two defaults form a chain: the key follows the query, and the value follows the key. "
        "So they are filled in one after the other.",
        "Print the three sequences right after your lines for the defaults, for four calls: with a query alone, with "
        "a query and a key, with all three, with a query and a value. "
        "In the second call, the value should be the key. "
        "In the third, each should be what you handed over. "
        "In the fourth, the key should be the query, and the value your own. "
        "Then see which of them the projections are called with.",
        "Ask two questions, in this order. "
        "Is the key None? "
        "Then it is the query. "
        "Is the value None? "
        "Then it is the key, as the key is by now. "
        "What is not None stays. "
        "The three projections then use the three names, each its own.",
    ),
)

add_biases.hints_for(
    "leaves_out_the_biases_of_the_projections",
    "adds_a_bias_of_the_projections_twice",
    hints=CALL_THE_PROJECTION,
)

add_biases.hints_for(
    "adds_the_bias_of_the_query_to_all",
    hints=ONE_PROJECTION_EACH,
)

add_biases.hints_for(
    "leaves_out_the_bias_of_the_values",
    "leaves_out_the_bias_of_the_queries",
    hints=(
        "The layer has four biases or none, and its parameter `bias` decides this for all projections together. "
        "So all four are made in the same way, and used in the same way. "
        "A projection that is treated differently from its neighbours deserves a second look.",
        "Begin with `__init__`: does each of the four projections get the `bias` that came in? "
        "Then go to `forward`: is one of them multiplied by hand, while the others are called? "
        "Set one bias after the other to large numbers of several sizes. "
        "Only that of the keys may leave the output as it is.",
        "Make the four projections by the same line, with `bias` handed on to each, and call all of them as "
        "functions. "
        "If you keep biases as `nn.Parameter`, each is added to its own projected sequence, before the split into "
        "heads.",
    ),
)

add_output_bias.hints_for(
    "leaves_out_the_bias_of_the_output",
    "adds_the_bias_of_the_output_twice",
    hints=CALL_THE_PROJECTION,
)

add_biases.hints_for(
    "bends_what_the_projections_give",
    "normalises_what_the_projections_give",
    hints=PLAIN_PROJECTIONS,
)

add_output_bias.hints_for(
    "bends_the_output_of_the_layer",
    "normalises_the_output_of_the_layer",
    hints=NOTHING_AROUND_IT,
)

give_weights.hints_for(
    "returns_the_weights_alone",
    "returns_the_weights_first",
    "does_not_return_the_weights",
    hints=(
        "A layer is called in two ways. "
        "Mostly one wants the output, and gets one tensor. "
        "Who wants to look inside asks for the weights as well, and gets a pair, in an order that was agreed on. "
        "A caller who unpacks the pair into two names relies on that.",
        "Call your layer both ways, and print the shapes of all that comes back. "
        "With the weights it should be two things: (batch, queries, model_size), the same as in the other call, and "
        "then (batch, heads, queries, keys). "
        "What stands in which place in yours? "
        "Which line asks for the parameter?",
        "The last line of `forward` depends on one question: were the weights asked for? "
        "If so, it returns a pair, the output in front and the weights behind. "
        "If not, it returns the output. "
        "Both were computed before, in the same way for both calls.",
    ),
)

THE_WEIGHTS_THAT_WERE_USED = (
    "The returned weights are a window: they show how the output came about. "
    "So what stands there is what the values were mixed with, one map for each head, after the mask and after "
    "softmax. "
    "Dropout is the exception: it is left out, since holes made by dice say nothing about attention.",
    "Find the line that mixes the values, and the tensor that multiplies them. "
    "With dropout of 0, print it beside the weights that you return, for a mask that hides everything from one query. "
    "Both should be equal, entry by entry, with zeros for that query. "
    "If not, where does the returned tensor come from?",
    "The weights come from softmax, or with a mask from `masked_softmax`, which gives zeros where nothing may be "
    "seen. "
    "Keep them under a name, and return this name. "
    "Dropout gets a name of its own for what it makes. "
    "Between softmax and `return` nothing else is done to the weights.",
)

give_weights.hints_for(
    "averages_the_returned_weights",
    hints=THE_WEIGHTS_THAT_WERE_USED,
)

returned_weights.hints_for(
    "returns_scores_in_place_of_weights",
    "returns_weights_without_the_mask",
    "returns_shares_where_nothing_may_be_seen",
    hints=THE_WEIGHTS_THAT_WERE_USED,
)


# questions


@varied(heads=(12, 7, 8, 9, 11, 13, 14, 16, 18, 20, 24, 32))
def products_in_the_loop(heads):
    """How many matrix products does the loop start for {heads} heads?"""
    return Question(
        answer=5 * heads + 1,
        tolerance=0,
        wrong={
            4 * heads: "You count four products for each head. Beside its three projections there are two: "
            "queries with keys, and weights with values. And is there one after the loop?",
            4 * heads + 1: "You count four products for each head, and the one after the loop is there. "
            "Beside its three projections a head has two: queries with keys, and weights with values.",
            5 * heads: "The heads' products are counted well. One is left, after the loop.",
            3 * heads: "These are the projections. What does a head do with its queries, keys and values?",
            3 * heads + 1: "These are the projections and the output. "
            "What does a head do with its queries, keys and values?",
            **dict.fromkeys(
                (6 * heads, 6 * heads + 1),
                "You count six products for each head. It has five: three projections, the scores, the weighted mean. "
                "The product with the output weights is done once, after the loop, for all heads together.",
            ),
            6: "This is how many it will be without a loop. In the loop, each head starts its own.",
            5: "These are the products of one head. How many heads are there, and what comes after them?",
        },
        hints=(
            "Write down the products of a single head, in the order in which they happen: from its tokens to what it "
            "finds. "
            "Each `@` inside the loop is one. "
            "Then think of what comes after the loop, when all results stand side by side.",
            "Three projections, then the scores, then the weighted mean: five for each head. "
            "What remains to be done when the loop has ended? "
            "It happens once, for all heads together. "
            "With 2 heads, for example, there are 11 products in all.",
            f"Five for each of {heads} heads, and one at the end. "
            "The last one takes the joined results of all heads at once, so it stands behind the loop and is not "
            f"counted {heads} times. "
            "First multiply, and add it afterwards.",
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
        **dict.fromkeys(
            ((2, 3, 4), (1, 2, 3)),
            "Close: the first row has taken three numbers, 0, 1 and 2. Go on with the one that follows.",
        ),
    },
    hints=(
        "In memory the table is one line: 0, 1, 2, 3, 4, 5, 10, 11, and so on. "
        "A reshape reads this line from its beginning, and leaves nothing out. "
        "So the question is only which numbers have been taken before the second row begins.",
        "The new shape has rows of three. "
        "It is filled from the beginning of the line, row after row. "
        "A row of the old table has six numbers, so it fills two rows of the new one. "
        "Which three go into the second?",
        "The first row takes 0, 1, 2. "
        "The second row takes the three numbers that follow. "
        "Look at what they say: 23 would be token 2, column 3. "
        "From which token do your three come, and from which should the second row of a head come?",
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
        "Of each pair ask one thing: does the second function undo the first? "
        "The test compares what comes back with what went in. "
        "What the heads look like in between, it never sees. "
        "So forget for a moment what a right split is.",
        "A reshape to any shape and back to the old one changes nothing. "
        "It reads the same line of numbers both times, and moves none of them. "
        "So what does the test say of the colleague's pair? "
        "Then ask the same of the cards.",
        "Whoever deals cards in turn and collects them in turn has the pack as it was. "
        "All pairs undo themselves, whether their heads are right or not. "
        "So how many of the three get through a test that goes there and back?",
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
        "Heads share out the columns: how many columns has each of 12, if they have 768 together? "
        "After *project* they still lie side by side. "
        "From *split* to *mix* the heads have an axis of their own, which stands right after the texts.",
        "After the split: batch, heads, tokens, columns of a head. "
        "Scores have a row for each query and a column for each key. "
        "Both are the tokens of one text, so the columns of a head are not in this shape. "
        "Mixing comes next.",
        "Mixing brings back the shape of the split, merging that of the projection. "
        "The output keeps it, because its matrix leads from 768 columns to 768. "
        "So of your five shapes two are equal, two more are equal, and the scores stand alone.",
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
        "Write the shape of the scores, (4, 4, 10, 10), and the mask's shape below it, right ends aligned. "
        "The axes of the scores are batch, heads, queries, keys. "
        "Which of these names stands above the first axis of the mask, and which one was meant?",
        "What is missing in front counts as an axis of length 1. "
        "A 1 means: the same for all. "
        "So which axis of the scores has no partner in the mask, and gets the same everywhere? "
        "And what does the first 4 of the mask tell apart?",
        "So the mask has the shape (1, 4, 10, 10): the same for every text, and something else for each head. "
        "Nothing stops, because there are as many heads as texts. "
        "Which of the three answers says this in words?",
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
        "A bias of queries or keys acts through the scores. "
        "What does softmax do if all scores of a row go up by 1? "
        "From lesson 01 you know that it looks at differences only. "
        "Which bias adds one and the same number to a whole row?",
        "Write out one score, (q + a) · (k + b), as four terms. "
        "Which of them differ from key to key? "
        "A term without k is the same for every key of the row, so softmax takes no notice of it. "
        "Which bias stands in such terms only?",
        "The term q · b is the same for every key of the row, and so is a · b. "
        "What is b the bias of? "
        "The other one, a, also meets k, and a · k differs from key to key. "
        "So a does make a difference.",
    ),
)
row_after_dropout = Question(
    answer=(1.0, 0.0, 0.4),
    wrong={
        (0.5, 0.0, 0.2): "The second weight is gone, that is right. "
        "The others are divided by 1 - p, so that on average nothing gets smaller.",
        (0.25, 0.0, 0.1): "You multiplied by 1 - p. The numbers that are left are divided by it.",
        **dict.fromkeys(
            ((5 / 7, 0.0, 2 / 7), (0.714, 0.0, 0.286), (0.71, 0.0, 0.29), (0.7, 0.0, 0.3)),
            "You shared out one whole anew. Dropout does not look at the sum: it divides by 1 - p.",
        ),
        (1.0, 0.6, 0.4): "All three are divided by 1 - p. The second one was removed: what is left of it?",
        (1.0, 0.0, 0.2): "The first weight is right. The third one was kept as well, so the same happens to it.",
        (0.5, 0.0, 0.4): "The third weight is right. The first one was kept as well, so the same happens to it.",
    },
    hints=(
        "Two things happen: some numbers become 0, and the others get larger. "
        "Which ones become 0 is said by the dice. "
        "How much larger the others get is said by p, and it is the same factor for all of them. "
        "The sum need not be 1 afterwards.",
        "The others are divided by 1 - p, which is 0.5 here. "
        "Dividing by a half makes a number larger: 0.1 would become 0.2. "
        "What was removed stays 0, whatever it is divided by. "
        "Now do this with the two weights that are kept.",
        "0.5 divided by 0.5, then 0, then 0.2 divided by 0.5. "
        "Give the three numbers in this order, and leave them as they are. "
        "Do not divide by their sum: only the average over many throws is a row of shares again.",
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
        "Two different answers to the same input: something is random. "
        "A projection, or a softmax, computes the same every time. "
        "So go down the four lines, and ask of each: would it give the same numbers again, if it ran a second time?",
        "Which line throws dice? "
        "And does it know about `model.eval()`? "
        "The switch is kept in `self.training`. "
        "A module looks at its own switch, but a plain function sees only what it is given. "
        "What is it given in this line?",
        "`nn.Dropout` is a module and obeys the switch. "
        "What does a function know of it? "
        "Look at its inputs in this code: the weights and a probability, and nothing about training. "
        "So it does in use what it does in training.",
    ),
)
misread_mask = Question(
    answer=(False, False, True, True),
    wrong={
        (True, True, False, False): "That is what our mask means: keys 0 and 1. "
        "PyTorch's layer reads the same True as a barrier.",
        (False, True, True, True): "That is the first query: key 0 is blocked for it. Take the second row.",
        (False, False, False, True): "That is the third query. Take the second row of the mask, and turn it round.",
        (True, False, True, True): "This blocks one key. Our second query may look at two. Turn the whole row round.",
        (True, False, False, False): "In our mask the second query may look at keys 0 and 1. Turn that row round.",
    },
    hints=(
        "First write the second row of the causal mask, as we mean it: True for each key that this query may look "
        "at. "
        "The second of four queries sees its own place and the one before. "
        "Then read the same row as the other layer reads it.",
        "It is True, True, False, False. "
        "And there, True means blocked: the table above says so for `nn.MultiheadAttention`. "
        "The array stays as it is, and only its meaning changes. "
        "Which two keys are left for this query to look at?",
        "Turn the row round: what is blocked for us may be seen there, and what we may see is blocked. "
        "Give a True for each key that the query looks at in the end. "
        "It is a causal mask that shows nothing but the future.",
    ),
)


@varied(sizes=[(size, 3 * size) for size in (768, 128, 192, 256, 320, 384, 512, 640, 896, 1024, 1280)])
def rows_of_the_keys(sizes):
    """For a model size of {sizes[0]}, `in_proj_weight` has the shape ({sizes[1]}, {sizes[0]})."""
    size, rows = sizes
    return Question(
        answer=(size, 2 * size),
        wrong={
            (0, size): "These rows make the queries. The keys come next.",
            (2 * size, rows): "These rows make the values. The keys stand before them.",
            (size, 2 * size - 1): "In Python the last number of a slice is not part of it.",
            (size + 1, 2 * size): f"Rows are counted from 0: the queries have the rows 0 to {size - 1}.",
            (size, size): f"The keys' block is {size} rows long. A slice wants the row where it ends, not its length.",
            (1, 2): f"You counted blocks. Each block has {size} rows; give the rows.",
        },
        tolerance=0,
        hints=(
            f"There are three blocks of {size} rows, in the order query, key, value. "
            "They lie one below the other, and rows are counted from 0. "
            f"Draw the {rows} rows as a tall box, and cut it in three. "
            "Which of the three parts belongs to the keys?",
            f"The queries have the rows 0 to {size - 1}. "
            "So with which row does the next block begin? "
            f"In Python the second number of a slice is the first row that is *not* taken: `[0:{size}]` stops in "
            f"front of row {size}.",
            f"The keys' block begins after {size} rows and is {size} rows long. "
            "Its first row comes right after the last row of the queries. "
            "The second number of your slice is where the values begin, since Python stops in front of it. "
            "Give both numbers.",
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
        "Two things have to fit: the shape, and what True means. "
        "Ask of each of the four answers first which shape it has, and then what its True says. "
        "Two of the answers get one of these right, and only one gets both.",
        "They want (batch, keys). "
        "Which two axes of ours have the length 1 and can go? "
        "Our four axes are batch, heads, queries, keys. "
        "A 0 in the brackets takes the one place of such an axis, and the axis is gone.",
        "And there, True means blocked: the mask has to be turned round as well. "
        "The sign `~` makes False of every True, and True of every False. "
        "Which of the four answers does both things, the brackets and the sign?",
    ),
)
causal_at_the_top_left = Question(
    answer=10,
    wrong={
        30: "This is what our rule gives: the query stands at the last key and sees all five. "
        "Theirs puts the first query at the first key.",
        50: "A query that sees the last key only? Theirs stands at the first key. What does it see?",
        0: "It finds something: at its own place a query may always look. Theirs stands at the first key.",
        15: "This is the mean of the first two. The first query stands at the first key: how many does it see?",
    },
    hints=(
        "Their rule: the first query stands at the first key. "
        "Ours: the last query stands at the last key. "
        "The two agree when there are as many queries as keys. "
        "Here they do not. "
        "Draw five keys and one query, and place it by their rule.",
        "There is one query, so it is the first. "
        "It sees the keys up to its own place. "
        "Where is that place: at the oldest key, or at the newest? "
        "Cross out every key that lies to the right of it, and see what is left.",
        "It sees one key, and that key gets the whole weight. "
        "A weighted mean of one value is that value. "
        "That all scores are equal is of no use any more. "
        "Which of the five values belongs to the key that is seen?",
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
        "Who asks is the query. "
        "At which place does that layer want it? "
        "Its call is written above, and its letters stand for value, key and query, in this order. "
        "Where do you have to put `x`, then? "
        "Two of the four answers are out.",
        "Values and keys come from what is asked: they are the first two arguments. "
        "Two of the four answers begin like that, and differ in the mask. "
        'The table of conventions above has a row for `"blocked_float"`. '
        "What does a 1 mean there?",
        "The mask there has 1 for blocked: turn ours round, then make numbers of it. "
        "Without the turn it would hide what may be seen. "
        "Without numbers it could not be multiplied by -1e9. "
        "Which answer does both, with `x` in its right place?",
    ),
)
