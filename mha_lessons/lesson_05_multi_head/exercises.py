"""Lesson 05: several heads beside each other, what they cost, and what people believe about them."""

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question, varied
from mha_lessons.lesson_00_start_here.properties import batch_items_do_not_touch_each_other
from mha_lessons.lesson_04_single_head.properties import (
    blocked_tokens_have_no_influence,
    scores_are_products_of_queries_and_keys,
    values_are_only_mixed,
)

from . import cases
from .properties import (
    a_head_is_its_own_matrices_and_rows,
    all_else_is_the_bias_of_the_output,
    equal_sizes_are_counted_like_others,
    equal_values_come_out_as_they_are,
    every_row_of_every_matrix_counts,
    heads_may_change_places,
    heads_share_one_budget,
    queries_and_keys_grow_with_head_size,
    tokens_may_change_places,
    twice_the_output_weights_twice_the_output,
    twice_the_size_four_times_the_weights,
    values_and_output_grow_with_value_size,
)

LAYER_OF_TORCH = ("MultiheadAttention", "multi_head_attention_forward")  # each is a whole exercise, in one call

concatenate_heads = Step(mha_ref.concatenate_heads)
mix_heads = Step(mha_ref.mix_heads)
multi_head_by_loop = Exercise(
    mha_ref.multi_head_by_loop,
    cases.per_head,
    points=3,
    library="torch",
    forbids=LAYER_OF_TORCH,
    properties=(
        a_head_is_its_own_matrices_and_rows,
        heads_may_change_places,
        batch_items_do_not_touch_each_other,
        blocked_tokens_have_no_influence,
        tokens_may_change_places,
        twice_the_output_weights_twice_the_output,
        equal_values_come_out_as_they_are,
        values_are_only_mixed,
        scores_are_products_of_queries_and_keys,
        every_row_of_every_matrix_counts,
    ),
)
parameter_count = Exercise(
    mha_ref.parameter_count,
    cases.model_heads,
    points=3,
    properties=(
        queries_and_keys_grow_with_head_size,
        values_and_output_grow_with_value_size,
        all_else_is_the_bias_of_the_output,
        equal_sizes_are_counted_like_others,
        heads_share_one_budget,
        twice_the_size_four_times_the_weights,
    ),
)


# what to predict, to calculate, to choose


@varied(carried=((10, 20), *((i, ai) for i in (10, 15, 20, 30) for ai in (40, 50, 60))))
def love_from_two_heads(carried):
    """*I* carries {carried[0]}, *love* carries 0, *AI* carries {carried[1]}"""
    i, ai = carried

    def found(*shares):
        """What heads hand over that give these shares to I and to AI; love's own share brings nothing."""
        return tuple(round(to_i * i + to_ai * ai, 1) for to_i, to_ai in shares)

    answer = first, second = found((0.7, 0.1), (0.1, 0.7))
    mean, both = round(sum(answer) / 2, 1), round(sum(answer), 1)
    return Question(
        answer=answer,
        wrong={
            (second, first): "Both numbers are right, but in the wrong order. "
            "Head 0 is the one in which love looks at I.",
            found((0.8, 0.4), (0.4, 0.8)): "You took the columns under love: how much the others look at it. "
            "The word that asks has a row. Which shares does love itself give?",
            found((0.1, 0.1), (0.3, 0.3)): "You took the first row of each map, and that is what *I* receives. "
            "Love is in the second row.",
            found((0.3, 0.3), (0.1, 0.1)): "You took the last row of each map, and that is what *AI* receives. "
            "Love is in the second row.",
            (mean, mean): f"{mean:g} is the mean of the two heads. Heads are not averaged: "
            "each passes on its own mixture.",
            mean: f"{mean:g} is the mean of the two heads. Heads are not averaged: each passes on a number of its own.",
            both: f"{both:g} is the sum of the two heads. Heads are put side by side, so the answer is two numbers.",
            (both, both): f"{both:g} is the sum of the two heads. Heads are put side by side: "
            "each keeps its own number.",
            **dict.fromkeys(
                (found((0.7, 0), (0, 0.7)), found((0, 0.7), (0.7, 0))),
                "You took only the largest share of each head, 0.7. The other words have shares, too: add up all.",
            ),
            found((0.7, 0), (0, 0.1)): "You took *I* in head 0 and love's smallest share of *AI*: "
            "both belong to head 0. Go through each row to its end.",
            found((0.7, 0.1), (0, 0.7)): f"Head 0 is right. In head 1, *I* has a share of 0.1, and it carries {i}.",
            **dict.fromkeys(
                ((0.7, 0.7), (0.9, 1.5), (1.0, 1.0)),
                "These are shares. Multiply each by what that word carries, and add up the three products.",
            ),
            (first, first): "Head 0 is right. Head 1 has other shares: 0.1 for *I* and 0.7 for *AI*.",
            (second, second): "Head 1 is right. Head 0 has other shares: 0.7 for *I* and 0.1 for *AI*.",
            (0.0, 0.0): "0 is what *love* itself carries. What it receives is a mixture of what all three words carry.",
            (float(i), float(ai)): "That is what the words carry. Love receives a mixture of these, "
            "by the shares in its row.",
        },
        values=dict(i=i, ai=ai),
    )


