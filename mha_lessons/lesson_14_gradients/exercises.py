"""Lesson 14: the gradients of attention."""

from autograder.exercise import Question

slope_at_two = Question(
    answer=6,
    wrong={
        1: "1 is the loss at w = 2. The question is how fast it changes there.",
        2: "That is the outer factor, 2u with u = 1. A nudge of w moves u three times as far.",
        3: "That is the inner factor. The square on the outside has a slope too: 2u.",
        18: "Did a 3 get in twice? The inner factor is 3, once. The outer one is 2u, and u = 3w - 5 is 1 at w = 2.",
        30: "Did the 5 get in? It moves nothing by itself: it decides how large u = 3w - 5 is. What is u at 2?",
        9: "That is the 3 squared. A nudge of w moves u three times as far, once; the other factor is 2u.",
        36: "You took u = 3w. It is 3w - 5, and at w = 2 that is 1.",
        24: "That is the slope at w = 3, in the cell above.",
        -6: "The size is right. At w = 2, is 3w - 5 above or below 0?",
        6.09: "You nudged w up by 0.01, and the square bends a little on the way. "
        "With the two factors of the chain rule the slope is exact.",
        6.009: "You nudged w up by 0.001, and the square bends a little on the way. "
        "With the two factors of the chain rule the slope is exact.",
        12: "You put w itself where u belongs. The outer factor is 2u with u = 3w - 5.",
    },
    tolerance=1e-4,
)


slopes_for_one_word = Question(
    answer="c",
    wrong={
        "a": "Try it with the formula: softmax of a single score. What is the share, whatever the score is?",
        "b": "It is the other way round. Queries and keys decide between words. What is there to decide?",
        "d": "One matrix has an influence still: the output is the word's value, with a share of 1.",
    },
)


needless_bias = Question(
    answer="b",
    wrong={
        "a": "A query's bias changes its dot product with each key by another amount, so some keys win by it.",
        "c": "Each value gets the same bias, so the mean of values gets it too. The output moves.",
        "d": "The output's bias is added at the very end, where nothing takes it away.",
        "e": "Three of them do make a difference. Which one adds the same number to every score of a row?",
    },
)
