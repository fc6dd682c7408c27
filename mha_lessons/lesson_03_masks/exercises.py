"""Lesson 03: who may look at what, and what people believe about it."""

from itertools import product

import mha_ref
from autograder.exercise import Exercise, Question, TestWriting
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
    nothing_forbidden_gets_allowed,
    numbers_in_blocked_keys_change_nothing,
    order_of_masks_does_not_matter,
    rows_allow_as_many_keys_as_lengths_say,
    rows_with_nothing_allowed_are_zero,
    the_future_has_no_influence,
    the_last_query_sees_every_key,
    the_past_has_influence,
    the_past_may_be_shuffled,
    what_both_allow_stays_allowed,
)

# do you remember lessons 01 and 02?

remember_the_scores = Question(
    answer=(4, 3, 5),
    points=0,
    wrong={
        (4, 5, 3): "That has a row for each key. Whoever asks has a row, and those are the queries. "
        "Look at lesson 02, *Similarity*.",
        (4, 3, 6): "6 is the number of features, and the dot product sums over them. "
        "What is left of a query and a key is one number. Look at lesson 02, *Similarity*.",
        (4, 5, 6): "That is the shape of the keys. The product is about pairs: how well does this key fit that query? "
        "Look at lesson 02, *Similarity*.",
        (3, 5): "That is one item of the batch, and there are four. `@` does the same for each item in front. "
        "Look at lesson 02, *Write the scores*.",
        (4, 4, 3, 5): "That would pair each item of the batch with each other one. "
        "The queries of an item meet the keys of the same item. Look at lesson 02, *Write the scores*.",
    },
)

remember_a_new_value = Question(
    answer="c",
    points=0,
    wrong={
        "a": "Scores compare queries with keys, and these are as they were. The value is what is taken home. "
        "Look at lesson 02, *Three roles*.",
        "b": "The weights stay, that is true. But what they mix are the values, and one of them is new. "
        "Look at lesson 02, *Mix the values*.",
    },
)

