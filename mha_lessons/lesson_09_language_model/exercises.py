"""Lesson 09: from scores to the next word."""

import mha_ref
from autograder.exercise import Exercise, Question
from mha_lessons.lesson_00_start_here.properties import rows_do_not_touch_each_other
from mha_lessons.lesson_01_softmax.cases import scores
from mha_lessons.lesson_01_softmax.properties import (
    every_score_gets_something,
    only_differences_count,
    weights_are_not_negative,
    weights_sum_to_one,
)

from . import cases
from .properties import differences_of_scores_stay, log_weights_sum_to_one, twice_the_temperature_is_half_the_scores

log_softmax = Exercise(
    mha_ref.log_softmax,
    scores,
    points=3,
    properties=(
        rows_do_not_touch_each_other,
        differences_of_scores_stay,
        log_weights_sum_to_one,
        only_differences_count,
    ),
)


softmax_with_temperature = Exercise(
    mha_ref.softmax_with_temperature,
    cases.scores_temperature,
    points=2,
    properties=(
        weights_are_not_negative,
        rows_do_not_touch_each_other,
        weights_sum_to_one,
        every_score_gets_something,
        twice_the_temperature_is_half_the_scores,
    ),
)


half_temperature = Question(
    answer=1.641,
    tolerance=0.09,  # a number read off a picture
    wrong={
        1: "At temperature 1 the highest curve is still at 0.64. Follow it further to the right.",
        **dict.fromkeys(
            (1.17, 1.36), "There the highest curve is still above one half. Go on to the right, a little further."
        ),
        2: "Near: at temperature 2 the highest curve has already fallen to 0.46. Go back to the left a little.",
        **dict.fromkeys(
            (2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6),
            "There the highest curve has already fallen far below one half. Go back to the left.",
        ),
        0.5: "0.5 is the height to look for. Find it on the upright axis, go to the right until you meet the highest "
        "curve, and read the temperature below that point.",
        0.64: "0.64 is a weight: the one that cat has at temperature 1. "
        "The question goes the other way round: at which temperature is the weight 0.5?",
    },
)
