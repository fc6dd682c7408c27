"""What holds for a log-sum-exp, and for attention in blocks."""

import numpy as np

from autograder.cases import changed, near


def it_moves_with_the_scores(run, inputs):
    """If every score grows by 2, so does the result: all exponentials grow by the same factor."""
    if not near(run(**inputs | {"scores": inputs["scores"] + 2}), run(**inputs) + 2):
        return "We added 2 to every score, and your result did not grow by 2."


def it_lies_above_the_largest_score(run, inputs):
    """The largest exponential is part of the sum, so the logarithm of the sum is at least the largest score."""
    largest = inputs["scores"].max(axis=inputs.get("axis", -1))
    if (run(**inputs) < largest - 1e-4 * (1 + np.abs(largest))).any():
        return "Your result is below the largest score of its row."


def the_size_of_the_blocks_changes_nothing(run, inputs):
    """Split the keys any way you like: the result is the same."""
    if not near(run(**inputs | {"block": inputs["block"] + 1}), run(**inputs)):
        return f"With blocks of {inputs['block'] + 1} keys instead of {inputs['block']}, your output changed."


def the_last_key_counts(run, inputs):
    """The last key belongs to a block too, and the last query sees it."""
    if near(run(**changed(inputs, "value", np.s_[..., -1, :])), run(**inputs)):
        return "We changed the value of the last key, and your output stayed the same."


def no_query_looks_ahead(run, inputs):
    """Where `causal` is set, only the last query sees the last key."""
    if not inputs.get("causal"):
        return None
    after = run(**changed(inputs, "value", np.s_[..., -1, :]))
    if not near(after[..., :-1, :], run(**inputs)[..., :-1, :]):
        return "We changed the value of the last key, and earlier queries noticed it."
