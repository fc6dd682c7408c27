"""How long an answer may take: when its time ends, and the alarm that stops it then."""

import math
import signal
import threading
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from time import monotonic

TIME_LIMIT = 10.0  # seconds for all runs of one answer
_end, _alarms = ContextVar("end", default=math.inf), ContextVar("alarms", default=True)


class TooSlow(BaseException):
    """An answer did not end in time. Not an Exception, so that an answer does not catch it by accident."""


def end_of_time():
    """When the narrowest time limit is over, by the clock `time.monotonic`."""
    return _end.get()


def without_alarms():
    """For answers that run in another process, which is told how much time it has."""
    return _alarms_are(False)


def with_alarms():
    """In there, for what runs here all the same."""
    return _alarms_are(True)


@contextmanager
def _alarms_are(on):
    before = _alarms.set(on)
    try:
        yield
    finally:
        _alarms.reset(before)


@contextmanager
def time_limit(seconds):
    """Raise TooSlow after so many seconds."""
    before = _end.set(min(_end.get(), monotonic() + seconds))
    try:
        with _alarm(seconds) if _alarms.get() else nullcontext():
            yield
    finally:
        _end.reset(before)


@contextmanager
def _alarm(seconds):
    """Again and again until it gets through.

    Only where alarms exist (not on Windows, not in threads); elsewhere the notebook's own limit holds.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    over = False

    def stop(*_):
        if not over:
            raise TooSlow

    before, left = signal.signal(signal.SIGALRM, stop), 0
    try:
        left, _ = signal.setitimer(signal.ITIMER_REAL, seconds, 0.01)
        yield
    finally:
        over = True  # before anything is called: Python calls a handler once more before it takes another one
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # not while we clear up
        signal.setitimer(signal.ITIMER_REAL, left)
        signal.signal(signal.SIGALRM, before)
