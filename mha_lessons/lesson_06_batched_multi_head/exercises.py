"""Lesson 06: all heads at once, as functions and as a layer, and what people believe about reshaping and masks."""

import mha_ref
from autograder import layers
from autograder.exercise import LAYER_OF_TORCH, Exercise, ModuleExercise, Question, Step, TestWriting
from autograder.variants import varied
from mha_lessons.lesson_00_start_here.properties import (
    batch_items_do_not_touch_each_other,
    rows_do_not_touch_each_other,
    twice_the_values_twice_the_output,
)
from mha_lessons.lesson_02_scaled_dot_product.properties import keys_with_their_values_may_be_shuffled
from mha_lessons.lesson_03_masks.properties import numbers_in_blocked_keys_change_nothing
from mha_lessons.lesson_04_single_head.properties import scores_are_products_of_queries_and_keys, values_are_only_mixed
from mha_lessons.lesson_05_multi_head.properties import twice_the_output_weights_twice_the_output

from . import cases
from .properties import (
    a_head_is_its_own_columns_and_rows,
    each_head_obeys_its_own_mask,
    every_block_of_every_matrix_counts,
    every_column_stands_in_its_place,
    every_number_is_there_once,
    tokens_stay_apart,
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
    cases.stacked,
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
    cases.together,
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
    cases.apart,
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
    cases.several_heads,
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
    cases.conventions,
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
    cases.layer,
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