remember_the_lost_axis = Question(
    answer="a",
    points=0,
    wrong={
        "b": "That was the plan. But the three sums have the shape (3,), and from the right their 3 meets 4 columns. "
        "Look at lesson 01, *Rows, axes and keepdims*.",
        "c": "That would take four sums, one for each column. `axis=-1` walks along the rows, and makes three. "
        "Look at lesson 01, *Rows, axes and keepdims*.",
    },
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
padding_mask = Exercise(
    mha_ref.padding_mask,
    cases.lengths_keys,
    points=2,
    properties=(rows_allow_as_many_keys_as_lengths_say,),
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
combine_masks = Exercise(
    mha_ref.combine_masks,
    cases.two_masks,
    points=1,
    properties=(nothing_forbidden_gets_allowed, what_both_allow_stays_allowed, order_of_masks_does_not_matter),
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


def _slips(answer, choices, messages):
    """Every other answer that one can choose, place by place -> what to say of the first place that differs."""
    others = (given for given in product(choices, repeat=len(answer)) if given != answer)
    return {given: next(m for m, g, a in zip(messages, given, answer) if g != a) for given in others}


masked_row = Question(
    answer=(0.5, 0.5, 0.0, 0.0),
    wrong={
        (0.25, 0.25, 0.0, 0.0): "You let four keys share, then took two of them out; half of the whole is lost. "
        "The mask comes first: how many keys are there to share the whole?",
        (0.5, 0.5, 0.5, 0.5): "Your row sums to 2, and a query has one whole to give. "
        "The two allowed keys are as you say; what is left for the blocked ones?",
        (0.25, 0.25, 0.25, 0.25): "That is the row without a mask. Two of the four keys may not be looked at, so what "
        "do they get?",
        (0.0, 0.0, 0.5, 0.5): "You gave the whole to the blocked keys. True means that a key may be looked at.",
        (1.0, 1.0, 0.0, 0.0): "Those are the permissions, not yet the shares. A query has one whole to give away, and "
        "two keys share it.",
        (0.3655, 0.3655, 0.1345, 0.1345): "You gave blocked keys a score of 0. The exponential of 0 is 1, so they "
        "still take a share.",
        (1 / 3, 1 / 3, 1 / 3, 0.0): "Three keys share in your answer. How many True stand in the row of the mask?",
        (1 / 3, 1 / 3, 0.0, 0.0): "Your row sums to 2/3. Two keys share one whole: how much is that for each?",
        (0.731, 0.731, 0.0, 0.0): "Each weight was made by itself. Softmax divides one whole among the allowed keys: "
        "the row sums to 1.",
    },
)
a_billion_less = Question(
    answer=("a", "b", "c"),
    wrong=_slips(
        ("a", "b", "c"),
        "abc",
        (
            "Look at float16 first. Its largest number is 65504: what is -1e9 then, and what is that minus itself?",
            "float16 is as you say. Near a billion, float32 numbers are 64 apart: "
            "is there room for the differences between 2, 1 and 0?",
            "float16 and float32 are as you say. Near a billion, float64 numbers are 0.0000001 apart: "
            "what becomes of the differences between 2, 1 and 0?",
        ),
    )
    | {
        ("b", "b", "b"): "*Filling* every place with -1e9 would do that, except in float16. "
        "Here -1e9 is added, and float64 still has digits left for the 2, the 1 and the 0. And float16 has no -1e9.",
        ("a", "a", "a"): "NaN needs an infinity here. -1e9 is an ordinary number for float32 and float64.",
        ("c", "c", "c"): "In exact arithmetic, yes: the same number added to every score changes nothing. "
        "But float32 and float16 cannot hold the sum exactly; compare it with the gaps above.",
        ("c", "b", "a"): "The order is float16, float32, float64: the least exact first.",
    },
)
zeroing_after_softmax = Question(
    answer="b",
    wrong={
        "a": "Its weight is exactly 0, and 0 times any finite value is 0. The value of a blocked key changes nothing. "
        "What else does a token bring, beside its value?",
        "c": "The blocked weights are 0, that is true. But look at the allowed ones: by what were they divided?",
    },
)
masks_that_fit = Question(
    answer=(True, True, True, False, False),
    wrong=_slips(
        (True, True, True, False, False),
        (True, False),
        (
            "Look at the first, (5, 5). Axes that are missing in front are added by broadcasting, so it fits.",
            "Look at the second, (1, 1, 5, 5). An axis of length 1 fits any length.",
            "Look at the third, (2, 1, 1, 5). Its batch meets the batch, its keys meet the keys, "
            "and an axis of length 1 fits any length.",
            "Look at the fourth, (2, 5). From the right, 5 meets 5 keys, and then 2 meets 5 queries.",
            "Look at the fifth, (2, 5, 5). From the right, the third pair is 2 and 8 heads. "
            "NumPy does not know that you meant the batch.",
        ),
    )
    | {
        (True, True, True, True, True): "Line up the last two from the right. "
        "(2, 5) puts 2 beside the 5 queries, and (2, 5, 5) puts 2 beside the 8 heads. "
        "Equal, or 1: nothing else fits.",
    },
)
equal_sizes_trap = Question(
    answer="c",
    wrong={
        "a": "NumPy complains only if two lengths differ and neither is 1. Here every length is 4: what could it "
        "complain about?",
        "b": "That is what was meant. But shapes are lined up from the right, and a mask of two axes meets queries "
        "and keys. The batch is the axis before.",
    },
)
causal_row = Question(
    answer=(True, True, True, False, False),
    wrong={
        (True, False, False, False, False): "That is the first of 5 queries. Here there are 3, and the last one "
        "stands at the last key. Where does the first one stand?",
        (True, True, False, False, False): "Nearly: you have left out the key at the query's own place, or counted "
        "one place too few.",
        (True, True, True, True, False): "One too many. With 3 queries and 5 keys the places are 2, 3 and 4, counted "
        "from 0; you took the second of them.",
        (False, False, False, True, True): "You marked what is hidden. True means that the query may look.",
        (False, False, True, True, True): "You marked the query's own place and the future. The past is to the left.",
        (True, True, True, True, True): "That is the last query, which sees everything. The question is about the "
        "first one.",
        (False, False, True, False, False): "You marked the query's own place. Everything before it may be looked at "
        "too.",
    },
)
shape_of_both_masks = Question(
    answer=(3, 1, 5, 5),
    wrong={
        (3, 1, 1, 5): "That is the padding mask alone. It has one row for all queries; the causal mask has a row for "
        "each.",
        (5, 5): "That is the causal mask alone. Each of the 3 sentences has padding of its own, so the batch stays.",
        (3, 5, 5): "The sizes are right, but broadcasting never takes an axis away. What happens to the 1 for the "
        "heads?",
        (3, 5, 5, 5): "The heads' axis is 1 in the padding mask, and the causal mask has none: "
        "a missing axis counts as 1. Where should a 5 come from?",
        (1, 1, 5, 5): "The batch of the padding mask is 3, and an axis of length 1 is stretched to it.",
        (3, 3, 5, 5): "The heads' axis is 1 in the padding mask, and missing in the causal one. Where should a second "
        "3 come from?",
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
        (0.462543, 0.537457): "Those are weights, of the row that may look at two keys. "
        "How many may the first token look at, and what does its output hold?",
        (0.0, 0.2): "That is the last value. The first token stands at the first place.",
        (1.0, 0.0): "The weights of the first row begin with 1, that is right. What does a weight of 1 make of the "
        "first value?",
        (0.0, 0.0): "The first token may look at one key: its own. So there is something to hand over.",
    },
)
leaking_line = Question(
    answer=3,
    wrong={
        0: "The lines are numbered from 1 to 5, in the comments at their ends.",
        1: "This line counts the tokens, and counts them well: they lie on the axis before the last one.",
        2: "The scores of all pairs are needed; nothing is hidden yet, and nothing has to be. Look at what decides "
        "who sees whom.",
        4: "This line hides what the mask forbids, and does it before softmax, as it should. Is the mask right?",
        5: "Softmax and mean are as they should be. Something in front of them allows too much.",
    },
)
when_a_decoder_is_causal = Question(
    answer="c",
    wrong={
        "a": "While it writes, the words to come do not exist yet. "
        "In training the whole sentence lies on the table: what would the model do with it?",
        "b": "In training it is needed most. But look at the second layer while the model writes: "
        "it reads what the first one made of the old words. What would that be, if they could see the new ones?",
        "d": "Without it, each place in training sees the very word it has to predict.",
    },
)
