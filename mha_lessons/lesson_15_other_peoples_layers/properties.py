"""What holds for every dictionary of weights that was carried over."""

import numpy as np


def every_number_arrives_once(run, inputs):
    """Carrying weights over computes nothing: each number arrives exactly once."""
    given, found = (_all_numbers(state) for state in (inputs["state"], run(**inputs)))
    if given.size != found.size:
        return f"Of {given.size} numbers that came in, {found.size} came out."
    if not np.allclose(given, found, atol=1e-6):
        if np.isin(found, given).all():
            return "Some of the numbers that came in came out twice, and others not at all."
        return "Some numbers that came out are not among those that came in."


def _all_numbers(state):
    return np.sort(np.concatenate([np.ravel(x).astype(float) for x in state.values()]))
