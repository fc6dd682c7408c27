"""Lesson 07: one sequence looks at another, alone and in a decoder layer, and what people believe about it."""

import mha_ref
from autograder.exercise import Exercise, ModuleExercise, Step
from autograder.question import Question, slips
from mha_lessons.lesson_05_multi_head.exercises import LAYER_OF_TORCH
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
combine_masks = Exercise(
    mha_ref.combine_masks,
    cases.two_masks,
    points=1,
    properties=(nothing_forbidden_gets_allowed, what_both_allow_stays_allowed, order_of_masks_does_not_matter),
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
    inspection="mha_lessons.lesson_07_cross_attention.layers.inspection:decoder_layer",
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


cross_weights_shape = Question(
    answer=(2, 4, 5, 7),
    wrong={
        (
            2,
            4,
            7,
            5,
        ): "You have a row for each token of the memory. Rows belong to the sequence that looks: which is it?",
        (2, 4, 5, 5): "That would be self-attention of x. Columns belong to the sequence that is looked at.",
        (2, 4, 7, 7): "That would be self-attention of the memory. Rows belong to the sequence that looks.",
        (2, 5, 7): "That is one table for each item. Each of the heads makes its own table.",
        (4, 5, 7): "That is one item of the batch. There are two.",
        (2, 4, 5, 8): "8 is the model size. The weights have queries and keys; the features are summed over.",
        (2, 5, 4, 7): "All the numbers are there. Heads come before the queries, as in lesson 06.",
        (4, 2, 5, 7): "All the numbers are there. The batch comes first, then the heads.",
        (2, 4, 12, 12): "You have joined the two sequences, but they stay separate: one looks, the other is looked at.",
    },
)
without_the_causal_mask = Question(
    answer="b",
    wrong={
        "a": "Why should it be harder to predict the next word if one can see it?",
        "c": "In training it sees the next word. What will it look at when there is none yet?",
        "d": "Nothing crashes: allowing too much is a silent mistake. The shapes are the same.",
    },
)
without_the_output_weights = Question(
    answer=("ruined", "as good"),
    wrong={
        ("ruined", "worse"): "The trained model is as you say. "
        "For the second, choose one of the two words: a model that never had W_O learns to do without.",
    }
    | slips(
        ("ruined", "as good"),
        ("ruined", "as good"),
        (
            "Look at the trained model first. Everything after W_O has learned to read what W_O writes. "
            "What does it read now?",
            "The trained model is as you say. A model that never had W_O learns to do without: "
            "the values and the layers around can do its work. Is anything missing that they cannot learn?",
        ),
    ),
)


# from memory: about earlier lessons, unmarked


remember_the_divisor = Question(
    answer=10,
    points=0,
    wrong={
        20: "That is the root of the model size. A score adds up the columns of one head alone: see lesson 06, "
        "*Six products*.",
        100: "100 columns belong to each head, and that is the right beginning. What is done with this number? "
        "See lesson 06, *Six products*.",
        4: "4 is the number of heads, and it decides how many columns each of them has. See lesson 06, *Six products*.",
        2: "That is the root of the number of heads. What counts is how many columns one head has: see lesson "
        "06, *Six products*.",
        400: "400 is the model size. A score adds up the columns of one head alone: see lesson 06, *Six products*.",
    },
)

remember_what_a_head_does = Question(
    answer="c",
    points=0,
    wrong={
        "a": "Then *bank* would be all water or all money, and no longer a noun. The picture in lesson 04, *Write "
        "the head*, shows what is left of it.",
        "b": "The results of several heads are put beside each other. The embedding keeps its length: see the "
        "picture in lesson 04, *Write the head*.",
    },
)
