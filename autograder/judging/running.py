"""Run an answer, or a program of ours, once, under the same conditions and time limits for all."""

import math
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from contextvars import ContextVar
from dataclasses import replace
from inspect import Parameter
from io import StringIO
from time import monotonic
from typing import Any, Literal

import numpy as np

from ..cases import Model
from .jumps import stopped_at_jumps
from .results import Outcome, arrays_of, outcome_of
from .source import views_of


def send(inputs: dict, library: str, order: Literal["C", "F"] = "C"):
    """Return the same inputs with copies of all arrays, in this library."""

    def sent(x):
        if isinstance(x, Model):
            return x.with_tables(sent)
        if isinstance(x, dict):
            return {key: sent(entry) for key, entry in x.items()}
        if not isinstance(x, np.ndarray):
            return x
        if library == "numpy":
            return x.copy(order)
        import torch  # here, so that a NumPy lesson never waits for it

        return torch.from_numpy(x.copy(order))

    return {name: sent(x) for name, x in inputs.items()}


PRINT_LIMIT = 2000  # characters of an answer's printing that are kept


def observe(function: Callable, inputs: dict):
    """Run a reference, or a wrong version of one, on NumPy inputs."""
    try:
        return outcome_of(function(**inputs))
    except (TooSlow, KeyboardInterrupt):
        raise
    except BaseException as error:
        return Outcome(kind="error", error=error)


def ask(answer: Callable, inputs: dict, library: str, parameters: dict, order: Literal["C", "F"] = "C"):
    """Run a learner's answer on copies in the lesson's library: required inputs by position, others by keyword.

    order: that of the numbers in memory, NumPy's "C" (rows one after the other) or "F" (columns).
    """
    sent = send(inputs, library, order)
    positional = [sent[name] for name in required(parameters)]
    optional = {name: x for name, x in sent.items() if parameters[name] is not Parameter.empty}
    views = [(), ()]

    def run():
        result = answer(*positional, **optional)
        views[:] = views_of(answer, result, sent.values())
        return result

    with quiet(), caught_output() as output:  # quiet anew: an answer may turn NumPy's warnings into errors
        outcome = observe(run, {})
    after = {n: arrays_of(sent[n]) for n, x in inputs.items() if isinstance(x, (np.ndarray, dict))}
    changed = {n: x for n, x in after.items() if differs(x, inputs[n])}
    return replace(outcome, changed=changed, printed=output.getvalue(), views=views[0], shared=views[1])


def required(parameters: dict):
    """Return the names of the parameters without a default, which are given by position."""
    return [name for name, default in parameters.items() if default is Parameter.empty]


def differs(sent: Any, x: Any):
    """Say whether an array, or one in a dictionary of such, has other numbers than before."""
    if isinstance(x, dict):
        return sent.keys() != x.keys() or any(differs(sent[name], x[name]) for name in x)
    return sent.shape != x.shape or not np.array_equal(sent, x, equal_nan=x.dtype.kind == "f")


class FirstCharacters(StringIO):
    """Keeps the beginning of what is printed, and drops the rest."""

    def write(self, text):
        room = PRINT_LIMIT - self.tell()
        super().write(text[: max(room, 0)])
        return len(text)

    def close(self):
        """Keep the text when an answer closes its output."""


@contextmanager
def caught_output():
    """Catch what is printed to either stream."""
    output = FirstCharacters()
    with redirect_stdout(output), redirect_stderr(FirstCharacters()):
        yield output


@contextmanager
def quiet():
    """Silence warnings: an answer is judged by what it returns."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@contextmanager
def plain_torch():
    """Let torch, if it is there, keep gradients, use one thread and compile nothing, whatever a cell has set.

    On small tensors several threads wait for each other, for seconds on a busy machine; to compile takes longer than an
    answer may.
    """
    torch = sys.modules.get("torch")
    if not torch:
        yield
        return
    threads = torch.get_num_threads()
    compiles = "torch._dynamo" in sys.modules
    with torch.enable_grad(), torch.compiler.set_stance("force_eager") if compiles else nullcontext():
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


TIME_LIMIT = 10.0  # seconds for all runs of one answer
TICK, SHORTEST = 0.25, 0.01  # seconds between two looks at what is at work, and between two alarms
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
    """Raise TooSlow, and ring again until it gets through.

    Where there are no alarms (in a browser, on Windows), code is stopped at its next jump; in threads, never.
    """
    if not _alarms.get() or threading.current_thread() is not threading.main_thread():
        yield
        return
    if not hasattr(signal, "setitimer"):
        with nullcontext() if watch else stopped_at_jumps(TooSlow, end_of_time):
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
