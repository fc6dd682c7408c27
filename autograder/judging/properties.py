"""What holds whatever the numbers are: property(run, inputs) -> what went wrong in the answer, or None.

`run(**inputs)` is the answer, as NumPy. The docstring is the second sentence that a learner reads.
Properties explain a wrong answer that no misconception explains.
"""

import numpy as np


def near(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-3, atol=1e-4 * (1 + np.abs(b).max(initial=0)))


def changed(inputs, name, where, amount=1.5):
    """The same inputs, but for one place of one of them."""
    x = inputs[name].copy()
    x[where] = ~x[where] if x.dtype == bool else x[where] + amount
    return inputs | {name: x}


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


def blocked_keys_have_no_weight(run, inputs):
    """A key that may not be looked at has weight zero."""
    weights = run(**inputs)
    if (weights[~np.broadcast_to(inputs["mask"], weights.shape)] != 0).any():
        return "A blocked key has a weight that is not zero."


def numbers_in_blocked_keys_change_nothing(run, inputs):
    """Nothing about a key that nobody may look at changes any output."""
    if inputs.get("mask") is None:
        return
    mask = inputs["mask"].copy()
    mask[..., -1], mask[..., 0] = False, True
    inputs = inputs | {"mask": mask}
    for name in (name for name in ("key", "value", "scores") if name in inputs):
        where = np.s_[..., -1] if name == "scores" else np.s_[..., -1, :]
        if not near(run(**changed(inputs, name, where)), run(**inputs)):
            what = "A blocked key" if name == "key" else f"The {name.removesuffix('s')} of a blocked key"
            return f"{what} still counts: with other numbers there, your result was another."


def blocked_tokens_have_no_influence(run, inputs):
    """Nothing about a token that nobody may look at changes the output of another."""
    if inputs.get("mask") is None:
        return
    mask = inputs["mask"].copy()
    mask[..., -1], mask[..., 0] = False, True
    inputs = inputs | {"mask": mask}
    if not near(run(**changed(inputs, "x", np.s_[..., -1, :]))[..., :-1, :], run(**inputs)[..., :-1, :]):
        return "Changing a blocked token changed the output of another."


def the_future_has_no_influence(run, inputs):
    """Changing a later token must change no earlier output."""
    before = run(**inputs)
    for name in ("key", "value"):
        after = run(**changed(inputs, name, np.s_[..., -1, :]))
        if not near(after[..., :-1, :], before[..., :-1, :]):
            return f"Changing the last token's {name} changed an earlier output: your code looks ahead."


def the_past_has_influence(run, inputs):
    """A query uses all that it may see, itself included."""
    after = run(**changed(inputs, "value", np.s_[..., -1, :]))
    if near(after[..., -1, :], run(**inputs)[..., -1, :]):
        return "Changing the last token's value does not change the last output."


def keys_with_their_values_may_be_shuffled(run, inputs):
    """Attention looks things up by content: the order of keys, with their values, does not matter."""
    shuffled = {name: inputs[name][..., ::-1, :].copy() for name in ("key", "value")}
    if inputs.get("mask") is not None:
        shuffled["mask"] = inputs["mask"][..., ::-1].copy()
    if not near(run(**inputs | shuffled), run(**inputs)):
        return "Shuffling the keys together with their values changed your output."


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


def earlier_keys_stay_visible(run, inputs):
    """A query sees at least what the query before it saw."""
    mask = run(**inputs).astype(bool)
    if mask.ndim == 2 and (mask[:-1] & ~mask[1:]).any():
        return "A later query sees less than an earlier one."


def the_last_query_sees_every_key(run, inputs):
    """Nothing lies in the future of the last query."""
    if not run(**inputs).astype(bool)[..., -1, :].all():
        return "Your last query does not see every key."


def order_of_masks_does_not_matter(run, inputs):
    """Both masks count alike."""
    if not np.array_equal(run(**inputs), run(first=inputs["second"], second=inputs["first"])):
        return "Swapping the two masks changed your result."


