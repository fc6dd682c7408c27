"""Of weights, their logarithms, and means."""

import numpy as np

from .looking import changed, near


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
    return weights_sum_to_one(lambda **i: np.exp(run(**i)), inputs)


def only_differences_count(run, inputs):
    """Softmax looks at differences between scores alone."""
    if not near(run(**inputs | {"scores": inputs["scores"] + 1}), run(**inputs)):
        return "Adding 1 to every score changed your result."


def larger_scores_get_larger_weights(run, inputs):
    """Softmax keeps the order of the scores."""
    if inputs["scores"].ndim == 1 and (run(**inputs).argsort() != inputs["scores"].argsort()).any():
        return "A larger score got a smaller weight."


def twice_the_temperature_is_half_the_scores(run, inputs):
    """Temperature divides the scores."""
    half = inputs | {"scores": inputs["scores"] / 2}
    double = inputs | {"temperature": 2 * inputs["temperature"]}
    if not near(run(**double), run(**half)):
        return "Twice the temperature and half the scores gave different results."


def outputs_lie_between_the_values(run, inputs):
    """A weighted mean lies between the smallest and the largest value."""
    if "mask" in inputs:
        return
    value = inputs["value"] if "value" in inputs else inputs["values"]
    out, low, high = run(**inputs), value.min(-2, keepdims=True), value.max(-2, keepdims=True)
    if out.shape[-1] == value.shape[-1] and ((out > high + 1e-4) | (out < low - 1e-4)).any():
        return "Some of your outputs lie outside the range of the values."


def twice_the_values_twice_the_output(run, inputs):
    """Values are only mixed: twice the values give twice the output."""
    name = "value" if "value" in inputs else "values"
    if not near(run(**inputs | {name: 2 * inputs[name]}), 2 * run(**inputs)):
        return "Doubling the values did not double your output."


def rows_do_not_touch_each_other(run, inputs):
    """Each query gets an answer of its own."""
    name = next(n for n in ("query", "x", "scores", "weights") if n in inputs)
    if inputs[name].ndim > 1 and inputs.get("axis", -1) == -1:
        after = run(**changed(inputs, name, np.s_[..., 0, 0]))
        if not near(after[..., 1:, :], run(**inputs)[..., 1:, :]):
            return f"Changing the first row of {name} changed another row of your result."


def batch_items_do_not_touch_each_other(run, inputs):
    """Each item of a batch is computed as if it were alone."""
    name = next(n for n in ("query", "x", "scores", "weights") if n in inputs)
    if inputs[name].ndim > 2 and len(inputs[name]) > 1:
        if not near(run(**changed(inputs, name, np.s_[0]))[1:], run(**inputs)[1:]):
            return "Changing the first item of the batch changed the output of another."
