"""Lesson 07: one sequence looks at another, alone and in a decoder layer, and what people believe about it."""

import math
from itertools import product

import mha_ref
from autograder.exercise import LAYER_OF_TORCH, Exercise, ModuleExercise, Question, Step
from mha_lessons.lesson_05_multi_head.properties import twice_the_output_weights_twice_the_output

from . import cases, functional
from .properties import (
    a_blocked_source_has_no_influence,
    each_part_alone_finds_what_it_should,
    each_part_reads_one_normalised_copy,
    each_text_is_translated_by_itself,
    every_item_has_its_own_memory,
    every_source_has_influence,
    every_target_is_computed_by_itself,
    fewer_steps_give_the_same_beginning,
    nothing_forbidden_gets_allowed,
    nothing_found_leaves_x_as_it_came,
    order_of_masks_does_not_matter,
    sources_may_be_shuffled,
    targets_meet_in_self_attention_only,
    what_both_allow_stays_allowed,
)

combine_masks = Exercise(
    mha_ref.combine_masks,
    cases.two_masks,
    points=1,
    properties=(nothing_forbidden_gets_allowed, what_both_allow_stays_allowed, order_of_masks_does_not_matter),
)


cross_attention = Exercise(
    mha_ref.cross_attention,
    cases.two_sequences,
    points=2,
    library="torch",
    forbids=LAYER_OF_TORCH,
    properties=(
        a_blocked_source_has_no_influence,
        every_target_is_computed_by_itself,
        twice_the_output_weights_twice_the_output,
        sources_may_be_shuffled,
        every_item_has_its_own_memory,
        every_source_has_influence,
    ),
)
encoder_decoder_masks = Exercise(
    mha_ref.encoder_decoder_masks,
    cases.two_lengths,
    points=2,
    library="torch",
)
DecoderLayer = ModuleExercise(
    functional.decoder_layer,
    cases.decoder,
    sizes=dict(
        model_size=lambda inputs: inputs["x"].shape[-1],
        heads=lambda inputs: inputs["heads"],
        hidden_size=lambda inputs: inputs["w_widen"].shape[-1],
    ),
    at_work="mha_lessons.lesson_07_cross_attention.layers.at_work:decoder_layer",
    points=4,
    properties=(
        nothing_found_leaves_x_as_it_came,
        targets_meet_in_self_attention_only,
        every_item_has_its_own_memory,
        every_source_has_influence,
        each_part_reads_one_normalised_copy,
        each_part_alone_finds_what_it_should,
    ),
)

translate_greedily = Exercise(
    mha_ref.translate_greedily,
    cases.models,
    points=3,
    library="torch",
    properties=(each_text_is_translated_by_itself, fewer_steps_give_the_same_beginning),
)
normalise = Step(functional.normalise)
feed_forward = Step(functional.feed_forward)
add_back = Step(functional.add_back)


def gives_its_third_mask_as_a_copy(source_lengths, target_lengths, sources, targets):
    """gives its first and its third mask as two tensors"""
    source, target, cross = takes_tensors_only(source_lengths, target_lengths, sources, targets)
    return source, target, cross.clone()


def lays_its_masks_out_in_another_order(source_lengths, target_lengths, sources, targets):
    """lays its masks out in another order in memory"""
    source, target, cross = takes_tensors_only(source_lengths, target_lengths, sources, targets)
    return source, target.mT.contiguous().mT, cross


def takes_tensors_only(source_lengths, target_lengths, sources, targets):
    """takes tensors only, and trusts that the lengths fit"""

    def real(lengths, size):
        return (lengths.new_ones(size).cumsum(0) <= lengths[:, None])[:, None, None]

    past = target_lengths.new_ones(targets, targets).tril() > 0
    source = real(source_lengths, sources)
    return source, real(target_lengths, targets) & past, source


# what to predict, to calculate, to choose


def _slips(answer, choices, messages):
    """Every other answer that one can choose, place by place -> what to say of the first place that differs."""
    others = (given for given in product(choices, repeat=len(answer)) if given != answer)
    return {given: next(m for m, g, a in zip(messages, given, answer) if g != a) for given in others}


