"""What holds for weights and their logarithms, whatever the scores are."""

import numpy as np

from autograder.cases import near


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


def only_differences_count(run, inputs):
    """Softmax depends only on the differences between scores."""
    if not near(run(**inputs | {"scores": inputs["scores"] + 1}), run(**inputs)):
        return "Adding 1 to every score changed your result."


def larger_scores_get_larger_weights(run, inputs):
    """Softmax keeps the order of the scores."""
    weights = run(**inputs)
    if inputs["scores"].ndim == 1 and (weights.argsort() != inputs["scores"].argsort()).any():
        return "A larger score got a smaller weight."


def every_score_gets_something(run, inputs):
    """Softmax is soft: the best score gets the most, and every other score gets something."""
    scores = inputs["query"] @ inputs["key"].mT if "query" in inputs else inputs["scores"]
    if np.ptp(scores) / inputs.get("temperature", 1) < 30 and (run(**inputs) == 0).any():
        return "Some of your weights are exactly 0, although the scores are close to each other."
