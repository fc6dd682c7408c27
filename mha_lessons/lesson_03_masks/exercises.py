"""Lesson 03: who may look at what, and what people believe about it."""

import mha_ref
from autograder.exercise import Exercise, TestWriting
from autograder.question import Question
from mha_lessons.lesson_00_start_here.properties import (
    batch_items_do_not_touch_each_other,
    every_key_counts,
    outputs_lie_between_the_values,
    rows_do_not_touch_each_other,
    twice_the_values_twice_the_output,
)
from mha_lessons.lesson_01_softmax.properties import weights_are_not_negative, weights_sum_to_one
from mha_lessons.lesson_02_scaled_dot_product.cases import causal
from mha_lessons.lesson_02_scaled_dot_product.properties import keys_with_their_values_may_be_shuffled

from . import cases
from .properties import (
    blocked_keys_have_no_weight,
    blocked_keys_lose_to_every_score,
    each_query_sees_one_key_more,
    earlier_keys_stay_visible,
    no_key_is_skipped,
    numbers_in_blocked_keys_change_nothing,
    rows_allow_as_many_keys_as_lengths_say,
    rows_with_nothing_allowed_are_zero,
    the_future_has_no_influence,
    the_last_query_sees_every_key,
    the_past_has_influence,
    the_past_may_be_shuffled,
)

causal_mask = Exercise(
    mha_ref.causal_mask,
    cases.sizes,
    points=2,
    properties=(
        no_key_is_skipped,
        the_last_query_sees_every_key,
        earlier_keys_stay_visible,
        each_query_sees_one_key_more,
    ),
)
masked_softmax = Exercise(
    mha_ref.masked_softmax,
    cases.scores_mask,
    points=3,
    properties=(
        rows_with_nothing_allowed_are_zero,
        blocked_keys_have_no_weight,
        numbers_in_blocked_keys_change_nothing,
        weights_are_not_negative,
        weights_sum_to_one,
        rows_do_not_touch_each_other,
        batch_items_do_not_touch_each_other,
    ),
    remarks=(blocked_keys_lose_to_every_score,),
)
masked_attention = Exercise(
    mha_ref.masked_attention,
    cases.query_key_value_mask,
    points=2,
    properties=(
        rows_with_nothing_allowed_are_zero,
        numbers_in_blocked_keys_change_nothing,
        batch_items_do_not_touch_each_other,
        rows_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        every_key_counts,
        keys_with_their_values_may_be_shuffled,
    ),
)
causal_attention = Exercise(
    mha_ref.causal_attention,
    causal,
    points=2,
    properties=(
        the_future_has_no_influence,
        the_past_has_influence,
        the_past_may_be_shuffled,
        batch_items_do_not_touch_each_other,
        twice_the_values_twice_the_output,
        outputs_lie_between_the_values,
    ),
)
padding_mask = Exercise(
    mha_ref.padding_mask,
    cases.lengths_keys,
    points=2,
    properties=(rows_allow_as_many_keys_as_lengths_say,),
)
test_causal_attention = TestWriting(
    causal_attention,
    catches=(
        "forgets_the_causal_mask",
        "sees_one_token_ahead",
        "zeroes_after_softmax",
        "hides_the_last_key_only",
        "does_not_see_itself",
        "starts_at_the_top_left",
    ),
    points=3,
)


# what to predict, to calculate, to choose


