"""What a learner's test may ask of a version: the same in a notebook, and in grading, where versions run in a process
of their own, and where no alarm is heard during a product of large arrays.
"""

import numpy as np

from .values import to_array

MOST_CALLS = 1000
MOST_NUMBERS = 2_000_000  # that one call is given, or makes
MOST_IN_ALL = 24_000_000  # that all calls are given, and make
QUICK, SLOW, SLOWEST = 1, 4, 20  # how many numbers one of a type counts for that is multiplied slowly
BY_TYPE = {"float32": QUICK, "float64": QUICK, "float16": SLOWEST}


class TooMuch(ValueError):
    """An error of the test's: smaller inputs show as much."""


class CallBudget:
    """The calls and numbers that one learner's test may still ask of one version."""

    def __init__(self):
        self.calls = self.numbers = 0

    def call(self, given):
        self.calls += 1
        if self.calls > MOST_CALLS:
            raise TooMuch(f"a test cannot make more than {MOST_CALLS:,} calls")
        self.numbers_of(given, "give a call")

    def numbers_of(self, values, doing="ask a call for"):
        found = [*_arrays(values)]
        if sum(array.size * BY_TYPE.get(array.dtype.name, SLOW) for array in found) > MOST_NUMBERS:
            raise TooMuch(f"a test cannot {doing} more than {MOST_NUMBERS:,} numbers, {_WITH_SLOW_ONES}")
        self.numbers += sum(array.size for array in found)
        if self.numbers > MOST_IN_ALL:
            raise TooMuch(f"a test cannot work with more than {MOST_IN_ALL:,} numbers in all")


_WITH_SLOW_ONES = f"where one of float16 counts as {SLOWEST}, and one that is neither float32 nor float64 as {SLOW}"


def _arrays(value):
    """Return every array in a value, however deep."""
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays(item)
    elif isinstance(array := to_array(value), np.ndarray):
        yield array
