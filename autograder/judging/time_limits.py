"""End code that takes too long: by an alarm, or where there is none, as in a browser or on Windows, at its next jump.

A loop that begins anew is a jump; a function that begins counts as one, too. Python 3.11 cannot tell of them.
"""

import contextlib
import math
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from time import monotonic

TIME_LIMIT = 10.0  # seconds for all runs of one answer, and as many again to find out what is wrong
TICK, SHORTEST = 0.25, 0.01  # seconds between two looks at what is at work, and between two alarms or errors
CLEARS_UP = str(Path(__file__).parents[1]), contextlib.__file__  # files whose code is never stopped at a jump
TOOL = 4  # of Python's six for watching code, one that is nobody's
EVERY = 32  # jumps between two looks at the clock, which takes a browser long
_end, _alarms = ContextVar("end", default=math.inf), ContextVar("alarms", default=True)


class TooSlow(BaseException):
    """An answer did not end in time. Not an Exception, so that an answer does not catch it by accident."""

    def _render_traceback_(self):
        """Show one line in a notebook: where the clock struck is an accident."""
        return [f"{type(self).__name__}: {self}"]


def end_of_time():
    """Return when the narrowest time limit ends, by the clock `time.monotonic`."""
    return _end.get()


@contextmanager
def alarms(on: bool):
    """Set alarms, or set none: answers run in another process, which is told how much time it has."""
    before = _alarms.set(on)
    try:
        yield
    finally:
        _alarms.reset(before)


def limits_hold():
    """Say whether a time limit can stop code here: not in a thread, nor on Windows with Python 3.11."""
    may_stop = hasattr(signal, "setitimer") or hasattr(sys, "monitoring")
    return may_stop and threading.current_thread() is threading.main_thread()


@contextmanager
def time_limit(seconds: float, watch: Callable | None = None):
    """Raise TooSlow after so many seconds, or sooner where an outer limit ends sooner.

    watch: called several times a second with the frame at work, and whether time is over; it raises TooSlow itself.
    """
    with no_longer_than(seconds), _untold(), _alarm(max(end_of_time() - monotonic(), SHORTEST), watch):
        yield


@contextmanager
def no_longer_than(seconds: float):
    """Let all time limits inside end within so many seconds, as if each were shorter."""
    before = _end.set(min(_end.get(), monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(before)


@contextmanager
def _untold():
    """Let nothing be printed where the clock strikes in a callback of Python's own: it strikes again."""
    tell = sys.unraisablehook
    sys.unraisablehook = lambda what: None if issubclass(what.exc_type, TooSlow) else tell(what)
    try:
        yield
    finally:
        sys.unraisablehook = tell


@contextmanager
def _alarm(seconds, watch):
    """Raise TooSlow, and ring again until it gets through; in threads never."""
    if not _alarms.get() or threading.current_thread() is not threading.main_thread():
        yield
        return
    if not hasattr(signal, "setitimer"):
        with nullcontext() if watch else _stopped_at_jumps():
            yield
        return

    over, end = False, monotonic() + seconds

    def stop(_, frame):
        if over:
            return
        if watch:
            watch(frame, monotonic() >= end)
        else:
            raise TooSlow

    before, begin, left, repeat = signal.signal(signal.SIGALRM, stop), monotonic(), 0, 0
    try:
        first, again = (min(seconds, TICK), TICK) if watch else (seconds, SHORTEST)
        left, repeat = signal.setitimer(signal.ITIMER_REAL, first, again)
        yield
    finally:
        over = True  # before anything is called: Python calls a handler again before it takes another one
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # not while we clear up
        left = max(left - (monotonic() - begin), SHORTEST) if left else 0
        signal.setitimer(signal.ITIMER_REAL, left, repeat)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _stopped_at_jumps():
    """Raise TooSlow at a jump after the end of time, and again until it gets through."""
    if not hasattr(sys, "monitoring"):
        yield
        return
    watch, jumps, raised = sys.monitoring, count(), -math.inf

    def look(code, *_):
        nonlocal raised
        if next(jumps) % EVERY:
            return
        now = monotonic()
        if now > max(end_of_time(), raised + SHORTEST) and not code.co_filename.startswith(CLEARS_UP):
            raised = now
            raise TooSlow

    kinds = watch.events.JUMP, watch.events.PY_START
    if not watch.get_tool(TOOL):
        watch.use_tool_id(TOOL, __name__)
    before = watch.get_events(TOOL), [watch.register_callback(TOOL, kind, look) for kind in kinds]
    watch.set_events(TOOL, sum(kinds))
    try:
        yield
    finally:
        watch.set_events(TOOL, before[0])
        for kind, callback in zip(kinds, before[1]):
            watch.register_callback(TOOL, kind, callback)
