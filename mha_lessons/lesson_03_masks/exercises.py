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
    hints=(
        "Each query meets each key of its own item, and each meeting gives one number. "
        "So for each item there is a table with a row for each query and a column for each key. "
        "How many rows and columns has such a table here?",
        "`.mT` lets the last two axes of the keys change places. "
        "Write down the shape that they have then. "
        "Now put it to the right of the queries' shape, and look at the two lengths in the middle: they must agree. "
        "What stands outside of them?",
        "(4, 3, 6) @ (4, 6, 5): the two inner lengths meet and are gone. "
        "Each number of the result is a sum over the 6 features. "
        "The 4 in front counts the items of the batch, and each is computed alone. "
        "Which three lengths are left?",
    ),
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
    hints=(
        "Three roles: what I look for, what I offer, what I carry. "
        "Which of the three has changed? "
        "The first two decide who looks at whom, and how much. "
        "The third is what is handed over when that has been decided. "
        "What can the change still reach?",
        "Go through the formula from the inside: scores, weights, mean. "
        "Where does V come in? "
        "What is computed before that place cannot know of the change. "
        "What is computed there, or after it, can. "
        "Now read the three answers once more.",
        "V comes in at the end: the finished weights meet it there. "
        "Scores are made of queries and keys alone, and weights are made of scores. "
        "In which of the three answers do scores and weights stay as they were, while something else moves?",
    ),
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
    hints=(
        "First the shape of the sums: the axis that a sum walks along is gone afterwards. "
        "Each row of `powers` has four numbers, and its sum is one number. "
        "How many sums are there? "
        "Is there still an axis that says to which row each belongs?",
        "NumPy lines up two shapes from the right: (3, 4) and (3,). "
        "Which lengths meet? "
        "Write them below each other, with the right ends aligned, and look at the last column. "
        "In lesson 01 you kept an axis of length 1 with `keepdims`. "
        "Is it in this line?",
        "Two lengths fit if they are equal, or if one of them is 1. "
        "Do a 4 and a 3 fit? "
        "With as many rows as columns the line would run, and divide each column by another row's sum. "
        "Here the table has 3 rows and 4 columns.",
    ),
)