def nothing_forbidden_gets_allowed(run, inputs):
    """What either mask forbids stays forbidden."""
    out = run(**inputs).astype(bool)
    if any((out & ~mask).any() for mask in inputs.values() if mask is not None):
        return "Your result allows what one of the masks forbids."


def rows_allow_as_many_keys_as_lengths_say(run, inputs):
    """Each row allows as many keys as its length says."""
    allowed = run(**inputs).astype(bool).reshape(len(inputs["lengths"]), -1).sum(axis=-1)
    if (allowed != inputs["lengths"]).any():
        return f"Your rows allow {allowed.tolist()} keys; the lengths are {inputs['lengths'].tolist()}."


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


def heads_share_one_budget(run, inputs):
    """Heads of equal shares are as wide together as the model, however many there are."""
    one, two = (run(model_size=24, heads=heads, bias=inputs.get("bias", True)) for heads in (2, 4))
    if one != two:
        return f"For a model size of 24 you count {one:g} with 2 heads and {two:g} with 4."


def twice_the_size_four_times_the_weights(run, inputs):
    """Twice the model size makes every matrix twice as high and twice as wide."""
    small, large = (run(model_size=size, heads=2, bias=False) for size in (12, 24))
    if large != 4 * small:
        return f"Without biases you count {small:g} for a model size of 12, and {large:g} for 24."


def _parts(run, inputs):
    """What of a count is constant, and what grows with the tokens, their square and their cube; None if there is more.

    From the count for once to four times the tokens; five times are the proof.
    """
    times = np.arange(1, 6)
    counts = [float(run(**inputs | {"tokens": int(n) * inputs["tokens"]})) for n in times]
    powers = np.vander(times, 4, increasing=True)
    parts = np.linalg.solve(powers[:4], counts[:4])
    whole = np.abs(counts).max()
    return (
        np.where(np.abs(parts) < 1e-9 * whole, 0, parts) if abs(powers[4] @ parts - counts[4]) < 1e-9 * whole else None
    )


_CARET = "(If there is a `^` in your code: in Python that is no power, `**` is.)"


def a_count_is_a_sum_of_products(run, inputs):
    """Projections treat each token alone; in scores and mix every token meets every token."""
    if inputs["tokens"] * inputs["model_size"] ** 2 > 1000:  # small ones tell as much, and a slow answer ends in time
        return None
    parts = _parts(run, inputs)
    if parts is None:
        return (
            "Three times the tokens should be three times the projections, and nine times scores and mix. "
            f"Your count grows otherwise. {_CARET}"
        )
    if not parts[1:].any():
        return f"Your count is the same for {inputs['tokens']} tokens and for {5 * inputs['tokens']}."
    if parts[0]:
        return f"A part of your count, {parts[0]:.6g} of it, does not grow with the number of tokens. {_CARET}"
    if parts[3]:
        return "A part of your count grows with the cube of the tokens: they are multiplied once too often."


def _part_is_off(part, power, right, run, inputs):
    """How one part of a count lies to the right one; how it grows with the model size, if that is not as it should."""
    got, twice = (_parts(run, inputs | {"model_size": factor * inputs["model_size"]})[power] for factor in (1, 2))
    if np.isclose(got, right(**inputs)):
        return None
    ratio, expected = twice / got if got else 0, 2 ** (3 - power)
    if got and not np.isclose(ratio, expected):
        return (
            f"The part of your count that grows with {part} becomes {ratio:.3g} times as large for twice the model "
            f"size; it should become {expected} times as large."
        )
    times = got / right(**inputs)
    return f"The part of your count that grows with {part} is {times:.3g} times what it should be."


def projections_grow_with_the_tokens(run, inputs):
    """Four products project each token with a square matrix of model_size, and each term takes two operations."""
    return _part_is_off("the tokens", 1, lambda tokens, model_size: 8 * tokens * model_size**2, run, inputs)


