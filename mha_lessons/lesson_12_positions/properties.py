"""What holds for positions, turns, biases and windows."""

import numpy as np

from autograder.cases import near


def every_number_is_a_sine_or_a_cosine(run, inputs):
    """Sine and cosine of a pair belong to one angle: their squares sum to 1."""
    out = run(**inputs)
    squares = (out**2).reshape(len(out), -1, 2).sum(axis=-1)
    if not near(squares, np.ones_like(squares)):
        place, pair = (int(i) for i in np.argwhere(~np.isclose(squares, 1, atol=1e-3))[0])
        columns = f"{2 * pair} and {2 * pair + 1}"
        return f"At position {place}, the squares of your columns {columns} sum to {squares[place, pair]:.3g}."


def the_first_position_is_not_turned(run, inputs):
    """At position 0 all angles are 0: each sine is 0, and each cosine is 1."""
    first = run(**inputs)[0]
    if not near(first, np.arange(len(first)) % 2 * 1.0):
        return f"Your row for position 0 begins with {', '.join(f'{x:.3g}' for x in first[:4])}."


def more_positions_change_no_row(run, inputs):
    """A position has the same vector in every table, long or short."""
    longer = run(**inputs | {"tokens": inputs["tokens"] + 2})
    if not near(longer[: inputs["tokens"]], run(**inputs)):
        return "With two more positions, your rows for the old ones changed."


def a_turn_keeps_the_length(run, inputs):
    """A turn changes the direction of a pair, and never its length."""
    before, after = (np.linalg.norm(x.reshape(*x.shape[:-1], -1, 2), axis=-1) for x in (inputs["x"], run(**inputs)))
    if not near(after, before):
        return "A pair of neighbouring columns has a different length in your result than in `x`."


def at_position_0_nothing_is_turned(run, inputs):
    """At position 0 every angle is 0."""
    if not near(run(**inputs | {"positions": 0 * inputs["positions"]}), inputs["x"]):
        return "With all positions at 0, your result was different from `x`."


def two_turns_are_one(run, inputs):
    """Turning twice by an angle is the same as turning once by twice the angle."""
    positions = inputs["positions"]
    twice = run(**inputs | {"x": run(**inputs)})
    if not near(twice, run(**inputs | {"positions": 2 * positions})):
        return "We turned the tokens twice, and the result was not what twice the positions give."


def scores_stay_where_all_positions_move(run, inputs):
    """The product of two turned tokens depends on how far apart they are, not on where they are."""
    here, there = (run(**inputs | {"positions": inputs["positions"] + far}) for far in (0, 3))
    if not near(here @ np.swapaxes(here, -1, -2), there @ np.swapaxes(there, -1, -2)):
        return "We moved all positions by 3, and the products of your turned tokens changed."


def a_query_pays_nothing_for_itself(run, inputs):
    """At a query's own position the distance is 0, and so is the bias."""
    queries, keys = inputs["queries"], inputs["keys"]
    own = run(**inputs)[:, np.arange(queries), np.arange(keys - queries, keys)]
    if own.any():
        return "At the queries' own positions, your bias is not 0."


def each_position_costs_the_same(run, inputs):
    """Within a head, one position farther back always costs the same."""
    bias, queries, keys = run(**inputs), inputs["queries"], inputs["keys"]
    steps = np.diff(bias[:, -1], axis=-1)
    if not near(steps, np.broadcast_to(steps[:, -1:], steps.shape)):
        return f"For the last of {queries} queries and {keys} keys, the price does not rise in equal steps."


def later_heads_see_farther(run, inputs):
    """The first head has the steepest slope, and each later head has a gentler one."""
    if inputs["heads"] > 1 and not (np.diff(run(**inputs)[:, -1, 0]) > 0).all():
        return "For the first key and the last query, your bias does not come nearer to 0 from head to head."


def the_newest_keys_are_seen(run, inputs):
    """A query sees its own key and the keys right before it, as many in all as the window says."""
    mask, queries, keys = run(**inputs).astype(bool), inputs["queries"], inputs["keys"]
    seen, places = mask.sum(axis=-1), np.arange(keys - queries, keys)
    right = np.minimum(places + 1, inputs["window"])
    if (seen != right).any():
        return f"With a window of {inputs['window']}, your queries see {seen.tolist()} keys, from top to bottom."


def a_window_never_shows_the_future(run, inputs):
    """The future is hidden, however wide the window."""
    queries, keys = inputs["queries"], inputs["keys"]
    if (run(**inputs).astype(bool) & ~np.tri(queries, keys, keys - queries, dtype=bool)).any():
        return "In your mask a query sees a key that comes after it."
