"""Lesson 14: the way back through attention, and what people believe about gradients."""

import mha_ref
from autograder.exercise import Exercise, Step
from autograder.question import Question, slips

from . import cases
from .properties import (
    a_nudge_moves_the_loss_as_said,
    a_nudged_score_moves_the_loss_as_said,
    an_even_gradient_moves_no_score,
    gradients_of_a_row_sum_to_zero,
    gradients_of_the_keys_sum_to_zero,
    twice_the_gradient_arrives,
    who_sees_nothing_gets_zeros,
)

AUTOGRAD = ("autograd", "backward", "vjp", "jacobian", "jacrev", "_softmax_backward_data", "grad")

softmax_backward = Exercise(
    mha_ref.softmax_backward,
    cases.weights_grad,
    points=3,
    library="torch",
    properties=(
        gradients_of_a_row_sum_to_zero,
        an_even_gradient_moves_no_score,
        twice_the_gradient_arrives,
        a_nudged_score_moves_the_loss_as_said,
    ),
    forbids=AUTOGRAD,
    gradients=False,
)
weighted_mean_backward = Step(mha_ref.weighted_mean_backward)
scale_backward = Step(mha_ref.scale_backward)
similarity_backward = Step(mha_ref.similarity_backward)
attention_backward = Exercise(
    mha_ref.attention_backward,
    cases.attention_grad,
    points=5,
    library="torch",
    properties=(
        who_sees_nothing_gets_zeros,
        gradients_of_the_keys_sum_to_zero,
        twice_the_gradient_arrives,
        a_nudge_moves_the_loss_as_said,
    ),
    forbids=AUTOGRAD,
    gradients=False,
)


# what to predict, to calculate, to choose

slopes_for_one_word = Question(
    answer="c",
    wrong={
        "a": "Try it with the formula: softmax of a single score. What is the share, whatever the score is?",
        "b": "It is the other way round. Queries and keys decide between words. What is there to decide here?",
        "d": "One matrix still has an influence: the output is the word's value, with a share of 1.",
    },
)

gradient_of_three_scores = Question(
    answer=(1, -0.5, -0.5),
    tolerance=1e-3,
    wrong={
        (1, 0, 0): "You used only the weight's slope by its own score, w (1 - w). The first weight also falls when "
        "another score rises.",
        (
            2,
            0,
            0,
        ): "That is the weight times the gradient. What the whole row pays is missing: what is the weighted mean "
        "of the gradients, and where does it go?",
        (4, 0, 0): "That is the gradient of the weights themselves. Softmax lies between them and the scores.",
        (2, -2, -2): "The brackets are right. Each of them is still to be multiplied by the weight in front of it.",
        (
            2,
            -1,
            -1,
        ): "Did you subtract the sum, times the weight? In the brackets the mean is subtracted, and then all "
        "is multiplied by the weight.",
        (0, -1, -1): "You subtracted the sum of the gradients, 4. It is their mean, weighted by the row of weights.",
        (4 / 3, -1 / 3, -1 / 3): "You subtracted the plain mean, 4/3. Each gradient counts as much as its weight.",
        (-1, 0.5, 0.5): "The sizes are right, but the signs are reversed. More weight for the first key raises the "
        "loss: does that key get more when its own score rises, or less?",
        (1, 0.5, 0.5): "The sizes are right. When the second score rises, does the first weight rise or fall?",
    },
)

line_where_it_dies = Question(
    answer="b",
    wrong={
        "a": "Here the gradient meets the values, and they are the same each time. Which step notices how large the "
        "queries are?",
        "c": "This step divides by √64, whatever the scores are: all four lose the same share. Which step notices "
        "how far apart the scores are?",
        "d": "Here the gradient meets the keys, and they are the same each time. Which step notices how large the "
        "queries are?",
    },
)


masked_or_dropped = Question(
    answer=("zero", "alive"),
    wrong=slips(
        ("zero", "alive"),
        ("zero", "alive"),
        (
            "Begin with the masked key. Its weight is exactly 0, and on the way back through softmax the weight is the "
            "factor in front. What is left?",
            "You are right about the masked key. Dropout comes after softmax, where the weight of the dropped key was "
            "not 0. What arrives at that weight is 0, but the brackets have a second term.",
        ),
    ),
)

repaired_rows = Question(
    answer="c",
    wrong={
        "a": "Softmax makes the NaN, and replacing it in the output comes later. On the way back, a zero "
        "meets softmax's NaN. What is 0 times NaN?",
        "b": "`where` chooses on the way forward. On the way back it sends 0 to the row that it did not choose, and "
        "softmax multiplies this 0 by its NaN.",
        "d": "This replaces NaN in what arrives at the weights. But on the way back, softmax multiplies that by its "
        "weights, and these are still NaN.",
    },
)

zero_output_matrix = Question(
    answer="a",
    wrong={
        "b": "What arrives at the heads was multiplied by W_O on its way. What is left when W_O is all zeros?",
        "c": "The gradient of W_O is made from the results of the heads and from what arrives at the output. Neither "
        "of the two is zero.",
        "d": "The values come before W_O as well: what arrives at them was multiplied by it on its way.",
    },
)

needless_bias = Question(
    answer="b",
    wrong={
        "a": "The bias of a query changes its dot product with each key by a different amount, so some keys gain.",
        "c": "Each value gets the same bias, so the mean of the values gets it too. The output moves.",
        "d": "The bias of the output is added at the very end, where nothing takes it away.",
        "e": "Only three of them make a difference. Which one adds the same number to every score of a row?",
    },
)


# from memory: about earlier lessons, unmarked


remember_two_parts_joined = Question(
    answer=7,
    points=0,
    wrong={
        6: "That is the plain mean. Part B weighs more, so the result is nearer to 8: see lesson 13, *Join two parts*.",
        5: "You exchanged the shares: part A has the smaller one. See lesson 13, *Join two parts*.",
        12: "You added the two outputs. Each is a mean already, and a mean of means lies between them: see "
        "lesson 13, *Join two parts*.",
        28: "You multiplied by what each part weighs. The two shares must sum to 1: see lesson 13, *Join two parts*.",
    },
)

remember_who_shares_with_whom = Question(
    answer=(0, 0, 1, 1, 2, 2),
    points=0,
    wrong={
        (
            0,
            1,
            2,
            0,
            1,
            2,
        ): "You dealt them out in turn, as `repeat` does. Neighbours share: see lesson 11, *Heads that share*.",
        (
            0,
            0,
            0,
            1,
            1,
            1,
        ): "That would be right for two key-value heads. Here there are three: see lesson 11, *Heads that share*.",
        (1, 1, 2, 2, 3, 3): "The groups are right. Now count from 0, as lesson 11 does in *Heads that share*.",
        (0, 1, 2, 3, 4, 5): "Then nobody shares, and there would be six of them: see lesson 11, *Heads that share*.",
        (
            0,
            0,
            0,
            0,
            0,
            0,
        ): "Then all share a single one, which is multi-query attention. Here there are three: see lesson 11, "
        "*Heads that share*.",
    },
)
