"""Stop a program at its next jump: a time limit where there are no alarms, as in a browser and on Windows."""

import contextlib
import math
import sys
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic

CLEARS_UP = str(Path(__file__).parents[1]), contextlib.__file__  # files whose code is never stopped
TOOL = 4  # of Python's six for watching code, one that is nobody's
PAUSE = 0.01  # seconds until an error that did not get through is raised again
_jumps, _rang = count(), -math.inf  # when


@contextlib.contextmanager
def raising_at_jumps(end_of_time, error):
    """Raise an error once the time is over, when a loop begins anew or a function begins; from Python 3.12 on.

    end_of_time: a function that returns when that is, by the clock `time.monotonic`.
    """
    if not hasattr(sys, "monitoring"):
        yield
        return
    watch = sys.monitoring
    kinds = watch.events.JUMP, watch.events.PY_START
    if not watch.get_tool(TOOL):
        watch.use_tool_id(TOOL, __name__)
        for kind in kinds:
            watch.register_callback(TOOL, kind, partial(_ring, end_of_time, error))
    before = watch.get_events(TOOL)
    watch.set_events(TOOL, sum(kinds))
    try:
        yield
    finally:
        watch.set_events(TOOL, before)


def _ring(end_of_time, error, code, *_):
    """Raise the error if time is over, but not in code that clears up."""
    global _rang
    if next(_jumps) % 32:  # to ask for the time takes a browser longer than a turn of a loop
        return
    now = monotonic()
    if now > end_of_time() and now > _rang + PAUSE and not code.co_filename.startswith(CLEARS_UP):
        _rang = now
        raise error
