"""Of masks."""

import numpy as np


def earlier_keys_stay_visible(run, inputs):
    """A query sees at least what the query before it saw."""
    mask = run(**inputs).astype(bool)
    if mask.ndim == 2 and (mask[:-1] & ~mask[1:]).any():
        return "A later query sees less than an earlier one."


def the_last_query_sees_every_key(run, inputs):
    """Nothing lies in the future of the last query."""
    if not run(**inputs).astype(bool)[..., -1, :].all():
        return "Your last query does not see every key."


def no_key_is_skipped(run, inputs):
    """A query sees all keys from the first one up to its own place, without a gap."""
    mask = run(**inputs).astype(bool)
    if mask.ndim == 2 and (mask[:, 1:] & ~mask[:, :-1]).any():
        row, column = (int(i) for i in np.argwhere(mask[:, 1:] & ~mask[:, :-1])[0])
        sizes = f"{inputs['queries']} queries and {inputs['keys']} keys"
        return f"With {sizes}, your query {row} sees key {column + 1}, and not key {column} before it."


def each_query_sees_one_key_more(run, inputs):
    """The last query sees all keys, the one before it one less, and so on back, as long as there are any."""
    queries, keys = inputs["queries"], inputs["keys"]
    seen, right = run(**inputs).astype(bool).sum(axis=-1), np.arange(keys - queries, keys) + 1
    if seen.shape == right.shape and (seen != np.maximum(right, 0)).any():
        return f"With {queries} queries and {keys} keys, your rows allow {seen.tolist()} keys, from top to bottom."


def order_of_masks_does_not_matter(run, inputs):
    """Both masks count alike."""
    if not np.array_equal(run(**inputs), run(first=inputs["second"], second=inputs["first"])):
        return "Swapping the two masks changed your result."


def nothing_forbidden_gets_allowed(run, inputs):
    """What either mask forbids stays forbidden."""
    out = run(**inputs).astype(bool)
    if any((out & ~mask).any() for mask in inputs.values() if mask is not None):
        return "Your result allows what one of the masks forbids."


def what_both_allow_stays_allowed(run, inputs):
    """A key that both masks allow is allowed."""
    out, given = run(**inputs).astype(bool), [mask for mask in inputs.values() if mask is not None]
    if given and (~out & np.logical_and.reduce(np.broadcast_arrays(*given))).any():
        return "Your result forbids what both masks allow."


def rows_allow_as_many_keys_as_lengths_say(run, inputs):
    """Each row allows as many keys as its length says."""
    allowed = run(**inputs).astype(bool).reshape(len(inputs["lengths"]), -1).sum(axis=-1)
    if (allowed != inputs["lengths"]).any():
        return f"Your rows allow {allowed.tolist()} keys; the lengths are {inputs['lengths'].tolist()}."
