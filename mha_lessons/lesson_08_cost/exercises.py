"""Lesson 08: what attention costs, and what people believe about it."""

import mha_ref
from autograder.exercise import Exercise, Question, Step
from autograder.variants import short, varied

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
            multiplications: f"{multiplications} is the number of multiplications. Each is followed by an addition, "
            "and that counts as well.",
            second: f"The second matrix has {second} numbers. Look at the result: how many numbers has it, "
            "and what does each take?",
            result: f"{result} is the size of the result: {rows} rows, {columns} columns. "
            f"Each of these numbers is a sum of {inner} products.",
            first: f"The first matrix has {first} numbers. Look at the result: how many numbers has it, "
            "and what does each take?",
            2 * result: f"That is two operations for each of the {result} numbers of the result. "
            "Each of them is a sum of several products: of how many?",
            2 * multiplications - result: f"You counted one addition too few for a sum of {inner} products. "
            f"The loop starts from 0, so it adds {inner} times.",
            4 * multiplications: f"{4 * multiplications} is twice too much. "
            "The factor 2 stands for a multiplication and an addition, and comes once.",
            first * second: f"You multiplied the sizes of the two matrices, {first} and {second}. "
            f"The size in the middle, {inner}, counts once only.",
            2 * first * second: f"You multiplied the sizes of the two matrices. The size in the middle, {inner}, "
            "counts once only.",
            first + second: "You added the sizes of the two matrices. "
            "Each number of the result takes several operations.",
            2 * (first + second): "You added the sizes of the two matrices, and doubled them. "
            f"The result has {result} numbers, and each takes the same work. What does one take?",
        },
    )


what_the_article_forgot = Question(
    answer="b",
    wrong={
        "a": "Heads are in no row of the table of six products, and your count agreed with torch's without them. "
        "Work out each of the article's three terms with the rule, and compare.",
        "c": "Softmax takes a few operations for each weight, and a map of 2048 by 2048 has 4 million weights. "
        "What is missing are 275 billion operations. Look at the largest term.",
        "d": "Another unit is part of it, and it would give the same factor in all terms. "
        "Divide each of the article's terms by what the rule gives: is it the same factor everywhere?",
    },
)

share_of_projections = Question(
    answer=80,
    wrong={
        20: "20 % is the share of scores and mix. The question asks for the other part.",
        0.8: "That is the right share as a fraction. The question asks for per cent.",
        0.2: "That is the share of scores and mix, as a fraction. The question asks for the projections, in per cent.",
        50: "Half comes out if one projection is set against the two products of mixing, as in the article. "
        "How many projections are there?",
        75: "75 % comes out with three projections. The one at the end is the fourth.",
        66.7: "Two thirds come out without the factors, d against d + n. There are four projections, and two others.",
        33.3: "A third is n against d + n: the share of mixing, and without the factors. "
        "There are four projections, and two products of mixing.",
        25: "25 is how many per cent of the *projections* scores and mix are. "
        "The question asks how many per cent of the whole the projections are.",
        68.7: "68.7 GFLOP is what scores and mix take. The question asks for the projections, in per cent of 343.6.",
        274.9: "274.9 GFLOP is what the projections take. The question asks how many per cent of 343.6 that is.",
        400: "That is how the two parts compare, 4 to 1, as a percentage. The whole is both parts together.",
        4: "4 is the ratio of the two parts. How large a share of the whole has the larger one?",
        88.9: "That is with one product of mixing, the scores or the mix. Both belong to the whole.",
    },
)

factor_for_eight_heads = Question(
    answer=1,
    wrong={
        8: "Eight times would be true for heads of full width. These heads have d/8 features each, "
        "and a product with an eighth of the features takes an eighth of the work.",
        0.125: "One head alone takes an eighth of the mixing. But there are eight of them.",
        64: "Neither the number of heads nor their width enters twice. Each head has d/8 features; there are 8 heads.",
        0: "A factor of 0 would leave no work at all. A factor says by what the old number is multiplied.",
        7: "7 is how many heads are added. But all eight are thinner than the one was. What does a thin one take?",
        2: "Nothing is done twice here: eight heads, and each has an eighth of the features.",
        0.5: "Nothing is halved here: eight heads, and each has an eighth of the features.",
        1 / 64: "An eighth of an eighth: that would be one head, if its features entered twice. There are eight heads, "
        "and in each of the two products of mixing the features are once.",
    },
)

megabytes_of_maps = Question(
    answer=32 * 8 * 128**2 * 4 / 1e6,
    wrong={
        16.0: "16.0 is in MiB, steps of 1024. In megabytes, a million bytes each, the number is a little larger.",
        256: "256 is the number of maps, and it is right. How many megabytes do they take?",
        4.19: "That is the millions of numbers. Each `float32` takes 4 bytes.",
        134.2: "That is in megabits. `float32` has 32 bits, which are 4 bytes.",
        4194304: "That is the number of scores, and right. How many bytes does each take, and how many MB is that?",
        8.39: "That is with 2 bytes a number, for `float16`. `float32` takes 4.",
        33.55: "That is twice too much, as with 8 bytes a number, for `float64`. `float32` takes 4.",
        0.524: "That is for one text. The batch has 32.",
        0.5: "That is for one text. The batch has 32.",
        67.1: "That is four times too much: the 4 bytes of a number are in twice. `score_bytes` has them already.",
        134217728: "That is in bits. A byte has 8 of them, and a megabyte is a million bytes.",
        2.097: "That is for one head. There are 8.",
        0.131: "That is one score for each token, in each of the 256 maps. A map has 128 rows *and* 128 columns.",
        0.0655: "That is a single map: one head of one text. There are 8 heads and 32 texts.",
        16777216: "That is in bytes, and right. A megabyte is a million of them.",
        0.0168: "That is in gigabytes. The question asks for megabytes.",
    },
    tolerance=2e-2,
)


@varied(tokens=((4096, 16384), (2048, 8192), (8192, 32768), (1024, 4096)), time=(100, 30, 40, 60, 70, 80, 90, 110, 120))
def milliseconds_of_a_longer_text(tokens, time):
    """Their text of {tokens[0]} tokens takes {time} ms.
    How many milliseconds will a text of {tokens[1]} tokens take?
    """
    shorter, longer = tokens
    return Question(
        answer=16 * time,
        wrong={
            4 * time: f"{4 * time} ms would be four times the wait for four times the tokens: a line that rises one "
            "step for each step to the right. The line *n squared* rises two.",
            2 * time: "That is one doubling, and as if the wait grew with the tokens only. "
            "How many doublings are there?",
            8 * time: f"Each doubling of the tokens takes the same factor. {shorter} to {longer} are two doublings; "
            "what does one take?",
            16: f"16 is the factor, and right. How many ms is that, if the shorter text takes {time}?",
            16 * time / 1000: "That is in seconds. The question asks for ms.",
            64 * time: "That is the factor for three doublings, or for n³. How many doublings are there?",
            256 * time: "The factor was squared once too often. Four times the tokens: how many times the pairs of "
            "tokens?",
            4: "4 is how many times more tokens there are. What does n² make of it, and how many ms is that?",
            time: "The longer text has four times as many tokens, and here each doubling costs more than double.",
            short(time / 4): "A longer text takes longer: here one must multiply, not divide.",
            32 * time: "That is twice too much. The tokens double two times; what does each doubling do to the time?",
            17 * time: f"The {time} ms of the shorter text came on top. "
            "The longer text takes a multiple of them, and no more.",
        },
        values=dict(shorter=shorter, longer=longer, one_doubling=2 * shorter, time_of_one_doubling=4 * time),
    )
