"""Finds which of a notebook's functions does not return, and replaces it by one that refuses to be called again.

A learner's code may forge all of this: what it says can cost only its author points.
"""

from math import inf
from time import monotonic
from types import FunctionType

from ...judging.running import TooSlow, time_limit
from ...judging.stand_ins import put

PAUSE = 1.0  # seconds in which a library may tell of an error before it is stopped, too
DEEPEST = 10_000  # frames that are looked at


class NotCalledAgain(Exception):
    """A function that did not return is called again."""

    def _render_traceback_(self):
        return [f"{type(self).__name__}: {self}"]


class Watchdog:
    """Stops what takes too long. `stuck`: the name of the function that did not come back last, perhaps empty."""

    def __init__(self, variables):
        self.variables, self.stuck = variables, ""
        self.halted = {}  # name -> what undoes it

    def limit(self, seconds, patience=inf, names=()):
        """Raise TooSlow after so many seconds; sooner if a call of a function of these names outlasts our patience.

        `stuck` then says whose call it was.
        """
        self.stuck = ""
        return time_limit(seconds, Round(self, seconds, patience, names))

    def halt(self, names):
        """Let these functions raise NotCalledAgain, and no others: those that were halted before are there again.

        A function that is written anew under such a name is another one, and is called.
        """
        for name in [name for name in self.halted if name not in names]:
            self.halted.pop(name)()
        for name in names:
            if name not in self.halted and self.is_function(name):
                self.halted[name] = put(refusal(name), name, self.variables)

    def is_function(self, name):
        return isinstance(self.variables.get(name), (FunctionType, type))


class Round:
    """What a watchdog sees in one run, each time that it looks: since when which call has been at work."""

    def __init__(self, dog, seconds, patience, names):
        self.dog, self.seconds, self.patience, self.names = dog, seconds, patience, names
        self.since, self.stopped, self.busy = {}, -inf, False

    def __call__(self, frame, late):
        if self.busy:  # the alarm came while we look
            return
        self.busy = True
        try:
            frames = self._seen(frame)
            waits = any(home(f) in self.names and monotonic() - self.since[f] >= self.patience for f in frames)
            stops = (late or waits) and (frames or monotonic() - self.stopped > PAUSE)
        finally:
            self.busy = False
        if stops:
            self.stopped = monotonic()
            self.dog.stuck = self._stuck() or self.dog.stuck
            who = f"`{self.dog.stuck}`" if self.dog.stuck else "This cell"
            seconds = self.seconds if late else self.patience
            raise TooSlow(f"{who} did not come back within {seconds:g} seconds, and was stopped.")

    def _seen(self, frame):
        """Return the calls of the notebook's own code that are at work now, innermost first."""
        found, now = [], monotonic()
        while frame is not None and len(found) < DEEPEST:
            found += [frame] * (frame.f_globals is self.dog.variables)
            frame = frame.f_back
        self.since = {frame: self.since.get(frame, now) for frame in found}
        return found

    def _stuck(self):
        """Return the innermost call that took half of the time, and not one that a loop calls again and again."""
        latest = monotonic() - min(self.patience, self.seconds) / 2
        names = (home(frame) for frame, begun in self.since.items() if begun <= latest)
        return next(filter(self.dog.is_function, names), "")


def home(frame):
    """Return the name of the function, or of the class, whose definition contains a frame's code."""
    return frame.f_code.co_qualname.partition(".")[0]


def refusal(name):
    """Return what stands in for a function that did not return."""

    def instead(*inputs, **options):
        raise NotCalledAgain(f"`{name}` did not come back before, so it is not called again, and this was skipped.")

    return instead
