"""Lesson 13: attention in blocks, and half precision."""

import math

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question, slips

from . import cases
from .properties import (
    it_lies_above_the_largest_score,
    it_moves_with_the_scores,
    no_query_looks_ahead,
    the_last_key_counts,
    the_size_of_the_blocks_changes_nothing,
)

log_sum_exp = Exercise(
    mha_ref.log_sum_exp,
    cases.scores_axis,
    points=2,
    library="torch",
    forbids=("logsumexp",),
    properties=(it_lies_above_the_largest_score, it_moves_with_the_scores),
)
merge_attention = Exercise(mha_ref.merge_attention, cases.two_parts, points=3, library="torch")
attention_in_blocks = Exercise(
    mha_ref.attention_in_blocks,
    cases.sequences_block,
    points=4,
    library="torch",
    forbids=("scaled_dot_product_attention",),
    properties=(the_size_of_the_blocks_changes_nothing, the_last_key_counts, no_query_looks_ahead),
    too_many=cases.table_of_all_scores,
    pieces=cases.blocks_of_single_keys,
)
block_mask = Step(mha_ref.block_mask)
partial_attention = Step(mha_ref.partial_attention)


# what to predict and to calculate


lse_of_two_thousands = Question(
    answer=1000 + math.log(2),
    tolerance=1e-5,
    wrong={
        1000: "That is one of the two scores. The sum holds both exponentials, so its logarithm is a little larger.",
        2000: "That is the sum of the scores. Here the exponentials are summed: e^1000 + e^1000 = 2 · e^1000.",
        1002: "2 · e^1000 is the sum. What does the logarithm make of the factor 2?",
        1001: "2 · e^1000 is the sum. To the base 2, the logarithm of 2 is 1; here the base is e.",
        math.inf: "A float overflows on the way, but the result is an ordinary number. Take e^1000 out of the sum.",
        2 * math.exp(1): "Subtracting 1000 leaves two scores of 0, and e^0 is 1. Then the 1000 has to come back.",
        math.log(2): "That is right for two scores of 0. What was subtracted has to come back.",
        1000 * math.log(2): "The logarithm of a product is a sum: log(2 · e^1000) = log 2 + ...",
        1000 + math.log10(2): "You took the logarithm to the base 10. The one that undoes `exp` has the base e.",
    },
)
share_of_the_second_part = Question(
    answer=0.75,
    tolerance=1e-3,
    wrong={
        0.25: "That is the share of the first part. A larger log-sum-exp means a larger share.",
        0.5: "Half each would be right for two equal log-sum-exps. Which sums do these two stand for?",
        3.0: "The second sum is three times the first. What part of the whole is that?",
        1 / 3: "The first sum is a third of the second. What part of the *whole* is the second?",
        2 / 3: "The whole is both sums together: one part and three parts.",
        (2 + math.log(3)) / (4 + math.log(3)): "You shared by the logarithms. Compare what they are logarithms of: "
        "e^2 and 3 · e^2.",
        1.0: "The larger part gets more, but the smaller one still gets some.",
    },
)
mebibytes_of_a_block = Question(
    answer=16,
    tolerance=1e-3,
    wrong={
        4096: "That is the whole table of 32,768 × 32,768. Here only 128 of its columns exist at a time.",
        4: "You counted numbers. Each takes four bytes in float32.",
        1 / 16: "That is a tile of 128 × 128. Here all 32,768 queries meet the 128 keys of a block.",
        16777216: "In bytes that is right. A MiB is 2^20 bytes.",
        16.777216: "You divided by a million. A MiB is 2^20 bytes.",
        16384: "In KiB that is right. A MiB is 1,024 of them.",
        32: "Each number takes four bytes in float32, not eight.",
        8: "Each number takes four bytes in float32, not two.",
        2: "Each number takes four bytes: did you divide by eight somewhere?",
        0.5: "How many rows does the table of a block have? All queries meet its keys.",
        64: "There are 32,768 × 128 numbers, of four bytes each. Did you count the four twice?",
    },
)
tiles_to_skip = Question(
    answer=28,
    tolerance=0,
    wrong={
        32: "Half of 64 would mean cutting the diagonal in two. Each tile on the diagonal has some allowed pairs.",
        36: "That is how many tiles have something to compute. The rest can be skipped.",
        56: "Those are all tiles off the diagonal. The ones below it hold the past.",
        64: "The tiles on the diagonal and below it have allowed pairs.",
        8: "That is the diagonal, where the mask cuts through. Which tiles are wholly in the future?",
        7: "That is the first row of tiles alone. The second row has six more, and so on.",
        21: "Count again from the first row of tiles: 7, then 6, then 5, down to 0.",
        0: "Take the first 1,024 queries and the last 1,024 keys. Which of these pairs is allowed?",
    },
)
a_billion_less = Question(
    answer=("a", "b", "c"),
    wrong=slips(
        ("a", "b", "c"),
        "abc",
        (
            "Look at float16 first. Its largest number is 65504: what is -1e9 then, and what is that minus itself?",
            "You are right about float16. Near a billion, float32 numbers are 64 apart: "
            "is there room for the differences between 2, 1 and 0?",
            "You are right about float16 and float32. Near a billion, float64 numbers are 0.0000001 apart: "
            "what becomes of the differences between 2, 1 and 0?",
        ),
    )
    | {
        ("b", "b", "b"): "*Filling* in -1e9 for every score would do that, except in float16, which has no -1e9. "
        "Here -1e9 is added, and float64 still has digits left for the 2, the 1 and the 0.",
        ("a", "a", "a"): "NaN needs an infinity here. -1e9 is an ordinary number for float32 and float64.",
        ("c", "c", "c"): "In exact arithmetic, yes: adding the same number to every score changes nothing. "
        "But float32 and float16 cannot hold the sums exactly; compare them with the gaps in the table.",
        ("c", "b", "a"): "The order is float16, float32, float64: the least exact first.",
    },
)


