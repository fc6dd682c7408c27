"""Of counts: parameters, operations, bytes."""

import numpy as np


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
