"""What holds for counts of operations and bytes."""

import numpy as np


def _parts(run, inputs, name="tokens"):
    """What of a count is constant, and what grows with a size, its square and its cube; None if there is more.

    From the count for once to four times the size; five times are the proof.
    """
    times = np.arange(1, 6)
    counts = [float(run(**inputs | {name: int(n) * inputs[name]})) for n in times]
    powers = np.vander(times, 4, increasing=True)
    parts = np.linalg.solve(powers[:4], counts[:4])
    whole = np.abs(counts).max()
    return (
        np.where(np.abs(parts) < 1e-9 * whole, 0, parts) if abs(powers[4] @ parts - counts[4]) < 1e-9 * whole else None
    )


_CARET = "(If there is a `^` in your code: in Python that is no power, `**` is.)"


def _multiplied_out(run):
    """The factors of tokens^i · model_size^j in a count, for i and j up to 3; None if it is no such sum."""
    small = range(1, 5)
    counts = [[float(run(tokens=n, model_size=d)) for d in small] for n in small]
    solve = np.linalg.inv(np.vander(small, increasing=True))
    factors = np.round(solve @ counts @ solve.T, 6)
    for n, d in (5, 7), (9, 64):
        if not np.isclose(n ** np.arange(4) @ factors @ d ** np.arange(4), float(run(tokens=n, model_size=d)), 1e-9):
            return None
    powers = sorted(map(tuple, np.argwhere(factors).tolist()), key=lambda power: power not in _OF_THE_LAYER)
    return {power: factors[power] for power in powers}


_OF_THE_LAYER = {(1, 2): (8, "with a square matrix"), (2, 1): (4, "in which tokens meet tokens")}


def _in_words(factor, tokens, model_size):
    """A term, as one writes it: 4·tokens²·model_size."""
    sizes = [name + ("", "", "²", "³")[n] for name, n in (("tokens", tokens), ("model_size", model_size)) if n]
    return "·".join([f"{factor:g}", *sizes] if factor != 1 or not sizes else sizes)


def each_term_is_a_product_of_the_layer(run, inputs):
    """A product takes twice its three sizes: four are projections, one makes the scores, one the mix."""
    factors = _multiplied_out(run)
    if not factors or factors == {power: right for power, (right, _) in _OF_THE_LAYER.items()}:
        return None
    terms = {power: _in_words(factor, *power) for power, factor in factors.items()}
    found = [f"Multiplied out, your count is {' + '.join(terms.values()).replace('+ -', '- ')}."]
    for power, (right, kind) in _OF_THE_LAYER.items():
        products = factors.get(power, 0) / 2
        if products <= 0:
            found.append(f"It adds no product {kind}.")
        elif factors[power] != right:
            found.append(f"{terms[power]} makes {products:g} {'product' if products == 1 else 'products'} {kind}.")
    strange = [term for power, term in terms.items() if power not in _OF_THE_LAYER]
    if strange:
        found.append(f"No product of the layer has the sizes of {' or '.join(strange)}.")
    return " ".join(found)


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
    for name, power in {"batch": 1, "heads": 1, "tokens": 2, "bytes_per_number": 1}.items():
        before = inputs | {name: inputs.get(name, 4)}
        parts = _parts(run, before, name)
        if parts is not None and np.count_nonzero(parts) > 1:
            other = max((n for n in range(4) if n != power), key=lambda n: abs(parts[n]))
            growing = (
                "does not grow with",
                "grows only once with",
                "grows with the square of",
                "grows with the cube of",
            )
            return f"A part of your result, {parts[other]:.6g} of {parts.sum():.6g}, {growing[other]} `{name}`."
        ratio = float(run(**before | {name: 2 * before[name]})) / float(run(**before))
        if ratio == 1:
            return f"Your result is the same for `{name}` {before[name]} and {2 * before[name]}."
        if not np.isclose(ratio, 2**power, rtol=1e-5):
            what = f"Twice the `{name}` made your result {ratio:.3g} times as large; it should be {2**power} times."
            return what if np.isclose(np.log2(ratio) % 1, (0, 1)).any() else f"{what} {_CARET}"


def the_crossing_is_found_for_every_size(run, inputs):
    """Any whole number may be the crossing; an equation solved for n needs no search."""
    size = inputs["model_size"]
    sizes = (6, 512, 4096, 32768)
    small, middle, large, largest = (np.isclose(float(run(model_size=d)), 2 * d) for d in sizes)
    if middle and large and not small and size not in sizes[1:]:
        return (
            f"Your length is right for the model sizes 512 and 4096, and not for {size}. "
            "If your code searches: which lengths does it try?"
        )
    if small and not (large and largest):
        right, wrong = max(d for d, found in zip(sizes, (small, middle, large)) if found), 32768 if large else 4096
        return (
            f"Your length is right for a model size of {right}, and not for {wrong}. "
            "If your code searches: how far does it go?"
        )


def twice_the_model_twice_the_crossing(run, inputs):
    """The model size cancels once on both sides, and stays once on one of them."""
    ratios = [float(run(model_size=2 * d)) / float(run(model_size=d)) for d in (6, 50, 512)]
    if np.allclose(ratios, 1):
        return "Your length is the same for every model size."
    if any(np.allclose(ratios, 2**power) for power in (-1, 0.5, 2, 3)):
        return f"Twice the model size makes your length {ratios[0]:.3g} times as large; it should be twice."


def both_parts_cost_the_same(run, inputs):
    """At the crossing both parts are equal: four projections, and two products in which tokens meet."""
    size = inputs["model_size"]
    length = float(run(model_size=size))
    if not np.isclose(length, 2 * size):
        return (
            f"For a model size of {size} your length is {length:.6g}. "
            f"With so many tokens, scores and mix cost {length / (2 * size):.3g} times as much as the projections."
        )
