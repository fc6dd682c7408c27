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


def heads_may_change_places(run, inputs):
    """Heads have no order of their own: with their rows of w_output they may change places."""
    size = inputs["w_query"].shape[-1]
    blocks = inputs["w_output"].reshape(-1, size, inputs["w_output"].shape[-1])
    turned = {name: inputs[name][::-1].copy() for name in ("w_query", "w_key", "w_value")}
    turned["w_output"] = blocks[::-1].reshape(inputs["w_output"].shape).copy()
    if not near(run(**inputs | turned), run(**inputs)):
        return "Turning round the order of the heads, with their rows of w_output, changed your output."


def twice_the_output_weights_twice_the_output(run, inputs):
    """The last step is a product with w_output: twice these weights give twice the output."""
    if not near(run(**inputs | {"w_output": 2 * inputs["w_output"]}), 2 * run(**inputs)):
        return "Doubling w_output did not double your output."


def every_row_of_every_matrix_counts(run, inputs):
    """Every head reads the whole of `x`: each column of it meets a row of the head's three matrices."""
    if inputs["x"].ndim > 2:
        return  # without a batch it shows as well, and sooner
    before = run(**inputs)
    for name in ("w_query", "w_key", "w_value"):
        for row in np.ndindex(inputs[name].shape[:-1]):
            if near(run(**changed(inputs, name, row)), before):
                return f"`{name}[{', '.join(map(str, row))}]` has no influence on your output."
