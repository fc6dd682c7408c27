"""Of heads that are split, merged, joined and mixed."""

import numpy as np

from .looking import changed, near


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


def heads_may_change_places(run, inputs):
    """Heads have no order of their own: with their rows of w_output they may change places."""
    size = inputs["w_query"].shape[-1]
    blocks = inputs["w_output"].reshape(-1, size, inputs["w_output"].shape[-1])
    turned = {name: inputs[name][::-1].copy() for name in ("w_query", "w_key", "w_value")}
    turned["w_output"] = blocks[::-1].reshape(inputs["w_output"].shape).copy()
    if not near(run(**inputs | turned), run(**inputs)):
        return "Turning round the order of the heads, with their rows of w_output, changed your output."


def a_head_is_its_own_matrices_and_rows(run, inputs):
    """A head is made with its own three matrices, and reaches the output through its own rows of w_output."""
    if inputs["x"].ndim > 2:
        return  # without a batch it shows as well, and sooner
    size, heads = inputs["w_query"].shape[-1], range(len(inputs["w_query"]))
    for head in heads:
        rows = np.zeros_like(inputs["w_output"])
        rows[head * size : (head + 1) * size] = inputs["w_output"][head * size : (head + 1) * size]
        alone = inputs | {"w_output": rows}
        before = run(**alone)
        others = [h for h in heads if h != head]
        for name in ("w_query", "w_key", "w_value"):
            if others and not near(run(**changed(alone, name, others)), before):
                return (
                    f"We set all rows of w_output to zero but those of head {head}, and then changed the `{name}` of "
                    "all other heads: your output changed, too."
                )


def equal_values_come_out_as_they_are(run, inputs):
    """A mean of equal values is that value, whatever the shares are, as long as they sum to 1."""
    if inputs.get("mask") is not None or inputs["x"].ndim > 2:
        return
    w_value = np.zeros_like(inputs["w_value"])
    w_value[:, 0] = inputs["w_value"][:, 0]
    x = inputs["x"].copy()
    x[..., 0] = 1
    if not near(run(**inputs | {"x": x, "w_value": w_value}), _mixed(w_value[:, 0], inputs["w_output"], x)):
        return "We gave all tokens the same value, with other queries and keys: the output was not that value, mixed."


def _mixed(values, w_output, x):
    return np.broadcast_to(values.reshape(-1) @ w_output, (*x.shape[:-1], w_output.shape[-1]))


def tokens_may_change_places(run, inputs):
    """Without a mask no token knows where it stands: in another order, each gets the same output as before."""
    if inputs.get("mask") is not None or inputs["x"].ndim > 2:
        return
    if not near(run(**inputs | {"x": inputs["x"][..., ::-1, :].copy()}), run(**inputs)[..., ::-1, :]):
        return "We turned round the order of the tokens, and their outputs were others than before."


def twice_the_output_weights_twice_the_output(run, inputs):
    """The last step is a product with w_output: twice these weights give twice the output."""
    if not near(run(**inputs | {"w_output": 2 * inputs["w_output"]}), 2 * run(**inputs)):
        return "Doubling w_output did not double your output."


def every_row_of_every_matrix_counts(run, inputs):
    """Every head reads the whole of `x`: each column of it meets a row of the head's three matrices."""
    if inputs["x"].ndim > 2 or inputs.get("mask") is not None:
        return  # without a batch and without a mask it shows as well, and sooner
    before = run(**inputs)
    for name in ("w_query", "w_key", "w_value"):
        for row in np.ndindex(inputs[name].shape[:-1]):
            if near(run(**changed(inputs, name, row)), before):
                return f"We changed `{name}[{', '.join(map(str, row))}]`: your output stayed as it was."
