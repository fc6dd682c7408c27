"""What a learner's test tries: it runs here, so that nobody can read it, on inputs that a stranger chose.

So it gets little time, little memory, and not too many calls.
"""

from contextlib import contextmanager
from threading import Lock
from time import monotonic

import numpy as np

from ...judging.tensors import to_array
from ...judging.time_limits import time_limit, with_alarms
from ..wire.changes import changed, copies
from ..wire.errors import in_words
from ..wire.packing import Malformed, TooMuch
from ..wire.words import of, whole

MOST_CALLS = 10_000  # of one test
MOST_GIVEN = 500_000  # numbers that one call is given: a product of more takes minutes, in which no alarm is heard
QUICK, SLOW = ("<f4", "<f8"), 5  # types that are multiplied quickly; how many times a number of another type counts
MOST_MADE = 64 * 2**20  # bytes of all that they made: the judge keeps it
MEMORY = 512 * 2**20  # bytes, while one call lasts
_one_at_a_time = Lock()


class Implementations:
    """Those of one conversation, by number."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.known, self.calls, self.made = [], 0, 0

    def number_of(self, implementation):
        self.known.append(implementation)
        return len(self.known) - 1

    def called(self, asked):
        """A call that a worker asks for; Malformed if it makes no sense."""
        inputs, options, number = asked["inputs"], asked["options"], asked["callback"]
        if not (isinstance(inputs, (tuple, list)) and isinstance(options, dict) and type(number) is int):
            raise Malformed("no call")
        if not 0 <= number < len(self.known) or not all(isinstance(name, str) for name in options):
            raise Malformed("no call")
        return Call(self, self.known[number], list(inputs), options, _backward(asked))

    def count(self, value):
        """Also what it made; too much is an error of the test's."""
        self.made += sum(array.nbytes for array in _arrays(value))
        if self.made > MOST_MADE:
            raise TooMuch("a test cannot work with so many numbers")


def _backward(asked):
    """Which inputs learn, by their places, and from which directions; None if the test wants no gradients."""
    if "directions" not in asked:
        return None
    places, directions = of(asked["learning"], list), of(asked["directions"], list)
    leaves = [*asked["inputs"], *asked["options"].values()]
    if not all(whole(place) < len(leaves) and hasattr(leaves[place], "requires_grad_") for place in places):
        raise Malformed("no call")
    return dict(learning=places, directions=directions)


class Call:
    """One implementation, and the inputs for it; backward: of what the gradients are wanted, in place of the value."""

    def __init__(self, owner, implementation, inputs, options, backward=None):
        self.owner, self.implementation, self.inputs, self.options = owner, implementation, inputs, options
        self.backward = backward
        owner.calls += 1

    def reply(self, end):
        """What came out, and which inputs it has changed; or the error that it stopped with."""
        leaves = [*self.inputs, *self.options.values()]
        try:
            before, value = copies(leaves), self._value(end)
            return {"value": value, "changed": changed(leaves, before), "error": None}
        except Exception as stopped:
            return refusal(stopped)

    def _value(self, end):
        if self.owner.calls > MOST_CALLS:
            raise TooMuch(f"a test cannot make more than {MOST_CALLS:,} calls")
        given = _arrays([*self.inputs, *self.options.values()])
        if sum(array.size * (1 if array.dtype.str in QUICK else SLOW) for array in given) > MOST_GIVEN:
            raise TooMuch(f"a test cannot give more than {MOST_GIVEN:,} numbers to a call")
        with _one_at_a_time, bounded_memory(MEMORY), with_alarms(), time_limit(max(end - monotonic(), 1e-3)):
            value = self._gradients() if self.backward else self.implementation(*self.inputs, **self.options)
        self.owner.count(value)
        return value

    def _gradients(self):
        from ..wire.gradients import gradients_of  # here: it imports torch

        return gradients_of(self.implementation, self.inputs, self.options, **self.backward)


def refusal(error):
    return {"value": None, "changed": {}, "error": in_words(error)}


def _arrays(value):
    """All in it."""
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays(item)
    elif isinstance(array := to_array(value), np.ndarray):
        yield array


@contextmanager
def bounded_memory(more):
    """MemoryError after so many bytes more than now, where the platform can do that."""
    try:
        import resource

        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
    except (ImportError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (min(n for n in (soft, hard, most) if n != resource.RLIM_INFINITY), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