def scores_and_mix_grow_with_their_square(run, inputs):
    """Scores and mix are two products in which every token meets every token, feature by feature."""
    part = "the square of the tokens"
    return _part_is_off(part, 2, lambda tokens, model_size: 4 * tokens**2 * model_size, run, inputs)


def every_size_counts(run, inputs):
    """Each size is a factor of the whole, the tokens twice: once for queries, once for keys."""
    for name, expected in {"batch": 2, "heads": 2, "tokens": 4, "bytes_per_number": 2}.items():
        before = inputs | {name: inputs.get(name, 4)}
        ratio = float(run(**before | {name: 2 * before[name]})) / float(run(**before))
        if ratio == 1:
            return f"Your result is the same for `{name}` {before[name]} and {2 * before[name]}."
        if not np.isclose(ratio, expected, rtol=1e-2):
            what = f"Twice the `{name}` made your result {ratio:.3g} times as large; it should be {expected} times."
            return what if np.isclose(ratio, round(ratio)) else f"{what} {_CARET}"


def the_crossing_is_found_for_every_size(run, inputs):
    """Any whole number may be the crossing; an equation solved for n needs no search."""
    size = inputs["model_size"]
    small, middle, large = (np.isclose(float(run(model_size=d)), 2 * d) for d in (6, 512, 4096))
    if middle and large and not small and size not in (512, 4096):
        return (
            f"Your length is right for the model sizes 512 and 4096, and not for {size}. "
            "If your code searches: which lengths does it try?"
        )
    if small and not large and size == 4096:
        return (
            "Your length is right for a model size of 6, and not for 4096. If your code searches: how far does it go?"
        )


def twice_the_model_twice_the_crossing(run, inputs):
    """The model size cancels once on both sides, and stays once on one of them."""
    size = inputs["model_size"]
    once, twice = (float(run(model_size=d)) for d in (size, 2 * size))
    if once == twice:
        return f"Your length is the same for the model sizes {size} and {2 * size}."
    if once and not np.isclose(twice / once, 2, rtol=1e-2):
        return f"Twice the model size made your length {twice / once:.3g} times as large; it should be twice."


def a_blocked_source_has_no_influence(run, inputs):
    """What may not be looked at leaves no trace, neither through its key nor through its value."""
    mask = inputs.get("mask")
    if mask is None:
        return
    mask = mask.copy()
    mask[..., -1], mask[..., 0] = False, True
    inputs = inputs | {"mask": mask}
    if not near(run(**changed(inputs, "memory", np.s_[:, -1])), run(**inputs)):
        return "We hid the last token of the memory from everyone, and then changed it: your output changed, too."


def sources_may_be_shuffled(run, inputs):
    """Attention finds things by what they are, not by where they stand."""
    shuffled = {"memory": inputs["memory"][:, ::-1].copy()}
    if inputs.get("mask") is not None:
        shuffled["mask"] = inputs["mask"][..., ::-1].copy()
    if not near(run(**inputs | shuffled), run(**inputs)):
        return "Another order of the memory's tokens changed your output."


def every_target_is_computed_by_itself(run, inputs):
    """In cross-attention nobody looks at the tokens that ask, so none of them can influence another."""
    if not near(run(**changed(inputs, "x", np.s_[:, 0]))[:, 1:], run(**inputs)[:, 1:]):
        return "Changing the first token of x changed the output of another."


def every_row_of_every_matrix_counts(run, inputs):
    """Every head reads the whole of `x`: each column of it meets a row of the head's three matrices."""
    if inputs["x"].ndim > 2:
        return  # without a batch it shows as well, and sooner
    before = run(**inputs)
    for name in ("w_query", "w_key", "w_value"):
        for row in np.ndindex(inputs[name].shape[:-1]):
            if near(run(**changed(inputs, name, row)), before):
                return f"`{name}[{', '.join(map(str, row))}]` has no influence on your output."