masked_row = Question(
    answer=(0.5, 0.5, 0.0, 0.0),
    wrong={
        (0.25, 0.25, 0.0, 0.0): "You let four keys share, then removed two of them, and half of the whole is lost. "
        "The mask comes first: how many keys are there to share the whole?",
        (0.5, 0.5, 0.5, 0.5): "Your row sums to 2, but a query has only one whole to give. "
        "The two allowed keys are right; what is left for the blocked ones?",
        (0.25, 0.25, 0.25, 0.25): "That is the row without a mask. The query may not look at two of the four keys, "
        "so what do they get?",
        (0.0, 0.0, 0.5, 0.5): "You gave the whole to the blocked keys. True means that a key may be looked at.",
        (1.0, 1.0, 0.0, 0.0): "Those are the permissions, not yet the shares. A query has one whole to give, and "
        "two keys share it.",
        (0.3655, 0.3655, 0.1345, 0.1345): "You gave blocked keys a score of 0. The exponential of 0 is 1, so they "
        "still take a share.",
        (1 / 3, 1 / 3, 1 / 3, 0.0): "In your answer three keys share. How many True are in the row of the mask?",
        (1 / 3, 1 / 3, 0.0, 0.0): "Your row sums to 2/3. Two keys share one whole: how much is that for each?",
        (0.731, 0.731, 0.0, 0.0): "You computed each weight by itself. Softmax divides one whole among the allowed "
        "keys: the row sums to 1.",
    },
)
zeroing_after_softmax = Question(
    answer="b",
    wrong={
        "a": "Its weight is exactly 0, and 0 times any finite value is 0. The value of a blocked key changes nothing. "
        "What else does a token have, besides its value?",
        "c": "It is true that the blocked weights are 0. But look at the allowed ones: by what were they divided?",
    },
)
equal_sizes_trap = Question(
    answer="c",
    wrong={
        "a": "NumPy complains only if two lengths differ and neither is 1. Here every length is 4, so what could it "
        "complain about?",
        "b": "That was the intention. But shapes are lined up from the right, so a mask of two axes meets queries "
        "and keys. The batch is the axis before them.",
    },
)
causal_row = Question(
    answer=(True, True, True, False, False),
    wrong={
        (True, False, False, False, False): "That is the first of 5 queries. Here there are 3, and the last one "
        "lines up with the last key. Where is the first one?",
        (True, True, False, False, False): "Nearly: you left out the key at the query's own position, or counted "
        "one too few.",
        (True, True, True, True, False): "One too many. With 3 queries and 5 keys the queries are at positions 2, 3 "
        "and 4, counted from 0; you took the second of them.",
        (False, False, False, True, True): "You marked what is hidden. True means that the query may look.",
        (False, False, True, True, True): "You marked the query's own position and the future. "
        "The past is to the left.",
        (True, True, True, True, True): "That is the last query, which sees everything. The question is about the "
        "first one.",
        (False, False, True, False, False): "You marked the query's own position. "
        "It may also look at everything before it.",
    },
)
first_causal_output = Question(
    answer=(0.5, 0.0),
    wrong={
        (0.146022, 0.049642): "That is the first row without a mask, as in lesson 02. Which keys may the first token "
        "look at?",
        (0.15, 0.05): "That is the mean of all four values, and of the first two as well. "
        "Which keys may the first token look at?",
        (0.147965, 0.048996): "That is the last row, which sees all four keys. How many does the first one see?",
        (0.2, 0.0): "That is the mean of the first three values. Which keys may the first token look at?",
        (0.462543, 0.537457): "Those are weights, in the row that may look at two keys. "
        "How many may the first token look at, and what is in its output?",
        (0.0, 0.2): "That is the last value. The first token is at the first position.",
        (1.0, 0.0): "The weights of the first row do begin with 1. What does a weight of 1 make of the first value?",
        (0.0, 0.0): "The first token may look at one key: its own. So its output is not empty.",
    },
)
when_a_decoder_is_causal = Question(
    answer="c",
    wrong={
        "a": "While it writes, the words to come do not exist yet. "
        "In training the whole sentence is visible: what would the model do with it?",
        "b": "In training it is needed most. But look at the second layer while the model writes: "
        "it works on the first layer's outputs for the old words. What would these be if old words could see new ones?",
        "d": "Without it, each position in training sees the very word that it has to predict.",
    },
)


# from memory: about earlier lessons, unmarked


remember_doubled_value = Question(
    answer="a",
    points=0,
    wrong={
        "b": "Nothing is ever compared with a value, so the weights stay. But what do they mix? Lesson 02, "
        "*Three roles*, tells the label of a book from its text.",
        "c": "The output does change. But a weight says how well a key fits, and no key has changed. Lesson 02, "
        "*Three roles*, tells the label of a book from its text.",
    },
)

remember_what_arrives = Question(
    answer=(2.0, 3.0),
    points=0,
    wrong={
        (8, 4): "You added up the two values whole. Multiply each by its weight first, as in lesson 00, *A weighted "
        "mean*.",
        (4, 2): "You gave each key one half. Here the weights are 0.25 and 0.75: see lesson 00, *A weighted mean*.",
        (6, 1): "You exchanged the weights: the first value gets only 0.25. Lesson 00, *A weighted mean*, has the "
        "formula.",
        5: "You added up the two features. Features never mix, says lesson 00, *A weighted mean*, so two "
        "numbers arrive.",
        (1, 1.5): "You divided by the number of keys as well. The weights already add up to 1, says lesson 00, *A "
        "weighted mean*.",
    },
)


# to predict before a run, unmarked


predict_one_more_key = Question(
    answer="c",
    points=0,
    wrong={
        "a": "The new key takes a share of the whole. The row sums to 1 before and after, so who gives it that share?",
        "b": "Softmax runs along each row by itself. What do the other rows know of this button?",
    },
)
