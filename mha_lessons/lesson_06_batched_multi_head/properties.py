"""What holds for heads that are split, merged and computed together."""

import numpy as np

from autograder.cases import changed, near
from mha_lessons.lesson_04_single_head.properties import shows_sooner

BEFORE_THE_HEADS = ("w_query", "w_key", "w_value")


def a_head_is_its_own_columns_and_rows(run, inputs):
    """A head is made with its own columns of three matrices, and has its own rows of w_output."""
    if shows_sooner(inputs):
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
    if shows_sooner(inputs):
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


def every_number_is_there_once(run, inputs):
    """Splitting, merging and fusing move numbers, and change none."""
    (given,) = (x for x in inputs.values() if isinstance(x, np.ndarray))
    if not np.array_equal(np.sort(run(**inputs), axis=None), np.sort(given, axis=None)):
        return "Your result does not hold the same numbers as its input."


def tokens_stay_apart(run, inputs):
    """The numbers of one token stay with that token."""
    if not near(run(**changed(inputs, "x", np.s_[..., 0, :]))[..., 1:, :], run(**inputs)[..., 1:, :]):
        return "Changing the first token changed rows of your result that belong to others."


def every_column_stands_in_its_place(run, inputs):
    """Whole columns are moved, and heads are blocks of neighbouring columns: head 0 first, then head 1, and so on."""
    (given,) = (x for x in inputs.values() if isinstance(x, np.ndarray))
    out = run(**inputs)
    splits = "heads" in inputs
    whole, heads = (given, out) if splits else (out, given)
    in_whole = {f"column {n}": column for n, column in enumerate(_columns(whole))}
    in_heads = {
        f"column {n} of head {head}": column
        for head, block in enumerate(np.moveaxis(heads, -3, 0))
        for n, column in enumerate(_columns(block))
    }
    places, wanted = (in_heads, in_whole) if splits else (in_whole, in_heads)
    for (place, column), (name, right) in zip(places.items(), wanted.items()):
        if not near(column, right):
            return f"In your result {place} should be {name} of your input; {_which(column, wanted)}."


def _columns(x):
    return x.reshape(-1, x.shape[-1]).T


def _which(column, wanted):
    """What stands there instead."""
    if not column.any():
        return "it holds zeros only"
    found = next((name for name, right in wanted.items() if near(column, right)), None)
    return f"it is {found}" if found else "it is none of its columns: numbers were changed, or mixed with others"
