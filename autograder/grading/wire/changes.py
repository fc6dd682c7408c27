"""Arrays that a call has changed in their place: noticed at one end of the wire, written back at the other."""

import numpy as np

from ...judging.tensors import to_array


def copies(things):
    """Return the numbers of arrays and tensors as they are now; None for anything else."""
    return [to_array(x).copy() if isinstance(to_array(x), np.ndarray) else None for x in things]


def changed(things, before):
    """Place -> its numbers, where they are others now."""
    after = {n: to_array(x) for n, (x, old) in enumerate(zip(things, before)) if old is not None}
    return {n: x for n, x in after.items() if x.shape != before[n].shape or x.tobytes() != before[n].tobytes()}


def write_back(things, changes):
    """Make the same change here. A change of shape is shown by NaN: no array takes another shape in place."""
    for n, numbers in changes.items():
        here = to_array(things[n])
        here[...] = numbers if numbers.shape == here.shape else _impossible(here.dtype)


def _impossible(kind):
    return np.nan if kind.kind == "f" else np.zeros((), kind)