# from memory: about earlier lessons, unmarked


remember_what_is_new_beyond = Question(
    answer="a",
    points=0,
    wrong={
        "b": "That is what breaks the learned table. A rotary score does not know where two tokens are: see "
        "lesson 12, *Turn, do not add*.",
        "c": "It does well on the same text, cut into pieces of 64. What is there in a longer piece that no "
        "short one has? See lesson 12, *Turn, do not add*.",
    },
)

remember_the_token_before = Question(
    answer=0.7,
    points=0,
    wrong={
        1.4 / 3: "You divided by 3. Query 0 has no token before it, so it does not count: see lesson 10, *What does "
        "it look at?*",
        1.4: "You added up the right weights. The score is their mean: see lesson 10, *What does it look at?*",
        0.5: "That is the mean of what each query gives to *itself*. Lesson 10, *What does it look at?*, shows a "
        "stripe beside the diagonal.",
        0.25: "That is what queries 1 and 2 give to themselves, on average. Lesson 10, *What does it look at?*, "
        "shows a stripe beside the diagonal.",
        0.8: "That is query 1. Query 2 has a token before it, too: see lesson 10, *What does it look at?*",
        0.6: "That is query 2. Query 1 has a token before it, too: see lesson 10, *What does it look at?*",
    },
)


# to predict before a run, unmarked


predict_the_peaks = Question(
    answer=(4, 2),
    points=0,
    wrong={
        (2, 4): "The two numbers are right. Which of the two holds a whole table of queries and keys?",
        (2, 2): "The second is right. Plain attention holds a table that gets higher and wider, both by a factor of 2.",
        (4, 4): "The first is right. Your function holds the scores of one block: all queries, but how many keys?",
        (4, 1): "The first is right. A block has as many columns as before, but how many rows does it have now?",
        (2, 1): "For both, think of a table with a row for each query. For plain attention it has a column for each "
        "key; for yours, one for each key of a block.",
    },
    tolerance=0.1,
)
