"""Values in words, without ever writing out much: NumPy takes hours for arrays with many axes."""

import math
import reprlib

MANY, LONGEST = 50, 400  # items; characters of one
SMALL, MOST_AXES = 100, 4  # of an array that is written out


class _Short(reprlib.Repr):
    def __init__(self):
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = MANY
        self.maxstring = self.maxlong = self.maxother = LONGEST

    def repr_ndarray(self, x, level):
        return repr(x) if _is_small(x) else f"an array of shape {tuple(x.shape)}"

    repr_Tensor = repr_ndarray


def in_short(x, write=str):
    """Return what `write` gives, if that is short."""
    is_large = not _is_small(x) if hasattr(x, "ndim") else isinstance(x, (list, tuple, dict, set, frozenset))
    return _Short().repr(x) if is_large else write(x)


def _is_small(array):
    return array.ndim <= MOST_AXES and math.prod(array.shape) <= SMALL
