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
