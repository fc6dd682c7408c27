"""Lesson 10: what heads learn, and what a map of weights does not tell."""

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question

from . import cases
from .properties import (
    a_head_is_like_itself,
    a_score_is_a_share,
    heads_keep_their_order,
    likeness_goes_both_ways,
    names_of_tokens_do_not_matter,
    shared_places_can_be_moved,
    the_first_query_does_not_count,
    the_others_still_count,
    what_was_taken_out_has_no_influence,
)

without_head = Exercise(
    mha_ref.without_head,
    cases.results_of_heads,
    points=2,
    library="torch",
    properties=(what_was_taken_out_has_no_influence, the_others_still_count),
    gradients=False,
)
previous_token_score = Exercise(
    mha_ref.previous_token_score,
    cases.patterns,
    points=2,
    library="torch",
    properties=(a_score_is_a_share, heads_keep_their_order, the_first_query_does_not_count),
    gradients=False,
)
induction_score = Exercise(
    mha_ref.induction_score,
    cases.patterns_tokens,
    points=3,
    library="torch",
    properties=(a_score_is_a_share, heads_keep_their_order, names_of_tokens_do_not_matter),
    gradients=False,
)
head_similarity = Exercise(
    mha_ref.head_similarity,
    cases.patterns_of_one_text,
    points=2,
    library="torch",
    properties=(a_head_is_like_itself, likeness_goes_both_ways, shared_places_can_be_moved),
    gradients=False,
)
silence = Step(mha_ref.silence)
behind_copies = Step(mha_ref.behind_copies)
cosines = Step(mha_ref.cosines)


# what to predict, to calculate, to choose

what_it_falls_back_to = Question(
    answer="b",
    wrong={
        "a": "A trigram table knows two characters: the current one and the one before. "
        "Which parts of the model can bring the one before to this position, and how many of them are there?",
        "c": "The embeddings and the feed-forward parts are untouched, so the model still knows the current character. "
        "How good is a guess from that one alone?",
        "d": "Seven heads remain, and each of them looks somewhere. Could the others do the job of each one of them?",
    },
)
why_one_layer_fails = Question(
    answer="c",
    wrong={
        "a": "One head can look at any key whose vector it can tell from the others. "
        "The trouble is what the vector of the right key holds.",
        "b": "The curve still falls, but slowly: in our run it was at 1.5 after 2,400 steps, "
        "while two layers were done after 100. "
        "What does a key know of the token before it, if no layer came before?",
        "d": "The query is fine: it holds the token to search for. Look at the key it should find.",
    },
)
equal_start = Question(
    answer="b",
    wrong={
        "a": "Each has its own matrices, but with equal numbers in them. "
        "Equal numbers get equal gradients. What could make the first difference?",
        "c": "A gradient knows nothing of waste: it tells each parameter which way is downhill. "
        "What does it tell two parameters that are equal and do the same work?",
        "d": "Nothing goes wrong here. Every gradient exists, and every step can be taken.",
    },
)
favourites_of_a_thin_head = Question(
    answer=2,
    wrong={
        64: "With one feature, a query can only say: the larger the key, the better, or the smaller, the better.",
        1: "Do a positive query and a negative one choose the same key?",
        32: "Think of the keys in a row, from the smallest to the largest. Which of them does a positive query choose?",
        63: "Think of the keys in a row, from the smallest to the largest. Which of them does a positive query choose?",
        62: "Those are the keys that *cannot* win. The question asks for the others.",
        8: "The next cell finds 8 with two features. Here there is one.",
        0: "Each query has a favourite, so there is at least one. Is it the same for all queries?",
        128: "There are only 64 keys. Which of them does a positive query choose, and which a negative one?",
        3: "Can a key that lies between two others ever have the largest product with a query?",
    },
)
why_more_heads = Question(
    answer="b",
    wrong={
        "a": "No one has such a list, and one head may serve several relations, while many heads can be removed. "
        "What grew together with the number of heads?",
        "c": "It is the other way round: each head has a pattern of its own, and each pattern needs memory.",
        "d": "The matrix products cost the same, whatever the number of heads: lesson 08 counts them.",
    },
)
dog_against_sep = Question(
    answer=10,
    wrong={
        9: "9 is the ratio of the weights, 0.9 to 0.1, which is in favour of [SEP]. "
        "Or it is 90 times 0.1, where the weight of [SEP] is missing. "
        "Each of the two tokens needs its weight *and* the length of its value.",
        0.009: "That is how far [SEP] moves the output. How many times as far does *dog* move it?",
        81: "That gives the weight of 0.9 to *dog*. In the question [SEP] has it, and *dog* has 0.1.",
        90: "90 is the ratio of the lengths. The weights count as well, and [SEP] has the larger one.",
        0.1: "You divided the smaller by the larger. How many times as far does *dog* move it?",
        0.111: "That is the ratio of the weights. The lengths of the values count as well.",
        810: "The lengths favour *dog* by a factor of 90, and the weights favour [SEP] by a factor of 9. So divide.",
        0.09: "That is how far *dog* moves the output. Compare it with how far [SEP] does.",
        0.081: "That is a difference. *How many times as far* asks for a ratio.",
        1: "A larger weight does not always make up for a shorter value. Multiply each weight by its length.",
        100: "The weight of *dog* is missing: its value has length 0.9, and only a part of it is taken.",
        0.9: "0.9 is the length of one value, and the weight of the other token. Multiply the two for each token.",
        0.81: "That is 0.9 times 0.9, and these belong to different tokens. Which weight does *dog* have?",
    },
)


# from memory: about earlier lessons, unmarked


remember_the_token_to_guess = Question(
    answer=6,
    points=0,
    wrong={
        5: "Token 5 is what the model *sees* at this position. The table in lesson 09, *From logits to a "
        "loss*, has a second row.",
        4: "The model has seen token 4 already, and may look at it. The table in lesson 09, *From logits to a "
        "loss*, shows the other direction.",
        7: "One too far: the model guesses a token as soon as it has seen the one before it. See the table in "
        "lesson 09, *From logits to a loss*.",
    },
    tolerance=1e-3,
)

remember_a_shuffled_memory = Question(
    answer="a",
    points=0,
    wrong={
        "b": "The result has a row for each token that *asks*, and these are where they were. Lesson 07, *Who "
        "asks, and who is asked*, shuffles a memory.",
        "c": "A key takes its value with it. So each value gets the weight that it had: does a mean depend on "
        "the order of its terms? See lesson 07, *Who asks, and who is asked*.",
    },
)
