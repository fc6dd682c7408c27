"""Time limits for answers, and the alarm that stops one whose time is up."""

import contextlib
import math
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from time import monotonic

TIME_LIMIT = 10.0  # seconds for all runs of one answer
TICK, SHORTEST = 0.25, 0.01  # seconds between two looks at what is at work, and between two alarms
CLEARS_UP = str(Path(__file__).parents[1]), contextlib.__file__  # files whose code is never stopped
TOOL = 4  # of Python's six for watching code, one that is nobody's
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


@contextmanager
def time_limit(seconds: float, watch: Callable | None = None):
    """Raise TooSlow after so many seconds, or sooner where an outer limit ends sooner.

    watch: called several times a second with the frame at work, and whether time is over; it raises TooSlow itself.
    """
    with no_longer_than(seconds), _alarm(max(end_of_time() - monotonic(), SHORTEST), watch):
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
def _alarm(seconds, watch):
    """Raise TooSlow, and ring again until it gets through.

    Where there are no alarms (in a browser, on Windows), code is stopped at its next jump; in threads, never.
    """
    if not _alarms.get() or threading.current_thread() is not threading.main_thread():
        yield
        return
    if not hasattr(signal, "setitimer"):
        with _ringing_at_jumps() if hasattr(sys, "monitoring") and not watch else contextlib.nullcontext():
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
def _ringing_at_jumps():
    """Look at the clock whenever a loop begins anew, or a function begins."""
    watch = sys.monitoring
    kinds = watch.events.JUMP, watch.events.PY_START
    if not watch.get_tool(TOOL):
        watch.use_tool_id(TOOL, __name__)
        for kind in kinds:
            watch.register_callback(TOOL, kind, _ring)
    before = watch.get_events(TOOL)
    watch.set_events(TOOL, sum(kinds))
    try:
        yield
    finally:
        watch.set_events(TOOL, before)


_jumps, _rang = count(), -math.inf  # when


def _ring(code, *_):
    """Raise TooSlow if time is over, but not in code that clears up."""
    global _rang
    if next(_jumps) % 32:  # to ask for the time takes a browser longer than a turn of a loop
        return
    now = monotonic()
    if now > _end.get() and now > _rang + SHORTEST and not code.co_filename.startswith(CLEARS_UP):
        _rang = now
        raise TooSlow
