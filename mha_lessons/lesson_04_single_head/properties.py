"""What holds for projections and for one head."""

import numpy as np

from autograder.cases import changed, near
from mha_lessons.lesson_03_masks.properties import last_key_blocked


def values_are_only_mixed(run, inputs):
    """Values are shared out as they are: no function changes them, or their mixture, on the way."""
    if shows_sooner(inputs):
        return
    nothing = run(**inputs | _scaled(inputs, "value", 0))
    before = run(**inputs) - nothing
    for factor, what in ((2, "Doubling"), (-1, "Turning the sign of")):
        if not near(run(**inputs | _scaled(inputs, "value", factor)) - nothing, factor * before):
            return f"{what} all values, by `w_value`, did not do the same to your output."


def scores_are_products_of_queries_and_keys(run, inputs):
    """A score is a sum of products of a query's and a key's numbers, and depends on nothing else."""
    if shows_sooner(inputs):
        return
    columns = np.arange(inputs["w_query"].shape[-1])
    factors = np.where(columns % 2, 2, -1).astype(inputs["w_query"].dtype)
    turned = _scaled(inputs, "query", factors) | _scaled(inputs, "key", 1 / factors)
    if not near(run(**inputs | turned), run(**inputs)):
        return (
            "We multiplied the columns of `w_query` by -1 and 2 in turn, and divided those of `w_key` by the same "
            "numbers. That leaves all products of queries and keys unchanged, but your output changed."
        )


def shows_sooner(inputs):
    """Whether it shows as well without a mask, with two heads, and where there is one sequence, without a batch."""
    return inputs.get("mask") is not None or inputs.get("heads", 2) != 2 or inputs.get("x", np.eye(2)).ndim > 2


def _scaled(inputs, name, factor):
    """The matrix of this projection times a factor, and its bias if there is one."""
    return {n: factor * inputs[n] for n in (f"w_{name}", f"b_{name}") if inputs.get(n) is not None}


def blocked_tokens_have_no_influence(run, inputs):
    """Nothing about a token that no query may look at changes the output of another token."""
    if inputs.get("mask") is None:
        return
    inputs = last_key_blocked(inputs)
    if not near(run(**changed(inputs, "x", np.s_[..., -1, :]))[..., :-1, :], run(**inputs)[..., :-1, :]):
        return "Changing a blocked token changed the output of another."
