"""The versions that a learner's test tries: they run here, where the learner cannot read them, on a stranger's inputs.

So a call gets little time, little memory, and few numbers.
"""

import warnings
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any

import numpy as np
from msgspec import Struct

from ...judging.time_limits import time_limit, with_alarms
from ...judging.values import each_array
from ..wire.frames import Malformed
from ..wire.replies import LONGEST, Number, changed, checked, copies, in_words

MEMORY = 512 * 2**20  # bytes, while one call lasts
MOST_NUMBERS = 1_000_000  # that one call is given: no alarm is heard while large arrays are multiplied
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
        """Return a call that a worker asks for, and what it calls, or raise Malformed if it makes no sense."""
        call = checked(asked, Call)
        if call.callback >= len(self.known) or not all(n < len(call.leaves) for n in call.learning):
            raise Malformed("no call")
        if not all(hasattr(call.leaves[n], "requires_grad_") for n in call.learning):
            raise Malformed("no call")
        return call, self.known[call.callback]


class Call(Struct):
    """Inputs for the implementation of a number, as a worker sends them.

    learning, directions: places of the inputs whose gradients are wanted in place of the value, and from where.
    numerics: what NumPy should do where numbers overflow and the like, as the test has set it.
    """

    callback: Number
    inputs: list[Any]
    options: dict[str, Any]
    numerics: dict[str, Any]
    learning: list[Number] = []
    directions: list[Any] | None = None

    @property
    def leaves(self):
        return [*self.inputs, *self.options.values()]

    def reply(self, implementation, end):
        """Return what came out and which inputs it changed, or the error that stopped it, with all warnings."""
        numerics = {kind: "raise" if self.numerics.get(kind) == "raise" else "warn" for kind in np.geterr()}
        with np.errstate(**numerics), warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                _few(self.leaves)
                before, value = copies(self.leaves), self._value(implementation, end)
                reply = {"value": value, "changed": changed(self.leaves, before), "error": None}
            except Exception as stopped:
                reply = refusal(stopped)
        return reply | {"warnings": [str(one.message)[:LONGEST] for one in told if one.category is RuntimeWarning]}

    def _value(self, implementation, end):
        with _one_at_a_time, bounded_memory(MEMORY), with_alarms(), time_limit(max(end - monotonic(), SHORTEST)):
            if self.directions is None:
                return implementation(*self.inputs, **self.options)
            from .far_layer import gradients_of  # here: it imports torch

            return gradients_of(implementation, self.inputs, self.options, self.learning, self.directions)


def _few(inputs):
    numbers = sum(array.size for x in inputs for array in each_array(x))
    if numbers > MOST_NUMBERS:
        raise ValueError(f"while a test is graded, it cannot give a call more than {MOST_NUMBERS:,} numbers")


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
