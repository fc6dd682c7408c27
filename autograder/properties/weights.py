"""Of weights, their logarithms, and means."""

import numpy as np

from .looking import along, changed, in_another_order, near

ALONG = ("of the batch", "along axis 1, a second axis in front,", "along axis 2, a third axis in front,")


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
    complaint = weights_sum_to_one(lambda **i: np.exp(run(**i)), inputs)
    return complaint and complaint.replace("One row of your weights sums", "The exponentials of one of your rows sum")


def only_differences_count(run, inputs):
    """Softmax looks at differences between scores alone."""
    if not near(run(**inputs | {"scores": inputs["scores"] + 1}), run(**inputs)):
        return "Adding 1 to every score changed your result."


def larger_scores_get_larger_weights(run, inputs):
    """Softmax keeps the order of the scores."""
    weights = run(**inputs)
    if inputs["scores"].ndim == 1 and (weights.argsort() != inputs["scores"].argsort()).any():
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


def every_score_gets_something(run, inputs):
    """Softmax is soft: the best score gets most, and every other one something."""
    scores = inputs["query"] @ inputs["key"].mT if "query" in inputs else inputs["scores"]
    if np.ptp(scores) / inputs.get("temperature", 1) < 30 and (run(**inputs) == 0).any():
        return "Some of your weights are exactly 0, though the scores lie near each other."


def differences_of_scores_stay(run, inputs):
    """Log-softmax takes one number away from all scores of a row, so the differences between them stay as they are."""
    taken = inputs["scores"] - run(**inputs)
    axis = inputs.get("axis", -1)
    if not near(taken, np.broadcast_to(taken.max(axis=axis, keepdims=True), taken.shape)):
        return "Within a row, your numbers do not differ as the scores do."


def keys_may_change_places(run, inputs):
    """A weight belongs to its key, and not to a place: every key is treated alike."""
    if not near(run(**in_another_order(inputs, ("weights", -1), ("values", -2))), run(**inputs)):
        return "Another order of the keys, each with its weight and its values, changed your result."


def the_mean_of_two_rows_gives_the_mean_of_two_results(run, inputs):
    """Weights are used as they are: each value is multiplied by its weight, and by nothing else."""
    weights = inputs["weights"].copy()
    weights[..., 0, :] = weights[..., :2, :].mean(axis=-2)
    if not near(run(**inputs | {"weights": weights})[..., 0, :], run(**inputs)[..., :2, :].mean(axis=-2)):
        return (
            "We gave the first query weights half way between those of the first two queries; "
            "its result is not half way between theirs."
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
