"""The versions that a learner's test tries: they run here, where the learner cannot read them, on a stranger's inputs.

So it gets little time and little memory; how much a test may ask for is the same as in its notebook.
"""

import warnings
from contextlib import contextmanager
from threading import Lock
from time import monotonic

import numpy as np

from ...judging.time_limits import time_limit, with_alarms
from ..wire.errors import LONGEST, in_words
from ..wire.packing import Malformed, changed, copies
from ..wire.words import of, whole

MEMORY = 512 * 2**20  # bytes, while one call lasts
SHORTEST = 0.05  # seconds for a call: an alarm that rings before the call has begun would not be handled
_one_at_a_time = Lock()


class Implementations:
    """Those of one conversation, by number; `results`: all that their calls have made, in order, for gradients.

    lent: those of all conversations, until others are; they have the first numbers.
    """

    def __init__(self):
        self.lent = []
        self.begin()

    def begin(self):
        self.known, self.results = list(self.lent), []

    def number_of(self, implementation):
        self.known.append(implementation)
        return len(self.known) - 1

    def called(self, asked):
        """Return a call that a worker asks for, or raise Malformed if it makes no sense."""
        inputs, options, number = asked["inputs"], asked["options"], asked["callback"]
        if not (isinstance(inputs, (tuple, list)) and isinstance(options, dict) and type(number) is int):
            raise Malformed("no call")
        if not 0 <= number < len(self.known) or not all(isinstance(name, str) for name in options):
            raise Malformed("no call")
        return Call(self.known[number], list(inputs), options, _backward(asked), _numerics(asked))


def _backward(asked):
    """Return which inputs learn, by their places, and from which directions; None if the test wants no gradients."""
    if "directions" not in asked:
        return None
    places, directions = of(asked["learning"], list), of(asked["directions"], list)
    leaves = [*asked["inputs"], *asked["options"].values()]
    if not all(whole(place) < len(leaves) and hasattr(leaves[place], "requires_grad_") for place in places):
        raise Malformed("no call")
    return dict(learning=places, directions=directions)


def _numerics(asked):
    """Return what NumPy should do where numbers overflow and the like, as the test has set it."""
    wanted = of(asked["numerics"], dict)
    return {kind: "raise" if wanted.get(kind) == "raise" else "warn" for kind in np.geterr()}


class Call:
    """One implementation, and the inputs for it; backward: of what the gradients are wanted, in place of the value."""

    def __init__(self, implementation, inputs, options, backward, numerics):
        self.implementation, self.inputs, self.options = implementation, inputs, options
        self.backward, self.numerics = backward, numerics

    def reply(self, end):
        """Return what came out and which inputs it changed, or the error that stopped it, with all warnings."""
        leaves = [*self.inputs, *self.options.values()]
        with np.errstate(**self.numerics), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                before, value = copies(leaves), self._value(end)
                reply = {"value": value, "changed": changed(leaves, before), "error": None}
            except Exception as stopped:
                reply = refusal(stopped)
        return reply | {"warnings": [str(one.message)[:LONGEST] for one in told if one.category is RuntimeWarning]}

    def _value(self, end):
        with _one_at_a_time, bounded_memory(MEMORY), with_alarms(), time_limit(max(end - monotonic(), SHORTEST)):
            return self._gradients() if self.backward else self.implementation(*self.inputs, **self.options)

    def _gradients(self):
        from ..wire.backward import gradients_of  # here: it imports torch

        return gradients_of(self.implementation, self.inputs, self.options, **self.backward)


def refusal(error):
    return {"value": None, "changed": {}, "error": in_words(error), "warnings": []}


@contextmanager
def bounded_memory(more):
    """Raise MemoryError after this many bytes more than now, where the platform can do that."""
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
