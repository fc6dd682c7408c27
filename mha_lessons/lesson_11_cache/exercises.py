"""Lesson 11: what is kept while a model writes, and what people believe about it."""

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question

from . import cases
from .properties import (
    a_group_sees_its_own_head_alone,
    all_that_was_kept_is_seen,
    copies_are_neighbours,
    every_size_doubles_the_bytes,
    the_first_tokens_do_not_see_the_last,
    the_newest_tokens_are_kept_last,
)

append_tokens = Step(mha_ref.append_tokens)
attend_with_cache = Exercise(
    mha_ref.attend_with_cache,
    cases.pieces,
    points=4,
    library="torch",
    properties=(
        the_newest_tokens_are_kept_last,
        all_that_was_kept_is_seen,
        the_first_tokens_do_not_see_the_last,
    ),
)
cache_bytes = Exercise(
    mha_ref.cache_bytes,
    cases.sizes_of_a_cache,
    points=2,
    properties=(every_size_doubles_the_bytes,),
)
repeat_heads = Exercise(
    mha_ref.repeat_heads,
    cases.heads_repeats,
    points=2,
    library="torch",
    properties=(copies_are_neighbours,),
)
grouped_query_attention = Exercise(
    mha_ref.grouped_query_attention,
    cases.groups,
    points=3,
    library="torch",
    properties=(a_group_sees_its_own_head_alone,),
)


# what to predict, to calculate, to choose

seen_by_one_query = Question(
    answer=10,
    tolerance=1e-3,
    wrong={
        50: "That is the value of the newest token. torch aligns its mask at the top left: "
        "which key does row 0 of a triangle see?",
        30: "That is the mean of all five, as a mask aligned at the bottom right would give. "
        "`is_causal=True` aligns at the top left: how much of row 0 of a triangle is True?",
        150: "That is the sum. Attention gives a mean, and here it is over fewer than five values.",
        0: "The row is not empty: at the top left, query 0 sees key 0.",
    },
)
broken_by_the_next_token = Question(
    answer="c",
    wrong={
        "a": "Rounding is there from the first token on, and it has not changed a letter so far. "
        "What happens once 128 tokens are there, and not before?",
        "b": "The cache holds all 128, and could hold more. Without a cache, the model is shown the newest 128. "
        "At which position does it find the second token of the text now?",
        "d": "The mask hides nothing from the newest token. What else tells the model where a token is?",
    },
)
factor_for_the_cache = Question(
    answer=1,
    wrong={
        2: "There are twice as many heads, but each is half as large. "
        "The cache holds keys and values, and no attention patterns.",
        0.5: "Each head is half as large, but there are twice as many.",
        4: "The number of heads enters once, and the head size undoes it.",
        0.25: "The head size enters once, and the number of heads undoes it.",
        64: "64 is the number of heads in the second model. By what factor does the whole product change?",
        32: "32 is the number of heads in the first model. By what factor does the whole product change?",
    },
)
texts_at_a_time = Question(
    answer=56,
    tolerance=0,
    wrong={
        14: "That many would fit with 32 key-value heads. This model has 8.",
        64: "The weights need their share as well: 16 GiB of the 72. What is left?",
        72: "The weights need their share as well. How much memory is left for the texts?",
        4.5: "You divided by 16, which is what the weights take, and they are there only once. Each text takes 1 GiB.",
        16: "The weights take 16 GiB. How much is left for texts, at 1 GiB each?",
        57: "You are close. How much is 72 - 16?",
    },
)


# from memory: about earlier lessons, unmarked


remember_where_induction_looks = Question(
    answer=1,
    points=0,
    wrong={
        0: "There is the earlier *d*. What does an induction head want to know about it? See lesson 10, *Two "
        "heads that work together*.",
        3: "There is the token just before the query, where a previous-token head looks. Lesson 10, *Two heads "
        "that work together*, has the other kind.",
        4: "That is the query itself, and it knows its own token already. See lesson 10, *Two heads that work "
        "together*.",
        2: "One too far. Look for the earlier copy of the query's token, and read on from there: see lesson "
        "10, *Two heads that work together*.",
    },
    tolerance=1e-3,
)

remember_a_short_text = Question(
    answer="c",
    points=0,
    wrong={
        "a": "Softmax takes a few operations for each score, far fewer than the products of matrices do. Lesson "
        "08, *Counting operations*, leaves it out.",
        "b": "They grow with the square of the text, and for long texts they win. Is 500 long, beside 4,000? See "
        "lesson 08, *Where n rules, and where d does*.",
    },
)
