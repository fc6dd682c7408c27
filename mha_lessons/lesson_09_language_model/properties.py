"""What holds for logarithms of weights, and for temperatures."""

import numpy as np

from autograder.properties import near
from mha_lessons.lesson_01_softmax.properties import weights_sum_to_one


def log_weights_sum_to_one(run, inputs):
    """The exponentials of log-softmax are weights, and weights sum to 1."""
    complaint = weights_sum_to_one(lambda **i: np.exp(run(**i)), inputs)
    return complaint and complaint.replace("One row of your weights sums", "The exponentials of one of your rows sum")


def twice_the_temperature_is_half_the_scores(run, inputs):
    """Temperature divides the scores."""
    half = inputs | {"scores": inputs["scores"] / 2}
    double = inputs | {"temperature": 2 * inputs["temperature"]}
    if not near(run(**double), run(**half)):
        return "Twice the temperature and half the scores gave different results."


def differences_of_scores_stay(run, inputs):
    """Log-softmax takes one number away from all scores of a row, so the differences between them stay as they are."""
    taken = inputs["scores"] - run(**inputs)
    axis = inputs.get("axis", -1)
    if not near(taken, np.broadcast_to(taken.max(axis=axis, keepdims=True), taken.shape)):
        return "Within a row, your numbers do not differ as the scores do."
