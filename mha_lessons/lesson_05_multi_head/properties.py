"""What holds for several heads, and for the count of their parameters."""

import numpy as np

from autograder.cases import changed, near


def heads_share_one_budget(run, inputs):
    """All heads together are as wide as the model, however many there are."""
    one, two = (run(model_size=24, heads=heads, bias=inputs.get("bias", True)) for heads in (2, 4))
    if one != two:
        return f"For a model size of 24 you count {one:g} with 2 heads and {two:g} with 4."


def twice_the_size_four_times_the_weights(run, inputs):
    """Twice the model size makes every matrix twice as high and twice as wide."""
    small, large = (run(model_size=size, heads=2, bias=False) for size in (12, 24))
    if large != 4 * small:
        return f"Without biases you count {small:g} for a model size of 12, and {large:g} for 24."


def queries_and_keys_grow_with_head_size(run, inputs):
    """Queries and keys are two matrices, with model_size rows and as many biases as columns; nothing else grows."""
    return _column_off(run, "head_size", "query and in the key", biases=2)


def values_and_output_grow_with_value_size(run, inputs):
    """A matrix makes the values, with a bias for each column; the output matrix takes them in, a row for each."""
    return _column_off(run, "value_size", "value", biases=1)


def _column_off(run, name, where, biases):
    """What one more column in each head adds to a count, if it is not two columns or rows of model_size numbers."""
    for bias in (False, True):
        sizes = dict(model_size=12, heads=3, bias=bias, head_size=5, value_size=7)
        got, right = run(**sizes | {name: sizes[name] + 1}) - run(**sizes), 3 * (2 * 12 + biases * bias)
        if got != right:
            return (
                f"With a model size of 12, 3 heads and {'biases' if bias else 'no biases'}, one more column in the "
                f"{where} of each head adds {got:g} to your count; it should add {right}."
            )


def equal_sizes_are_counted_like_others(run, inputs):
    """Matrices are counted one by one: that two of them have the same shape saves nothing."""
    sizes = dict(model_size=10, heads=2, value_size=5)
    below, equal, above = (run(**sizes, head_size=size) for size in (4, 5, 6))
    if 2 * equal != below + above:
        return (
            f"With a value_size of 5 you count {below:g}, {equal:g} and {above:g} for head sizes of 4, 5 and 6; "
            "the second number should lie halfway between the others."
        )


def all_else_is_the_bias_of_the_output(run, inputs):
    """Every number belongs to a head, except the bias of the output, which is as long as model_size."""
    for bias in (False, True):
        sizes = dict(model_size=12, heads=3, bias=bias)
        both, keys, values = (run(**sizes, head_size=k, value_size=v) for k, v in ((5, 7), (10, 7), (5, 14)))
        got, right = 3 * both - keys - values, 12 * bias
        if got != right:
            return (
                f"With a model size of 12, 3 heads and {'biases' if bias else 'no biases'}, {got:g} of your count "
                f"{'depends' if got == 1 else 'depend'} neither on head_size nor on value_size; "
                f"there should be {right} of these."
            )


def heads_may_change_places(run, inputs):
    """Heads have no order: together with their rows of w_output they can be swapped."""
    size = inputs["w_query"].shape[-1]
    blocks = inputs["w_output"].reshape(-1, size, inputs["w_output"].shape[-1])
    turned = {name: inputs[name][::-1].copy() for name in ("w_query", "w_key", "w_value")}
    turned["w_output"] = blocks[::-1].reshape(inputs["w_output"].shape).copy()
    if not near(run(**inputs | turned), run(**inputs)):
        return "Reversing the order of the heads, together with their rows of w_output, changed your output."


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
    """A mean of equal values is that value, whatever the weights are, as long as they sum to 1."""
    if inputs.get("mask") is not None or inputs["x"].ndim > 2:
        return
    w_value = np.zeros_like(inputs["w_value"])
    w_value[:, 0] = inputs["w_value"][:, 0]
    x = inputs["x"].copy()
    x[..., 0] = 1
    if not near(run(**inputs | {"x": x, "w_value": w_value}), _mixed(w_value[:, 0], inputs["w_output"], x)):
        return (
            "We gave all tokens the same value, with different queries and keys: the output was not the mixture of it."
        )


def _mixed(values, w_output, x):
    return np.broadcast_to(values.reshape(-1) @ w_output, (*x.shape[:-1], w_output.shape[-1]))


def tokens_may_change_places(run, inputs):
    """Without a mask no token knows its place: in another order, each gets the same output as before."""
    if inputs.get("mask") is not None or inputs["x"].ndim > 2:
        return
    if not near(run(**inputs | {"x": inputs["x"][..., ::-1, :].copy()}), run(**inputs)[..., ::-1, :]):
        return "We reversed the order of the tokens, and their outputs changed."


def twice_the_output_weights_twice_the_output(run, inputs):
    """Values and output are products with w_value and w_output: twice either matrix gives twice the output."""
    for name in ("w_output", "w_value"):
        if not near(run(**inputs | {name: 2 * inputs[name]}), 2 * run(**inputs)):
            return f"Doubling {name} did not double your output."


def every_row_of_every_matrix_counts(run, inputs):
    """Every head reads the whole of `x`: each column of it meets a row of the head's three matrices."""
    if inputs["x"].ndim > 2 or inputs.get("mask") is not None:
        return  # without a batch and without a mask it shows as well, and sooner
    before = run(**inputs)
    for name in ("w_query", "w_key", "w_value"):
        for row in np.ndindex(inputs[name].shape[:-1]):
            if near(run(**changed(inputs, name, row)), before):
                return f"We changed `{name}[{', '.join(map(str, row))}]`: your output stayed as it was."