masked_softmax = Exercise(
    mha_ref.masked_softmax,
    cases.scores_mask,
    points=3,
    hints=(
        "Softmax has two parts: exponentials, and their sum. "
        "A blocked key must be missing from both, as if it had never been in the row. "
        "There is a score whose exponential is exactly 0, and it does this for you. "
        "Put it in place before softmax starts, not afterwards.",
        "Work in this order: replace the blocked scores, take the row's maximum, then exp, then the sum. "
        "Look at a row where nothing is allowed: what is its maximum, and what does a number minus itself give there? "
        "Such a row needs a decision of its own before exp, or before the division.",
        "`np.where(condition, a, b)` chooses number by number and broadcasts all three. "
        "The first line chooses between the score and minus infinity. "
        "For rows without a single True, exchange the maximum of minus infinity for 0: then all exponentials are 0. "
        "Last, keep a sum of 0 from dividing.",
    ),
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
    hints=(
        "A key is real if its position is smaller than the sentence's length, and positions count from 0. "
        "So the whole mask is one comparison: every position against every length. "
        "Broadcasting makes the table, as soon as positions and lengths lie along different axes.",
        "Positions lie along the last axis: there are `keys` of them, whatever the lengths are. "
        "Lengths lie along the first axis of four. "
        "Two axes of length 1 stand between them, for heads and for queries. "
        "Before all that, look at the lengths: is there one that cannot be right?",
        "`np.arange` gives the positions. "
        "`lengths[:, None]` adds an axis of length 1 at the end of lengths; you need three of these. "
        "Compare the two with the sign that leaves the position equal to the length out. "
        "Where one is above `keys`, raise an error, a ValueError say, with that length in its message.",
    ),
    properties=(rows_allow_as_many_keys_as_lengths_say,),
)
masked_attention = Exercise(
    mha_ref.masked_attention,
    cases.query_key_value_mask,
    points=2,
    hints=(
        "Masked attention is the attention of lesson 02 with one step exchanged. "
        "Scores as before; weights from the masked softmax in place of the plain one; the weighted mean as before. "
        "The mask touches neither keys nor values: it decides who gets a share.",
        "You have all the parts: `attention_scores`, your own `masked_softmax`, and `weighted_mean`. "
        "The new question is what to do when there is no mask. "
        "No mask means that every key is allowed, so the result is the plain attention of lesson 02.",
        "One way: if `mask` is None, use `softmax`, else `masked_softmax`, and mix the values with either. "
        "Another way: exchange None for a mask that is True everywhere, in the shape of the scores. "
        "Ask with `is None`, because `not mask` fails for an array.",
    ),
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
    hints=(
        "Give every query a place among the keys. "
        "The last query stands at the last key, the one before it at the last key but one, and so on back. "
        "A query may look at every key up to its own place, with its own place included.",
        "With 3 queries and 5 keys, the queries stand at the places 2, 3 and 4. "
        "By how much is each query's row number too small? "
        "Once each row knows its place, the mask is one comparison of places with key positions, rows against columns.",
        "Row i stands at place i plus the difference of the two sizes. "
        "Write the places as a column, shape (queries, 1), and the key positions as a row, shape (keys,). "
        "Compare them so that a key's position may equal the query's place but not exceed it. "
        "A comparison gives booleans by itself.",
    ),
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
    hints=(
        "Each mask is a list of permissions. "
        "A key may be looked at only if nobody forbids it, so both masks must say True. "
        "A mask of None says nothing at all: it forbids no key, and the other mask decides alone.",
        "Deal with None first; what is left then are two arrays. "
        "If one is None, the answer is the other one, and this covers two Nones as well. "
        'For two arrays you need "and", element by element; Python\'s word `and` looks at whole arrays and fails.',
        "Ask `first is None`, then `second is None`, and return the other one in each case. "
        'Two boolean arrays meet with the operator for element-wise "and". '
        "It broadcasts and keeps the result boolean. "
        "No loop, no sum, no conversion to numbers is needed.",
    ),
    properties=(nothing_forbidden_gets_allowed, what_both_allow_stays_allowed, order_of_masks_does_not_matter),
)
causal_attention = Exercise(
    mha_ref.causal_attention,
    causal,
    points=2,
    hints=(
        "Causal attention is masked attention with one particular mask. "
        "You have written both halves of it already; this exercise puts them together. "
        "What is left to find out is how large the mask must be, from the arrays that come in.",
        "The mask has one row for each query and one column for each key. "
        "How many there are stands in the shapes of `query` and `key`, on the axis before the features. "
        "Count that axis from the end: in front of it there may be a batch.",
        "Read the second size from the end of `query.shape` and of `key.shape`, and give both to `causal_mask`. "
        "Then hand query, key, value and the mask that comes back to `masked_attention`. "
        "The mask has two axes and broadcasts over whatever stands in front.",
    ),
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
    hints=(
        "A leak is an influence that should not be there. "
        "Run once, change one token, run again, and compare the two outputs row by row. "
        "Rows before the token must be equal. "
        "Rows from the token on must differ, or the version hides too much.",
        "One changed token is not enough: go through all of them in a loop. "
        "Change its key and its value, since some leaks go through the key alone. "
        "And take more keys than queries, or two different rules look the same to your test.",
        "With 3 queries and 5 keys, query i stands at place i + 2. "
        "So the first query to see key j is query j - 2, or query 0 where that is below 0. "
        "Assert `np.allclose` for the rows before that one. "
        "For each row from it on, assert that some number differs by more than rounding.",
    ),
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
    hints=(
        "Cross out the keys that may not be looked at. "
        "What is left is a softmax over fewer scores. "
        "In the formula a blocked key is missing twice: it has no share of its own, and it does not count in the sum "
        "below the line.",
        "Two keys are left, and their scores are equal. "
        "Softmax gives equal scores equal shares. "
        "Below the line stand only two exponentials now, not four. "
        "So what is one of them, divided by the sum of both? "
        "The score itself, here 1, plays no part.",
        "The shares of the keys that are left sum to 1; a key that was crossed out has 0. "
        "Write four numbers, in the order of the keys: two shares and two zeros. "
        "Then add them all up. "
        "Together they must be one whole, as in every row.",
    ),
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
    hints=(
        "Softmax looks at differences. "
        "Which of the three formats can still hold the differences between 2, 1 and 0 after the sum? "
        "A format has only so many numbers near a billion. "
        "What lies between two of them is rounded to one of the two.",
        "float16: is there a -1e9? float32: 64 from one number to the next. float64: 0.0000001 from one number to "
        "the next. "
        "Compare each of these steps with the 1 that lies between two of the scores. "
        "Where does a difference of 1 survive the sum?",
        "One has no -1e9 and gives NaN, one rounds all three to the same number, one keeps the differences. "
        "Equal scores give equal weights. "
        "Scores whose differences are kept give the weights of the row without a mask. "
        "Which format is which? "
        "The table tells.",
    ),
)
zeroing_after_softmax = Question(
    answer="b",
    wrong={
        "a": "Its weight is exactly 0, and 0 times any finite value is 0. The value of a blocked key changes nothing. "
        "What else does a token bring, beside its value?",
        "c": "The blocked weights are 0, that is true. But look at the allowed ones: by what were they divided?",
    },
    hints=(
        "Two things of a blocked token could matter: its key, which makes a score, and its value, which is mixed in. "
        "The zeros come after softmax and before the mix. "
        "Ask of each of the two whether it is used before the zeros come, or after.",
        "The value meets a weight of 0. "
        "The score was in softmax before the zeros came. "
        "Try it with two keys that have equal scores, and block the second. "
        "Which weight does the first key have now? "
        "Which one would it have alone?",
        "Write softmax as a fraction. "
        "In which half of it does the blocked score stand? "
        "All weights of a row are divided by the same sum. "
        "Let the blocked score grow: what happens to that sum, and to the weights that nobody has blocked?",
    ),
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
    hints=(
        "Write the two shapes below each other, with the right ends aligned. "
        "The scores are (2, 8, 5, 5), and that stands for batch, heads, queries, keys. "
        "Do it for each of the five masks, one after the other. "
        "Then every length of a mask has a partner above it.",
        "Two lengths fit if they are equal, or if one of them is 1. "
        "A missing axis in front counts as 1. "
        "One pair that does not fit is enough, and the whole mask is refused. "
        "In which masks do two different lengths meet, with no 1 among them?",
        "Go through the pairs from the right: keys with keys, then queries, then heads, then batch. "
        "In a mask with two axes the first one meets the queries. "
        "In a mask with three axes the first one meets the heads. "
        "Can a 2, meant for the batch, stand there?",
    ),
)
equal_sizes_trap = Question(
    answer="c",
    wrong={
        "a": "NumPy complains only if two lengths differ and neither is 1. Here every length is 4: what could it "
        "complain about?",
        "b": "That is what was meant. But shapes are lined up from the right, and a mask of two axes meets queries "
        "and keys. The batch is the axis before.",
    },
    hints=(
        "Write (4, 4) below (4, 4, 4), with the right ends aligned. "
        "Then name the axes: those of the scores are batch, queries, keys, and those of the mask were meant as "
        "batch, keys. "
        "Do the same names stand below each other?",
        "The last axis of the mask meets the keys. "
        "Which axis of the scores does its first one meet? "
        "NumPy knows lengths and no names. "
        "Here all lengths are 4, so it cannot see what was meant, and takes the mask as it stands.",
        "Row i of the mask belongs to sentence i, but it is used wherever the scores have index i on that axis. "
        "Take row 3, which allows one word only. "
        "In the first sentence, who is held back by it, and is that what was meant?",
    ),
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
    hints=(
        "Put the last query under the last key, and count back. "
        "The query before it stands one key earlier, and so on. "
        "There are more keys than queries here, so the first keys have no query of their own: they are words from "
        "earlier, and everybody may see them.",
        "The three queries stand at the places 2, 3 and 4, counted from 0. "
        "Draw five boxes for the keys, and write the queries below the last three of them. "
        "The first row of the mask is what the first of these queries may see.",
        "The first query sees its own place, and all places before it. "
        "Its own place is number 2, and we count from 0. "
        "Write True for each box from the left up to that place, and False for each box after it. "
        "You need five words.",
    ),
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
    hints=(
        "Write (3, 1, 1, 5) above (5, 5), with the right ends aligned. "
        "A key may be looked at only if both masks allow it, so each number of one meets a number of the other. "
        "Axes of length 1 are stretched for that. "
        "Which ones are they?",
        "The shorter shape gets ones in front: (1, 1, 5, 5). "
        "Then take the larger length of each pair. "
        "The padding mask says the same for all queries, and the causal mask says the same for all sentences. "
        "Together they need room for both.",
        "Batch 3, heads 1, and then 1 meets 5 and 5 meets 5. "
        "Where a 1 meets a 5, the 1 is stretched. "
        "Where a 1 meets a 1, it stays as it is: nobody has said how many heads there are. "
        "Write down four lengths, from left to right.",
    ),
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
    hints=(
        "How many keys may the first token look at? "
        "Nobody looks ahead, and nothing stands before it. "
        "Draw the causal mask for four tokens, a triangle of ones, and read its first row. "
        "Then ask how much softmax has to share out in this row.",
        "One key alone gets the whole, whatever its score is. "
        "In the formula the same exponential stands above the line and below it. "
        "So you need neither Q nor K here, and no exponential either. "
        "Which value is mixed in, and with which weight?",
        "A weighted mean of one value is that value. "
        "Look at the first row of V. "
        "In lesson 02, without a mask, all four values came in, and the row was 0.146 and 0.0496. "
        "Now three of the four may not be looked at.",
    ),
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
    hints=(
        "Read the picture: how far above the diagonal do you find numbers other than 0.00? "
        "Such a number means that a later token moves an earlier output. "
        "Do all later tokens do that, or only the next one? "
        "The answer tells you how far the leak reaches.",
        "One place too far. "
        "Which line decides where the diagonal lies? "
        "Two of the five lines have to do with the mask: one makes a table of True and False, another one uses it. "
        "Is the table itself wrong, or what is done with it?",
        "Try that line alone, with 4 queries and 4 keys, and look at the first row. "
        "The first token may see itself and nobody else, so you want to find one True in it. "
        "How many do you find? "
        "Which number in the line moves the diagonal?",
    ),
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
    hints=(
        "Where does the next word stand while a model is trained, and where while it writes? "
        "In training the whole text is there at once. "
        "In use there is only what has been written so far. "
        "But look at the old words, too: whom may they look at?",
        "In training the answer is part of the input, one place further on. "
        "A model that may look there copies it, and learns nothing else. "
        "So one of the two times is settled. "
        "The other one is about words that are there already, and a new one that joins them.",
        "And what if a token's numbers changed whenever a later token arrives? "
        "Would the model know this from training? "
        "Without the mask, each old word would look at the new one, in all layers, and hand on other numbers than "
        "before. "
        "Has the model ever seen such numbers?",
    ),
)
