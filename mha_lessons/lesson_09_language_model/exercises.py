"""Lesson 09: from scores to the next token, and from there to a text."""

import math

import mha_ref
from autograder.exercise import Exercise, ModuleExercise, Step
from autograder.question import Question
from mha_lessons.lesson_00_start_here.properties import rows_do_not_touch_each_other
from mha_lessons.lesson_01_softmax.properties import (
    every_score_gets_something,
    only_differences_count,
    weights_are_not_negative,
    weights_sum_to_one,
)
from mha_lessons.lesson_07_cross_attention.properties import (
    each_part_reads_one_normalised_copy,
    nothing_found_leaves_x_as_it_came,
    targets_meet_in_self_attention_only,
)

from . import cases, functional
from .properties import (
    a_row_more_changes_no_other,
    all_texts_are_chosen_for_at_once,
    differences_of_scores_stay,
    each_part_of_a_block_finds_what_it_should,
    each_text_is_continued_by_itself,
    fewer_steps_give_the_same_beginning_of_the_text,
    log_weights_sum_to_one,
    shares_follow_the_probabilities,
    the_loss_of_a_batch_is_the_mean_of_its_rows,
    the_prompt_stays,
    twice_the_temperature_is_half_the_scores,
)

log_softmax = Exercise(
    mha_ref.log_softmax,
    cases.scores_of_any_size,
    points=2,
    library="torch",
    properties=(
        rows_do_not_touch_each_other,
        differences_of_scores_stay,
        log_weights_sum_to_one,
        only_differences_count,
    ),
)
next_token_loss = Exercise(
    mha_ref.next_token_loss,
    cases.texts,
    points=3,
    library="torch",
    properties=(the_loss_of_a_batch_is_the_mean_of_its_rows,),
)
Block = ModuleExercise(
    functional.block,
    cases.blocks,
    sizes=dict(
        model_size=lambda inputs: inputs["x"].shape[-1],
        heads=lambda inputs: inputs["heads"],
        hidden_size=lambda inputs: inputs["w_widen"].shape[-1],
    ),
    inspection="mha_lessons.lesson_09_language_model.layers.inspection:block",
    points=4,
    properties=(
        nothing_found_leaves_x_as_it_came,
        targets_meet_in_self_attention_only,
        each_part_reads_one_normalised_copy,
        each_part_of_a_block_finds_what_it_should,
    ),
)
softmax_with_temperature = Exercise(
    mha_ref.softmax_with_temperature,
    cases.scores_temperature,
    points=1,
    library="torch",
    properties=(
        weights_are_not_negative,
        rows_do_not_touch_each_other,
        weights_sum_to_one,
        every_score_gets_something,
        twice_the_temperature_is_half_the_scores,
    ),
)
sample = Exercise(
    mha_ref.sample,
    cases.draws,
    points=3,
    library="torch",
    properties=(a_row_more_changes_no_other, shares_follow_the_probabilities),
)
generate = Exercise(
    mha_ref.generate,
    cases.prompts,
    points=3,
    library="torch",
    properties=(
        each_text_is_continued_by_itself,
        all_texts_are_chosen_for_at_once,
        the_prompt_stays,
        fewer_steps_give_the_same_beginning_of_the_text,
    ),
)
gelu = Step(functional.gelu)
feed_forward_with_gelu = Step(functional.feed_forward_with_gelu)


# what to predict, to calculate, to read off a plot

loss_before_training = Question(
    answer=math.log(84),
    tolerance=2e-3,
    wrong={
        0.0119: "That is the probability of each token, 1/84. The loss is -log of it.",
        -4.4308: "The size is right. The logarithm of a number below 1 is negative, and the loss is minus that.",
        1.9243: "You took the logarithm to base 10. In this course log is the natural one, `math.log`.",
        6.3923: "You took the logarithm to base 2. In this course log is the natural one, `math.log`.",
        84.0: "That is the number of different characters. What is the probability of each, and what is -log of that?",
        3.4965: "That is the logarithm of 33, the size of the vocabulary in lesson 07. Here there are 84 characters.",
        4.4427: "You are close: that is the logarithm of 85. How many characters are there?",
        0.0: "A loss of 0 means that the model was certain of the right token each time. This one has learned nothing.",
    },
)
untrained_place = Question(
    answer="d",
    wrong={
        "a": "The first position sees a single token, so its loss is higher in both models. "
        "Where do the two curves differ?",
        "b": "Then every position would suffer. Look at where the two curves part.",
        "c": "A visible answer would make the loss lower. Here it is higher, at one position.",
    },
)
sizes_of_gpt2 = Question(
    answer=(50257, 1024, 3072, 12),
    tolerance=0,  # all four are printed
    wrong={
        (50000, 1024, 3072, 12): "Three are right. The number of tokens stands there with all its digits.",
        (50257, 1024, 3072, 11): "Three are right. The number in `h.11` counts from 0.",
        (50257, 1024, 3072, 1): "Three are right. `h.0` is the first block and `h.11` the last.",
        (50257, 1024, 2304, 12): "2304 is 3 · 768: the attention makes queries, keys and values with one matrix. "
        "The feed-forward part is called `mlp` there. The other three are right.",
        (50257, 1024, 768, 12): "768 is the model size, which every block reads and writes. "
        "How wide does the feed-forward part make it on the inside? The other three are right.",
        (50257, 768, 3072, 12): "768 is the model size: each position has a vector of that many numbers. "
        "How many positions are there in `wpe`? The other three are right.",
        (
            1024,
            50257,
            3072,
            12,
        ): "The first two have changed places: `wte` has a row for each token, `wpe` one for each position.",
        (
            1024,
            50257,
            3072,
            11,
        ): "The first two have changed places: `wte` has a row for each token, `wpe` one for each "
        "position. And the number in `h.11` counts from 0.",
    },
)


# from memory: about earlier lessons, unmarked


remember_a_longer_text = Question(
    answer=9,
    points=0,
    wrong={
        3: "There are three times as many queries. But each of them now meets more keys, too: see lesson 08, "
        "*What is stored*.",
        6: "You added two threes. A table that gets higher *and* wider grows by a product: see lesson 08, "
        "*What is stored*.",
        27: "A score belongs to a pair of tokens, a query and a key, so there are two factors: see lesson 08, "
        "*What is stored*.",
        1: "A longer text has more pairs of tokens, and each pair has a score: see lesson 08, *What is stored*.",
        8: "8 is 2 to the power of 3. Here the text does not double three times, it gets three times as long: "
        "see lesson 08, *What is stored*.",
    },
)

remember_a_plain_reshape = Question(
    answer="c",
    points=0,
    wrong={
        "a": "Both shapes hold equally many numbers, so torch has no reason to complain. Lesson 06, *The silent "
        "reshape*, shows what it does.",
        "b": "That is what we want. But `reshape` moves no number past another, and a token's numbers lie side "
        "by side: see lesson 06, *The silent reshape*.",
    },
)


# to predict before a run, unmarked


predict_a_hotter_ratio = Question(
    answer=2,
    points=0,
    wrong={
        4: "That is the ratio at 1. All differences between logits are halved now: what does that do to a power of e?",
        8: "Heat brings the bars closer together, so the ratio shrinks. Halve the difference of the logits: "
        "what becomes of the ratio?",
        16: "That is the ratio at a temperature of one half, where differences double. Here they are halved.",
        1: "They would be equal only without any difference between the logits. At 2 half of it is left.",
    },
)