shapes_in_a_layer = Question(
    answer=((128, 64), (128, 128), (128, 64), (128, 768)),
    wrong={
        ((128, 768), (128, 128), (128, 768), (128, 768)): "You gave each head the whole width. "
        "Twelve heads make 768 columns together: how many does one make?",
        ((128, 768), (128, 128), (128, 768), (128, 9216)): "You gave each head the whole width. "
        "Twelve heads make 768 columns together: how many does one make?",
        ((12, 128, 64), (12, 128, 128), (12, 128, 64), (128, 768)): "The sizes are right, but for all heads at "
        "once. The first three shapes are those of one head.",
        ((128, 12), (128, 128), (128, 12), (128, 768)): "12 is the number of heads. A head has 768 / 12 columns.",
        ((128, 64), (64, 64), (128, 64), (128, 768)): "All but the map. It has a row for each query and a column for "
        "each key, and these are tokens.",
        ((128, 64), (128, 64), (128, 64), (128, 768)): "All but the map. It has a row for each query and a column for "
        "each key, and these are tokens.",
        ((128, 64), (12, 128, 128), (128, 64), (128, 768)): "(12, 128, 128) holds the maps of all heads. "
        "The question is about the map of one head.",
        ((128, 64), (128, 128), (128, 64), (1536, 64)): "All but the last. "
        "Side by side means more columns; you stacked the heads, which makes more rows.",
        ((128, 64), (128, 128), (128, 64), (12, 128, 64)): "All but the last. That is a stack of twelve results. "
        "Side by side means that every token keeps one row.",
        ((128, 64), (128, 128), (128, 64), (128, 64)): "All but the last. Adding the heads would leave 64 columns; "
        "side by side, each keeps its own.",
        ((128, 64), (128, 128), (128, 768), (128, 768)): "All but the third. 768 columns are all heads side by side; "
        "the question is about the result of one.",
        ((128, 768), (128, 128), (128, 64), (128, 768)): "All but the first. The tokens have 768 columns; the query "
        "is what one head makes of them.",
        ((768, 64), (128, 128), (128, 64), (128, 768)): "All but the first. (768, 64) is the matrix that makes the "
        "queries. What comes out has a row for each token.",
        ((128, 64), (128, 128), (128, 64), (768, 768)): "All but the last. That would be the output matrix. "
        "Side by side there is still one row for each token.",
        ((128, 64), (128, 128), (128, 64), (128, 12, 64)): "All but the last. Side by side means one long row for each "
        "token, not a table.",
        ((128, 64), (128, 128), (128, 128), (128, 768)): "All but the third. The map mixes values, "
        "so the result is as wide as the values of one head.",
        ((64, 128), (128, 128), (64, 128), (768, 128)): "The sizes are right, but tokens are rows here: "
        "they come first.",
    },
)


def _each_place(answer, messages):
    """Each answer in which exactly one place is flipped -> its message."""
    return {tuple(a != (i == n) for i, a in enumerate(answer)): message for n, message in enumerate(messages)}


