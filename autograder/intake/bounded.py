"""What one task may take of the process that does it: the kernel sees to that, also while it is inside of C."""

import signal
from contextlib import contextmanager
from pkgutil import resolve_name

MOST_WORK = 300  # seconds of a processor; then the process is ended. Most tasks need less than one
MOST_MEMORY = 4 * 2**30  # bytes of the process; then it is a MemoryError. Most need a tenth of that


def do(work, *task):
    """What the function `work`, "module:name", makes of this."""
    with _bounded_work(), bounded_memory():
        return resolve_name(work)(*task)


@contextmanager
def _bounded_work():
    """Not on Windows."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_WORK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@contextmanager
def bounded_memory():
    """A MemoryError where it would be more. Not on Windows.

    It ends here, and not with whatever else runs on this machine.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [size for size in (MOST_MEMORY, soft, hard) if size != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(known), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
