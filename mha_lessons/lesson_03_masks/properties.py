"""What holds for masks, and for attention under a mask."""

import numpy as np

from autograder.cases import changed, near


def earlier_keys_stay_visible(run, inputs):
    """A query sees at least what the query before it saw."""
    mask = run(**inputs).astype(bool)
    if mask.ndim == 2 and (mask[:-1] & ~mask[1:]).any():
        return "A later query sees less than an earlier one."


def the_last_query_sees_every_key(run, inputs):
    """No key is in the future of the last query."""
    if not run(**inputs).astype(bool)[..., -1, :].all():
        return "Your last query does not see every key."


def no_key_is_skipped(run, inputs):
    """A query sees all keys from the first one up to its own position, without a gap."""
    mask = run(**inputs).astype(bool)
    if mask.ndim == 2 and (mask[:, 1:] & ~mask[:, :-1]).any():
        row, column = (int(i) for i in np.argwhere(mask[:, 1:] & ~mask[:, :-1])[0])
        sizes = f"{inputs['queries']} queries and {inputs['keys']} keys"
        return f"With {sizes}, your query {row} sees key {column + 1}, but not key {column} before it."


def each_query_sees_one_key_more(run, inputs):
    """The last query sees all keys, the one before it one fewer, and so on back, as long as there are any."""
    queries, keys = inputs["queries"], inputs["keys"]
    seen, right = run(**inputs).astype(bool).sum(axis=-1), np.arange(keys - queries, keys) + 1
    if seen.shape == right.shape and (seen != np.maximum(right, 0)).any():
        return f"With {queries} queries and {keys} keys, your rows allow {seen.tolist()} keys, from top to bottom."


def rows_allow_as_many_keys_as_lengths_say(run, inputs):
    """Each row allows as many keys as its length says."""
    allowed = run(**inputs).astype(bool).reshape(len(inputs["lengths"]), -1).sum(axis=-1)
    if (allowed != inputs["lengths"]).any():
        return f"Your rows allow {allowed.tolist()} keys; the lengths are {inputs['lengths'].tolist()}."


def blocked_keys_have_no_weight(run, inputs):
    """A key that may not be looked at has weight zero."""
    weights = run(**inputs)
    wrong = ~np.broadcast_to(inputs["mask"], weights.shape) & (weights != 0)
    if wrong.any():
        place = [int(i) for i in np.argwhere(wrong)[0]]
        given = "the mask" if inputs["mask"].shape == weights.shape else f"a mask of the shape {inputs['mask'].shape}"
        return f"The key at {place} is blocked, but it has the weight {weights[tuple(place)]:.3g}; we gave {given}."


def blocked_keys_lose_to_every_score(run, inputs):
    """One thing for later: if all scores were near minus four billion, blocked keys would take the weight in your
    version, since you give them a finite number. It is low enough, because no healthy model has such scores. Minus
    infinity has no such limit.
    """
    weights = run(**inputs | {"scores": inputs["scores"] - 4e9})
    if weights[~np.broadcast_to(inputs["mask"], weights.shape)].any():
        return "With all scores 4,000,000,000 lower, a blocked key has weight."


def rows_with_nothing_allowed_are_zero(run, inputs):
    """A query with no allowed key gets nothing: its row holds only zeros."""
    if inputs.get("mask") is None:
        return
    out = run(**inputs)
    dead = ~np.broadcast_to(inputs["mask"].any(axis=-1), out.shape[:-1])
    if out[dead].any():
        place = [int(i) for i in np.argwhere(dead & out.any(axis=-1))[0]]
        row = ", ".join(f"{x:.3g}" for x in out[tuple(place)])
        return f"The query at {place} has no allowed key, but your row for it holds {row}."


def last_key_blocked(inputs):
    """Return the same inputs with the last key hidden from all queries, and the first visible, so no row is dead."""
    mask = inputs["mask"].copy()
    mask[..., -1], mask[..., 0] = False, True
    return inputs | {"mask": mask}


def numbers_in_blocked_keys_change_nothing(run, inputs):
    """Nothing about a key that no query may look at changes any output."""
    if inputs.get("mask") is None:
        return
    inputs = last_key_blocked(inputs)
    for name in (name for name in ("key", "value", "scores") if name in inputs):
        where = np.s_[..., -1] if name == "scores" else np.s_[..., -1, :]
        if not near(run(**changed(inputs, name, where)), run(**inputs)):
            what = "A blocked key" if name == "key" else f"The {name.removesuffix('s')} of a blocked key"
            return f"{what} still counts: with other numbers there, your result was different."


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


def the_past_may_be_shuffled(run, inputs):
    """The last query sees every key, and attention goes by content: the order of its past does not matter."""
    shuffled = {name: inputs[name][..., ::-1, :].copy() for name in ("key", "value")}
    if not near(run(**inputs | shuffled)[..., -1, :], run(**inputs)[..., -1, :]):
        return "Shuffling the keys together with their values changed your last output."
