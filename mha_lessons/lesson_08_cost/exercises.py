"""Lesson 08: what attention costs, and what people believe about it."""

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question, varied

from . import cases
from .properties import (
    a_count_is_a_sum_of_products,
    both_parts_cost_the_same,
    each_term_is_a_product_of_the_layer,
    every_size_counts,
    projections_grow_with_the_tokens,
    scores_and_mix_grow_with_their_square,
    the_crossing_is_found_for_every_size,
    twice_the_model_twice_the_crossing,
)

attention_flops = Exercise(
    mha_ref.attention_flops,
    cases.tokens_model,
    points=2,
    properties=(
        each_term_is_a_product_of_the_layer,
        a_count_is_a_sum_of_products,
        projections_grow_with_the_tokens,
        scores_and_mix_grow_with_their_square,
    ),
)
projection_flops = Step(mha_ref.projection_flops)
mixing_flops = Step(mha_ref.mixing_flops)
crossover_length = Exercise(
    mha_ref.crossover_length,
    cases.model_sizes,
    points=1,
    properties=(the_crossing_is_found_for_every_size, twice_the_model_twice_the_crossing, both_parts_cost_the_same),
)
score_bytes = Exercise(
    mha_ref.score_bytes,
    cases.batch_heads_tokens,
    points=1,
    properties=(every_size_counts,),
)


# questions


@varied(rows=(2, 3, 4, 5, 6), inner=(3, 2, 4, 5, 6, 7), columns=(4, 3, 5, 6, 7, 8, 10))
def product_flops(rows, inner, columns):
    """how many FLOPs does a $({rows}, {inner})$ matrix times a $({inner}, {columns})$ matrix take?"""
    result, first, second = rows * columns, rows * inner, inner * columns
    multiplications = rows * inner * columns
    return Question(
        answer=2 * multiplications,
        wrong={
            multiplications: f"{multiplications} is the number of multiplications. Each comes with an addition, "
            "which counts as well.",
            second: f"The second matrix has {second} numbers. Look at the result: how many numbers does it have, "
            "and what does each take?",
            result: f"{result} is the size of the result: {rows} rows, {columns} columns. "
            f"Each of these numbers is a sum of {inner} products.",
            first: f"The first matrix has {first} numbers. Look at the result: how many numbers does it have, "
            "and what does each take?",
            2 * result: f"That is two operations for each of the {result} numbers of the result. "
            "Each of them is a sum of several products: of how many?",
            2 * multiplications - result: f"You counted one addition too few in each sum of {inner} products. "
            f"The loop starts from 0, so it adds {inner} times.",
            4 * multiplications: f"{4 * multiplications} is twice too much. "
            "The factor 2 is for a multiplication and an addition, and occurs once.",
            first * second: f"You multiplied the sizes of the two matrices, {first} and {second}. "
            f"The size in the middle, {inner}, counts only once.",
            2 * first * second: f"You multiplied the sizes of the two matrices. The size in the middle, {inner}, "
            "counts only once.",
            first + second: "You added the sizes of the two matrices. "
            "Each number of the result takes several operations.",
            2 * (first + second): "You added the sizes of the two matrices, and doubled them. "
            f"The result has {result} numbers, which all take the same work. How much does one take?",
        },
    )


what_the_article_forgot = Question(
    answer="b",
    wrong={
        "a": "The table of six products has no heads, and your count agreed with torch's without them. "
        "Work out each of the article's three terms with the rule, and compare.",
        "c": "Softmax takes a few operations for each weight, and a map of 2048 by 2048 has 4 million weights. "
        "But 275 billion operations are missing. Look at the largest term.",
        "d": "Another unit is part of it, but that would give the same factor in all terms. "
        "Divide each of the article's terms by what the rule gives: is it the same factor everywhere?",
    },
)

share_of_projections = Question(
    answer=80,
    wrong={
        20: "20 % is the share of scores and mix. The question is about the other part.",
        0.8: "That is the right share as a fraction. The question asks for per cent.",
        0.2: "That is the share of scores and mix, as a fraction. The question asks for the projections, in per cent.",
        50: "You get half if you compare one projection with the two products of mixing, as in the article. "
        "How many projections are there?",
        75: "You get 75 % with three projections. The one at the end is the fourth.",
        66.7: "You get two thirds without the factors, as d of d + n. There are four projections, and two others.",
        33.3: "A third is n of d + n: the share of mixing, and without the factors. "
        "There are four projections, and two products of mixing.",
        25: "Scores and mix are 25 per cent of the *projections*. "
        "The question is how many per cent of the whole the projections are.",
        68.7: "68.7 GFLOP is what scores and mix take. The question asks for the projections, in per cent of 343.6.",
        274.9: "274.9 GFLOP is what the projections take. The question asks how many per cent of 343.6 that is.",
        400: "That is how the two parts compare, 4 to 1, as a percentage. The whole is both parts together.",
        4: "4 is the ratio of the two parts. What share of the whole does the larger one have?",
        88.9: "That is with only one product of mixing. Both the scores and the mix belong to the whole.",
    },
)

factor_for_eight_heads = Question(
    answer=1,
    wrong={
        8: "That would be true for heads of full width. These heads have d/8 features each, "
        "and a product with an eighth of the features takes an eighth of the work.",
        0.125: "One head alone takes an eighth of the mixing. But there are eight of them.",
        64: "Neither the number of heads nor their width counts twice. Each head has d/8 features; there are 8 heads.",
        0: "A factor of 0 would leave no work at all. The factor is what the old number is multiplied by.",
        7: "7 is how many heads are added. But all eight are narrower than the one was. What does a narrow one take?",
        2: "Nothing is done twice here: there are eight heads, each with an eighth of the features.",
        0.5: "Nothing is halved here: there are eight heads, each with an eighth of the features.",
        1 / 64: "An eighth of an eighth would be one head, if its features counted twice. There are eight heads, "
        "and each of the two products of mixing contains the features once.",
    },
)


# from memory: about earlier lessons, unmarked


remember_a_loss_that_deceives = Question(
    answer="a",
    points=0,
    wrong={
        "b": "Without positions the translator must guess the order, and some guesses were right: 20 to 30 % in "
        "our runs. See lesson 07, *Break it: no positions*.",
        "c": "A translator that never had this matrix was as good as the first one. See lesson 07, *Break it: "
        "take out W_O*.",
    },
)

remember_four_matrices = Question(
    answer=400,
    points=0,
    wrong={
        2000: "You gave each head the full width. Five heads share it, so each has 2 columns: see lesson 05, "
        "*What do eight heads cost?*",
        300: "Those are queries, keys and values. What mixes the results of the heads? See lesson 05, *What do "
        "eight heads cost?*",
        440: "You counted biases, and this layer has none. Lesson 05, *What do eight heads cost?*, has the table.",
        100: "That is one matrix of full width. How many are there? See lesson 05, *What do eight heads cost?*",
        80: "That is one head, with its rows of the output matrix. Here there are five: see lesson 05, *What do "
        "eight heads cost?*",
        60: "Those are three matrices of one head. Count all heads, and what mixes them: see lesson 05, *What "
        "do eight heads cost?*",
        40: "You multiplied the size by 4. A matrix has a number for each row and each column: see lesson 05, "
        "*What do eight heads cost?*",
    },
)
