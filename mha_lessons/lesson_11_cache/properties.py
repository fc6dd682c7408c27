"""What holds for a cache, and for heads that share."""

import numpy as np

from autograder.cases import near


def the_first_tokens_do_not_see_the_last(run, inputs):
    """What comes later is hidden from them: what they find stays the same."""
    if inputs["query"].shape[-2] < 2:
        return None
    later = {name: inputs[name].copy() for name in ("key", "value")}
    for x in later.values():
        x[..., -1, :] += 1
    before, after = (run(**changed)[0][..., :-1, :] for changed in (inputs, inputs | later))
    if not near(after, before):
        return "We changed the newest token, and the output of a token before it changed."


def all_that_was_kept_is_seen(run, inputs):
    """The last of the new tokens sees everything, even the oldest token that was kept."""
    if inputs.get("past_value") is None or not inputs["past_value"].shape[-2]:
        return None
    past = inputs["past_value"].copy()
    past[..., 0, :] += 5
    before, after = (run(**changed)[0][..., -1, :] for changed in (inputs, inputs | {"past_value": past}))
    if near(after, before):
        return "We changed the oldest value that was kept, and the output of the newest token stayed as it was."


def the_newest_tokens_are_kept_last(run, inputs):
    """The keys and values returned to be kept end with the new ones."""
    new = inputs["query"].shape[-2]
    for name, kept in zip(("key", "value"), run(**inputs)[1:]):
        if kept.shape[-2] < new or not near(kept[..., -new:, :], inputs[name]):
            return f"The last {new} of the {name}s that you return are not those of the new tokens."


def copies_are_neighbours(run, inputs):
    """Each head is followed by its own copies."""
    out, repeats = run(**inputs), inputs["repeats"]
    first = out.reshape(*out.shape[:-3], -1, repeats, *out.shape[-2:])
    if not near(first, np.broadcast_to(first[..., :1, :, :], first.shape)):
        return f"Among {repeats} neighbouring heads of your result, not all are alike."


def a_group_sees_its_own_head_alone(run, inputs):
    """Change the first key-value head, and only the first group of query heads finds something else."""
    heads, kv_heads = inputs["query"].shape[-3], inputs["key"].shape[-3]
    if kv_heads < 2:
        return None
    value = inputs["value"].copy()
    value[..., 0, :, :] += 1
    moved = np.abs(run(**inputs | {"value": value}) - run(**inputs)).max(axis=(0, 2, 3)) > 1e-3
    wrong = np.flatnonzero(moved[heads // kv_heads :])
    if len(wrong):
        return f"We changed the first head of the values, and head {wrong[0] + heads // kv_heads} of the output moved."


def every_size_doubles_the_bytes(run, inputs):
    """Twice as much of anything takes twice the memory."""
    at_first = run(**inputs)
    for name in ("layers", "tokens", "kv_heads", "head_size", "batch", "bytes_per_number"):
        given = inputs.get(name, {"batch": 1, "bytes_per_number": 2}.get(name))
        ratio = run(**inputs | {name: 2 * given}) / at_first if at_first else 0
        if not np.isclose(ratio, 2):
            return f"With twice the {name}, your number becomes {ratio:.6g} times as large. It should double."
