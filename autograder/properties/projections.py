"""Of projections: what scores and outputs may depend on, and which part of a matrix belongs to which head."""

import numpy as np

from .looking import changed, near

BEFORE_THE_HEADS = ("w_query", "w_key", "w_value")


def values_are_only_mixed(run, inputs):
    """Values are shared out as they are: no function bends them on their way, or what is made of them."""
    if _shows_sooner(inputs):
        return
    nothing = run(**inputs | _scaled(inputs, "value", 0))
    before = run(**inputs) - nothing
    for factor, what in ((2, "Doubling"), (-1, "Turning the sign of")):
        if not near(run(**inputs | _scaled(inputs, "value", factor)) - nothing, factor * before):
            return f"{what} all values, by `w_value`, did not do the same to what comes out."


def scores_are_products_of_queries_and_keys(run, inputs):
    """A score is a sum of products, a number of the query times one of the key, and depends on nothing else."""
    if _shows_sooner(inputs):
        return
    columns = np.arange(inputs["w_query"].shape[-1])
    factors = np.where(columns % 2, 2, -1).astype(inputs["w_query"].dtype)
    turned = _scaled(inputs, "query", factors) | _scaled(inputs, "key", 1 / factors)
    if not near(run(**inputs | turned), run(**inputs)):
        return (
            "We multiplied the columns of `w_query` by -1 and 2 in turn, and divided those of `w_key` by the same "
            "numbers. That leaves all products of queries and keys as they were, and yet your output changed."
        )


def _shows_sooner(inputs):
    """Whether it shows as well without a mask, with two heads, and where there is one sequence, without a batch."""
    return inputs.get("mask") is not None or inputs.get("heads", 2) != 2 or inputs.get("x", np.eye(2)).ndim > 2


def _scaled(inputs, name, factor):
    """The matrix of this projection times a factor, and its bias if there is one."""
    return {n: factor * inputs[n] for n in (f"w_{name}", f"b_{name}") if inputs.get(n) is not None}


def a_head_is_its_own_columns_and_rows(run, inputs):
    """A head is made with its own columns of three matrices, and has its own rows of w_output."""
    if _shows_sooner(inputs):
        return
    for head in range(2):
        rows = np.zeros_like(inputs["w_output"])
        rows[_block(inputs, head)] = inputs["w_output"][_block(inputs, head)]
        alone = inputs | {"w_output": rows}
        before = run(**alone)
        for name in BEFORE_THE_HEADS:
            if not near(run(**changed(alone, name, np.s_[:, _block(inputs, 1 - head)])), before):
                return (
                    f"We set all rows of w_output to zero but those of head {head}, and then changed the columns of "
                    f"`{name}` that belong to head {1 - head}: your output changed, too."
                )


def every_block_of_every_matrix_counts(run, inputs):
    """Every head reads all features, and through its rows of w_output it reaches all features."""
    if _shows_sooner(inputs):
        return
    before = run(**inputs)
    for name in (*BEFORE_THE_HEADS, "w_output"):
        for place in np.ndindex(2, 2):
            rows, columns = (_block(inputs, half) for half in place)
            if near(run(**changed(inputs, name, np.s_[rows, columns])), before):
                return f"We changed `{name}[{_written(rows)}, {_written(columns)}]`: your output stayed as it was."


def _block(inputs, head):
    """The columns, or the rows, of one head."""
    size = len(inputs["w_output"]) // inputs["heads"]
    return np.s_[head * size : (head + 1) * size]


def _written(block):
    return f"{block.start}:{block.stop}"


def each_head_obeys_its_own_mask(run, inputs):
    """Where a mask has a part for each head, a head obeys its own part alone."""
    mask, heads = inputs.get("mask"), inputs["heads"]
    if mask is None or mask.ndim != 4 or mask.shape[1] != heads or heads == 1:
        return
    rows = np.zeros_like(inputs["w_output"])
    rows[_block(inputs, 0)] = inputs["w_output"][_block(inputs, 0)]
    alone = inputs | {"w_output": rows}
    if not near(run(**changed(alone, "mask", np.s_[:, 1:])), run(**alone)):
        return (
            "We set all rows of w_output to zero but those of head 0, and then turned round the mask of all other "
            "heads: your output changed, too."
        )
