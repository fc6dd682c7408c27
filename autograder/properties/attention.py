"""Of attention: who may influence whom."""

import numpy as np

from .looking import changed, in_another_order, near


def blocked_keys_have_no_weight(run, inputs):
    """A key that may not be looked at has weight zero."""
    weights = run(**inputs)
    wrong = ~np.broadcast_to(inputs["mask"], weights.shape) & (weights != 0)
    if wrong.any():
        place = [int(i) for i in np.argwhere(wrong)[0]]
        given = "the mask" if inputs["mask"].shape == weights.shape else f"a mask of the shape {inputs['mask'].shape}"
        return f"At {place} stands a blocked key, and it has the weight {weights[tuple(place)]:.3g}; given was {given}."


def blocked_keys_lose_to_every_score(run, inputs):
    """One thing for later: if all scores were near minus four billion, blocked keys would take the weight in your
    version, since you give them a finite number. It is low enough, because no healthy model has such scores. Minus
    infinity has no such limit.
    """
    weights = run(**inputs | {"scores": inputs["scores"] - 4e9})
    if weights[~np.broadcast_to(inputs["mask"], weights.shape)].any():
        return "With all scores 4,000,000,000 lower, a blocked key has weight."


def rows_with_nothing_allowed_are_zero(run, inputs):
    """Who may look at nothing gets nothing: such a row is nothing but zeros."""
    if inputs.get("mask") is None:
        return
    out = run(**inputs)
    dead = ~np.broadcast_to(inputs["mask"].any(axis=-1), out.shape[:-1])
    if out[dead].any():
        place = [int(i) for i in np.argwhere(dead & out.any(axis=-1))[0]]
        row = ", ".join(f"{x:.3g}" for x in out[tuple(place)])
        return f"The query at {place} may look at nothing, and yet your row for it holds {row}."


def _last_key_blocked(inputs):
    """The same inputs, but nobody may look at the last key; everybody sees the first, so that no row is dead."""
    mask = inputs["mask"].copy()
    mask[..., -1], mask[..., 0] = False, True
    return inputs | {"mask": mask}


def numbers_in_blocked_keys_change_nothing(run, inputs):
    """Nothing about a key that nobody may look at changes any output."""
    if inputs.get("mask") is None:
        return
    inputs = _last_key_blocked(inputs)
    for name in (name for name in ("key", "value", "scores") if name in inputs):
        where = np.s_[..., -1] if name == "scores" else np.s_[..., -1, :]
        if not near(run(**changed(inputs, name, where)), run(**inputs)):
            what = "A blocked key" if name == "key" else f"The {name.removesuffix('s')} of a blocked key"
            return f"{what} still counts: with other numbers there, your result was another."


def blocked_tokens_have_no_influence(run, inputs):
    """Nothing about a token that nobody may look at changes the output of another."""
    if inputs.get("mask") is None:
        return
    inputs = _last_key_blocked(inputs)
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
    masks = [("mask", -1)] if inputs.get("mask") is not None else []
    shuffled = in_another_order(inputs, ("key", -2), ("value", -2), *masks)
    if not near(run(**shuffled), run(**inputs)):
        return "Shuffling the keys together with their values changed your output."


def every_key_counts(run, inputs):
    """A key that may be seen gets a weight above 0, so its value counts, wherever the key stands."""
    mask = inputs.get("mask")
    name = "value" if "value" in inputs else "values"
    before = run(**inputs)
    for key in range(inputs[name].shape[-2]):
        seen = mask is None or mask[..., key % mask.shape[-1]].any()
        if seen and near(run(**changed(inputs, name, np.s_[..., key, :])), before):
            return f"Changing the value of key {key} changed nothing in your output."


def the_past_may_be_shuffled(run, inputs):
    """The last query sees every key, and finds what it looks for by content: its past needs no order."""
    shuffled = {name: inputs[name][..., ::-1, :].copy() for name in ("key", "value")}
    if not near(run(**inputs | shuffled)[..., -1, :], run(**inputs)[..., -1, :]):
        return "Shuffling the keys together with their values changed your last output."


def a_blocked_source_has_no_influence(run, inputs):
    """What may not be looked at leaves no trace, neither through its key nor through its value."""
    if inputs.get("mask") is None:
        return
    inputs = _last_key_blocked(inputs)
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


def features_may_change_places(run, inputs):
    """A dot product multiplies feature by feature and adds up, so the order of the features does not matter."""
    shuffled = in_another_order(inputs, ("query", -1), ("key", -1))
    if not near(run(**shuffled), run(**inputs)):
        return "Another order of the features, the same in query and key, changed your result: does each feature count?"


def twice_the_query_twice_the_scores(run, inputs):
    """A dot product grows with both its sides, and a score is a dot product divided by a root."""
    if not near(run(**inputs | {"query": 2 * inputs["query"]}), 2 * run(**inputs)):
        return "Doubling the query did not double your scores."


def twice_the_query_squares_the_proportions(run, inputs):
    """A weight is e to the power of its score, shared out: twice a difference of scores squares the proportion."""
    once, twice = (run(**inputs | {"query": factor * inputs["query"]}) for factor in (1, 2))
    squares = once**2 / (once**2).sum(axis=-1, keepdims=True)
    if not near(twice, squares):
        return "Doubling the query did not square the proportions between the weights of a row."
