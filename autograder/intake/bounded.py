"""Limits on the processor time and memory of one task, which the kernel enforces even while C code runs."""

import signal
from contextlib import contextmanager
from pkgutil import resolve_name

MOST_WORK = 300  # seconds of processor time, after which the process is ended. Most tasks need less than one
MOST_MEMORY = 4 * 2**30  # bytes of the process, beyond which it gets a MemoryError. Most tasks need a tenth of that


def do(work, *task):
    """Call the function `work`, given as "module:name", with bounded time and memory, and return its result."""
    with _bounded_work(), bounded_memory():
        return resolve_name(work)(*task)


@contextmanager
def _bounded_work():
    """End the process after MOST_WORK seconds of processor time; on Windows, set no limit."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_WORK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def bounded_memory(most=MOST_MEMORY):
    """Raise MemoryError where the process would need more bytes; on Windows, set no limit.

    So the task fails, and not whatever else runs on this machine.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [size for size in (most, soft, hard) if size != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(known), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