shuffled_source = Question(
    answer="c",
    wrong={
        "nothing": "Here a letter is wanted: write the one that is in front of your answer, in quotes.",
        "a": "The rows of the result belong to the tokens of x, and x was not shuffled. "
        "What happens to the columns of the weights, and to the values, when the memory is shuffled?",
        "b": "The scores move to other columns, and the values move with them. "
        "So each weight still meets the value that it belongs to. "
        "What is the sum of the same products in another order?",
    },
)
cross_weights_shape = Question(
    answer=(2, 4, 5, 7),
    wrong={
        (2, 4, 7, 5): "You have a row for each token of the memory. Rows belong to those who look: who looks here?",
        (2, 4, 5, 5): "That would be self-attention of x. Columns belong to those who are looked at.",
        (2, 4, 7, 7): "That would be self-attention of the memory. Rows belong to those who look.",
        (2, 5, 7): "That is one table for each item. Each of the heads makes a table of its own.",
        (4, 5, 7): "That is one item of the batch. There are two.",
        (2, 4, 5, 8): "8 is the size of the model. The weights say who looks at whom; features are summed away.",
        (2, 5, 4, 7): "All the numbers are there. Heads come before the queries, as in lesson 06.",
        (4, 2, 5, 7): "All the numbers are there. The batch comes first, then the heads.",
        (2, 4, 12, 12): "You have joined the two sequences. They stay apart: one looks, the other is looked at.",
    },
)
sources_of_cross_attention = Question(
    answer=("decoder", "encoder", "encoder"),
    wrong={
        words: "Right in meaning. Say it with the words encoder and decoder: which half makes each of the three?"
        for words in (("x", "memory", "memory"), ("decoder", "memory", "memory"), ("French", "English", "English"))
    }
    | _slips(
        ("decoder", "encoder", "encoder"),
        ("decoder", "encoder"),
        (
            "Look at the queries first. A query says what somebody is looking for: "
            "who needs something here, the sentence that is written, or the one that has been read?",
            "The queries are as you say. A key says where something can be found. "
            "In which sentence does the decoder search?",
            "Queries and keys are as you say. A value belongs to the same token as its key, "
            "or the weights would meet the values of other tokens.",
        ),
    ),
)
row_of_a_padded_target = Question(
    answer=(True, True, False, False),
    wrong={
        (True, True, True, False): "That is the past alone. The third place is padding, and no one may look at it, "
        "itself included.",
        (False, False, False, False): "You have hidden the query. A mask hides keys: a padded query keeps its row. "
        "What it finds is thrown away later.",
        (True, True, True, True): "Neither the future nor the padding is hidden in your row.",
        (False, False, True, False): "The place looks at itself alone in your row. Is there nothing real before it?",
        (False, False, True, True): "You marked what is hidden. True means: may look.",
        (True, False, False, False): "One place too few: two words are real, and both are before the third place.",
        (True, True, False, True): "The last place is padding, and it lies in the future too.",
    },
)
loss_of_a_guess = Question(
    answer=math.log(33),
    tolerance=1e-3,  # log 32 is another answer
    wrong={
        3.4657: "That is the logarithm of 32: one word is missing. "
        "The model gives a number to each of the 33, also to the signs, and it does not know that some never come.",
        3.4340: "That is the logarithm of 31: the two signs are missing. "
        "The model gives a number to each of the 33, and it does not know yet that the signs never come.",
        3.4012: "That is the logarithm of 30: the full stop and the two signs are missing. "
        "All three are among the 33, and the model gives a number to each of these.",
        3.5264: "That is the logarithm of 34. The full stop and the signs are among the 33 already.",
        0.10595: "You multiplied -log by the probability. The loss of one word is -log of the probability alone.",
        0.0303: "That is the probability of the right word, 1/33. The loss is -log of it.",
        -3.4965: "The size is right. The logarithm of a number below 1 is negative, and the loss is minus that.",
        1.5185: "You took the logarithm to base 10. In this course log is the natural one, `math.log`.",
        5.0444: "You took the logarithm to base 2. In this course log is the natural one, `math.log`.",
        33.0: "That is the number of words. What is the probability of each, and what is -log of that?",
        0.9697: "That is the chance to guess another word. The loss is -log of the probability of the right one.",
        3.2581: "You counted the English words. The model chooses among the French ones, and there are 33.",
    },
)
without_the_causal_mask = Question(
    answer="b",
    wrong={
        "a": "Why should it be harder to guess the next word for someone who can see it?",
        "c": "In training it sees the next word. What will it look at when there is none yet?",
        "d": "Nothing crashes: to allow too much is a silent mistake. The shapes are the same.",
    },
)
without_the_output_weights = Question(
    answer=("ruined", "as good"),
    wrong={
        ("ruined", "worse"): "The trained model is as you say. "
        "For the second, choose one of the two words: a model that never had W_O learns to do without.",
    }
    | _slips(
        ("ruined", "as good"),
        ("ruined", "as good"),
        (
            "Look at the trained model first. Everything that comes after W_O has learned to read what W_O writes. "
            "What does it get to read now?",
            "The trained model is as you say. A model that never had W_O learns to do without: "
            "the values and the layers around can do its work. Is anything missing that they cannot learn?",
        ),
    ),
)