right_shape_without_output = Question(
    answer=(True, False, False, True),
    wrong=_each_place(
        (True, False, False, True),
        (
            "Look at the first: 8 heads of 64 are 512 columns side by side. How many should the output have?",
            "Look at the second: 8 heads of 128 are 1024 columns side by side. How many should the output have?",
            "Look at the third: 2 heads of 3 are 6 columns side by side. How many should the output have?",
            "Look at the fourth: 12 heads of 64 are 768 columns side by side. How many should the output have?",
        ),
    )
    | {
        (False, False, False, False): "Multiply heads and head_size in each row. "
        "Where the product is the model size, the joined results have the shape of an output.",
        (True, True, True, True): "Multiply heads and head_size in each row. The product is not always the model size.",
        (True, False, True, False): "Look at the third and the fourth: 2 heads of 3 are 6 columns side by side, "
        "and 12 heads of 64 are 768. How many should the output have?",
        (False, True, True, False): "You marked the layers where the shape gives the mistake away. "
        "The question is where the shape is right.",
    },
)
parameters_of_512 = Question(
    answer=(1_048_576, 1_050_624, 1_048_576),
    tolerance=1e-9,
    points=2,
    wrong={
        (1_048_576, 1_050_624, 2_097_152): "The first two are right. "
        "With 16 heads each is half as wide, so twice as many heads make no difference.",
        (1_048_576, 1_050_624, 524_288): "The first two are right. "
        "With 16 heads each is half as wide, but there are twice as many.",
        (1_048_576, 1_050_624, 1_050_624): "The first two are right, and so is the idea that 16 heads count like 8. "
        "But the third layer has no biases.",
        **{
            (8_388_608, 8_388_608 + biases, 16_777_216): "You counted every head as wide as the whole model. "
            "Eight heads make 512 columns together."
            for biases in (0, 4, 32, 512, 2048, 4096, 12_800, 16_384)
        },
        (1_048_576, 1_050_624, 16_777_216): "The first two are right. With 16 heads each is a sixteenth as wide.",
        (1_048_576, 1_048_580, 1_048_576): "A bias is a vector, not a single number: "
        "one number for each number that comes out.",
        (1_048_576, 1_049_088, 1_048_576): "You counted a single bias. Each of the four projections has one.",
        (1_048_576, 1_050_112, 1_048_576): "You counted three biases. The output projection has one too.",
        (
            1_048_576,
            1_048_832,
            1_048_576,
        ): "You counted four biases of one head. Each of the 8 heads has its own, and the output has one of 512.",
        (1_048_576, 1_049_280, 1_048_576): "You counted the biases of one head, and that of the output. "
        "Each of the 8 heads has its own.",
        **dict.fromkeys(
            ((1_050_000, 1_050_000, 1_050_000), (1_048_000, 1_050_000, 1_048_000), (1_050_000, 1_052_000, 1_050_000)),
            "These are rounded. Give exact numbers: the biases are so few that rounding hides them.",
        ),
        (2_048, 4_096, 2_048): "You added up rows. A matrix of 512 by 512 has 512 times 512 numbers.",
        (1_048_576, 1_061_376, 1_048_576): "You counted biases of 512 for each head. "
        "A head's bias has one number for each column of the head.",
        (1_048_576, 1_064_960, 1_048_576): "You counted biases of 512 for each head. "
        "A head's bias has one number for each column of the head, and the output has one bias for all heads.",
        (786_432, 787_968, 786_432): "You counted three projections. Which matrix comes after the heads?",
        (786_432, 788_480, 786_432): "Your matrices are those of queries, keys and values. "
        "Which matrix comes after the heads?",
        (262_144, 262_656, 262_144): "That is one square matrix. There are four projections.",
        (1_048_576, 1_048_576, 1_048_576): "Without biases that is right. How many numbers do four biases add?",
    },
)


# from memory: about earlier lessons, unmarked


remember_one_step_downhill = Question(
    answer=4.6,
    points=0,
    wrong={
        5.4: "That is a step uphill. The gradient says where the loss *rises*; lesson 04, *How a matrix learns*, "
        "goes the other way.",
        4.8: "Your slope is half as large as it should be: the square puts a factor in front. Lesson 04, *How a "
        "matrix learns*, has one like it, worked out.",
        4: "That is the gradient, or 5 minus 1. How long a step does the rate make of it? Look at `train` in "
        "lesson 04, *How a matrix learns*.",
        1: "You took off the whole gradient. The rate says how much of it makes one step: see `train` in "
        "lesson 04, *How a matrix learns*.",
        3: "There the loss is 0, and many steps lead close to it. One step is much shorter: see `train` in "
        "lesson 04, *How a matrix learns*.",
        0.4: "That is the length of the step. Where does it lead, if it starts at 5? See `train` in lesson 04, "
        "*How a matrix learns*.",
        4.9: "You took off the rate alone. A step is the rate times the gradient: see `train` in lesson 04, *How "
        "a matrix learns*.",
    },
    tolerance=1e-3,
)

remember_divided_by_too_much = Question(
    answer="a",
    points=0,
    wrong={
        "b": "That happens if nothing is divided at all. Division brings scores closer together: lesson 02, "
        "*What large scores do*, compares three ways.",
        "c": "Softmax looks at differences, and these are more than twenty times smaller than with the root. "
        "Lesson 02, *What large scores do*, compares three ways.",
    },
)
