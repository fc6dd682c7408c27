"""What holds for every weighted mean."""

import numpy as np

from autograder.cases import along, changed, in_another_order, near


def every_key_counts(run, inputs):
    """A key that may be seen gets a weight above 0, so its value counts, wherever the key is."""
    mask = inputs.get("mask")
    name = "value" if "value" in inputs else "values"
    before = run(**inputs)
    for key in range(inputs[name].shape[-2]):
        seen = mask is None or mask[..., key % mask.shape[-1]].any()
        if seen and near(run(**changed(inputs, name, np.s_[..., key, :])), before):
            return f"Changing the value of key {key} changed nothing in your output."


ALONG = ("of the batch", "along axis 1, a second axis in front,", "along axis 2, a third axis in front,")


def outputs_lie_between_the_values(run, inputs):
    """A weighted mean lies between the smallest and the largest value."""
    if "mask" in inputs:
        return
    value = inputs["value"] if "value" in inputs else inputs["values"]
    out, low, high = run(**inputs), value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    if out.shape[-1] == value.shape[-1] and ((out > high + 1e-4) | (out < low - 1e-4)).any():
        return "Some of your outputs lie outside the range of the values."


def twice_the_values_twice_the_output(run, inputs):
    """Values are only mixed, so doubling the values doubles the output."""
    name = "value" if "value" in inputs else "values"
    if not near(run(**inputs | {name: 2 * inputs[name]}), 2 * run(**inputs)):
        return "Doubling the values did not double your output."


def keys_may_change_places(run, inputs):
    """A weight belongs to its key and not to a place, so all keys are treated in the same way."""
    if not near(run(**in_another_order(inputs, ("weights", -1), ("values", -2))), run(**inputs)):
        return "Putting the keys in another order, each with its weight and its values, changed your result."


def the_mean_of_two_rows_gives_the_mean_of_two_results(run, inputs):
    """Weights are used as they are: each value is multiplied by its weight, and by nothing else."""
    weights = inputs["weights"].copy()
    weights[..., 0, :] = weights[..., :2, :].mean(axis=-2)
    if not near(run(**inputs | {"weights": weights})[..., 0, :], run(**inputs)[..., :2, :].mean(axis=-2)):
        return (
            "We gave the first query weights halfway between those of the first two queries, "
            "but its result is not halfway between theirs."
        )


def rows_do_not_touch_each_other(run, inputs):
    """Each row is computed by itself."""
    name = next(n for n in ("query", "x", "scores", "weights") if n in inputs)
    if inputs[name].ndim > 1 and inputs.get("axis", -1) == -1:
        before = run(**inputs)
        for which, place, others in (("first", 0, np.s_[1:]), ("last", -1, np.s_[:-1])):
            after = run(**changed(inputs, name, np.s_[..., place, 0]))
            if not near(after[..., others, :], before[..., others, :]):
                return f"Changing the {which} row of {name} changed another row of your result."


def batch_items_do_not_touch_each_other(run, inputs):
    """Each item of a batch is computed as if it were alone."""
    names = ("query", "key", "value", "x", "memory", "scores", "weights", "values")
    name, *others = [n for n in names if inputs.get(n) is not None]
    if inputs[name].ndim < 3:
        return
    batched, before = [n for n in others if inputs[n].ndim == inputs[name].ndim], run(**inputs)
    for axis in range(min(inputs[name].ndim, before.ndim) - 2):
        for which, place, rest in (("first", 0, np.s_[1:]), ("last", -1, np.s_[:-1])):
            other = inputs
            for n in (name, *batched):
                other = changed(other, n, along(axis, place))
            if not near(run(**other)[along(axis, rest)], before[along(axis, rest)]):
                return f"Changing the {which} item {ALONG[axis]} changed the output of another."
