"""What holds for weights and their logarithms, whatever the scores are."""

import numpy as np

from autograder.properties import near


def weights_are_not_negative(run, inputs):
    """Weights are shares: none is below zero."""
    if (run(**inputs) < 0).any():
        return "Some of your weights are negative."


def weights_sum_to_one(run, inputs):
    """The shares of one whole sum to 1 along the axis."""
    total = run(**inputs).sum(axis=inputs.get("axis", -1))
    alive = inputs["mask"].any(axis=-1) if "mask" in inputs else True
    whole = np.broadcast_to(alive, total.shape).astype(float)
    if not near(total, whole):
        place = np.unravel_index(np.abs(total - whole).argmax(), total.shape)
        return f"One row of your weights sums to {total[place]:.4g}, not to {whole[place]:g}."


def log_weights_sum_to_one(run, inputs):
    """The exponentials of log-softmax are weights, and weights sum to 1."""
    complaint = weights_sum_to_one(lambda **i: np.exp(run(**i)), inputs)
    return complaint and complaint.replace("One row of your weights sums", "The exponentials of one of your rows sum")


def only_differences_count(run, inputs):
    """Softmax looks at differences between scores alone."""
    if not near(run(**inputs | {"scores": inputs["scores"] + 1}), run(**inputs)):
        return "Adding 1 to every score changed your result."


def larger_scores_get_larger_weights(run, inputs):
    """Softmax keeps the order of the scores."""
    weights = run(**inputs)
    if inputs["scores"].ndim == 1 and (weights.argsort() != inputs["scores"].argsort()).any():
        return "A larger score got a smaller weight."


def twice_the_temperature_is_half_the_scores(run, inputs):
    """Temperature divides the scores."""
    half = inputs | {"scores": inputs["scores"] / 2}
    double = inputs | {"temperature": 2 * inputs["temperature"]}
    if not near(run(**double), run(**half)):
        return "Twice the temperature and half the scores gave different results."


def every_score_gets_something(run, inputs):
    """Softmax is soft: the best score gets most, and every other one something."""
    scores = inputs["query"] @ inputs["key"].mT if "query" in inputs else inputs["scores"]
    if np.ptp(scores) / inputs.get("temperature", 1) < 30 and (run(**inputs) == 0).any():
        return "Some of your weights are exactly 0, though the scores lie near each other."


def differences_of_scores_stay(run, inputs):
    """Log-softmax takes one number away from all scores of a row, so the differences between them stay as they are."""
    taken = inputs["scores"] - run(**inputs)
    axis = inputs.get("axis", -1)
    if not near(taken, np.broadcast_to(taken.max(axis=axis, keepdims=True), taken.shape)):
        return "Within a row, your numbers do not differ as the scores do."
