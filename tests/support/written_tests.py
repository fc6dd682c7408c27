"""Tests to write that the course does not ask for, with which the judge of such tests is tried."""

from autograder import EXERCISES
from autograder.exercise import TestWriting


def to_write(exercise, *catches):
    """Return the task to write a test of an exercise, which stops these wrong versions."""
    task = TestWriting(EXERCISES[exercise], catches=catches, points=2)
    task.name, task.lesson, task.course = f"test_{exercise}", EXERCISES[exercise].lesson, EXERCISES[exercise].course
    return task


OF_SOFTMAX = to_write(
    "softmax",
    "turns_the_sign",
    "softmax_twice",
    "normalises_over_the_first_axis",
    "ignores_the_axis",
    "forgets_to_subtract_the_maximum",
    "subtracts_the_largest_of_all",
)
OF_A_HEAD = to_write(
    "attention_head",
    "forgets_to_pass_the_mask",
    "uses_the_query_weights_for_keys",
    "swaps_key_and_value_weights",
    "forgets_to_project_the_values",
    "scales_by_the_model_size",
    "projects_keys_to_values",
)
OF_A_COUNT = to_write(
    "attention_flops",
    "counts_multiply_and_add_as_one",
    "forgets_the_output_projection",
    "forgets_scores_and_mix",
    "forgets_the_square_of_tokens",
    "swaps_tokens_and_model_size",
    "counts_one_addition_less_in_each_sum",
)
