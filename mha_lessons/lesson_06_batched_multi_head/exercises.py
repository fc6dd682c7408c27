"""Lesson 06: all heads at once, as functions and as a layer, and what people believe about reshaping and masks."""

import mha_ref
from autograder.exercise import Exercise, ModuleExercise, Step, TestWriting
from autograder.question import Question
from mha_lessons.lesson_00_start_here.properties import (
    batch_items_do_not_touch_each_other,
    rows_do_not_touch_each_other,
    twice_the_values_twice_the_output,
)
from mha_lessons.lesson_02_scaled_dot_product.properties import keys_with_their_values_may_be_shuffled
from mha_lessons.lesson_03_masks.properties import numbers_in_blocked_keys_change_nothing
from mha_lessons.lesson_04_single_head.properties import scores_are_products_of_queries_and_keys, values_are_only_mixed
from mha_lessons.lesson_05_multi_head.exercises import LAYER_OF_TORCH
from mha_lessons.lesson_05_multi_head.properties import twice_the_output_weights_twice_the_output

from . import cases, functional
from .properties import (
    a_head_is_its_own_columns_and_rows,
    each_head_obeys_its_own_mask,
    every_block_of_every_matrix_counts,
    every_column_stands_in_its_place,
    every_number_is_there_once,
    tokens_stay_apart,
)

split_heads = Exercise(
    mha_ref.split_heads,
    cases.together,
    points=2,
    library="torch",
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
MultiHeadAttention = ModuleExercise(
    functional.multi_head_layer,
    cases.layer,
    sizes=dict(
        model_size=lambda given: given["query"].shape[-1],
        heads=lambda given: given["heads"],
        bias=lambda given: "b_query" in given,
    ),
    inspection="mha_lessons.lesson_06_batched_multi_head.layers.inspection:multi_head_attention",
    no_gradient=("b_key",),  # it adds the same to all scores of a query, and softmax drops that
    forbids=LAYER_OF_TORCH[1:],  # the class is a fault with a name, wraps_the_layer_of_torch
    points=4,
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
default_sequences = Step(functional.default_sequences)
add_biases = Step(functional.add_biases)
add_output_bias = Step(functional.add_output_bias)
give_weights = Step(functional.give_weights)
returned_weights = Step(functional.returned_weights)
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
)


# questions


split_by_reshape = Question(
    answer=(3, 4, 5),
    wrong={
        (10, 11, 12): "That is what we want: the second token's first three columns. "
        "But a reshape reads on along the line of numbers. What comes after 0, 1, 2?",
        (1, 11, 21): "These are under each other, in one column. A reshape reads along the rows.",
        (6, 7, 8): "You count on, and that is the right idea. "
        "But in this table a row ends after 5, and the next one begins with 10.",
        (13, 14, 15): "That is the second row of the second head, as we want it. "
        "A reshape reads on along the line of numbers. What comes after 0, 1, 2?",
        **dict.fromkeys(
            ((2, 3, 4), (1, 2, 3)),
            "Close: the first row takes three numbers, 0, 1 and 2. Go on with the next one.",
        ),
    },
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
        instead(split=BEHIND, mix=BEHIND): "Your heads are behind the tokens, as they are right after the cut. "
        "Attention works on the last two axes, so heads move in front of the tokens.",
        instead(split=BEHIND): "In your split the heads are behind the tokens, as they are right after the cut. "
        "Then they move in front of the tokens.",
        instead(split=WHOLE, mix=WHOLE): "Each of your heads has all 768 columns. They share the columns.",
        instead(split=WHOLE): "Each of your heads has all 768 columns. They share the columns.",
        instead(split=SWAPPED, scores=(4, 64, 128, 128), mix=SWAPPED): "You have 64 heads with 12 columns. "
        "There are 12 heads; how wide is each?",
        instead(scores=(4, 12, 64, 64)): "There is a score for each pair of tokens: every query meets every key. "
        "The head's columns are summed over.",
        instead(scores=(4, 12, 128, 64)): "There is a score for each pair of tokens: every query meets every key. "
        "The head's columns are summed over.",
        instead(scores=(4, 128, 128)): "One map for each text? Every head has a map of its own.",
        instead(scores=(4, 128, 128), mix=(4, 128, 64)): "One map for each text? Every head has a map of its own.",
        instead(mix=(4, 12, 128, 128)): "Each query gets a mean of values, and a value has 64 numbers.",
        instead(merge=(4, 128, 64)): "Merging keeps all heads: they are side by side, 12 blocks of 64 columns.",
        instead(merge=(4, 128, 64), output=(4, 128, 64)): "Merging keeps all heads: they are side by side, 12 "
        "blocks of 64 columns.",
        instead(merge=(4, 128, 12, 64)): "This is half of the merge: you still have to join the last two axes.",
        instead(merge=(4, 1536, 64)): "Your heads are stacked as rows. Side by side, each token keeps one row.",
        tuple(shape[1:] for shape in ON_THE_WAY): "All right for a single text. There is a batch of 4 in front.",
    },
)
restless_line = Question(
    answer=3,
    wrong={
        1: "Three projections: the same input always gives the same result. Where is something random?",
        2: "Scores and softmax: the same input always gives the same result. Where is something random?",
        4: "This line drops something, but in a module: `model.eval()` has switched it off. What else is random?",
    },
)


# from memory: about earlier lessons, unmarked


remember_features_that_a_head_reads = Question(
    answer=512,
    points=0,
    wrong={
        64: "64 is what a head hands on. What does it make these from? The diagram in lesson 05, *The formula*, "
        "shows what goes in.",
        8: "8 is the number of heads. The diagram in lesson 05, *The formula*, shows what goes into each of them.",
        4096: "All heads read the same token, so nothing is multiplied. The diagram in lesson 05, *The formula*, "
        "shows what goes in.",
        192: "That is what a head makes for its query, key and value. The diagram in lesson 05, *The formula*, "
        "shows what goes in.",
    },
)

remember_a_mask_for_heads = Question(
    answer=(32, 1, 1, 50),
    points=0,
    wrong={
        (32, 50): "It needs as many axes as the scores, four. Shapes are lined up from the right, so here 32 would "
        "meet the queries: see lesson 03, *Shapes that fit by accident*.",
        (50, 50): "That mask is the same for all sentences, as a causal one is. Here each sentence has its own: see "
        "lesson 03, *Shapes that fit by accident*.",
        (32, 1, 50): "That is right for scores without heads. With them there is one more axis, and 32 would meet the "
        "heads: see lesson 03, *Shapes that fit by accident*.",
        (
            32,
            50,
            50,
        ): "All queries of a sentence see the same keys, and the heads need an axis, too. Lesson 03, *Shapes "
        "that fit by accident*, has the table.",
        (
            32,
            1,
            50,
            50,
        ): "It would work, but all its rows for one sentence are equal. An axis of what length stands for all "
        "of them? See lesson 03, *Shapes that fit by accident*.",
        (
            32,
            1,
            50,
            1,
        ): "This hides queries. Padding must be hidden as a key, and keys are the last axis: see lesson 03, "
        "*Shapes that fit by accident*.",
        (1, 1, 32, 50): "Here 32 stands where the queries are. Sentences are the batch, the first axis: see lesson 03, "
        "*Shapes that fit by accident*.",
    },
)
